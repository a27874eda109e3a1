"""Charts of what makes a space uneven: the variance of its components, and the dimensions behind the mean cosine."""

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.isotropy.overview import STYLES

MOST = 100  # components drawn


def spectrum(tables: Mapping[str, pd.DataFrame]) -> go.Figure:
    """Share of the variance of each principal component on a logarithmic scale, with one line per space.

    tables: by space, columns component, share, cumulative.
    """
    figure = go.Figure()
    for name, table in tables.items():
        colour, _, dash = STYLES[name]
        shown = table.head(MOST)
        figure.add_scatter(
            x=shown["component"],
            y=style.floats(shown["share"].clip(lower=1e-6)),
            mode="lines",
            name=name,
            line={"color": colour, "dash": dash, "width": 2.2},
            customdata=style.floats(shown["cumulative"]),
            hovertemplate=f"{name}, component %{{x}}: %{{y:.2%}}, cumulative %{{customdata:.0%}}<extra></extra>",
        )
    figure.update_layout(
        height=340,
        margin={**style.MARGIN, "t": 8},
        legend=style.LEGEND,
        xaxis={"title": "principal component"},
        yaxis={"title": "share of the variance", "type": "log", "tickformat": ".2~%", "dtick": 1},
    )
    return figure


def spectrum_alt(tables: Mapping[str, pd.DataFrame]) -> str:
    """Alternative text of the spectrum."""
    parts = []
    for name, table in tables.items():
        half = int((table["cumulative"] < 0.5).sum()) + 1
        parts.append(
            f"{name}: the first component has {table['share'].iat[0]:.1%}; it takes {half} components to reach half of"
            " the variance"
        )
    return f"Variance by principal component. {'; '.join(parts)}."


def dimensions(table: pd.DataFrame) -> go.Figure:
    """Bars of the dimensions that contribute most to the mean cosine. table: columns dimension, contribution."""
    figure = go.Figure(
        go.Bar(
            x=style.floats(table["contribution"]),
            y=[str(number) for number in table["dimension"]],
            orientation="h",
            marker={"color": style.BLUE},
            hovertemplate="dimension %{y}: %{x:+.4f} of the mean cosine<extra></extra>",
        )
    )
    figure.update_layout(
        height=340,
        margin={**style.MARGIN, "t": 8},
        xaxis={"title": "contribution to the mean cosine"},
        yaxis={"title": "dimension", "type": "category", "autorange": "reversed"},
    )
    return figure
