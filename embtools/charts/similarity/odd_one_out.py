"""A chart of how well each of a few words fits the others."""

from collections.abc import Mapping
from types import MappingProxyType

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style


def odd_one_out(frame: pd.DataFrame, notes: Mapping[str, str] = MappingProxyType({})) -> go.Figure:
    """Draw the mean cosine of each word with the others, with a hatched bar for the odd one out.

    The frame has the columns word and cosine, with the odd one out first; `notes` are written next to a word's bar.
    """
    others = len(frame) - 1
    bar_labels = [f"{row.cosine:.2f}{notes.get(row.word, '')}" for row in frame.itertuples()]
    low, high = frame["cosine"].min(), frame["cosine"].max()
    figure = go.Figure(
        go.Bar(
            x=style.floats(frame["cosine"]),
            y=[style.label(word) for word in frame["word"]],
            orientation="h",
            marker={"color": [style.VERMILLION] + [style.BLUE] * others, "pattern": {"shape": ["/"] + [""] * others}},
            text=bar_labels,
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=90 + 30 * len(frame),
        margin={**style.MARGIN, "t": 8},
        bargap=0.4,
        xaxis={"title": "mean cosine with the others", "range": [min(0, low * 1.2), max(0, high * 1.25)]},
        yaxis={"type": "category", "autorange": "reversed"},
    )
    return figure
