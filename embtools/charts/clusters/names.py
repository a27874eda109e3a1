"""Names on a map: of the groups, at the groups, and of as many words as the picture has room for."""

import html
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import labels
from embtools.charts.clusters.outlines import core, outline, spots
from embtools.charts.labels import Label
from embtools.vectors import Array

# The room for points on a phone, on a projector and on a desktop, in pixels: a name is written in the first of them
# where it covers nothing. The last traces of a map are the names of each; a page's style sheet hides those of the rooms
# that are larger than its own.
ROOMS = ((290, 325), (560, 420), (660, 560))
_MARGIN = 12  # pixels between a point and its group's outline, in the room of a projector
_WIDER = 1.25  # a bold letter of a group's name against one of a word
_ARRANGED = 400  # more words than that have no room anyway


def margin(places: Array) -> float:
    """How far an outline keeps from its points, in the units of the map."""
    return _MARGIN * max(np.ptp(places[:, 0]) / ROOMS[1][0], np.ptp(places[:, 1]) / ROOMS[1][1], 1e-9)


def write(
    figure: go.Figure,
    kind: type,
    points: pd.DataFrame,
    groups: Sequence[tuple[str, Array]],
    *,
    words: bool,
    look: tuple[int, ...],
) -> list[str]:
    """Add the names. groups: name and rows of each; words: whether words are named; look: rows that must be, and then
    are alone. Returns the groups whose names found no place on a projector.
    """
    formulas = np.flatnonzero(points["kind"] == "formula").tolist()
    rows = list(dict.fromkeys([*look, *formulas, *(_in_turn(groups, len(points)) if words and not look else ())]))
    if kind is go.Scatter3d:
        _in_space(figure, points, groups, rows[:200])
        return []
    places = points[["x", "y"]].to_numpy(float)
    texts = [f"<b>{html.escape(group)}</b>" for group, _ in groups] + points["word"].iloc[rows].map(
        html.escape
    ).tolist()
    wanted = [_of_group(group, places[own], margin(places)) for group, own in groups]
    wanted += labels.round_points(places[rows], [len(word) for word in points["word"].iloc[rows]])
    solid = places if len(places) <= _ARRANGED * 5 else places[rows]
    # Of the groups in every room first: a word that a phone has room for may not take a group's place on a projector.
    named: list[dict[int, int]] = [{}]
    for room in ROOMS:
        named.append(labels.settle(wanted[: len(groups)], solid, room, named[-1]))
    shown: dict[int, int] = {}
    for room, of_groups in zip(ROOMS, named[1:], strict=True):
        settled = labels.settle(wanted, solid, room, named[-1] | shown)
        there = of_groups | {number: spot for number, spot in settled.items() if number >= len(groups)}
        new = [number for number in there if number not in shown]
        figure.add_trace(_text(kind, [texts[n] for n in new], [wanted[n].spots[there[n]] for n in new]))
        shown = there
    return [group for number, (group, _) in enumerate(groups) if number not in named[2]]


def _in_turn(groups: Sequence[tuple[str, Array]], n: int) -> list[int]:
    """The first word of each group, then the second of each …, so that no group's words are left without a name."""
    if not groups:
        return list(range(min(n, _ARRANGED)))
    longest = max(len(rows) for _, rows in groups)
    return [int(rows[turn]) for turn in range(longest) for _, rows in groups if turn < len(rows)][:_ARRANGED]


def _of_group(name: str, places: Array, edge: float) -> Label:
    inner = places[core(places)]
    return Label(_WIDER * len(name), spots(outline(inner, edge), inner))


def _text(kind: type, texts: list[str], at: list[tuple[float, float, str]]) -> object:
    if not at:  # plotly leaves out a trace without a point, and the next one would pass for it
        texts, at = [""], [(np.nan, np.nan, "top center")]
    # Invisible markers keep the text off the visible ones.
    trace = kind(
        x=np.array([x for x, _, _ in at], np.float32),
        y=np.array([y for _, y, _ in at], np.float32),
        mode="markers+text",
        marker={"size": 10, "opacity": 0},
        text=texts,
        textposition=[side for _, _, side in at],
        textfont={"size": 12},
        showlegend=False,
        hoverinfo="skip",
    )
    return trace.update(cliponaxis=False) if kind is go.Scatter else trace


def _in_space(figure: go.Figure, points: pd.DataFrame, groups: Sequence[tuple[str, Array]], rows: list[int]) -> None:
    """In space nothing can be arranged: each group's name at its middle, a word's above it."""
    axes = ["x", "y", "z"]
    middles = [points[axes].iloc[own].median() for _, own in groups]
    for frame, texts, size in (
        (pd.DataFrame(middles, columns=axes), [f"<b>{html.escape(group)}</b>" for group, _ in groups], 13),
        (points[axes].iloc[rows], points["word"].iloc[rows].map(html.escape).tolist(), 11),
    ):
        figure.add_trace(
            go.Scatter3d(
                **{axis: frame[axis].to_numpy(np.float32) for axis in axes},
                mode="text",
                text=texts,
                textposition="top center",
                textfont={"size": size},
                showlegend=False,
                hoverinfo="skip",
            )
        )
