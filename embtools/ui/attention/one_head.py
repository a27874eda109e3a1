"""The tab that shows one head token by token, and how the weight of one pair is computed."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.attention import attended_words, one_head
from embtools.attention.attended_words import Readings
from embtools.attention.reading import Reading
from embtools.charts.attention import one_head as charts
from embtools.ui import cached, figures, jobs, page, state, texts
from embtools.ui.attention import asking
from embtools.ui.fields import Number
from embtools.ui.share import Code
from embtools.vectors import Array

TAB = "One head"
ROW, COLUMN = Number("attention_row", -1, -1, 511, 1), Number("attention_column", -1, -1, 511, 1)  # -1: the first token
FIELDS = (*asking.FIELDS, ROW, COLUMN)
PRESETS: dict[str, dict[str, Any]] = {
    "it and animal": {},
    "Previous token": {asking.HEADS.key: "1.1"},
    "All heads averaged": {asking.HEADS.key: attended_words.ALL},
    "Rollout": {asking.HEADS.key: attended_words.ROLLOUT},
}
_NAME = "attention-tokens"


@state.fragment
def show(model: str, code: Code) -> None:
    """Show the fields, the heatmap, and the steps of the chosen pair."""
    answer = asking.bar(model, compared=False)
    if answer is None:
        return
    with jobs.results(answer, "attention-head", asking.says(answer)):
        _shown(model, answer, code)


def _shown(model: str, answer: jobs.Answer[Readings], code: Code) -> None:
    picked = asking.chosen()
    heads = asking.attended(model, answer, picked).heads
    reading, loaded = answer.value.now, cached.model(model)
    weights = cached.derive(_matrix, (reading, loaded), (model, *answer.asked), heads)
    tokens = reading.tokens["token"].tolist()
    row, column = (_place(reading, *pair) for pair in ((picked.source[0], ROW), (picked.target[0], COLUMN)))
    single = attended_words.single_head(heads, loaded.layers, loaded.heads) is not None
    named = attended_words.head_name(heads)
    share = f"{weights[row, column]:.1%}"
    finding = f"In {named}, “{tokens[row]}” gives “{tokens[column]}” {share} of its attention."
    if heads == attended_words.ALL:
        finding = f"Averaged over all heads, “{tokens[row]}” gives “{tokens[column]}” {share} of its attention."
    if heads == attended_words.ROLLOUT:
        finding = f"By rollout over all layers, {share} of “{tokens[row]}” comes from “{tokens[column]}”."
    if heads.startswith("layer"):
        finding = (
            f"Averaged over the heads of {heads}, “{tokens[row]}” gives “{tokens[column]}” {share} of its attention."
        )
    st.header(texts.plain(finding), anchor=False)
    lines = [*asking.code(answer), f"weights = one_head.matrix(readings.now, model, heads={heads!r})"]
    left, right = st.columns([5, 4], gap="medium")
    with left:
        _heatmap(answer.value, weights, row, column)
    with right:
        if single:
            _steps(model, answer, heads, row, column, tokens)
            lines += [
                f"found = one_head.steps(readings.now, model, heads={heads!r}, row={row}, column={column})",
                f"print(one_head.written(found, {tokens[row]!r}, {tokens[column]!r}))",
                "print(pd.DataFrame(weights), found.dimensions, found.tokens, sep='\\n')",
            ]
        else:
            lines.append("print(pd.DataFrame(weights))")
            page.seen(
                "Several heads together have no [[query, key, value|query and key]] of their own. Choose one head above"
                " to see how a weight is computed. [[attention rollout|Rollout]] multiplies the attention of all the"
                " layers."
            )
    code.add("head", *lines)


def _heatmap(readings: Readings, weights: Array, row: int, column: int) -> None:
    tokens = readings.now.tokens["token"].tolist()
    n = len(tokens)

    def below() -> None:
        width = charts.shrunk(weights)[1]
        blocks = "" if n <= charts.MOST else f" Each cell is the mean of {width} × {width} pairs of tokens."
        click = "Click a cell to see how its weight is computed. " if n <= charts.CLICKABLE else ""
        page.seen(
            f"{click}Each row is an attending token; its [[attention]] to all tokens adds up to 100%. Stronger blue"
            f" means more attention, up to {weights.max():.0%}.{blocks}"
        )

    figures.chart(
        cached.figure(charts.heatmap, weights, tokens),
        _table(weights, tokens, row),
        name=_NAME,
        alt=charts.alt(weights, tokens),
        select=("points",) if n <= charts.CLICKABLE else (),
        on_select=lambda: _click(readings),
        above=29,
        below=below,
    )
    if n <= charts.CLICKABLE:
        st.html(f"<style>{charts.marking(f'.st-key-chart-{_NAME}', row, column, n)}</style>")


def _table(weights: Array, tokens: list[str], row: int) -> pd.DataFrame:
    """Return all weights of a short text, or the row of the attending token of a long text."""
    if len(tokens) > charts.CLICKABLE:
        return pd.DataFrame({"position": range(len(tokens)), "token": tokens, "weight": weights[row]})
    frame = pd.DataFrame(weights, columns=[f"{i} {token}" for i, token in enumerate(tokens)])
    frame.insert(0, "attending", [f"{i} {token}" for i, token in enumerate(tokens)])
    return frame


def _steps(model: str, answer: jobs.Answer[Readings], heads: str, row: int, column: int, tokens: list[str]) -> None:
    given = answer.value.now, cached.model(model)
    found = cached.derive(_found, given, (model, *answer.asked), heads, row, column)
    st.code(one_head.written(found, tokens[row], tokens[column]), language=None, wrap_lines=True)
    figures.chart(
        cached.figure(charts.dimensions, found),
        found.dimensions,
        name="attention-dimensions",
        alt=charts.dimensions_alt(found),
    )
    page.seen(
        "The first strip is the [[query, key, value|query]] of the attending token, the second is the key of the token"
        " that receives attention, and the third shows their products. Blue is above zero, orange below; each strip"
        " has its own scale. The [[softmax]] turns the score into a share, by which the value is multiplied."
    )
    fold = state.fold("softmax", "Softmax over all tokens", ":material/functions:")
    if fold.open:
        with fold:
            figures.table(charts.softmax(found.tokens), name="attention-softmax")


def _matrix(given: tuple[Reading, Any], heads: str) -> Array:
    return one_head.matrix(given[0], given[1], heads=heads)


def _found(given: tuple[Reading, Any], heads: str, row: int, column: int) -> one_head.Steps:
    return one_head.steps(given[0], given[1], heads=heads, row=row, column=column)


def _place(reading: Reading, word: str, field: Number) -> int:
    """Return the position of the clicked token if it belongs to the chosen word, else the word's first position."""
    positions = reading.positions([word])
    return int(field.value) if field.value in positions else positions[0]


def _click(readings: Readings) -> None:
    """Select the pair of a clicked cell."""
    if (cell := figures.clicked(_NAME)) is not None:
        row, column = divmod(int(cell), len(readings.now.tokens))
        asking.choose_tokens(readings, row, column)
        state.put({ROW.key: row, COLUMN.key: column})
