"""What the panels of the Bias page share: reading words, the last good result, long runs, and the notes on measures."""

from dataclasses import dataclass

import streamlit as st


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
