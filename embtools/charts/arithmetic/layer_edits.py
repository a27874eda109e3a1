"""Chart of an edit added after each layer: how probable it still makes its answer, beside the controls."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import AFTER, COLOURS, LEGEND, LINES, MARGIN, SYMBOLS, floats, label, whiskers


def layers(summary: pd.DataFrame, whole: str, before: float, word: str) -> go.Figure:
    """A line a run over the layers; the whole formula thick, its marks filled where it turns the first answer.

    `summary` as `arithmetic.layer_edits.summary` makes it, `whole` the run that is not a control, `before` the
    probability of `word` without an edit.
    """
    figure = go.Figure()
    for number, (run, line) in enumerate(summary.groupby("run", sort=False)):
        main = run == whole
        turned = line["turned"] > 0.5
        symbol = SYMBOLS[number % len(SYMBOLS)]
        figure.add_scatter(
            x=floats(line["layer"]), y=floats(line["probability"]), name=label(str(run)), mode="lines+markers",
            line={"color": AFTER if main else COLOURS[number % len(COLOURS)], "width": 3.5 if main else 1.5,
                  "dash": "solid" if main else LINES[number % len(LINES)]},
            marker={"size": 11 if main else 7, "symbol": [symbol if t else f"{symbol}-open" for t in turned]},
            error_y=None if main else whiskers(line["probability"], line["low"], line["high"], thickness=1, width=3),
            hovertemplate="%{y:.1%}",
        )  # fmt: skip
    figure.add_hline(
        y=before, line={"dash": "dot", "width": 1}, annotation={"text": "without an edit", "xanchor": "right"}
    )
    figure.update_layout(
        height=380, hovermode="x unified", legend=LEGEND, margin=MARGIN,
        xaxis={"title": "added after layer (0: embeddings)", "dtick": 1},
        yaxis={"tickformat": ".0%", "rangemode": "tozero", "title": f"probability of {label(word)}"},
    )  # fmt: skip
    return figure


def alt(summary: pd.DataFrame, whole: str, word: str) -> str:
    """The whole formula's line in words."""
    line = summary[summary["run"] == whole]
    values = ", ".join(f"{layer}: {p:.0%}" for layer, p in zip(line["layer"], line["probability"], strict=True))
    return f"Probability of {word} when the edit is added after layer … {values}; beside it the controls."
