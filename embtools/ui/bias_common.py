"""What the panels of the Bias page share: reading words, the last good result, long runs, and the notes on measures."""

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from embtools.catalogue import BUNDLED
from embtools.ui import running

T = TypeVar("T")
_MODULES = (
    "association",
    "bias",
    "directions",
    "likelihood",
    "mitigation",
    "published_tests",
    "remains",
    "wordlists",
)
RUN = "bias_run"  # in the address by hand: a button cannot be bound


@dataclass(frozen=True)
class Note:
    """What a measure is, where it was published, and what has been published against it."""

    definition: str
    source: str
    caveat: str


NOTES = {
    "Distance in bits": Note(
        "Jensen–Shannon divergence of two lists of answers over the whole vocabulary: 0 the same answers, 1 no answer"
        " in common.",
        "Lin 1991",
        "It weighs every word by its probability, whether the difference is a stereotype or only grammar.",
    ),
    "Averaged word": Note(
        "The group's input vector is replaced by the weighted mean of the groups' vectors.",
        "“BERT Embedding Math”, figure 5",
        "One word in one sentence. The mean of two vectors is usually shorter than they are, and it was never trained;"
        " the control mixes the first group with unrelated words instead.",
    ),
    "Change of log P": Note(
        "Each word that both sentences share is masked in turn; how much likelier does the model find it after the"
        " group has been swapped?",
        "After CrowS-Pairs, Nangia et al. 2020",
        "Blodgett et al. 2021 found many of that benchmark's sentence pairs unsuited to show what they claim. A change"
        " may come from grammar or from word frequency.",
    ),
    "Log-probability score": Note(
        "log P(group word | sentence with the occupation) − log P(group word | the occupation masked too); second group"
        " minus first.",
        "Kurita et al. 2019",
        "It depends on the wording of the sentences and on the words chosen for the groups: the lines show the range"
        " over the sentences. A low score is no proof that a model is fair.",
    ),
    "Direction projection": Note(
        "Cosine of a word's static embedding with the direction between the groups; inner: without scaling it to length"
        " one (RIPA).",
        "Bolukbasi et al. 2016; RIPA: Ethayarajh et al. 2019",
        "A direction found from a few words is no definition of gender. Ethayarajh et al. 2019 leave the words' lengths"
        " as they are, because scaling changes what the number says. How a word is used in a sentence need not follow"
        " its static embedding.",
    ),
    "WEAT": Note(
        "Association of a word: its mean cosine with attributes A minus that with B. Effect d: mean over X minus mean"
        " over Y, in standard deviations. p: how often a random division of the words into X and Y does at least"
        " as much.",
        "Caliskan et al. 2017",
        "Ethayarajh et al. 2019: the choice of attribute words, and how frequent they are, can decide the outcome, and"
        " bias tends to be overestimated. p speaks of the words in the lists alone. A high d does not say that an"
        " application does harm.",
    ),
    "SEAT": Note(
        "The same test on vectors of bleached sentences such as “This is …”.",
        "May et al. 2019",
        "Its authors found patterns which suggest that its assumptions may not hold for sentence vectors, and warn that"
        " it can find bias but never its absence. They treat the sentences of one word as independent; here they are"
        " moved together.",
    ),
    "Other measures": Note(
        "RND, ECT, MAC, RNSB, RIPA, direct bias: six further numbers from the same word lists.",
        "Garg et al. 2018; Dev & Phillips 2019; Manzini et al. 2019; Sweeney & Najafian 2019; Ethayarajh et al. 2019;"
        " Bolukbasi et al. 2016",
        "They often disagree with each other, because they measure different things on different scales.",
    ),
    "Mitigation": Note(
        "average: both words of a pair become their mean. project away: every word loses its part along the pairs'"
        " main direction. equalise: the pairs keep only that part, the same on both sides. random direction: the"
        " control.",
        "“BERT Embedding Math”; Bolukbasi et al. 2016",
        "The methods were made for static embeddings. What the layers of BERT have learnt stays as it is.",
    ),
    "What remains": Note(
        "The words that leaned most to one side before: can a classifier (5-fold cross-validated), or two clusters,"
        " still tell the sides apart after the direction is gone?",
        "Gonen & Goldberg 2019",
        "The random direction, a control added here, shows how much of the accuracy is a property of the space: words"
        " that lie far out along any direction share other dimensions too. Many of the words are first names, whose"
        " gender is no prejudice.",
    ),
}


def content_note() -> None:
    """Said before anything else on the page."""
    st.info(
        "This page shows what a model picked up from its texts, prejudices included. The answers describe the model and"
        " those texts; **they are not true statements about people**, and some may hurt. Two genders, or a handful of"
        " religions, are what the published lists contain, not what there is.",
        icon=":material/info:",
    )


def notes(*names: str) -> None:
    """Definition, source and published caveats of some measures, side by side with their numbers."""
    with st.expander("What this measures, who proposed it, and what speaks against it", icon=":material/fact_check:"):
        for name in names:
            note = NOTES[name]
            st.markdown(f"**{name}.** {note.definition}  \n*Source:* {note.source}.  \n*Caveat:* {note.caveat}")


def words(text: str) -> tuple[str, ...]:
    """The words of a field, separated by commas or lines."""
    return tuple(part.strip() for part in re.split(r"[,;\n]", text) if part.strip())


def lines(text: str) -> tuple[str, ...]:
    """The lines of a field that are not empty."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Pairs such as "he=she", separated by commas or lines; ValueError for a part without one "=" between two words."""
    found = []
    for part in words(text):
        a, sign, b = (piece.strip() for piece in part.partition("="))
        if not (a and sign and b) or "=" in b:
            raise ValueError(f"'{part[:60]}' is not a pair. Write pairs such as he=she, separated by commas.")
        found.append((a, b))
    return tuple(found)


def snippet(code: Sequence[str]) -> str:
    """Lines for "copy as Python", with the import of what they name in front."""
    body = "\n".join(code)
    named = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    return f"from embtools import {', '.join(m for m in _MODULES if m in named)}\n\n{body}"


def asks_first(model: str, what: str) -> bool:
    """Whether a long run still waits for its button: the bundled model starts at once, a large one when asked."""
    state = st.query_params.get(RUN, "1" if model == BUNDLED else "0")
    if state == "1":
        return False
    st.button(what, icon=":material/play_arrow:", type="primary", on_click=_set_run, args=("1",))
    st.caption("Seconds with Pocket BERT, up to a minute or two with a large model.")
    return True


def long_call(function: Callable[..., T], model: str, *arguments: Any, label: str, **named: Any) -> T:
    """`running.long_call` whose stop puts the button of `asks_first` back."""
    return running.long_call(function, model, *arguments, label=label, stop=lambda: _set_run("0"), **named)


def _set_run(state: str) -> None:
    st.query_params[RUN] = state
