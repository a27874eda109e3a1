"""Panel for one head token by token, and how the weight of one pair is computed."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.attention import heads
from embtools.attention.head_steps import OneHead, one_head
from embtools.charts import attention as charts
from embtools.charts.plot import marking
from embtools.statistics.percentages import rounded
from embtools.ui import captions, figures, page, running, shown, state
from embtools.ui.attention import reading
from embtools.ui.call import Call
from embtools.ui.fields import Number
from embtools.ui.one_token import hide_special
from embtools.ui.shown import Models

TAB = "One head"
USES_EDIT = True
ROW, COLUMN = Number("attention_row", -1, -1, 511, 1), Number("attention_column", -1, -1, 511, 1)  # -1: the first token
FIELDS = (*reading.FIELDS, ROW, COLUMN)
PRESETS: dict[str, dict[str, Any]] = {
    "it and animal": {},
    "Previous token": {reading.HEADS.key: "1.1"},
    "All heads averaged": {reading.HEADS.key: heads.ALL},
    "Rollout": {reading.HEADS.key: heads.ROLLOUT},
}
FIRST = Call(one_head, text=reading.TIRED, source=reading.FROM.default, target=reading.TO.default)
_NAME = "attention-tokens"


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return reading.CAPTION


@state.fragment
def show(models: Models) -> None:
    """Draw the fields; for each model the heatmap and the steps of the chosen pair."""
    read = reading.bar(models, compared=False)
    if read is None:
        return
    query = Call(one_head, row=int(ROW.value), column=int(COLUMN.value))
    chosen = reading.chosen_heads()
    several = not (chosen == heads.STRONGEST or heads.is_single(chosen))
    prints = ("headline", "frame", *(() if several else ("arithmetic", "steps.dimensions", "steps.tokens")))
    answers = reading.ask("head", query, read, models, prints)
    names = read.value.now.words
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            shown.headline(answer.value.headline)
            left, right = shown.split([5, 4], gap="medium")
            with left:
                _heatmap(answer.value, names, results)
            with right:
                _steps(answer.value)
    hide_special(reading.HIDE)


def _heatmap(result: OneHead, names: tuple[str, ...], results: Sequence[OneHead]) -> None:
    hidden = reading.HIDE.value
    rows, _, width = charts.drawn_weights(result, hidden)
    n = len(rows)
    clickable = n <= charts.CLICKABLE and not shown.suffix()

    def below() -> None:
        most = max(charts.drawn_weights(each, hidden)[1].max() for each in results)
        blocks = "" if width == 1 else f" Each cell is the mean of {width} × {width} pairs of tokens."
        click = "Click a cell to see how its weight is computed. " if clickable else ""
        adds = "its [[attention]] to all tokens adds up to 100%."
        if n < len(result.tokens):
            share = rounded(result.share_of_special)
            adds += f" [CLS] and [SEP] are hidden; they get {share} of the attention of the token in the headline."
        page.caption(
            f"{click}Each row is an attending token; {adds} Stronger blue means more attention, up to"
            f" {rounded(most)}.{blocks}"
        )

    options: dict[str, Any] = {"above": 29, "below": below}
    if clickable:
        options["pick"] = figures.Pick(
            lambda cell: _choose(result, names, int(cell)),
            lambda row: row.name * len(result.tokens) + result.column,  # a row of the table is an attending token
        )
    figures.show(charts.weights, result, hide_special=hidden, name=_NAME, beside=results, options=options)
    if n <= charts.CLICKABLE and result.row in rows and result.column in rows:
        selector = f".st-key-chart-{_NAME}{shown.suffix()}"
        number = rows.index(result.row) * n + rows.index(result.column)
        st.html(f"<style>{marking(selector, number)}</style>")


def _steps(result: OneHead) -> None:
    if result.steps is None:
        page.caption(
            "Several heads together have no [[query, key, value|query and key]] of their own. Choose one head above"
            " to see how a weight is computed. [[attention rollout|Rollout]] multiplies the attention of all the"
            " layers."
        )
        return
    st.code(result.arithmetic, language=None, wrap_lines=True)
    figures.show(charts.weight_steps, result.steps, name="attention-dimensions")
    page.caption(
        "The first strip is the [[query, key, value|query]] of the attending token, the second is the key of the token"
        " that receives attention, and the third shows their products, whose sum gives the score. The [[softmax]] turns"
        " this score into a share, by which the value is multiplied. Blue is above zero, orange below; each strip has"
        " its own scale."
    )
    with figures.expander("softmax", "Softmax over all tokens", ":material/functions:") as opened:
        if opened:
            figures.table(result.steps.ranked, "Softmax over all tokens", name=f"attention-softmax{shown.suffix()}")


def _choose(result: OneHead, names: tuple[str, ...], cell: int) -> None:
    """Select the pair of a cell."""
    row, column = divmod(cell, len(result.tokens))
    reading.choose_tokens(result.words, names, row, column)
    state.put({ROW.key: row, COLUMN.key: column})
