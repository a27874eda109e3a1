"""Results of a decomposition: the parts and their sentences, the controls, and the effect of the penalty."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import decomposition as charts
from embtools.charts.style import BLUE, shade
from embtools.decomposition.controls import NEAREST
from embtools.decomposition.results import Controls, Decomposition
from embtools.messages import counted
from embtools.statistics.percentages import rounded
from embtools.ui import figures, glossary, page, running, shown, texts
from embtools.ui.call import Call
from embtools.ui.running import Answer

PRINTS = ("headline", "optimum", "parts.table", "parts.words", "parts.figures")
"""What the copied code prints of a decomposition."""
_SENTENCES = 8  # sentences under the bars; the table has all


def show(
    name: str,
    answers: Sequence[Answer[Decomposition]],
    controls: Callable[..., Any],
    path: Callable[..., Any],
) -> None:
    """Draw for each model the headline and the bars, then the controls and the path, which take longer to compute.

    `controls` and `path` take the arguments of the query that gave the answers; `path` takes no penalty.
    """
    if not answers:
        return
    tables = [answer.value.parts.table for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            result = answer.value
            shown.headline(result.headline)
            if result.coverage:
                st.caption(texts.plain(result.coverage))
            if not len(result.parts.rows):
                top = result.measure("alpha at which the mix is empty")
                st.text(f"The mix is empty for every alpha from {top:.3g} upwards.")
                continue
            left, right = shown.split([3, 2], gap="medium")
            with left:
                _parts(name, result, tables)
            with right:
                _controls(name, Call(controls, **answer.query.arguments), answer)
            with right if result.target.sentence else left:
                _path(name, Call(path, **_without_penalty(answer.query)), answer)


def _without_penalty(query: Call) -> dict[str, Any]:
    return {name: value for name, value in query.arguments.items() if name not in ("share", "alpha")}


def _parts(name: str, result: Decomposition, tables: Sequence[pd.DataFrame]) -> None:
    """Draw the bars, the sentences that contain the parts, and the table of measures."""
    parts = result.parts
    figures.show(charts.parts, parts.table, beside=tables, name=name)
    what = (
        "The result is a [[sparse mix]]. Each bar is a word; each segment of a bar is one of its occurrences."
        if parts.table["sentence"].any()
        else "The result is a [[sparse mix]] of [[static embedding|static embeddings]]. Each bar is a word."
    )
    total = result.measure("sum of the weights")
    page.caption(f"{what} The shares add up to 100% and the weights to {total:.2f}. {result.optimum}")
    if result.target.sentence:
        st.subheader("Sentences that contain the parts", anchor=False)
        st.html(_sentences(result, dark=st.context.theme.type == "dark"))
        if (more := len(parts.table) - _SENTENCES) > 0:
            st.caption(f"The table also lists the sentences of {counted(more, 'other part')} with smaller weights.")
    label = "As numbers: explained share, cosine, alpha, duality gap"
    with figures.expander(f"{name}-figures", label, ":material/list:") as opened:
        if opened:
            figures.table(parts.figures, "Measures of the mix", name=f"{name}-figures{shown.suffix()}")
            figures.table(parts.words, "Words of the mix with their weights", name=f"{name}-words{shown.suffix()}")
            st.caption(glossary.definition("LASSO"))


def _controls(name: str, query: Call, answer: Answer[Decomposition]) -> None:
    """Draw how much the controls explain, with the tests against chance."""
    controls: Controls | None = running.detail(
        "controls", query, answer.model, label="Comparing with controls", prints=("trust", "summary", "frame")
    )
    if controls is None:
        return
    figures.show(charts.controls, controls, name=f"{name}-controls")
    st.text(controls.trust)
    nearest = "the nearest words"
    if (controls.frame["kind"] == NEAREST).any():
        nearest += ", the nearest occurrences"
    page.caption(
        "Each ring is a control run. Some rings show how well the same number of parts [[explained|explains]]"
        " [[random vector|random vectors]], shuffled vectors or the vectors of other words. The others show how well"
        f" {nearest} or random parts explain this vector."
    )


def _path(name: str, query: Call, answer: Answer[Decomposition]) -> None:
    """Draw how the mix changes with the penalty."""
    path = running.detail("path", query, answer.model, label="Trying other penalties")
    if path is None:
        return
    st.subheader("Effect of the penalty", anchor=False)
    figures.show(charts.path, path, answer.value.parts.share, name=f"{name}-path")
    page.caption(
        "From left to right the [[penalty]] decreases and more words join the mix. The grey line shows how much of the"
        " vector the mix explains with its penalised weights (the headline uses refitted ones); the other lines are the"
        " words’ shares of the mix. The dotted line marks the chosen penalty."
    )


def _sentences(result: Decomposition, dark: bool) -> str:
    """Return an escaped HTML list of the word's own sentence and those of the heaviest parts, with the words marked."""
    colour = shade(BLUE, dark)
    target = result.target
    rows = [(target.name, "", target.sentence, target.start, target.end)]
    rows += [
        (row.word, rounded(row.share), row.sentence, row.start, row.end)
        for row in result.parts.table.head(_SENTENCES).itertuples()
        if row.sentence
    ]
    items = []
    for _, share, text, start, end in rows:
        badge = f'<b style="border-color:{colour}">{share}</b>' if share else ""
        mark = f'<mark style="border-color:{colour}">{escape(text[start:end])}</mark>'
        items.append(f"<li>{badge}{escape(text[:start])}{mark}{escape(text[end:])}</li>")
    return f'<ol class="occurrences">{"".join(items)}</ol>'
