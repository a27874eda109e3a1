"""The rank of an expected word among the words nearest to a formula, by several methods and by one word alone."""

import streamlit as st

from embtools.arithmetic import analogy
from embtools.formula import expression, parser
from embtools.ui import cached, figures, page, spelling, texts
from embtools.ui.fields import Text
from embtools.ui.share import Code

EXPECTED = Text("arithmetic_expected")
_COLUMNS = {
    "top_kept": "top answer (own words kept)",
    "rank_kept": "rank of the expected word (own words kept)",
    "top_excluded": "top answer (own words excluded)",
    "rank_excluded": "rank of the expected word (own words excluded)",
}


def field(formula: str) -> None:
    """Draw the field; its placeholder is the expected word of a well-known analogy."""
    st.text_input(
        "Expected word",
        placeholder=_known(formula) or "any word",
        help="Shows this word's rank, with the formula's own words kept and excluded. For a well-known analogy you can"
        " leave this empty: for king - man + woman, the expected word is queen.",
        **EXPECTED.widget,
    )


def forget() -> None:
    """Clear the field, because the expected word of one formula is not that of the next."""
    st.session_state[EXPECTED.key] = ""


def show(model: str, formula: str, whole_words: bool, code: Code) -> None:
    """Show the ranks of the expected word; nothing if the formula is no analogy or has no expected word."""
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
            st.subheader("Rank of the expected word", anchor=False)
            texts.problem(error, EXPECTED)
        return
    st.subheader("Rank of the expected word", anchor=False)
    st.text(analogy.expectation(ranks, expected))
    figures.table(ranks, name="analogy", column_config=_COLUMNS)
    page.seen(
        "Each row is a method, with its top answer and the rank it gives to the expected word. Both are shown with the"
        " formula's own words kept and excluded. [[3CosAdd]] computes the formula as written; [[3CosMul]] multiplies"
        " instead of adding. The last two rows use a single word of the formula, without arithmetic."
    )
    code.add(
        "analogy",
        f"ranks = analogy(formula, model, expected={expected!r}, whole_words={whole_words})",
        f"print(expectation(ranks, {expected!r}), ranks, sep='\\n')",
    )


def _known(formula: str) -> str:
    """Return the expected word of a well-known analogy; "" for other formulas and for text that is no formula."""
    try:
        return analogy.expected_word(formula)
    except ValueError:  # shown where the formula is evaluated
        return ""
