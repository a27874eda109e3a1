"""Fields that all panels of the Decomposition page share: the penalty, and which words may be parts."""

from typing import Any

import streamlit as st

from embtools.decomposition.parts import SHARE as DEFAULT
from embtools.decomposition.parts import SMALLEST
from embtools.ui import captions, entry, glossary
from embtools.ui.fields import Choice, Flag, Number

BY_SHARE, BY_ALPHA = "share", "alpha"
BY = Choice("decomposition_by", BY_SHARE, (BY_SHARE, BY_ALPHA))
SHARE = Number("decomposition_share", DEFAULT, SMALLEST, 1.0, 0.01)
ALPHA = Number("decomposition_alpha", 0.9, 0.0, 1e4, 0.1)
SAME_WORD = Flag("decomposition_same_word")
FIELDS = (SAME_WORD, BY, SHARE, ALPHA)


def value() -> dict[str, Any]:
    """Return the penalty set in the fields, as a keyword argument."""
    return {"alpha": float(ALPHA.value)} if BY.value == BY_ALPHA else {"share": float(SHARE.value)}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    amount = captions.Setting("alpha", ALPHA) if BY.value == BY_ALPHA else captions.Setting("sparsity", SHARE)
    return amount, captions.changed("the same word may be a part", SAME_WORD)


def amount() -> None:
    """Draw the field of the penalty: a share of its maximum, or alpha itself."""
    if BY.value == BY_ALPHA:
        entry.number_input("Penalty (alpha)", help=glossary.definition("penalty"), format="%.4g", **ALPHA.widget)
    else:
        st.slider("Sparsity (fewer words →)", help=glossary.definition("penalty"), **SHARE.widget)


def kind() -> None:
    """Draw the choice between a penalty as a share of its maximum and alpha itself."""
    st.segmented_control(
        "Set the penalty as",
        format_func=lambda by: "alpha, as in the article" if by == BY_ALPHA else "share of its maximum",
        required=True,
        help="The article uses scikit-learn’s alpha, set to 0.9, on vectors that are not scaled to length one.",
        **BY.widget,
    )
