"""The map of the Your vectors page: words as points, coloured by label."""

import numpy as np
import plotly.graph_objects as go

from embtools.charts import labels, style
from embtools.charts.chart import Chart
from embtools.own_vectors.word_map import OwnMap

OTHERS = "other labels"
_MOST_GROUPS, _MOST_NAMES = len(style.GROUPS), 250
_PHONE = (290, 325)  # pixels of the plot on a phone


def word_map(drawn: OwnMap) -> Chart:
    """Chart of a map; words are written where there is room, and rare labels beyond sixteen share a colour.

    The last two traces are names: those that have room on a phone, and further ones, which a style sheet hides there.
    """
    points = drawn.points
    places = points[["x", "y"]].to_numpy(float)
    shown = _groups(points["group"].tolist())
    words = [str(word) for word in points["word"]]
    order = list(range(min(len(words), _MOST_NAMES)))
    figure = go.Figure()
    groups = list(dict.fromkeys(shown))
    for number, group in enumerate(groups):
        rows = np.flatnonzero(np.array(shown, dtype=object) == group)
        colour = style.GREY if group == OTHERS else style.GROUPS[number % _MOST_GROUPS]
        # The second eight colours resemble some of the first: shifted by 3, similar ones have different symbols.
        figure.add_scatter(
            x=style.floats(points["x"].iloc[rows]),
            y=style.floats(points["y"].iloc[rows]),
            mode="markers",
            name=style.label(group or "words"),
            hovertext=[style.label(f"{words[row]} {f'({group})' if group else ''}") for row in rows],
            hovertemplate="%{hovertext}<extra></extra>",
            marker={"color": colour, "size": 7, "symbol": style.symbol(number, 3)},
            cliponaxis=False,
        )
    wanted, settled = labels.round_points(places[order], [len(words[row]) for row in order]), dict[int, int]()
    for room in (_PHONE, labels.ROOM):
        before, settled = settled, labels.settle(wanted, places, room, settled)
        _write(figure, [words[row] for row in order], wanted, {n: s for n, s in settled.items() if n not in before})
    titles = dict(zip(("xaxis", "yaxis"), drawn.axes or ("t-SNE 1", "t-SNE 2"), strict=True))
    figure.update_layout(
        margin=style.MARGIN | {"t": 8},
        legend=style.LEGEND,
        showlegend=len(groups) > 1,
        **style.saved(**titles),
        xaxis={"showticklabels": False, "zeroline": False, "showgrid": False},
        yaxis={"showticklabels": False, "zeroline": False, "showgrid": False, "scaleanchor": "x"},
    )
    return Chart(figure, points, f"Map of {len(points):,} words. {drawn.headline} {_extra(drawn)}".strip())


def _write(figure: go.Figure, words: list[str], wanted: list[labels.Label], spots: dict[int, int]) -> None:
    """Add a trace with the names of some words at these spots."""
    at = [wanted[number].spots[spot] for number, spot in spots.items()]
    names = [style.label(words[number]) for number in spots]
    if not at:  # plotly drops a trace without points, and the one before it would be taken for it
        at, names = [(np.nan, np.nan, "top center")], [""]
    figure.add_scatter(
        x=np.array([x for x, _, _ in at], np.float32),
        y=np.array([y for _, y, _ in at], np.float32),
        mode="markers+text",
        marker={"size": 7, "opacity": 0},  # they keep the text away from the visible points
        text=names,
        textposition=[side for _, _, side in at],
        textfont={"size": 11},
        showlegend=False,
        hoverinfo="skip",
        cliponaxis=False,
    )


def _extra(drawn: OwnMap) -> str:
    return "" if drawn.test is None else drawn.reading


def _groups(names: list[str]) -> list[str]:
    """The labels, with OTHERS for the rarest of more than sixteen."""
    counts = {name: names.count(name) for name in dict.fromkeys(names)}
    if len(counts) <= _MOST_GROUPS:
        return names
    frequent = sorted(counts, key=lambda name: -counts[name])[: _MOST_GROUPS - 1]
    return [name if name in frequent else OTHERS for name in names]
