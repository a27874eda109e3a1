"""The strongest learned features of a sentence at each of its words, and how good the dictionary is."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.cells import marks
from embtools.charts.chart import Chart
from embtools.decomposition.features_of_text import SentenceFeatures
from embtools.messages import shortened

MOST_WORDS = 40
"""Words with a column; the table has all."""
SCALE = ((0.0, "rgba(0, 114, 178, 0.000)"), (1.0, "rgba(0, 114, 178, 0.850)"))


def grid(result: SentenceFeatures, most: float = 0.0) -> Chart:
    """Heatmap of the strongest features (rows) at the words (columns); the customdata of a cell is its feature.

    `most` is the lowest end of the scale of activations, see `highest`.
    """
    words = result.words[:MOST_WORDS]
    values, features = result.grid[:, : len(words)], result.strongest["feature"].tolist()
    top = max(most, highest([result]))
    figure = go.Figure(
        go.Heatmap(
            z=values,
            colorscale=SCALE,
            zmin=0,
            zmax=top,
            xgap=1,
            ygap=1,
            colorbar={"title": {"text": "activation", "side": "right"}, "thickness": 10, "outlinewidth": 0},
            hoverinfo="skip",
        )
    )
    rows, columns = np.nonzero(values)
    named = result.strongest["promotes"].tolist()
    figure.add_trace(
        marks(
            columns.astype(np.float32),
            rows.astype(np.float32),
            [features[row] for row in rows],
            [
                f"“{style.label(words[column])}”: {values[row, column]:.2f}<br>promotes {style.label(named[row])}"
                for row, column in zip(rows, columns, strict=True)
            ],
            "feature %{customdata}, %{text}<extra></extra>",
            18,
        )
    )
    bold = [f"<b>{feature}</b>" if feature == result.feature else str(feature) for feature in features]
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True}
    figure.update_layout(
        height=110 + 20 * len(features),
        margin={**style.MARGIN, "t": 4, "l": 70, "b": 76},
        dragmode=False,
        **style.saved(xaxis="word"),
        xaxis={
            **{**bare, "tickvals": list(range(len(words))), "range": [-0.5, len(words) - 0.5]},
            "ticktext": [style.label(shortened(word, 12)) for word in words],
        },
        yaxis={
            **{**bare, "tickvals": list(range(len(features))), "ticktext": bold, "title": "feature"},
            **{"range": [len(features) - 0.5, -0.5], "automargin": False},
        },
    )
    first = result.strongest.iloc[0]
    left_out = len(result.words) - len(words)
    alt = (
        f"Heatmap of the {len(features)} strongest features of layer {result.layer} at {len(words)} words. The highest"
        f" activation is {first['activation']:.1f}: feature {first['feature']} at {first['at']}."
    )
    return Chart(figure, result.active, alt + (f" {left_out} later words are only in the table." if left_out else ""))


def highest(results: Sequence[SentenceFeatures]) -> float:
    """The highest activation in some results, so that their charts have the same scale."""
    return max(float(result.strongest["activation"].max()) for result in results)
