"""A chart of what BERT says with a mix in a word's place: over the number of parts, beside as many random words."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.decomposition.put_back import NOTHING, ORIGINAL, PARTS, RANDOM


def curve(summary: pd.DataFrame, measure: str, title: str) -> go.Figure:
    """The parts as a line over k, its marks filled where the first answer stays; random words as a mean in its band.

    summary: as `decomposition.put_back.summary` makes it; measure: "probability" or "bits", `title` on its axis.
    """
    figure = go.Figure()
    drawn, parts = summary[summary["run"] == RANDOM], summary[summary["run"] == PARTS]
    ends = pd.concat([drawn[f"{measure}_high"], drawn[f"{measure}_low"][::-1]])
    figure.add_scatter(
        x=[*drawn["k"], *drawn["k"][::-1]], y=style.floats(ends), name="all draws", mode="lines", fill="toself",
        fillcolor=style.tint(style.VERMILLION, 0.18), line={"width": 0}, hoverinfo="skip",
    )  # fmt: skip
    for name, line, colour, dash, symbol in (
        (f"as many {RANDOM}, mean", drawn, style.VERMILLION, "dash", "square"),
        (PARTS, parts, style.BLUE, "solid", "circle"),
    ):
        figure.add_scatter(
            x=line["k"], y=style.floats(line[measure]), name=name, mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 2.5},
            marker={"size": 9, "symbol": [symbol if kept > 0.5 else f"{symbol}-open" for kept in line["kept"]]},
            hovertemplate="%{y:.1%}" if measure == "probability" else "%{y:.2f} bits",
        )  # fmt: skip
    marks = {ORIGINAL: "the vector itself", NOTHING: "zeros in its place"}
    if measure == "bits":  # its own distance is the axis
        del marks[ORIGINAL]
    for run, text in marks.items():
        (value,) = summary.loc[summary["run"] == run, measure]
        figure.add_hline(
            y=float(value), line={"dash": "dot", "width": 1.5, "color": style.INK},
            annotation={"text": text, "xanchor": "right", "font": {"color": style.INK}},
        )  # fmt: skip
    figure.update_layout(
        height=330, hovermode="x unified", legend=style.LEGEND, margin=style.MARGIN,
        xaxis={"title": "words in the mix", "tickformat": "d", "rangemode": "normal"},
        yaxis={"title": style.label(title), "rangemode": "tozero",
               "tickformat": ".0%" if measure == "probability" else "~g"},
    )  # fmt: skip
    return figure


def alt(summary: pd.DataFrame, measure: str, title: str) -> str:
    """Both lines in words."""
    form = (lambda v: f"{v:.0%}") if measure == "probability" else (lambda v: f"{v:.2f}")
    said = []
    for run in (PARTS, RANDOM):
        line = summary[summary["run"] == run]
        first, last = line.iloc[0], line.iloc[-1]
        said.append(f"{run}: {form(first[measure])} with {first['k']}, {form(last[measure])} with {last['k']}")
    return f"{title[:1].upper()}{title[1:]} over the number of words. {'; '.join(said)}."
