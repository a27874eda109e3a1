"""The words selected on the map of the Clusters page: clicked, drawn round or named; kept in the address."""

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from embtools.clusters import lookup
from embtools.clusters.lookup import MAX_PICKED
from embtools.ui import cached, figures, page
from embtools.ui.clusters.inputs import Asked
from embtools.words import groups

MAP, SECOND = "map", "second-map"
# What is drawn, the field with what was selected, the field as it was before, and on which of the maps it was selected.
_KEPT = "clusters_kept"
_SHOWN = "clusters_shown"


def named(points: pd.DataFrame, text: str) -> list[int]:
    """Rows of the words named in the field: the way to select without a mouse, and in a link."""
    try:
        names = groups.read_words(text)
    except ValueError as error:
        page.problem(error)
        return []
    index = {word: i for i, word in enumerate(points["word"])}
    if missing := [n for n in names if n not in index]:
        page.problem(f"Not on the map: {', '.join(missing[:10])}. Look at words that are.")
    return [index[n] for n in names if n in index]


def marked(points: pd.DataFrame, figure: Hashable, name: str = MAP) -> list[int]:
    """Rows of the words in the field, but for those selected on this very map, which shows them by itself.

    A ring round them would make it another figure, on which nothing is selected. The other map shows them so.
    """
    kept = st.session_state.get(_KEPT)
    here = kept is None or kept[3] == name
    try:
        names = set(groups.read_words(_before(figure) if here else st.session_state.get("clusters_pick", "")))
    except ValueError:
        return []
    return [i for i, word in enumerate(points["word"]) if word in names]


def keep(words: tuple[str, ...], figure: Hashable, name: str = MAP) -> None:
    """Write the words selected on a map behind those in the field, so that the link and the other map have them.

    They take the place of what was selected before, on either map.
    """
    before = text = _before(figure)
    if rows := selected(st.session_state[f"chart-{name}"], len(words)):
        try:
            names = groups.read_words(before)
        except ValueError:
            names = ()
        text = groups.write_words(list(dict.fromkeys([*names, *(words[row] for row in rows)]))[:MAX_PICKED])
    st.session_state["clusters_pick"] = text
    # A map whose rings change is drawn anew, with nothing selected on it: then rings must show these words too.
    kept = st.session_state.get(_KEPT)
    same = kept is None or kept[0] != figure or kept[3] == name
    st.session_state[_KEPT] = (figure, text, before, name if same else "")


def selected(state: Any, n: int) -> list[int]:
    """Rows of the points selected on the map; they travel as the first entry of each point's custom data."""
    if not state:
        return []
    custom = (point.get("customdata") for point in state["selection"]["points"])
    # A typed array comes back from the browser as a mapping with text for keys.
    rows = (int(c["0"] if isinstance(c, Mapping) else c[0]) for c in custom if c)
    return [row for row in dict.fromkeys(rows) if 0 <= row < n]


def show(model: str, asked: Asked, points: pd.DataFrame, rows: list[int]) -> None:
    """The neighbours of these points of the map, and a map of them alone."""
    shown = tuple(points["word"].iloc[rows[:MAX_PICKED]])
    st.session_state[_SHOWN] = shown
    if not rows:
        return
    table = cached.compute(lookup.nearest, model, shown, asked.words, asked.view)
    st.subheader(f"{len(rows):,} selected", anchor=False)
    st.caption("Neighbours in the original space, with their cosine (or distance), not on the map.")
    figures.table(table, name="selection", column_config=_NEIGHBOURS)
    if len(rows) > len(shown):
        st.caption(
            f"The first {len(shown)} are listed, and kept in the link. At most {groups.MAX_WORDS:,} can be mapped"
            " alone."
        )
    words = points.iloc[rows].query("kind == 'word'")["word"]
    if 3 <= len(words) <= groups.MAX_WORDS:
        only = groups.write_words(words)
        label = f"Map these {len(words):,} words alone"
        if st.button(label, icon=":material/filter_center_focus:", on_click=alone, args=(only, len(words))):
            st.rerun()


def code() -> str:
    """A line of Python that gives the table of `show`; empty when nothing is selected."""
    shown = st.session_state.get(_SHOWN, ())
    return f"print(lookup.nearest({shown!r}, words, view, model))" if shown else ""


def alone(only: str, count: int) -> None:
    """Ask for a map of these words (of all, when there are none)."""
    # The fields stand outside this fragment and take their values at the start of the next whole run.
    changes: dict[str, Any] = {"clusters_only": only, "clusters_pick": ""}
    if 0 < count <= st.session_state.get("clusters_perplexity", 0):
        changes["clusters_perplexity"] = max(1, count // 3)
    st.session_state["clusters_next"] = changes


def _before(figure: Hashable) -> str:
    """The text of the field, without what a selection has added."""
    text: str = st.session_state.get("clusters_pick", "")
    kept = st.session_state.get(_KEPT)
    return kept[2] if kept and kept[:2] == (figure, text) else text


_NEIGHBOURS = {
    "nearest_here": st.column_config.TextColumn("nearest among the points of the map", width="large"),
    "nearest_in_vocabulary": st.column_config.TextColumn("nearest in the whole vocabulary", width="large"),
}
