"""Bar chart of the changes between a sentence and its swapped version, word by word."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.style import COLOURS, LEGEND, MARGIN, label


def changes(words: pd.DataFrame, reach: float = 0.0) -> go.Figure:
    """Change of the log probability of each shared word after the swap (nats), in the order of the sentence.

    words: word, first, second, change. reach: the length of the axis above and below zero, for two figures that share
    an axis.
    """
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
        xaxis={"tickvals": list(range(len(names))), "ticktext": names, "range": [-0.6, len(names) - 0.4]},
        yaxis={
            "title": "change of log probability (nats)",
            "zeroline": True,
            **({"range": [-1.06 * reach, 1.06 * reach]} if reach else {}),
        },
    )
    return figure


def changes_alt(words: pd.DataFrame) -> str:
    """Alt text of the changes: their sum, and the largest one."""
    strongest = words.loc[words["change"].abs().idxmax()]
    return (
        f"Changes of the log probability of {len(words)} shared words. Their sum is {words['change'].sum():+.2f} nats;"
        f" the largest change is {strongest['change']:+.2f} for {strongest['word']}."
    )
