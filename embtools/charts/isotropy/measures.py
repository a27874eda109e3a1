"""Charts of what makes a space uneven: the variance of its components, and the dimensions behind the mean cosine."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.charts.isotropy.overview import STYLES
from embtools.isotropy.spaces import MeasuredSpaces
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

MOST = 100  # components drawn
_LEAST = 1e-6  # share that is drawn


def spectrum(result: MeasuredSpaces, ends: tuple[float, float] | None = None) -> Chart:
    """Share of the variance of each principal component on a logarithmic scale, with one line per space.

    `ends` are those of the vertical axis, see `spectrum_ends`.
    """
    tables = {str(name): table for name, table in result.directions.groupby("space", sort=False)}
    return Chart(_spectrum(tables, ends), result.directions, _spectrum_alt(tables))


def spectrum_ends(results: Sequence[MeasuredSpaces]) -> tuple[float, float] | None:
    """The ends of an axis for several spectra, as logarithms to base 10; None for a single one."""
    if len(results) == 1:
        return None
    shown = [result.directions.loc[result.directions["component"] <= MOST, "share"] for result in results]
    values = np.log10(pd.concat(shown).clip(lower=_LEAST))
    return float(values.min()) - 0.1, float(values.max()) + 0.1


def _spectrum(tables: Mapping[str, pd.DataFrame], ends: tuple[float, float] | None) -> go.Figure:
    figure = go.Figure()
    for name, table in tables.items():
        colour, _, dash = STYLES[name]
        shown = table.head(MOST)
        figure.add_scatter(
            x=shown["component"],
            y=style.floats(shown["share"].clip(lower=_LEAST)),
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
        yaxis={"title": "share of the variance (log scale)", "type": "log", "tickformat": ".2~%", "dtick": "D2"}
        | ({} if ends is None else {"range": list(ends)}),
    )
    return figure


def _spectrum_alt(tables: Mapping[str, pd.DataFrame]) -> str:
    parts = []
    for name, table in tables.items():
        half = int((table["cumulative"] < 0.5).sum()) + 1
        parts.append(
            f"{name}: the first component has {rounded(table['share'].iat[0], 1)} of the variance; it takes {half}"
            " components to reach half of it"
        )
    return f"Variance by principal component. {'; '.join(parts)}."


def dimensions(result: MeasuredSpaces, ends: tuple[float, float] | None = None) -> Chart:
    """Bars of the dimensions that contribute most to the raw mean cosine. For `ends` see `dimension_ends`."""
    table = result.dimensions
    share = decimal(table["contribution"].iat[0], 3)
    alt = f"Dimension {table['dimension'].iat[0]} contributes {share} to the mean cosine."
    return Chart(_dimensions(table, ends), table, alt)


def dimension_ends(results: Sequence[MeasuredSpaces]) -> tuple[float, float] | None:
    """The ends of the axis of contributions for several results; None for a single one."""
    if len(results) == 1:
        return None
    values = pd.concat([result.dimensions["contribution"] for result in results])
    return min(0.0, 1.05 * float(values.min())), max(0.0, 1.05 * float(values.max()))


def _dimensions(table: pd.DataFrame, ends: tuple[float, float] | None) -> go.Figure:
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
        xaxis={"title": "contribution to the mean cosine"} | ({} if ends is None else {"range": list(ends)}),
        yaxis={"title": "dimension", "type": "category", "autorange": "reversed"},
    )
    return figure
