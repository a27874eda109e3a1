"""The tab about BERT's masking rule, applied to a text."""

from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.style import BLUE, GREEN, VERMILLION, shade
from embtools.inputs import masking
from embtools.inputs.masking import ALONE, KEPT, MASKED, RANDOM, Application
from embtools.models.catalogue import BUNDLED
from embtools.ui import captions, entry, figures, glossary, page, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Number, Text
from embtools.ui.inputs.terms import BANK
from embtools.ui.shown import Model, Models

TAB = "Masking rule"
TEXT, SEED = Text("inputs_masked_text", BANK, 5_000), Number("inputs_seed", 0, 0, 999_999, 1)
RATE = Number("inputs_rate", 15, 5, 100, 5)
HIDE, SWAP = Number("inputs_hide", 80, 0, 100, 5), Number("inputs_swap", 10, 0, 100, 5)
FIELDS = (TEXT, SEED, RATE, HIDE, SWAP)
PRESETS: dict[str, dict[str, Any]] = {
    "The bank robber": {},
    "The sun is bright": {TEXT.key: "The sun is bright today and the sky is blue."},
    "Masks only": {HIDE.key: 100, SWAP.key: 0},
    "40% selected": {RATE.key: 40},
}
_STYLES = {MASKED: (BLUE, "■"), RANDOM: (VERMILLION, "◆"), KEPT: (GREEN, "●")}
_BUNDLED = (
    " The bundled model was trained with [MASK] every time, so it never learnt to predict tokens at ◆ and ●. It can"
    " still read texts without a mask: in training it learnt to predict a masked token from the words around it, and"
    " before that it was a sentence encoder, which reads whole texts."
)


FIRST = Call(masking.apply_rule, text=TEXT.default, rate=0.15, masked=0.8, random=0.1, seed=0)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        TEXT,
        captions.Setting("selected, %", RATE),
        captions.Setting("replaced by [MASK], %", HIDE),
        captions.Setting("replaced by a random token, %", SWAP),
        captions.changed("seed", SEED),
    )


@state.fragment
def show(models: Models) -> None:
    """Show the text and the rule, and for each model one draw with the predictions."""
    first, second = st.columns([5, 1], gap="small", vertical_alignment="bottom")
    with first:
        entry.text_input("Your text", **TEXT.widget)
    with second:
        st.button(
            "Draw again",
            icon=":material/casino:",
            type="primary",
            key="inputs-again",
            width="stretch",
            on_click=state.put,
            args=({SEED.key: (SEED.value + 1) % 1_000_000},),
        )
    problems = st.container()
    _rule()
    query = Call(
        masking.apply_rule,
        text=TEXT.value,
        rate=RATE.value / 100,
        masked=HIDE.value / 100,
        random=SWAP.value / 100,
        seed=int(SEED.value),
    )
    answers = running.ask("application", query, models, FIRST, container=problems, prints=("headline", "drawn"))
    for container in running.containers(answers):
        with container as answer:
            _results(answer.value, answer.model)


def _rule() -> None:
    together = HIDE.value + SWAP.value
    rest = f", {100 - together}% unchanged" if together <= 100 else " (together more than 100%)"
    label = (
        f"Rule: {RATE.value}% selected, of these {HIDE.value}% masked, {SWAP.value}% replaced{rest} · seed {SEED.value}"
    )
    with figures.expander("rule", label, ":material/tune:") as opened:
        if opened:
            _settings()


def _settings() -> None:
    for column, (name, field) in zip(
        st.columns(3),
        (("Selected, % of all", RATE), ("Masked, % of selected", HIDE), ("Random token, % of selected", SWAP)),
        strict=True,
    ):
        with column:
            st.slider(texts.plain(name), **field.widget)
    entry.number_input("Seed", help=glossary.definition("seed"), width=200, **SEED.widget)


def _results(result: Application, model: Model) -> None:
    shown.headline(result.headline)
    st.html(html(result.drawn, st.context.theme.type == "dark"))
    page.caption(
        "■ marks [[mask|masked]] tokens, ◆ those replaced by a random [[word piece|token]], and ● those that are"
        " unchanged but still predicted. BERT must predict the original token in all three cases. [MASK] is not used"
        " every time because the texts that BERT reads later have no [MASK]: the other two cases make training more"
        " similar to later use (Devlin et al. 2019)." + (_BUNDLED if model.name == BUNDLED else "")
    )
    figures.table(
        result.selected,
        "Predictions at the selected tokens",
        name=f"predictions{shown.suffix()}",
        column_config={
            "input": "BERT reads",
            "top_answer": "top answer",
            "probability": st.column_config.NumberColumn(format="percent"),
            "true_probability": st.column_config.NumberColumn("probability of the token", format="percent"),
            "true_rank": "rank of the token",
        },
    )


def html(drawn: pd.DataFrame, dark: bool = False) -> str:
    """Return the text as BERT reads it as escaped HTML, with the original token below each changed one."""
    items = []
    for row in drawn.itertuples():
        if row.treatment == ALONE:
            items.append(f"<span>{escape(str(row.token))}</span>")
            continue
        colour, mark = _STYLES[str(row.treatment)]
        was = "" if row.input == row.token else f"<small>{escape(str(row.token))}</small>"
        items.append(
            f'<span class="asked" style="border-color:{shade(colour, dark)}"><i style="color:{shade(colour, dark)}">'
            f"{mark}</i> {escape(str(row.input))}{was}</span>"
        )
    return f'<p class="pieces">{" ".join(items)}</p>'
