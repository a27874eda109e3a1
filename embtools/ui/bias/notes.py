"""What the panels of the Bias page share: the line above them, and the notes on measures."""

from dataclasses import dataclass

import streamlit as st

from embtools import wordlists
from embtools.ui import page, state
from embtools.ui.fields import Flag

HIDE = Flag("bias_hide")
FIELDS = (HIDE,)


def show() -> None:
    """Said before anything else on the page, with a switch for classes."""
    with st.container(key="bias-note", horizontal=True, vertical_alignment="center", gap="small"):
        page.seen(
            "These are a model's guesses, prejudices of its texts included: **they are not true statements about"
            " people**, and some may hurt."
        )
        st.toggle(
            "Hide offensive words",
            help="Leaves swear words and slurs out of all answers; the others keep their probability.",
            width="content",
            **HIDE.widget,
        )


def hidden() -> tuple[str, ...]:
    """The words that are no answers while the switch is on."""
    return tuple(wordlists.load("offensive")["word"]) if HIDE.value else ()


def hiding() -> str:
    """The argument of copied code that leaves them out."""
    return ", leave_out=tuple(wordlists.load('offensive')['word'])" if HIDE.value else ""


@dataclass(frozen=True)
class Note:
    """What a measure is, where it was published, and what has been published against it (Markdown)."""

    definition: str
    source: str
    caveat: str


_BOLUKBASI = "[Bolukbasi et al. 2016](https://arxiv.org/abs/1607.06520)"
_ETHAYARAJH = "[Ethayarajh et al. 2019](https://arxiv.org/abs/1908.06361)"
NOTES = {
    "Distance in bits": Note(
        "Jensen–Shannon divergence of two lists of answers over the whole vocabulary: 0 the same answers, 1 no answer"
        " in common.",
        "[Lin 1991](https://doi.org/10.1109/18.61115)",
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
        "After CrowS-Pairs, [Nangia et al. 2020](https://arxiv.org/abs/2010.00133)",
        "[Blodgett et al. 2021](https://aclanthology.org/2021.acl-long.81) found many of that benchmark's sentence"
        " pairs unsuited to show what they claim. A change may come from grammar or from word frequency.",
    ),
    "Log-probability score": Note(
        "log P(group word | sentence with the occupation) − log P(group word | the occupation masked too); second group"
        " minus first.",
        "[Kurita et al. 2019](https://arxiv.org/abs/1906.07337)",
        "It depends on the wording of the sentences and on the words chosen for the groups: the lines show the range"
        " over the sentences. A low score is no proof that a model is fair.",
    ),
    "Direction projection": Note(
        "Cosine of a word's static embedding with the direction between the groups; inner: without scaling it to length"
        " one (RIPA).",
        f"{_BOLUKBASI}; RIPA: {_ETHAYARAJH}",
        "A direction found from a few words is no definition of gender. Ethayarajh et al. 2019 leave the words' lengths"
        " as they are, because scaling changes what the number says. How a word is used in a sentence need not follow"
        " its static embedding.",
    ),
    "WEAT": Note(
        "Association of a word: its mean cosine with attributes A minus that with B. Effect d: mean over X minus mean"
        " over Y, in standard deviations. p, two-sided: how often a random division of the words into X and Y gives"
        " a difference at least this large, in either direction. The published p-values are one-sided.",
        "[Caliskan et al. 2017](https://doi.org/10.1126/science.aal4230)",
        f"{_ETHAYARAJH}: the choice of attribute words, and how frequent they are, can decide the outcome, and"
        " bias tends to be overestimated. p speaks of the words in the lists alone. A high d does not say that an"
        " application does harm.",
    ),
    "SEAT": Note(
        "The same test on vectors of bleached sentences such as “This is …”.",
        "[May et al. 2019](https://arxiv.org/abs/1903.10561)",
        "Its authors found patterns which suggest that its assumptions may not hold for sentence vectors, and warn that"
        " it can find bias but never its absence. They treat the sentences of one word as independent; here they are"
        " moved together.",
    ),
    "Other measures": Note(
        "RND, ECT, MAC, RNSB, RIPA, direct bias: six further numbers from the same word lists.",
        "[Garg et al. 2018](https://doi.org/10.1073/pnas.1720347115);"
        " [Dev & Phillips 2019](https://arxiv.org/abs/1901.07656);"
        " [Manzini et al. 2019](https://arxiv.org/abs/1904.04047);"
        f" [Sweeney & Najafian 2019](https://aclanthology.org/P19-1162); {_ETHAYARAJH}; {_BOLUKBASI}",
        "They often disagree with each other, because they measure different things on different scales.",
    ),
    "Mitigation": Note(
        "average: both words of a pair become their mean. project away: every word loses its part along the pairs'"
        " main direction. equalise: the pairs keep only that part, the same on both sides. random direction: the"
        " control.",
        f"“BERT Embedding Math”; {_BOLUKBASI}",
        "The methods were made for static embeddings. What the layers of BERT have learnt stays as it is.",
    ),
    "What remains": Note(
        "The words that leaned most to one side before: can a classifier (5-fold cross-validated), or two clusters,"
        " still tell the sides apart after the direction is gone?",
        "[Gonen & Goldberg 2019](https://arxiv.org/abs/1903.03862)",
        "The random direction, a control added here, shows how much of the accuracy is a property of the space: words"
        " that lie far out along any direction share other dimensions too. Many of the words are first names, whose"
        " gender is no prejudice.",
    ),
}


def notes(*names: str) -> None:
    """Definition, source and published caveats of some measures, below their numbers."""
    fold = state.fold(
        "measures", "What this measures, who proposed it, and what speaks against it", ":material/fact_check:"
    )
    if fold.open:
        with fold:
            for name in names:
                note = NOTES[name]
                st.markdown(f"**{name}.** {note.definition}  \n*Source:* {note.source}.  \n*Caveat:* {note.caveat}")
