"""Does a formula find the word that is expected of it? Its rank by several methods, with and without arithmetic."""

import streamlit as st

from embtools.arithmetic import analogy
from embtools.formula import expression, parser
from embtools.ui import cached, figures, page, spelling, texts
from embtools.ui.fields import Text
from embtools.ui.share import Code

EXPECTED = Text("arithmetic_expected")
_COLUMNS = {
    "best_in": "top answer, own words kept",
    "rank_in": "rank of the expected word",
    "best_out": "top answer, own words left out",
    "rank_out": "rank, own words left out",
}


def field(formula: str) -> None:
    """The field; while it is empty it shows what is expected of a well-known analogy."""
    st.text_input(
        "Expected word",
        placeholder=_known(formula) or "any word",
        help="Shows how this word ranks, with the formula's own words kept and left out. Well-known analogies need no"
        " entry here: queen is expected of king - man + woman.",
        **EXPECTED.widget,
    )


def forget() -> None:
    """Empty the field: another formula was typed, of which the last one's word is not expected."""
    st.session_state[EXPECTED.key] = ""


def show(model: str, formula: str, whole_words: bool, code: Code) -> None:
    """The ranks of the expected word; nothing for a formula that is no analogy, or of which no word is expected."""
    if expression.as_analogy(parser.parse(formula)) is None:
        return
    typed = spelling.text(EXPECTED, model).strip()
    expected = typed or spelling.of_ours(_known(formula), model)
    if not expected:
        return
    try:
        ranks = cached.compute(analogy.analogy, model, formula, expected, whole_words=whole_words)
    except ValueError as error:
        if typed:
            st.subheader("An honest analogy?", anchor=False)
            texts.problem(error, EXPECTED)
        return
    st.subheader("An honest analogy?", anchor=False)
    st.text(analogy.expectation(ranks, expected))
    figures.table(ranks, name="analogy", column_config=_COLUMNS)
    page.seen(
        "Each method's top answer and the rank of the expected word, with the formula's own words kept and left out."
        " [[3CosAdd]] is the formula as written; [[3CosMul]] multiplies instead of adding. The last two rows use one"
        " word and no arithmetic."
    )
    code.add(
        "analogy",
        f"ranks = analogy(formula, {expected!r}, model, whole_words={whole_words})",
        f"print(expectation(ranks, {expected!r}), ranks, sep='\\n')",
    )


def _known(formula: str) -> str:
    """The word that is expected of a formula in the list of analogies; "" for others, and for what is no formula."""
    try:
        return analogy.expected_word(formula)
    except ValueError:  # shown where the formula is evaluated
        return ""
