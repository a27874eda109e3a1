"""What the bundled model was trained on, said beside the examples that it concerns."""

import streamlit as st

from embtools.mask_filling.edits import Change
from embtools.mask_filling.training_overlap import edits_capital
from embtools.models.catalogue import BUNDLED
from embtools.ui.shown import Model

_CAPITALS = (
    "The training texts of this model say which city is the capital of which country. Their mix was chosen by how well"
    " edits of capitals work, compared with controls."
)


def badge() -> None:
    """Draw the badge of a relation about which the training text has sentences made by rules."""
    st.badge(
        "In the training text",
        icon=":material/school:",
        color="orange",
        help="The training text of the bundled model contains rule-generated sentences about this relation.",
    )


def capital_edit(model: Model, change: Change) -> None:
    """Draw the badge with a sentence about the choice of the training texts for edits of a capital city."""
    if model.name == BUNDLED and edits_capital(change):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"trained-{model.name}"):
            badge()
            st.caption(_CAPITALS)
