"""Charts of the Your vectors page: nearest words, similarity, isotropy and the map; the test is in `associations`."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pandas as pd

from embtools.charts.axes import Axis, Look, Names, Shades
from embtools.charts.plot import Plot
from embtools.charts.style import BLUE, DIVERGING, GREY, GROUPS, TINTS, VERMILLION, label
from embtools.messages import shortened
from embtools.own_vectors.nearest import NearestWords
from embtools.own_vectors.similarity import SimilarWords
from embtools.statistics.decimals import decimal
from embtools.vectors import Array

OTHERS = "other labels"
_MOST_GROUPS, _MOST_NAMES = len(GROUPS), 250
_PHONE = (290, 325)  # pixels of the plot on a phone
_NUMBERED = 12  # words up to which the cells have numbers
_FEW = 5  # words with which cells as high as the window would be too large
_ZOOMED = {"dragmode": None, "xaxis": {"fixedrange": None}, "yaxis": {"fixedrange": None}}  # unlike most cells


def nearest(result: NearestWords) -> Plot:
    """Bars of the nearest words; a dashed line is the mean of all pairs."""
    alt = f"Nearest words of {result.word}: {_listed(result.table)}. Mean of all pairs: {decimal(result.mean)}."
    return _bars(result, result.table, alt, BLUE).rule(x=result.mean, colour=VERMILLION, dash="dash", width=2)


def nearest_in_model(result: NearestWords) -> Plot:
    """Bars of the nearest words in the model, among the words that both have. Raises ValueError if not compared."""
    if result.in_model is None:
        raise ValueError("There is nothing to compare: the model does not have this word as a single token.")
    alt = f"Nearest words of {result.word} in the model: {_listed(result.in_model)}."
    return _bars(result, result.in_model, alt, GREY)


def _bars(result: NearestWords, table: pd.DataFrame, alt: str, colour: str) -> Plot:
    """Bars on an axis for the cosines in the vectors and in the model."""
    both = pd.concat([frame["cosine"] for frame in (result.table, result.in_model) if frame is not None])
    ends = 1.05 * min(0.0, both.min(), result.mean), 1.03 * max(0.1, both.max())
    x, y = Axis("cosine", least=ends, room=(0, 0), fit=True), _names(table["word"], "nearest word")
    plot = Plot(table, alt, x, y, 76 + 26 * len(table))
    return plot.bars("cosine", "word", Look("", colour), hover="{word}: {x}")


def _names(words: Iterable[str], title: str) -> Names:
    return Names(list(words), title, [shortened(word) for word in words], 99)


def _listed(table: pd.DataFrame) -> str:
    return ", ".join(f"{word} {decimal(cosine)}" for word, cosine in zip(table["word"], table["cosine"], strict=True))


def heatmap(result: SimilarWords) -> Plot:
    """The cosines of the words; blue above zero, orange below."""
    best, worst = result.pairs.iloc[0], result.pairs.iloc[-1]
    most = f"{best['first']} and {best['second']} ({decimal(best['cosine'])})"
    least = f"{worst['first']} and {worst['second']} ({decimal(worst['cosine'])})"
    alt = f"Cosines of {len(result.words)} words"
    alt += f": {most}." if len(result.pairs) == 1 else f". Most similar: {most}; least similar: {least}."
    return _cells(result, result.cosines, alt)


def heatmap_in_model(result: SimilarWords) -> Plot:
    """The cosines of the same words in the model, empty where it has none. Raises ValueError if not compared."""
    if result.in_model is None:
        raise ValueError("There is nothing to compare: these are the model's own vectors.")
    known = int(np.isfinite(np.diag(result.in_model)).sum())
    alt = f"Cosines of {known} of the {len(result.words)} words in the model. {result.comparison}"
    return _cells(result, result.in_model, alt)


def _cells(result: SimilarWords, cosines: Array, alt: str) -> Plot:
    """Cells of different words; the scale holds the cosines in the vectors and in the model."""
    words, numbered = list(result.words), len(result.words) <= _NUMBERED
    both = result.pairs[[name for name in ("cosine", "model_cosine") if name in result.pairs]].to_numpy()
    ends = Axis("cosine", least=(0.05, *both.ravel()), room=(0, 0), symmetric=True, fit=True)
    shown = np.where(np.eye(len(words), dtype=bool), np.nan, cosines)

    def number(row: int, column: int) -> str:
        return decimal(shown[row, column]) if np.isfinite(shown[row, column]) else ""

    names = _names(words, "word")
    top = replace(names, above=True, thin=True, more={"tickangle": -45})
    # Without a height, the chart fills the window.
    high = {} if numbered else {"height": min(900, 130 + 24 * len(words))}
    height = {"height": 130 + 56 * len(words)} if len(words) <= _FEW else {"height": None, **high}
    layout = {"margin": {"t": 76}, **height, **_ZOOMED}
    plot = Plot(result.pairs, alt, top, names, layout=layout)
    return plot.cells(
        shown,
        Shades(TINTS if numbered else DIVERGING, ends, bar=True),
        text=number if numbered else None,
        hover=lambda row, column: f"{label(words[row])}, {label(words[column])}: {number(row, column)}",
        xgap=1,
        ygap=1,
        textfont={"size": None},  # as large as fits
    )
