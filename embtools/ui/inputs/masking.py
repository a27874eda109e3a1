"""The tab about BERT's masking rule, applied to a text."""

from dataclasses import dataclass
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.inputs import masking as charts
from embtools.charts.style import BLUE, GREEN, VERMILLION, shade
from embtools.inputs import masking, verdict
from embtools.inputs.masking import ALONE, KEPT, MASKED, RANDOM, Check, Rule
from embtools.models.catalogue import BUNDLED
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.fields import Number, Text
from embtools.ui.inputs.terms import BANK
from embtools.ui.share import Code

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
    " The bundled model was trained with [MASK] every time, so its predictions at ◆ and ● were never trained. It can"
    " still read texts without a mask: in training it learnt to predict a mask from the words around it, and before"
    " that it was a sentence encoder, which reads whole texts."
)


@dataclass(frozen=True)
class Played:
    """One draw, the counts of many draws, and the headline."""

    drawn: pd.DataFrame
    check: Check
    finding: str


def played(text: str, rate: int, hide: int, swap: int, seed: int, draws: int, *, model: Any) -> Played:
    """Return the draws for a text; the shares of the rule are percentages."""
    rule = Rule(rate / 100, hide / 100, swap / 100)
    drawn = masking.draw(text, model, rule=rule, seed=seed)
    many = masking.check(text, model, rule=rule, draws=draws, seed=seed)
    return Played(drawn, many, verdict.masking(drawn))


@state.fragment
def show(model: str, code: Code) -> None:
    """Show the text and the rule, one draw with the predictions, and the counts of many draws."""
    first, second = st.columns([5, 1], gap="small", vertical_alignment="bottom")
    with first:
        st.text_input("Your text", max_chars=TEXT.most, **TEXT.widget)
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
    place = st.container()
    _rule()
    asked = (TEXT.value, RATE.value, HIDE.value, SWAP.value, SEED.value, DRAWS.value)
    answer = jobs.ask("inputs-masking", played, model, asked, tuple(f.default for f in _ORDER), place=place)
    if answer is None:
        return
    with jobs.results(answer, "inputs-masking", answer.asked[0][:120]):
        _results(answer.value, answer.asked, model)
    text, rate, hide, swap, seed, draws = answer.asked
    code.add(
        "masking",
        f"text, rule = {text!r}, masking.Rule({rate / 100}, {hide / 100}, {swap / 100})",
        f"drawn = masking.draw(text, model, rule=rule, seed={seed})",
        f"many = masking.check(text, model, rule=rule, draws={draws}, seed={seed})",
        f"print(drawn, verdict.masking(drawn), many.treatments, many.tokens, verdict.check(many, {draws}), sep='\\n')",
    )


_ORDER = (TEXT, RATE, HIDE, SWAP, SEED, DRAWS)


def _rule() -> None:
    kept = 100 - HIDE.value - SWAP.value
    label = (
        f"Rule: {RATE.value}% selected, of these {HIDE.value}% masked, {SWAP.value}% replaced, {kept}% unchanged"
        f" · seed {SEED.value}"
    )
    fold = state.fold("rule", label, ":material/tune:")
    if not fold.open:
        return
    with fold:
        for column, (name, field) in zip(
            st.columns(3),
            (("Selected, % of all", RATE), ("Masked, % of selected", HIDE), ("Random token, % of selected", SWAP)),
            strict=True,
        ):
            with column:
                st.slider(texts.plain(name), **field.widget)
        left, right = st.columns(2)
        with left:
            st.number_input("Seed", help=glossary.definition("seed"), **SEED.widget)
        with right:
            st.slider("Number of draws to count", **DRAWS.widget)


def _results(found: Played, asked: tuple[Any, ...], model: str) -> None:
    st.header(texts.plain(found.finding), anchor=False)
    st.html(html(found.drawn, st.context.theme.type == "dark"))
    page.seen(
        "■ marks [[mask|masked]] tokens, ◆ those replaced by a random [[word piece|token]], and ● those that are"
        " unchanged but still predicted. BERT must predict the original token in all three cases. [MASK] is not used"
        " every time because the texts that BERT reads later have no [MASK]: the other two cases make training more"
        " similar to later use (Devlin et al. 2019)." + (_BUNDLED if model == BUNDLED else "")
    )
    left, right = st.columns(2, gap="medium")
    with left:
        shown = found.drawn[found.drawn["treatment"] != ALONE].reset_index(drop=True)
        figures.table(
            shown,
            name="predictions",
            column_config={
                "input": "BERT reads",
                "top_answer": "top answer",
                "probability": st.column_config.NumberColumn(format="percent"),
                "true_probability": st.column_config.NumberColumn("probability of the token", format="percent"),
                "true_rank": "rank of the token",
            },
        )
        st.text(verdict.check(found.check, asked[-1]))
        figures.table(
            found.check.treatments,
            name="treatments",
            column_config={
                name: st.column_config.NumberColumn(format="%.4f")
                for name in ("expected", "share", "expected_low", "expected_high")
            },
        )
    with right:
        expected = found.check.count / found.check.n
        figures.chart(
            cached.figure(charts.tokens, found.check.tokens, expected),
            found.check.tokens,
            name="draws",
            alt=charts.alt(found.check.tokens, expected),
        )
        page.seen(
            f"Each bar is the share of {asked[-1]:,} draws in which the token was selected. The dashed line is the"
            f" share that the rule gives to every token, {found.check.count} of {found.check.n}."
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
