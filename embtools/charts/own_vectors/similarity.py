"""Heatmaps of the cosines of chosen words, in the file and in a model."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.own_vectors.similarity import SimilarWords
from embtools.statistics.decimals import decimal
from embtools.vectors import Array

_NUMBERED = 12  # words up to which the cells have numbers
_FEW = 5  # words with which cells as high as the window would be too large


def heatmap(result: SimilarWords, reach: float = 1.0) -> Chart:
    """The cosines of the words; blue above zero, orange below, on a scale from −reach to reach (see `reach_of`)."""
    best, worst = result.pairs.iloc[0], result.pairs.iloc[-1]
    most = f"{best['first']} and {best['second']} ({decimal(best['cosine'])})"
    least = f"{worst['first']} and {worst['second']} ({decimal(worst['cosine'])})"
    alt = f"Cosines of {len(result.words)} words"
    alt += f": {most}." if len(result.pairs) == 1 else f". Most similar: {most}; least similar: {least}."
    return Chart(_heatmap(result.cosines, result.words, reach), result.pairs, alt)


def heatmap_in_model(result: SimilarWords, reach: float = 1.0) -> Chart:
    """The cosines of the same words in the model; words that it does not have as single tokens are empty.

    Raises ValueError if not compared.
    """
    if result.in_model is None:
        raise ValueError("There is nothing to compare: these are the model's own vectors.")
    known = int(np.isfinite(np.diag(result.in_model)).sum())
    alt = f"Cosines of {known} of the {len(result.words)} words in the model. {result.comparison}"
    return Chart(_heatmap(result.in_model, result.words, reach), result.pairs, alt)


def reach_of(results: Sequence[SimilarWords]) -> float:
    """The largest cosine of two different words in some results, positive or negative: the end of a common scale."""
    columns = [each.pairs[name].abs() for each in results for name in ("cosine", "model_cosine") if name in each.pairs]
    return max(0.05, *(float(column.max()) for column in columns if column.notna().any()))


def _height(words: int) -> dict[str, int]:
    """The height for a number of words; none if the heatmap may fill the window."""
    if words <= _FEW:
        return {"height": 130 + 56 * words}
    return {"height": min(900, 130 + 24 * words)} if words > _NUMBERED else {}


def _heatmap(cosines: Array, words: tuple[str, ...], reach: float) -> go.Figure:
    names = [style.label(word) for word in words]
    shown = np.array(cosines, np.float32)
    np.fill_diagonal(shown, np.nan)
    figure = go.Figure(
        go.Heatmap(
            z=shown,
            x=names,
            y=names,
            zmin=-reach,
            zmax=reach,
            colorscale=style.TINTS if len(words) <= _NUMBERED else style.DIVERGING,
            colorbar={"title": {"text": "cosine"}, "thickness": 12},
            text=[[decimal(value) if np.isfinite(value) else "" for value in row] for row in shown],
            texttemplate="%{text}" if len(words) <= _NUMBERED else None,
            textfont={"color": style.INK},
            hovertemplate="%{y}, %{x}: %{text}<extra></extra>",
            hoverongaps=False,
            xgap=1,
            ygap=1,
        )
    )
    figure.update_layout(
        **_height(len(words)),
        margin=style.MARGIN | {"t": 76},
        **style.saved(xaxis="word", yaxis="word"),
        xaxis={"type": "category", "side": "top", "showgrid": False, "tickangle": -45},
        yaxis={"type": "category", "autorange": "reversed", "showgrid": False},
    )
    return figure
