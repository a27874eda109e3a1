"""Panel for counterfactual sentences: a sentence compared with its version for another group."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.bias import two_models
from embtools.bias.counterfactual import Counterfactual, compare
from embtools.charts import bias as charts
from embtools.mask_filling.typed_input import normalise_masks
from embtools.ui import captions, entry, fields, figures, page, running, shown
from embtools.ui.bias import notes
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.shown import Model, Models

TAB = "Whole sentence"
TEXT = Text("bias_text", "The nurse said that she forgot her keys at the hospital.")
PAIRS, OTHER = Text("bias_pairs"), Text("bias_other")
FIELDS = (TEXT, PAIRS, OTHER)
PRESETS: dict[str, dict[str, Any]] = {
    "The nurse and her keys": {},
    "The engineer": {TEXT.key: "The engineer told his wife that he would fix the machine."},
    "Her work at the hospital": {TEXT.key: "She works as a [MASK] at the hospital."},
    "Two neighbours": {
        TEXT.key: "The muslim family next door invited us for dinner.",
        PAIRS.key: "muslim=christian",
    },
    "Young and old": {TEXT.key: "The young man was too slow to use the [MASK].", PAIRS.key: "young=old"},
}
FIRST = Call(compare, sentence=TEXT.default)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return TEXT, PAIRS, OTHER


def show(models: Models) -> None:
    """Draw the fields; for each model the changes of the words, both sentences, and the answers at a mask."""
    sentence, own, other = st.columns([8, 4, 6], gap="small")
    with sentence:
        entry.text_input("Sentence", help="If it contains [MASK], the answers there are compared too.", **TEXT.widget)
    with own:
        entry.text_input(
            "Your own pairs",
            placeholder="muslim=christian, young=old",
            help="Words to swap, separated by commas. They are used instead of the built-in male and female words.",
            once="pair",
            **PAIRS.widget,
        )
    with other:
        entry.text_input(
            "Swapped sentence",
            placeholder="Made from the pairs if empty",
            help="Change it word by word: both sentences must have the same number of words.",
            **OTHER.widget,
        )
    masked = ("answers", "distance") if "[MASK]" in normalise_masks(TEXT.value, gaps=False) else ()
    answers = running.ask(
        "swap", _query, models, FIRST, prints=("first", "second", "headline", "together", "words", *masked)
    )
    if answers:
        running.say(two_models.swaps, answers, parts="words")
        results = [answer.value for answer in answers]
        for container in running.containers(answers, gap="large"):
            with container as answer:
                _result(answer.value, results)
        if len(answers) > 1:
            page.caption(
                "[[ρ]] measures whether both models rank the words in the same order by their change. The [[p-value]]"
                " is the probability of such a relation by chance."
            )
    notes.notes("Change in log probability", "Distance in bits")


def _query(_: Model) -> Call:
    """Return the query of the fields; raises ValueError for pairs that cannot be read."""
    return Call(
        compare,
        sentence=TEXT.value,
        pairs=fields.pairs(PAIRS.value),
        swapped=OTHER.value.strip(),
        leave_out=notes.hidden(),
    )


def _result(result: Counterfactual, results: Sequence[Counterfactual]) -> None:
    shown.headline(result.headline)
    left, right = shown.split([5, 3], gap="large")
    with left:
        st.text(result.together)
        figures.show(charts.swapped_words, result, name="words-swapped", beside=results)
        page.caption(
            "Each bar is a word that the sentence shares with its [[counterfactual|swapped version]]. Each of these"
            " words is replaced by a [[mask]] in turn. Upward bars: BERT finds the word more likely in the swapped"
            " sentence. Downward bars: it finds the word more likely in the first sentence. The unit is [[nats]] of"
            " [[log probability]]."
        )
    with right:
        st.text(f"First sentence: {result.first}")
        st.text(f"Swapped sentence: {result.second}")
        if result.uncertain:
            st.caption("Please check every *her* and *his*. If one is wrong, write the swapped sentence yourself.")
        if result.answers is not None:
            st.subheader("Answers at the mask", anchor=False)
            masked = [each for each in results if each.answers is not None]
            figures.show(charts.swapped_answers, result, name="answers-swapped", beside=masked)
            st.text(f"The distance between the answers is {result.distance:.3f} bits.")


READINGS = {
    "most-changed": Reading(
        _query,
        "Word whose probability changes most",
        "word",
        lambda result: result.words.loc[result.words["change"].abs().idxmax(), "word"],
    ),
}
