"""Charts of a sentence and its swapped version: the changes word by word, and the answers at a mask."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.bias.counterfactual import Counterfactual
from embtools.charts.bias.groups import dumbbells
from embtools.charts.chart import Chart
from embtools.charts.style import COLOURS, LEGEND, MARGIN, label, saved
from embtools.statistics.decimals import decimal


def changes(result: Counterfactual, reach: float = 0.0) -> Chart:
    """Change in the log probability of each shared word after the swap (nats), in the order of the sentence.

    reach: the length of the axis above and below zero, for two charts that share an axis; see `reach_of`.
    """
    return Chart(_figure(result.words, reach), result.words, _alt(result.words))


def reach_of(results: Sequence[Counterfactual]) -> float:
    """The largest change of a word in several results; 0 for a single one, whose axis fits its own changes."""
    return max(float(result.words["change"].abs().max()) for result in results) if len(results) > 1 else 0.0


def answers(result: Counterfactual, most: float = 0.0) -> Chart:
    """The answers at the mask of both sentences. most: the end of the axis, for two charts that share an axis."""
    frame = result.answers
    if frame is None:
        raise ValueError("The sentence has no [MASK], so there are no answers to draw. Put one into it.")
    both = frame.drop(columns="change").rename(columns={"first": "first sentence", "second": "swapped sentence"})
    best = [frame.loc[frame[sentence].idxmax(), "token"] for sentence in ("first", "second")]
    alt = (
        f"Probabilities of {len(frame)} words at the mask. The top answer is {best[0]} in the first sentence and"
        f" {best[1]} in the swapped one."
    )
    return replace(dumbbells(both, alt, most=most), frame=frame)


def most_of(results: Sequence[Counterfactual]) -> float:
    """The highest probability of an answer in several results; 0 for a single one."""
    frames = [result.answers[["first", "second"]] for result in results if result.answers is not None]
    return max(float(frame.to_numpy().max()) for frame in frames) if len(frames) > 1 else 0.0


def _figure(words: pd.DataFrame, reach: float) -> go.Figure:
    names = [label(word) for word in words["word"]]
    figure = go.Figure()
    up = words["change"] >= 0
    for number, (name, part) in enumerate(
        (("fits the first sentence better", ~up), ("fits the swapped sentence better", up))
    ):
        rows = words[part]
        figure.add_bar(
            x=np.flatnonzero(part).astype(np.float32),
            y=rows["change"].to_numpy(np.float32),
            name=name,
            marker={"color": COLOURS[number]},
            customdata=rows[["first", "second"]].to_numpy(np.float32),
            text=[label(word) for word in rows["word"]],
            textposition="none",
            hovertemplate="%{text}: %{y:+.2f}<br>log probability %{customdata[0]:.2f} (first) and"
            " %{customdata[1]:.2f} (swapped)<extra></extra>",
        )
    figure.update_layout(
        height=320,
        legend=LEGEND,
        margin=MARGIN | {"t": 4},
        bargap=0.35,
        barmode="overlay",
        **saved(xaxis="word"),
        xaxis={"tickvals": list(range(len(names))), "ticktext": names, "range": [-0.6, len(names) - 0.4]},
        yaxis={
            "title": "change in log probability (nats)",
            "zeroline": True,
            **({"range": [-1.06 * reach, 1.06 * reach]} if reach else {}),
        },
    )
    return figure


def _alt(words: pd.DataFrame) -> str:
    strongest = words.loc[words["change"].abs().idxmax()]
    return (
        f"Changes in the log probability of {len(words)} shared words. Their sum is"
        f" {decimal(words['change'].sum(), signed=True)} nats; the largest change is"
        f" {decimal(strongest['change'], signed=True)} for {strongest['word']}."
    )
