"""The selected words (clicked, enclosed by a box or a lasso, or typed) and their neighbours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.maps import Highlight
from embtools.clusters import lookup
from embtools.clusters.lookup import MAX_PICKED
from embtools.clusters.map_result import Map
from embtools.messages import shortened
from embtools.statistics.percentages import rounded
from embtools.ui import entry, figures, recorded, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.clusters import inputs
from embtools.ui.clusters.inputs import FIND, PANEL, PICK
from embtools.words import groups

SECOND = "second-map"  # the name of the chart with another method
_JOINED = 5  # lines to the neighbours of more words would hide the map
_COLUMNS = {
    **{c: st.column_config.NumberColumn(format="%.2f") for c in ("cosine", "distance")},
    "rank_on_map": st.column_config.NumberColumn(
        "rank on the map", help="Its rank among the word's neighbours on the map; 1 is the nearest."
    ),
}


@dataclass(frozen=True)
class Selection:
    """The points that the fields select on a map.

    picked    the selected words
    near      frame of `lookup.nearest` for the first of them; None if nobody needs it
    hits      the words that the search finds; None without a search
    problems  what is wrong with the selected words
    """

    picked: tuple[str, ...] = ()
    near: pd.DataFrame | None = None
    hits: tuple[str, ...] | None = None
    problems: tuple[str, ...] = ()

    def highlight(self, drawn: Map) -> Highlight:
        """Return the rows that are highlighted on a map of the same words."""
        rows = {word: row for row, word in enumerate(drawn.points["word"])} if self.picked or self.hits else {}
        near: tuple[tuple[int, int], ...] = ()
        if self.near is not None and len(self.picked) <= _JOINED:
            pairs = zip(self.near["word"], self.near["neighbour"], strict=True)
            near = tuple((rows[word], rows[neighbour]) for word, neighbour in pairs)
        return Highlight(tuple(rows[word] for word in self.picked), near, tuple(rows[word] for word in self.hits or ()))


def selection(answer: running.Answer[Map]) -> Selection:
    """Return what the fields select on a map, with the neighbours that are shown."""
    for name in ("matches", "neighbours"):  # of a selection that a click has cleared
        recorded.current().drop(f"{recorded.BOTH if shown.suffix() else ''}{name}")
    picked, problems = _named(answer.value.points)
    hits = near = None
    words = answer.query["words"]
    if FIND.value.strip():
        hits = running.detail("found_words", Call(lookup.matches, text=FIND.value, words=words), answer.model)
    if 0 < len(picked) <= _JOINED or (picked and PANEL.value == "Selected"):
        query = Call(lookup.nearest, picked=picked[:MAX_PICKED], words=words, view=answer.query["view"])
        near = running.detail("neighbours", query, answer.model)
    return Selection(picked, near, hits, problems)


def pick(name: str, words: tuple[str, ...]) -> None:
    """Copy the selection on the map of that name into the field; clicking the only selected word again clears it."""
    _pick(tuple(words[row] for row in _rows(st.session_state[f"chart-{name}"], len(words))))


def pick_row(row: pd.Series) -> None:
    """Copy the word of a row of the map's table into the field, as a click on its point does."""
    _pick((str(row["word"]),))


def _pick(chosen: tuple[str, ...]) -> None:
    if len(chosen) == 1 and PICK.value == groups.write_words(chosen):
        chosen = ()
    state.put({PICK.key: groups.write_words(chosen)} | ({PANEL.key: "Selected"} if chosen else {}))


def show(selections: Sequence[tuple[running.Answer[Map], Selection]]) -> None:
    """Draw the fields, and for each model the neighbours of the selected words."""
    entry.text_input(
        "Select words",
        placeholder="rome, paris",
        help="Words on the map, separated by commas. Typing them here is the same as clicking them.",
        **PICK.widget,
    )
    entry.text_input(
        "Find",
        placeholder="lo*, par",
        help="Type part of a word. * and ? are wildcards; a comma means “or”. Between slashes: a regular expression,"
        " such as /^un.*ed$/.",
        **FIND.widget,
    )
    if not selections:
        return
    for problem in selections[0][1].problems:
        texts.problem(problem)
    containers = running.containers([answer for answer, _ in selections], part="selected")
    for container, (_, selected) in zip(containers, selections, strict=True):
        with container as answer:
            _result(answer, selected)
    first, selected = selections[0]
    if selected.picked:
        _only_button(first.value.points, selected.picked)
    else:
        st.caption(
            "Click a point, select several with the box or lasso above the map, or type words. Their nearest neighbours"
            " in the space are then listed here. They are not always the nearest on the map."
        )
    if first.value.words.only:
        st.button("Show all words again", icon=":material/undo:", on_click=state.put, args=(inputs.only_words(()),))


def sentence(drawn: Map, selected: Selection) -> str:
    """Return a sentence that names the nearest neighbours of the only selected word in the space."""
    near = [] if selected.near is None else selected.near["neighbour"]
    return f"Nearest to “{selected.picked[0]}” in the space: {', '.join(near)}."


def _result(answer: running.Answer[Map], selected: Selection) -> None:
    """Draw the words that the search finds, and the neighbours of the selected words."""
    recorded.current().drop(f"{recorded.BOTH if shown.suffix() else ''}vocabulary_neighbours")
    points = answer.value.points
    if selected.hits is not None:
        named = ", ".join(selected.hits[:30])
        st.text(f"{len(selected.hits):,} of {len(points):,} match{': ' if named else ''}{named}")
    if not selected.picked or selected.near is None:
        return
    listed, one = selected.picked[:MAX_PICKED], len(selected.picked) == 1
    st.subheader(texts.plain(listed[0]) if one else f"{len(selected.picked):,} selected", anchor=False)
    if one:
        st.text(_facts(points[points["word"] == listed[0]].iloc[0]))
    elif len(selected.picked) > len(listed):
        st.caption(f"Only the first {len(listed)} are listed.")
    st.caption("Nearest words on the list, measured in the space")
    measure = selected.near.columns[2]
    order = ("neighbour", measure, "group", "rank_on_map") if one else ("word", "neighbour", measure, "rank_on_map")
    figures.table(
        selected.near,
        "Nearest words on the list",
        name=f"selection{shown.suffix()}",
        column_config=_COLUMNS,
        column_order=order,
        height=215,
    )
    whole = answer.model.vectors is not None and answer.value.words.groups is None and not answer.value.words.sample
    if answer.value.words.template or whole:  # all words are on the map
        return
    query = Call(lookup.nearest_in_vocabulary, picked=listed, words=answer.query["words"], view=answer.query["view"])
    wide = running.detail("vocabulary_neighbours", query, answer.model)
    if wide is not None:
        st.caption("Nearest tokens in the whole vocabulary")
        order = tuple(wide.columns[1:] if one else wide.columns)
        name = f"selection-vocabulary{shown.suffix()}"
        figures.table(
            wide,
            "Nearest tokens in the whole vocabulary",
            name=name,
            column_config=_COLUMNS,
            column_order=order,
            height=215,
        )


def _facts(point: pd.Series) -> str:
    """Return the group, the frequency rank and the share of kept neighbours of a point, in one line."""
    parts = [str(point["group"])]
    if pd.notna(point["frequency_rank"]):
        parts.append(f"frequency rank {point['frequency_rank']:,}")
    if "neighbours_kept" in point and pd.notna(point["neighbours_kept"]):
        parts.append(f"the map keeps {rounded(point['neighbours_kept'])} of its neighbours")
    return " · ".join(parts)


def _only_button(points: pd.DataFrame, picked: tuple[str, ...]) -> None:
    words = set(points.loc[points["kind"] == "word", "word"])
    chosen = tuple(word for word in picked if word in words)
    if 3 <= len(chosen) <= groups.MAX_WORDS:
        st.button(
            f"Map only these {len(chosen):,} words",
            icon=":material/filter_center_focus:",
            on_click=state.put,
            args=(inputs.only_words(chosen),),
        )


def _named(points: pd.DataFrame) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words typed in the field that are on the map, and the problems of the field."""
    try:
        names = groups.read_words(PICK.value)
    except ValueError as error:
        return (), (str(error),)
    exact = {word: word for word in points["word"]} if names else {}
    known = {word.casefold(): word for word in reversed(exact)} | exact  # capitals matter only if both are there
    found = {name: known.get(name, known.get(name.casefold(), "")) for name in names}
    missing = [shortened(name) for name, word in found.items() if not word]
    problem = f"Not on the map: {', '.join(missing[:10])}. Select words that are on it."
    return tuple(dict.fromkeys(filter(None, found.values()))), (problem,) if missing else ()


def _rows(selection: Any, n: int) -> list[int]:
    """Return the rows of the points selected on a map: the first entry of each point's custom data."""
    if not selection:
        return []
    custom = (point.get("customdata") for point in selection["selection"]["points"])
    # The browser returns a typed array as a mapping with text keys.
    rows = (int(c["0"] if isinstance(c, Mapping) else c[0]) for c in custom if c)
    return [row for row in dict.fromkeys(rows) if 0 <= row < n]
