"""The learned features that distinguish examples from a text, next to what random examples reach."""

import numpy as np
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.decomposition.feature_examples import ONE_WORD, RANDOM, ExampleFeatures
from embtools.messages import counted, shortened
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

_RIGHT = 1.02
_DASHES = {RANDOM: "dash", ONE_WORD: "dot"}


def bars(result: ExampleFeatures) -> Chart:
    """Bars: the share of the examples minus the share of the text; the customdata of a bar is its feature.

    Lines are the highest values of random examples.
    """
    rows, n = result.features, len(result.read)
    heights = np.arange(len(rows), dtype=np.float32)
    figure = go.Figure(
        go.Bar(
            x=style.floats(rows["difference"]),
            y=heights,
            orientation="h",
            marker={"color": style.BLUE},
            customdata=rows["feature"].tolist(),
            hovertext=[
                f"{examples} of {n} examples, {rounded(share, 2)} of the text"
                for examples, share in zip(rows["examples"], rows["share"], strict=True)
            ],
            hovertemplate="feature %{customdata}: %{hovertext}<extra></extra>",
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
        )
    )
    figure.add_scatter(  # to the right of all lines, which would cross texts at the bars
        x=np.full(len(rows), _RIGHT, np.float32),
        y=heights,
        mode="text",
        text=[f"{examples} of {n}" for examples in rows["examples"]],
        textposition="middle right",
        textfont={"color": style.INK, "size": 11},
        hoverinfo="skip",
    )
    for kind, highest in zip(result.summary["kind"], result.summary["highest"], strict=True):
        line = {"dash": _DASHES[kind], "width": 1.5, "color": style.VERMILLION}
        figure.add_vline(x=float(highest), line=line, layer="below")
    bare = {"zeroline": False, "fixedrange": True}
    figure.update_layout(
        height=64 + 22 * max(len(rows), 3),
        margin={**style.MARGIN, "t": 4, "b": 44, "l": 190},
        dragmode=False,
        showlegend=False,
        bargap=0.3,
        **style.saved(yaxis="feature and its strongest words"),
        xaxis={**bare, "range": [0, 1.25], "tickvals": [0, 0.25, 0.5, 0.75, 1], "title": "difference of shares"},
        yaxis={
            **{**bare, "showgrid": False, "tickvals": heights, "automargin": False},
            "range": [max(len(rows), 1) - 0.5, -0.5],
            "ticktext": [
                f"{feature}: {style.label(shortened(words, 22))}"
                for feature, words in zip(rows["feature"], rows["words"], strict=True)
            ],
        },
    )
    first = rows.iloc[0]
    controls = ". ".join(
        f"Best feature of {row.kind}: {decimal(row.highest, 3)} at most in {row.draws} draws"
        for row in result.summary.itertuples()
    )
    alt = (
        f"Bar chart of {counted(len(rows), 'feature')} by the difference of their shares. The first, feature"
        f" {first['feature']}, is active at {first['examples']} of {n} examples and at {rounded(first['share'], 2)} of"
        f" the text. {controls}."
    )
    return Chart(figure, rows, alt)
