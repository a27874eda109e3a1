"""Panel for counterfactual sentences: a sentence compared with its version for another group."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools import wordlists
from embtools.bias import counterfactual, likelihood, verdict
from embtools.charts.bias import groups as group_charts
from embtools.mask_filling import typed_input
from embtools.ui import cached, fields, figures, jobs
from embtools.ui.bias import notes, two_models
from embtools.ui.compare import Beside
from embtools.ui.fields import Text
from embtools.ui.share import Code

TAB = "Whole sentence"
COMPARES = True
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

Compared = tuple[str, str, pd.DataFrame, tuple[pd.DataFrame, float] | None]


def builtin_pairs() -> tuple[tuple[str, str], ...]:
    """Male and female words of the built-in lists: pronouns, people and family."""
    rows = wordlists.load("groups")
    built_in: list[tuple[str, str]] = []
    for name in ("pronouns", "people", "family"):
        part = rows[rows["set"] == name]
        male, female = (part.loc[part["group"] == sex, "word"] for sex in ("male", "female"))
        built_in += zip(male, female, strict=True)
    return tuple(built_in)


def compare(text: str, own: str, other: str, *, leave_out: tuple[str, ...], model: Any) -> Compared:
    """Both sentences, the changes of their shared words, and the answers at their masks, if there are any."""
    first = typed_input.normalise_masks(text)
    second = typed_input.normalise_masks(other.strip()) or counterfactual.swap(
        first, fields.pairs(own) or builtin_pairs()
    )
    words = likelihood.swapped_words(first, second, model)
    masked = "[MASK]" in first
    answers = likelihood.swapped_answers(first, second, model, leave_out=leave_out) if masked else None
    return first, second, words, answers


def show(model: str, code: Code) -> None:
    """Draw the fields, both sentences, and the changes of their words."""
    sentence, own, other = st.columns([8, 4, 6], gap="small")
    sentence.text_input("Sentence", help="If it contains [MASK], the answers there are compared too.", **TEXT.widget)
    own.text_input(
        "Your own pairs",
        placeholder="muslim=christian, young=old",
        help="Words to swap, separated by commas. They are used instead of the built-in male and female words.",
        **PAIRS.widget,
    )
    other.text_input(
        "Swapped sentence",
        placeholder="Made from the pairs if empty",
        help="Change it word by word: both sentences must have the same number of words.",
        **OTHER.widget,
    )
    query = (TEXT.value, PAIRS.value, OTHER.value)
    first = (TEXT.default, "", "")
    answer = jobs.ask("bias-swap", compare, model, query, first, leave_out=notes.hidden())
    if answer:
        with jobs.results(answer, "bias-swap", answer.asked[0]):
            _results(model, answer, code)
    notes.notes("Change of log probability", "Distance in bits")


def _results(model: str, answer: jobs.Answer[Compared], code: Code) -> None:
    first, second, words, answers = answer.value
    code.add("sentences", f"first = {first!r}", f"second = {second!r}")
    more, finding = "The sentences and the answers at a mask", verdict.swapped(words)[0]
    beside = Beside(model, code, [5, 3], gap="large", more=more, finding=finding)
    again = beside.ask(
        "bias-swap",
        compare,
        lambda name: answer.asked,
        meanwhile=lambda: two_models.changes([words], beside),
        leave_out=notes.hidden(),
    )
    if again:
        beside.finding(verdict.swapped(again[2])[0], second=True)
    two_models.changes([words, again[2]] if again else [words], beside)
    code.add(
        "words",
        "words = likelihood.swapped_words(first, second, model)",
        "print(words, *verdict.swapped(words), sep='\\n')",
    )
    if again:
        beside.code(
            "other_words = likelihood.swapped_words(first, second, other)",
            "print(other_words, verdict.swapped(other_words)[1], sep='\\n')",
            "print(two_models.swaps(words, other_words))",
        )
    with beside.detail:
        st.text(f"First sentence: {first}")
        st.text(f"Swapped sentence: {second}")
        if not answer.asked[2] and {"her", "his"} & set(first.lower().replace(".", " ").split()):
            st.caption("Please check every *her* and *his*. If one is wrong, write the swapped sentence yourself.")
        if answers is not None:
            _answers(*answers, code)


def _answers(frame: pd.DataFrame, bits: float, code: Code) -> None:
    st.subheader("Answers at the mask", anchor=False)
    both = frame.drop(columns="change").rename(columns={"first": "first sentence", "second": "swapped sentence"})
    best = frame.loc[frame["first"].idxmax(), "token"], frame.loc[frame["second"].idxmax(), "token"]
    figures.chart(
        cached.figure(group_charts.dumbbells, both, ""),
        frame,
        name="answers-swapped",
        alt=f"Probabilities of {len(frame)} words at the mask. The top answer is {best[0]} in the first sentence and"
        f" {best[1]} in the swapped one.",
    )
    st.text(f"The distance between the answers is {bits:.3f} bits.")
    code.add(
        "answers",
        f"answers, bits = likelihood.swapped_answers(first, second, model{notes.hiding()})",
        "print(answers, bits)",
    )
