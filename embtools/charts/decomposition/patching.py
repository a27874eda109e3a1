"""Chart of BERT's answer with a word replaced by its mix, by number of parts, next to mixes of random words."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.decomposition.patched import Patched
from embtools.decomposition.patching import NOTHING, ORIGINAL, PARTS, RANDOM
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

MEASURES = "probability", "kl_bits"


@dataclass(frozen=True)
class Ends:
    """The largest number of words and the largest value on the axes of a chart."""

    words: int
    value: float


def ends(results: Sequence[Patched], measure: str) -> Ends | None:
    """The ends of the axes on which several results can be compared; None for a single result."""
    if len(results) == 1:
        return None
    values = [float(result.summary[f"{measure}_highest"].max()) for result in results]
    return Ends(max(int(result.summary["k"].max()) for result in results), max(*values, 1e-6))


def curve(result: Patched, measure: str, ends: Ends | None = None) -> Chart:
    """Lines over the number of words k: the mix, and random words as a mean inside the band of all draws.

    Marks are filled if the top answer stays the same. measure: "probability" or "kl_bits"; for `ends` see `ends`.
    """
    title = f"probability of {result.answer}" if measure == "probability" else "KL divergence (bits)"
    return Chart(_figure(result.summary, measure, title, ends), result.summary, _alt(result.summary, measure, title))


def _figure(summary: pd.DataFrame, measure: str, title: str, ends: Ends | None) -> go.Figure:
    figure = go.Figure()
    drawn, parts = summary[summary["run"] == RANDOM], summary[summary["run"] == PARTS]
    band = pd.concat([drawn[f"{measure}_highest"], drawn[f"{measure}_lowest"][::-1]])
    figure.add_scatter(
        x=[*drawn["k"], *drawn["k"][::-1]], y=style.floats(band), name=f"{RANDOM} (range)", mode="lines", fill="toself",
        fillcolor=style.tint(style.VERMILLION, 0.18), line={"width": 0}, hoverinfo="skip",
    )  # fmt: skip
    for name, line, colour, dash, symbol in (
        (f"{RANDOM} (mean)", drawn, style.VERMILLION, "dash", "square"),
        (PARTS, parts, style.BLUE, "solid", "circle"),
    ):
        figure.add_scatter(
            x=line["k"], y=style.floats(line[measure]), name=name, mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 2.5},
            marker={"size": 9, "symbol": [symbol if same > 0.5 else f"{symbol}-open" for same in line["same_answer"]]},
            hovertemplate="%{y:.1%}" if measure == "probability" else "%{y:.2f} bits",
        )  # fmt: skip
    marks = {ORIGINAL: "original<br>vector", NOTHING: "zeros"}
    if measure == "kl_bits":  # the divergence of the original from itself is 0, which is the axis
        del marks[ORIGINAL]
    values = {run: float(summary.loc[summary["run"] == run, measure].iloc[0]) for run in marks}
    for run, text in marks.items():  # the names are beside the lines, the higher one above the lower one
        side = "middle" if len(marks) == 1 else "bottom" if values[run] == max(values.values()) else "top"
        figure.add_hline(
            y=values[run], line={"dash": "dot", "width": 1.5, "color": style.INK},
            annotation={"text": text, "x": 1, "xanchor": "left", "yanchor": side, "font": {"color": style.INK}},
        )  # fmt: skip
    figure.update_layout(
        height=330, hovermode="x unified", legend=style.LEGEND, margin=style.MARGIN | {"r": 60},
        xaxis={"title": "number of parts of the mix", "tickformat": "d", "rangemode": "normal"}
        | ({} if ends is None else {"range": [0.5, ends.words + 0.5]}),
        yaxis={"title": style.label(title), "rangemode": "tozero",
               "tickformat": ".0%" if measure == "probability" else "~g"}
        | ({} if ends is None else {"range": [0, 1.05 * ends.value]}),
    )  # fmt: skip
    return figure


def _alt(summary: pd.DataFrame, measure: str, title: str) -> str:
    # The first and last value of both lines.
    form = (lambda v: rounded(v)) if measure == "probability" else decimal
    lines = []
    for run in (PARTS, RANDOM):
        line = summary[summary["run"] == run]
        first, last = line.iloc[0], line.iloc[-1]
        lines.append(f"{run}: {form(first[measure])} with {first['k']} and {form(last[measure])} with {last['k']}")
    return f"{title[:1].upper()}{title[1:]} by number of parts. {'; '.join(lines).capitalize()}."
