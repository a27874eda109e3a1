"""Bar chart of the next-sentence probability of a pair and of its controls."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, LEGEND, MARGIN, SLATE, VERMILLION, floats, saved, tint, wrap
from embtools.pairs.next_sentence import RANDOM, TOPIC, WRITTEN, NextSentence, percent

_JITTER = 0.26


def bars(result: NextSentence) -> Chart:
    """One bar for the pair and for each control (the mean if several sentences were drawn, with a dot for each).

    Dotted line: the pair itself.
    """
    return Chart(_figure(result.runs, result.summary, result.topic), result.summary, _alt(result.summary))


def _figure(runs: pd.DataFrame, summary: pd.DataFrame, topic: str) -> go.Figure:
    counts = dict(zip(summary["control"], summary["pairs"], strict=True))
    named = {TOPIC: f"{counts.get(TOPIC)} on the topic “{topic}”", RANDOM: f"{counts.get(RANDOM)} random sentences"}
    rows = summary.iloc[::-1].reset_index(drop=True)
    several = rows["control"].isin([TOPIC, RANDOM])
    labels = [
        wrap(f"{named[row.control]}: {_percent(row.probability)}" if row.control in named else row.control, 24)
        for row in rows.itertuples()
    ]
    own = float(summary["probability"].iloc[0])
    figure = go.Figure()
    for name, shown, colour in (
        ("the pair", (rows["control"] == WRITTEN).to_numpy(), BLUE),
        ("controls (mean)", (rows["control"] != WRITTEN).to_numpy(), GREY),
    ):
        figure.add_bar(
            x=floats(rows["probability"])[shown],
            y=np.flatnonzero(shown),
            orientation="h",
            name=name,
            marker={"color": tint(colour, 0.25 if colour == GREY else 1), "line": {"color": colour, "width": 1.5}},
            text=[
                "" if dots else _percent(p) for p, dots in zip(rows["probability"][shown], several[shown], strict=True)
            ],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{x:.1%}<extra></extra>",
        )
    drawn = runs[runs["control"].isin([TOPIC, RANDOM])]
    positions = dict(zip(rows["control"], range(len(rows)), strict=True))
    spread = np.random.default_rng(0).uniform(-_JITTER, _JITTER, len(drawn))
    figure.add_scatter(
        x=floats(drawn["probability"]),
        y=(drawn["control"].map(positions).to_numpy(float) + spread).astype(np.float32),
        mode="markers",
        name="each control sentence",
        marker={"color": VERMILLION, "size": 5, "opacity": 0.7},
        customdata=[wrap(second, 50) for second in drawn["second"]],
        hovertemplate="%{customdata}<br>%{x:.1%}<extra></extra>",
    )
    figure.add_vline(x=own, line={"color": SLATE, "dash": "dot", "width": 1.5})
    figure.update_layout(
        height=90 + 46 * len(rows),
        margin=MARGIN | {"t": 8, "r": 48},
        legend=LEGEND,
        barmode="overlay",
        bargap=0.35,
        **saved(yaxis="second sentence"),
        xaxis={
            "title": "probability that it follows",
            "range": [0, 1.06],
            "tickformat": ".0%",
            "dtick": 0.25,
        },
        yaxis={"tickvals": list(range(len(rows))), "ticktext": labels},
    )
    return figure


def _alt(summary: pd.DataFrame) -> str:
    names = {TOPIC: "mean of sentences on the same topic", RANDOM: "mean of random sentences"}
    own, *rest = summary.itertuples()
    controls = (f"{names.get(row.control, row.control)} {percent(row.probability)}" for row in rest)
    return f"The pair has a next-sentence probability of {percent(own.probability)}. Controls: {', '.join(controls)}."


def _percent(value: float) -> str:
    return percent(value).replace("over ", ">").replace("under ", "<")
