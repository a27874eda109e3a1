"""The selected words (clicked, enclosed by a box or a lasso, or typed) and their neighbours."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.clusters.maps import Highlight
from embtools.clusters import lookup
from embtools.clusters.lookup import MAX_PICKED
from embtools.ui import cached, figures, state, texts
from embtools.ui.clusters import computing, inputs
from embtools.ui.clusters.inputs import FIND, PANEL, PICK
from embtools.ui.clusters.results import Picture
from embtools.ui.share import Code
from embtools.words import groups

MAP, SECOND = "map", "second-map"  # the names of the two charts
_JOINED = 5  # lines to the neighbours of more words would hide the map
_COLUMNS = {
    **{c: st.column_config.NumberColumn(format="%.2f") for c in ("cosine", "distance")},
    "rank_on_map": st.column_config.NumberColumn(
        "rank on the map", help="Its rank among the word's neighbours on the map; 1 is the nearest."
    ),
}


def highlight(model: str, picture: Picture) -> tuple[Highlight, list[str]]:
    """The points that the fields highlight on a map, and the problems of these fields."""
    points = picture.drawn.map.points
    picked, problems = _named(points)
    try:
        hits = lookup.search(points["word"].tolist(), FIND.value) if FIND.value.strip() else []
    except ValueError as error:
        hits = []
        problems.append(str(error))
    near: tuple[tuple[int, int], ...] = ()
    if 0 < len(picked) <= _JOINED:
        index = {word: i for i, word in enumerate(points["word"])}
        found = _nearest(model, picture, picked)
        near = tuple((index[a], index[b]) for a, b in zip(found["word"], found["neighbour"], strict=True))
    return Highlight(tuple(picked), near, tuple(hits)), problems


def pick(name: str, words: tuple[str, ...]) -> None:
    """Copy the selection on the map of that name into the field; clicking the only selected word again clears it."""
    rows = _rows(st.session_state[f"chart-{name}"], len(words))
    chosen = tuple(words[row] for row in rows)
    if len(chosen) == 1 and PICK.value == groups.write_words(chosen):
        chosen = ()
    state.put({PICK.key: groups.write_words(chosen)} | ({PANEL.key: "Selected"} if chosen else {}))


def show(model: str, picture: Picture, highlight: Highlight, problems: list[str], code: Code) -> None:
    """Show the fields, and the neighbours of the selected words."""
    points = picture.drawn.map.points
    st.text_input(
        "Select words",
        placeholder="rome, paris",
        help="Comma-separated words of the map. This is the same as clicking them.",
        **PICK.widget,
    )
    st.text_input(
        "Find",
        placeholder="lo*, par",
        help="Type part of a word. * and ? are wildcards; a comma means “or”.",
        **FIND.widget,
    )
    for problem in problems:
        texts.problem(problem)
    code.drop("search")
    if FIND.value.strip() and not problems:
        named = ", ".join(points["word"].iloc[list(highlight.hits[:30])])
        st.text(f"{len(highlight.hits):,} of {len(points):,} match{': ' if named else ''}{named}")
        code.add("search", f"print(lookup.search(drawn.points['word'], {FIND.value!r}))")
    if highlight.picked:
        _neighbours(model, picture, highlight.picked, code)
        _only_button(points, highlight.picked)
    else:
        code.drop("selection")
        st.caption(
            "Click a point, select several with the box or lasso above the map, or type words. Their nearest neighbours"
            " in the space are then listed here. They are not always the nearest on the map."
        )
    if picture.drawn.words.only:
        st.button("Show all words again", icon=":material/undo:", on_click=state.put, args=(inputs.only_words(()),))


def sentence(model: str, picture: Picture, row: int) -> str:
    """A sentence that names the nearest neighbours of a word in the space."""
    found = _nearest(model, picture, [row])
    word = picture.drawn.map.points["word"].iloc[row]
    return f"Nearest to “{word}” in the space: {', '.join(found['neighbour'])}."


def _neighbours(model: str, picture: Picture, picked: tuple[int, ...], code: Code) -> None:
    points = picture.drawn.map.points
    shown = picked[:MAX_PICKED]
    one = len(picked) == 1
    st.subheader(texts.plain(str(points["word"].iloc[picked[0]])) if one else f"{len(picked):,} selected", anchor=False)
    if one:
        st.text(_facts(points.iloc[picked[0]]))
    elif len(picked) > len(shown):
        st.caption(f"Only the first {len(shown)} are listed.")
    table = _nearest(model, picture, list(shown))
    st.caption("Nearest words on the list, measured in the space")
    order = (
        ("neighbour", table.columns[2], "group", "rank_on_map")
        if one
        else ("word", "neighbour", table.columns[2], "rank_on_map")
    )
    figures.table(table, name="selection", column_config=_COLUMNS, column_order=order, height=215)
    words = tuple(points["word"].iloc[list(shown)])
    lines = [f"picked = {words!r}", "print(lookup.nearest(picked, model, words=words, view=view))"]
    if not picture.drawn.words.template:
        wide = cached.compute(computing.nearest_in_vocabulary, model, model, picture.query, words)
        st.caption("Nearest tokens in the whole vocabulary")
        order = tuple(wide.columns[1:] if one else wide.columns)
        figures.table(wide, name="selection-vocabulary", column_config=_COLUMNS, column_order=order, height=215)
        lines.append("print(lookup.nearest_in_vocabulary(picked, model, words=words, view=view))")
    code.add("selection", *lines)


def _facts(point: pd.Series) -> str:
    """The group, the frequency rank and the share of kept neighbours of a point, in one line."""
    parts = [str(point["group"])]
    if pd.notna(point["frequency_rank"]):
        parts.append(f"frequency rank {point['frequency_rank']:,}")
    if "neighbours_kept" in point and pd.notna(point["neighbours_kept"]):
        parts.append(f"the map keeps {point['neighbours_kept']:.0%} of its neighbours")
    return " · ".join(parts)


def _only_button(points: pd.DataFrame, picked: tuple[int, ...]) -> None:
    words = points.iloc[list(picked)].query("kind == 'word'")["word"]
    if 3 <= len(words) <= groups.MAX_WORDS:
        st.button(
            f"Map only these {len(words):,} words",
            icon=":material/filter_center_focus:",
            on_click=state.put,
            args=(inputs.only_words(tuple(words)),),
        )


def _nearest(model: str, picture: Picture, rows: list[int]) -> pd.DataFrame:
    words = tuple(picture.drawn.map.points["word"].iloc[rows])
    return cached.compute(computing.nearest, model, model, picture.query, words)


def _named(points: pd.DataFrame) -> tuple[list[int], list[str]]:
    """The rows of the words typed in the field, and the problems; so words can be selected by keyboard and by link."""
    try:
        names = groups.read_words(PICK.value)
    except ValueError as error:
        return [], [str(error)]
    index = {word: i for i, word in enumerate(points["word"])}
    missing = [name for name in names if name not in index]
    problems = [f"Not on the map: {', '.join(missing[:10])}. Select words that are on it."] if missing else []
    return [index[name] for name in names if name in index], problems


def _rows(selection: Any, n: int) -> list[int]:
    """The rows of the points selected on a map: the first entry of each point's custom data."""
    if not selection:
        return []
    custom = (point.get("customdata") for point in selection["selection"]["points"])
    # The browser returns a typed array as a mapping with text keys.
    rows = (int(c["0"] if isinstance(c, Mapping) else c[0]) for c in custom if c)
    return [row for row in dict.fromkeys(rows) if 0 <= row < n]
