"""Content note above the panels of the Bias page, and notes on its measures."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from embtools.ui import figures, page
from embtools.ui.fields import Flag
from embtools.wordlists import WordList

HIDE = Flag("bias_hide")
FIELDS = (HIDE,)
GAPS = (
    "The gap of a word is how much more likely it is for one group, in [[nats]]. [[ρ]] measures whether both models"
    " rank the words in the same order by their gaps. The [[p-value]] is the probability of such a relation by chance."
)
"""Explains the sentence about both models (with terms of the glossary)."""


def show() -> None:
    """Draw the content note above all panels, with a switch that hides offensive words."""
    with st.container(key="bias-note", horizontal=True, vertical_alignment="center", gap="small"):
        page.caption("These are a model's guesses, **not facts about people**. Some may be hurtful.")
        st.toggle(
            "Hide offensive words",
            help="Leaves swear words and slurs out of all answers. The other words keep their probability.",
            width="content",
            **HIDE.widget,
        )


def hidden() -> Sequence[str]:
    """The words to leave out of the answers while the switch is on."""
    return WordList("offensive") if HIDE.value else ()


@dataclass(frozen=True)
class Note:
    """Definition, source and published criticism of a measure (Markdown)."""

    definition: str
    source: str
    caveat: str


_BOLUKBASI = "[Bolukbasi et al. 2016](https://arxiv.org/abs/1607.06520)"
_ETHAYARAJH = "[Ethayarajh et al. 2019](https://arxiv.org/abs/1908.06361)"
NOTES = {
    "Distance in bits": Note(
        "The Jensen–Shannon divergence of two probability distributions over the whole vocabulary. 0 means the same"
        " answers, 1 means no answer in common.",
        "[Lin 1991](https://doi.org/10.1109/18.61115)",
        "It weights every word by its probability, whether the difference is a stereotype or only grammar.",
    ),
    "Averaged word": Note(
        "The input vector of the first group is replaced by the weighted mean of the groups' vectors.",
        "“BERT Embedding Math”, figure 5",
        "This changes one word in one sentence. The mean of two vectors is usually shorter than both, and BERT was"
        " never trained with it. The control therefore mixes the first group with unrelated words.",
    ),
    "Change in log probability": Note(
        "Each word that both sentences share is masked in turn. The change says how much more likely the model finds it"
        " after the group has been swapped.",
        "After CrowS-Pairs, [Nangia et al. 2020](https://arxiv.org/abs/2010.00133)",
        "[Blodgett et al. 2021](https://aclanthology.org/2021.acl-long.81) found many of that benchmark's sentence"
        " pairs unsuitable for what they are meant to show. A change may come from grammar or from word frequency.",
    ),
    "Log-probability score": Note(
        "log P(group word | sentence with the occupation) − log P(group word | sentence with the occupation masked"
        " too). The score is this number for the second group minus that for the first.",
        "[Kurita et al. 2019](https://arxiv.org/abs/1906.07337)",
        "It depends on the wording of the sentences and on the words chosen for the groups. The lines show the range"
        " over the sentences. A low score does not prove that a model is fair.",
    ),
    "Direction projection": Note(
        "The cosine of a word's static embedding with the direction between the groups, minus the mean of all words."
        " The column “dot product” is not centred, and the words are not scaled to length one (RIPA).",
        f"{_BOLUKBASI}; RIPA: {_ETHAYARAJH}",
        "A direction found from a few words does not define gender. Ethayarajh et al. 2019 do not scale the words,"
        " because scaling changes what the number means. The use of a word in a sentence can differ from its static"
        " embedding.",
    ),
    "WEAT": Note(
        "The association of a word is its mean cosine with the attributes A minus its mean cosine with B. The effect"
        " size d is the mean association of X minus that of Y, in standard deviations. The two-sided p is the share of"
        " random divisions of the words into X and Y that give a difference at least this large, in either direction."
        " The published p-values are one-sided.",
        "[Caliskan et al. 2017](https://doi.org/10.1126/science.aal4230)",
        f"{_ETHAYARAJH}: the choice of attribute words and their frequency can decide the result, and bias tends to be"
        " overestimated. The p-value only concerns the words in the lists. A high d does not mean that an"
        " application does harm.",
    ),
    "SEAT": Note(
        "The same test on vectors of sentences that add almost no meaning to the word, such as “This is …”.",
        "[May et al. 2019](https://arxiv.org/abs/1903.10561)",
        "Its authors found patterns which suggest that its assumptions may not hold for sentence vectors. They warn"
        " that the test can show bias, but never its absence. They treat the sentences of one word as independent;"
        " here, the permutations move them together.",
    ),
    "Other measures": Note(
        "Six further numbers from the same word lists: RND, ECT, MAC, RNSB, RIPA and direct bias.",
        "[Garg et al. 2018](https://doi.org/10.1073/pnas.1720347115);"
        " [Dev & Phillips 2019](https://arxiv.org/abs/1901.07656);"
        " [Manzini et al. 2019](https://arxiv.org/abs/1904.04047);"
        f" [Sweeney & Najafian 2019](https://aclanthology.org/P19-1162); {_ETHAYARAJH}; {_BOLUKBASI}",
        "They often disagree with each other, because they measure different things on different scales.",
    ),
    "Mitigation": Note(
        "average: both words of a pair become their mean. project away: the component along the main direction of the"
        " pairs is subtracted from every word. equalise: the same, but the two words of a pair are then placed"
        " at equal distances on opposite sides of zero along that direction. random direction and random"
        " directions: the controls; the components along one random direction, or along as many as INLP removes,"
        " are subtracted.",
        f"“BERT Embedding Math”; {_BOLUKBASI}",
        "The methods were made for static embeddings. They do not change what the layers of BERT have learnt.",
    ),
    "LEACE and INLP": Note(
        "Both are fitted on the words of the pairs and then change every word. LEACE (least-squares concept erasure)"
        " subtracts one direction, scaled so that both sides of the pairs have the same mean afterwards and the"
        " vectors change as little as possible. INLP (iterative nullspace projection) trains a classifier to tell the"
        " two sides apart, projects out its weight vector, and repeats this ten times.",
        "[Belrose et al. 2023](https://arxiv.org/abs/2306.03819);"
        " [Ravfogel et al. 2020](https://arxiv.org/abs/2004.07667)",
        "LEACE guarantees that on the words it was fitted on, no linear classifier reaches a smaller loss than a"
        " constant answer. It promises nothing for other words, for classifiers that are not linear, such as the one"
        " used to measure the residual bias, or for what the layers of BERT compute from these embeddings. With fewer"
        " words than dimensions, it can fit chance features of these words. INLP has no such guarantee, and also"
        " removes more unrelated information.",
    ),
    "Residual bias": Note(
        "After the direction has been removed, the words that were most biased before are assigned to their old side"
        " in two ways: by a classifier (5-fold cross-validation) and by k-means with two clusters.",
        "[Gonen & Goldberg 2019](https://arxiv.org/abs/1903.03862)",
        "The random directions are controls added here. They show how much of the accuracy has nothing to do with the"
        " chosen direction: words at the same end of any direction are similar in other dimensions too. Many of the"
        " words are first names, whose gender is not a prejudice.",
    ),
}


def notes(*names: str) -> None:
    """Definition, source and published caveats of some measures, below their numbers."""
    with figures.expander(
        "measures", "Definitions, sources and criticism of these measures", ":material/fact_check:"
    ) as opened:
        if opened:
            for name in names:
                note = NOTES[name]
                st.markdown(f"**{name}.** {note.definition}  \n*Source:* {note.source}.  \n*Caveat:* {note.caveat}")
