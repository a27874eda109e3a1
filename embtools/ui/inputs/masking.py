"""The tab about BERT's masking rule, applied to a text."""

from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import inputs as charts
from embtools.charts.style import BLUE, GREEN, VERMILLION, shade
from embtools.inputs import masking
from embtools.inputs.masking import ALONE, KEPT, MASKED, RANDOM, Application, Check
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
DRAWS = Number("inputs_draws", 1_000, 100, masking.MAX_DRAWS, 100)
FIELDS = (TEXT, SEED, RATE, HIDE, SWAP, DRAWS)
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


FIRST = Call(masking.apply_rule, text=TEXT.default, rate=0.15, masked=0.8, random=0.1, draws=1_000, seed=0)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        TEXT,
        captions.Setting("selected, %", RATE),
        captions.Setting("replaced by [MASK], %", HIDE),
        captions.Setting("replaced by a random token, %", SWAP),
        captions.Setting("draws", DRAWS),
        captions.changed("seed", SEED),
    )


@state.fragment
def show(models: Models) -> None:
    """Show the text and the rule; for each model one draw with the predictions, and the counts of many draws."""
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
        draws=int(DRAWS.value),
        seed=int(SEED.value),
    )
    prints = ("headline", "drawn", "check.sentence", "check.treatments", "check.tokens")
    answers = running.ask("application", query, models, FIRST, container=problems, prints=prints)
    if not answers:
        return
    checks = [answer.value.check for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _results(answer.value, answer.model, checks)


def _rule() -> None:
    together = HIDE.value + SWAP.value
    if together > 100:
        label = (
            f"Rule: {RATE.value}% selected, of these {HIDE.value}% masked, {SWAP.value}% replaced (together more than"
            f" 100%) · seed {SEED.value}"
        )
    else:
        label = (
            f"Rule: {RATE.value}% selected, of these {HIDE.value}% masked, {SWAP.value}% replaced, {100 - together}%"
            f" unchanged · seed {SEED.value}"
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
    left, right = st.columns(2)
    with left:
        entry.number_input("Seed", help=glossary.definition("seed"), **SEED.widget)
    with right:
        st.slider("Number of draws to count", **DRAWS.widget)


def _results(result: Application, model: Model, checks: list[Check]) -> None:
    shown.headline(result.headline)
    st.html(html(result.drawn, st.context.theme.type == "dark"))
    page.caption(
        "■ marks [[mask|masked]] tokens, ◆ those replaced by a random [[word piece|token]], and ● those that are"
        " unchanged but still predicted. BERT must predict the original token in all three cases. [MASK] is not used"
        " every time because the texts that BERT reads later have no [MASK]: the other two cases make training more"
        " similar to later use (Devlin et al. 2019)." + (_BUNDLED if model.name == BUNDLED else "")
    )
    check = result.check
    left, right = shown.split([1, 1], gap="medium")
    with left:
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
        st.text(check.sentence)
        figures.table(
            check.treatments,
            "Treatments compared with the rule",
            name=f"treatments{shown.suffix()}",
            column_config={
                name: st.column_config.NumberColumn(format="%.4f")
                for name in ("expected", "share", "expected_low", "expected_high")
            },
        )
    with right:
        figures.show(charts.selections, check, name="draws", beside=checks)
        page.caption(
            f"Each bar is the share of {check.draws:,} draws in which the token was selected. The dashed line is the"
            f" share that the rule gives to every token, {check.count} of {check.n}."
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
