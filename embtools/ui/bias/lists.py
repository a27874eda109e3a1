"""Built-in lists of groups to choose words from."""

import streamlit as st

from embtools import wordlists
from embtools.bias.groups import MAX_GROUPS
from embtools.ui import spelling, state
from embtools.ui.fields import Text


def ten_pairs(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ten male and female words of Bolukbasi et al. 2016, in the spelling of a model."""
    ten = wordlists.load("gender_pairs")
    male, female = (spelling.of_ours("\n".join(ten[sex]), name).split("\n") for sex in ("male", "female"))
    return tuple(male), tuple(female)


def picker(field: Text) -> None:
    """Draw buttons that put words of a list into the field: one group, or the first word of each."""
    rows = wordlists.load("groups")
    name = st.selectbox("List", rows["set"].unique())
    *every, firsts = _of(name)
    for group, words in every:
        values = {field.key: _joined(words)}
        st.button(f"Use {group}", key=f"use-{name}-{group}", on_click=state.put, args=(values,))
        st.text(", ".join(words))
    st.button(
        "Use the first word of each group",
        key=f"use-{name}",
        on_click=state.put,
        args=({field.key: _joined(firsts[1])},),
        disabled=len(every) < 2,
    )


def texts(field: Text) -> list[dict[str, str]]:
    """Field values that the buttons of the picker can set."""
    names = wordlists.load("groups")["set"].unique()
    return [{field.key: _joined(words)} for name in names for _, words in _of(name)]


def _of(name: str) -> list[tuple[str, list[str]]]:
    """The groups of a list with their words; the last entry holds the first word of each group."""
    rows = wordlists.load("groups").query("set == @name")
    every = [(str(group), list(part["word"])) for group, part in rows.groupby("group", sort=False)]
    return [*every, ("the first of each", [words[0] for _, words in every])]


def _joined(words: list[str]) -> str:
    return ", ".join(words[:MAX_GROUPS])
