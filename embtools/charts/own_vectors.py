"""Charts of the Your vectors page: isotropy and the map."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from embtools.charts import labels
from embtools.charts.axes import Axis, Look
from embtools.charts.plot import SILENT, Plot
from embtools.charts.style import BLUE, GREEN, GREY, GROUPS, VERMILLION, symbol
from embtools.own_vectors.isotropy import CENTRED, GIVEN, IN_MODEL, RANDOM, Isotropy
from embtools.own_vectors.word_map import OwnMap
from embtools.statistics.decimals import decimal

OTHERS = "other labels"
_MOST_GROUPS, _MOST_NAMES = len(GROUPS), 250
_PHONE = (290, 325)  # pixels of the plot on a phone
_SPACES = {
    GIVEN: Look(GIVEN, BLUE),
    CENTRED: Look(CENTRED, GREEN, dash="dash"),
    RANDOM: Look(RANDOM, GREY, dash="dot"),
    IN_MODEL: Look(IN_MODEL, VERMILLION, dash="dashdot"),
}
_NAMES = {GIVEN: "vectors as they are", CENTRED: "centred vectors"}  # in the description; the others are clear


def cosines(result: Isotropy) -> Plot:
    """One line per space: how many random pairs have which cosine."""
    frame = result.histogram
    means = "; ".join(
        f"{_NAMES.get(name, name)}: {decimal(each.mean_cosine)}" for name, each in result.measures.items()
    )
    ends = float(frame["bin_start"].min()), float(frame["bin_end"].max())
    x = Axis("cosine of a random pair", hover=".2f", least=ends, room=(0, 0), fit=True, more={"zeroline": False})
    y = Axis("share of the pairs", ".0%", ".1%", least=(0,), room=(0, 0.05), more={"rangemode": "tozero"})
    plot = Plot(frame, f"Histogram of the cosines of random pairs. Mean cosines: {means}.", x, y, 360)
    for space, rows in frame.groupby("space", sort=False):
        shares = {"share": rows["count"] / max(1, rows["count"].sum())}
        rows = rows.assign(middle=(rows["bin_start"] + rows["bin_end"]) / 2, **shares)
        hover, steps = "{name}, cosine {x}: {y} of the pairs", {"line": {"shape": "hvh"}}
        plot = plot.lines("middle", "share", _SPACES[str(space)], rows=rows, marks=False, hover=hover, more=steps)
    return plot.rule(x=0)


def word_map(drawn: OwnMap) -> Plot:
    """Chart of a map; words are written where there is room, and rare labels beyond sixteen share a colour."""
    points = drawn.points
    words, shown = [str(word) for word in points["word"]], _groups(points["group"].tolist())
    said = [f"{word} {f'({group})' if group else ''}" for word, group in zip(words, shown, strict=True)]
    frame, groups = points.assign(shown=shown, said=said), list(dict.fromkeys(shown))
    titles = drawn.axes or ("t-SNE 1", "t-SNE 2")
    x, y = Axis(titles[0], hidden=True), Axis(titles[1], hidden=True, more={"scaleanchor": "x"})
    alt = f"Map of {len(points):,} words. {drawn.headline} {'' if drawn.test is None else drawn.reading}".strip()
    plot = Plot(points, alt, x, y, legend=len(groups) > 1, layout={"height": None})
    for number, group in enumerate(groups):
        colour = GREY if group == OTHERS else GROUPS[number % _MOST_GROUPS]
        # The second eight colours resemble some of the first: shifted by 3, similar ones have different symbols.
        look, rows = Look(group or "words", colour, symbol(number, 3)), frame[frame["shown"] == group]
        plot = plot.dots("x", "y", look, rows=rows, hover="{said}", size=7, more={"cliponaxis": False})
    named = words[:_MOST_NAMES]
    places = points[["x", "y"]].to_numpy(float)
    wanted, settled = labels.round_points(places[: len(named)], [len(word) for word in named]), dict[int, int]()
    for room in (_PHONE, labels.ROOM):
        before, settled = settled, labels.settle(wanted, places, room, settled)
        spots = [(*wanted[n].spots[spot], named[n]) for n, spot in settled.items() if n not in before]
        plot = _written(plot, spots)
    return plot


def _written(plot: Plot, spots: Sequence[tuple[float, float, str, str]]) -> Plot:
    """The map with one more trace, of words at these spots."""
    # plotly drops a trace without points, and the one before it would be taken for it
    rows = pd.DataFrame(spots or [(np.nan, np.nan, "top center", "")], columns=["x", "y", "side", "word"])
    sides, more = rows["side"].to_dict(), {"textfont": {"size": 11}, "showlegend": False, **SILENT}
    more |= {"marker": {"opacity": 0}, "cliponaxis": False}  # they keep the text away from the visible points
    return plot.dots("x", "y", Look(""), rows=rows, text="word", spots=sides, size=7, more=more)


def _groups(names: list[str]) -> list[str]:
    """The labels, with OTHERS for the rarest of more than sixteen."""
    counts = {name: names.count(name) for name in dict.fromkeys(names)}
    if len(counts) <= _MOST_GROUPS:
        return names
    frequent = sorted(counts, key=lambda name: -counts[name])[: _MOST_GROUPS - 1]
    return [name if name in frequent else OTHERS for name in names]
