"""Chart of edits in later layers: the probability of the edit's answer by layer, with the controls."""

import pandas as pd
import plotly.graph_objects as go

from embtools.arithmetic.later_answers import WHOLE
from embtools.arithmetic.later_edits import EditsByLayer
from embtools.charts.chart import Chart
from embtools.charts.style import AFTER, COLOURS, LEGEND, LINES, MARGIN, SYMBOLS, floats, label, whiskers
from embtools.statistics.percentages import rounded

_MARGIN = 0.05  # share of a common axis that is empty at its end


def layers(result: EditsByLayer, most: float | None = None) -> Chart:
    """Draw one line per run over the layers, thick for the whole formula; filled marks: the top answer changes.

    most: the largest probability on the axis, for charts that are compared.
    """
    figure = _figure(result.lines, WHOLE, result.before, result.word)
    if most is not None:
        figure.update_yaxes(range=[0, (1 + _MARGIN) * most])
    return Chart(figure, result.lines, _alt(result.lines, WHOLE, result.word))


def _figure(summary: pd.DataFrame, whole: str, before: float, word: str) -> go.Figure:
    figure = go.Figure()
    for number, (run, line) in enumerate(summary.groupby("run", sort=False)):
        main = run == whole
        changed = line["changed"] > 0.5
        symbol = SYMBOLS[number % len(SYMBOLS)]
        figure.add_scatter(
            x=floats(line["layer"]), y=floats(line["probability"]), name=label(str(run)), mode="lines+markers",
            line={"color": AFTER if main else COLOURS[number % len(COLOURS)], "width": 3.5 if main else 1.5,
                  "dash": "solid" if main else LINES[number % len(LINES)]},
            marker={"size": 11 if main else 7, "symbol": [symbol if c else f"{symbol}-open" for c in changed]},
            error_y=None if main else whiskers(
                line["probability"], line["lowest"], line["highest"], thickness=1, width=3
            ),
            hovertemplate="%{y:.1%}",
        )  # fmt: skip
    figure.add_hline(
        y=before, line={"dash": "dot", "width": 1}, annotation={"text": "without an edit", "xanchor": "right"}
    )
    figure.update_layout(
        height=380, hovermode="x unified", legend=LEGEND, margin=MARGIN,
        xaxis={"title": "layer of the edit (0: embeddings)", "dtick": 1},
        yaxis={"tickformat": ".0%", "rangemode": "tozero", "title": f"probability of {label(word)}"},
    )  # fmt: skip
    return figure


def _alt(summary: pd.DataFrame, whole: str, word: str) -> str:
    """Describe the line of the whole formula in a sentence."""
    line = summary[summary["run"] == whole]
    values = ", ".join(
        f"layer {layer}: {rounded(p)}" for layer, p in zip(line["layer"], line["probability"], strict=True)
    )
    return f"Probability of {word} by the layer after which the edit is added: {values}. The controls are shown too."
