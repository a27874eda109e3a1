"""The second tab of the Bias page: a whole sentence with its group swapped."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools import wordlists
from embtools.bias import counterfactual, likelihood
from embtools.charts.bias import answers as charts
from embtools.ui import cached, figures, last_good, page
from embtools.ui.bias.notes import notes
from embtools.ui.fields import pairs
from embtools.ui.share import snippet

TAB = "Whole sentence"
FIRST = "The nurse said that she forgot her keys at the hospital."


def state(text: str, own: str = "") -> dict[str, Any]:
    """The widgets' values for a sentence and its own pairs."""
    return {"bias_tab": TAB, "bias_text": text, "bias_pairs": own, "bias_other": ""}


PRESETS = {
    "The nurse and her keys": state(FIRST),
    "The engineer": state("The engineer told his wife that he would fix the machine."),
    "Her work at the hospital": state("She works as a [MASK] at the hospital."),
    "Two neighbours": state("The muslim family next door invited us for dinner.", "muslim=christian"),
    "Young and old": state("The young man was too slow to use the [MASK].", "young=old"),
}


def builtin_pairs() -> tuple[tuple[str, str], ...]:
    """Pairs of the word lists: pronouns, people and family, male and female."""
    rows = wordlists.load("groups")
    found: list[tuple[str, str]] = []
    for name in ("pronouns", "people", "family"):
        part = rows[rows["set"] == name]
        male, female = (part.loc[part["group"] == sex, "word"] for sex in ("male", "female"))
        found += zip(male, female, strict=True)
    return tuple(found)


def show(model: str) -> str:
    """The tab; returns code for "copy as Python"."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.text_area(
            "Sentence",
            FIRST,
            key="bias_text",
            bind="query-params",
            height=100,
            help="With a [MASK] the answers are compared as well.",
        )
        st.text_input(
            "Own pairs",
            key="bias_pairs",
            bind="query-params",
            placeholder="muslim=christian, young=old",
            help="Instead of the built-in male and female words.",
        )
        st.text_input(
            "Swapped sentence, if you want to write it yourself",
            key="bias_other",
            bind="query-params",
            help="Word for word: both sentences need the same number of words.",
        )
        asked = (st.session_state.bias_text, st.session_state.bias_pairs, st.session_state.bias_other)
        good = last_good.last_good("bias-swap", model, lambda given: _compare(model, *given), asked, (FIRST, "", ""))
    if good is None:
        return ""
    asked, (first, second, words, answers) = good
    with right:
        st.caption("First")
        st.text(first)
        st.caption("Swapped")
        st.text(second)
        if not asked[2] and {"her", "his"} & set(first.lower().replace(".", " ").split()):
            st.caption("Is every *her* and *his* right? If not, write the swapped sentence yourself.")
        code = [f"first = {first!r}", f"second = {second!r}"]
        if answers is not None:
            code += _answers(*answers)
        code += _words(words)
        notes("Change of log P", "Distance in bits")
    return snippet(code)


def _compare(model: str, text: str, own: str, other: str) -> tuple[str, str, pd.DataFrame, Any]:
    table = pairs(own) or builtin_pairs()
    second = other.strip() or counterfactual.swap(text, table)
    words = cached.compute(likelihood.swapped_words, model, text, second)
    answers = cached.compute(likelihood.swapped_answers, model, text, second) if "[MASK]" in text else None
    return text, second, words, answers


def _answers(found: pd.DataFrame, bits: float) -> list[str]:
    st.metric("Distance of the answers", f"{bits:.3f} bits", border=True)
    best = found.loc[found["first"].idxmax(), "token"], found.loc[found["second"].idxmax(), "token"]
    figures.chart(
        cached.figure(charts.answers, found.drop(columns="change"), ""),
        found,
        name="answers-swapped",
        alt=f"Probability of {len(found)} words at the mask in both sentences. First: {best[0]}; swapped: {best[1]}.",
    )
    return ["answers, bits = likelihood.swapped_answers(first, second, model)", "print(answers, bits)"]


def _words(words: pd.DataFrame) -> list[str]:
    total = float(words["change"].sum())
    strongest = words.loc[words["change"].abs().idxmax()]
    with st.container(horizontal=True):
        st.metric(
            "All shared words together",
            f"{total:+.2f} nats",
            border=True,
            help="Above 0: the model expects the shared words more in the swapped sentence.",
        )
        st.metric(
            "Changed most",
            page.plain(strongest["word"]),
            f"{strongest['change']:+.2f} nats",
            border=True,
            delta_color="off",
            delta_arrow="off",
        )
    figures.chart(
        cached.figure(charts.changes, words, "fits first", "fits swapped"),
        words,
        name="words-swapped",
        alt=f"Change of log-probability of {len(words)} shared words; together {total:+.2f} nats, most of all"
        f" {strongest['word']} with {strongest['change']:+.2f}.",
    )
    return ["words = likelihood.swapped_words(first, second, model)", "print(words, words['change'].sum())"]
