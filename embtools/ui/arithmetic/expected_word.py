"""The rank of an expected word among the words nearest to a formula, by several methods and by one word alone."""

import streamlit as st

from embtools.arithmetic import nearest_tokens
from embtools.arithmetic.formula import NearestWords, expected_rank
from embtools.formula import expression, parser
from embtools.ui import entry, figures, page, running, shown, spelling
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.running import Answer
from embtools.words.vectors import pieces

EXPECTED = Text("arithmetic_expected")
_COLUMNS = {
    "top_kept": "top answer (kept)",
    "rank_kept": "rank (kept)",
    "top_excluded": "top answer (excluded)",
    "rank_excluded": "rank (excluded)",
}


def field(formula: str) -> None:
    """Draw the field; its placeholder is the expected word of a well-known analogy."""
    entry.text_input(
        "Expected word",
        placeholder=known(formula) or "any word",
        help="Shows this word's rank, with the formula's own words kept and excluded. For a well-known analogy you can"
        " leave this empty: for king - man + woman, the expected word is queen.",
        **EXPECTED.widget,
    )


def forget() -> None:
    """Clear the field, because the expected word of one formula is not that of the next."""
    st.session_state[EXPECTED.key] = ""


def known(formula: str) -> str:
    """Return the expected word of a well-known analogy; "" for other formulas and for text that is no formula."""
    try:
        return nearest_tokens.expected_word(formula)
    except ValueError:  # shown where the formula is evaluated
        return ""


def wanted(formula: str) -> str:
    """Return the visitor's expected word, or that of a well-known analogy; "" if there is neither."""
    return str(EXPECTED.value).strip() or known(formula)


def show(answer: Answer[NearestWords]) -> None:
    """Show the ranks of the expected word; nothing if the formula is no analogy or has no expected word."""
    formula, model = str(answer.value.expression), answer.model
    if expression.as_analogy(parser.parse(formula)) is None:
        return
    of_file = model.vectors is not None
    expected = str(EXPECTED.value if of_file else spelling.text(EXPECTED, model.name)).strip()
    if not expected and of_file:  # it may not be in the file
        return
    if not expected:
        expected = spelling.of_ours(known(formula), model.name)
        if not expected or len(running.run(Call(pieces, words=(expected,)), model)[expected]) != 1:
            return
    st.subheader("Rank of the expected word", anchor=False)
    query = Call(expected_rank, expression=formula, expected=expected, whole_words=answer.query["whole_words"])
    ranks = running.detail("ranks", query, model, prints=("comparison", "methods"), suggest=EXPECTED)
    if ranks is None:
        return
    st.text(ranks.comparison)
    figures.table(
        ranks.methods, "Rank of the expected word by method", name=f"analogy{shown.suffix()}", column_config=_COLUMNS
    )
    page.caption(
        "Each row is a method, with its top answer and the rank it gives to the expected word. Both are shown with the"
        " formula's own words kept and excluded. [[3CosAdd]] computes the formula as written; [[3CosMul]] multiplies"
        " instead of adding. The last two rows use a single word of the formula, without arithmetic."
    )
