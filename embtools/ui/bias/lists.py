"""The lists of groups that a visitor can take words from."""

import streamlit as st

from embtools import wordlists
from embtools.bias.groups import MAX_GROUPS
from embtools.ui import spelling, state
from embtools.ui.fields import Text


def ten_pairs(model: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ten male and female words of Bolukbasi et al. 2016, as a model spells them."""
    ten = wordlists.load("gender_pairs")
    male, female = (spelling.of_ours("\n".join(ten[sex]), model).split("\n") for sex in ("male", "female"))
    return tuple(male), tuple(female)


def picker(field: Text) -> None:
    """Words of the lists go into the field: one group, or the first word of each."""
    rows = wordlists.load("groups")
    name = st.selectbox("List", rows["set"].unique())
    rows = rows[rows["set"] == name]

    def put(words: list[str]) -> dict[str, str]:
        return {field.key: ", ".join(words[:MAX_GROUPS])}

    for group, part in rows.groupby("group", sort=False):
        st.button(f"Use {group}", key=f"use-{name}-{group}", on_click=state.put, args=(put(list(part["word"])),))
        st.text(", ".join(part["word"]))
    firsts = list(rows.groupby("group", sort=False)["word"].first())
    st.button(
        "Use the first of each",
        key=f"use-{name}",
        on_click=state.put,
        args=(put(firsts),),
        disabled=len(firsts) < 2,
    )
