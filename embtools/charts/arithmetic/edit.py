"""Charts of the Arithmetic page: answers before and after, over strength and over layers."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.arithmetic.controls import ADDED, OTHER_EDITED, OTHER_TAKEN, RANDOM, TAKEN
from embtools.charts.style import AFTER, BEFORE, COLOURS, LEGEND, LINES, LOSS, MARGIN, floats, label

# A colour and a shape each, so that neither alone carries the meaning.
CONTROL_MARKS = {
    ADDED: ("#009E73", "diamond-open"),
    TAKEN: ("#CC79A7", "square-open"),
    OTHER_TAKEN: ("#E69F00", "triangle-up-open"),
    OTHER_EDITED: ("#56B4E9", "triangle-down-open"),
    RANDOM: ("#8C6BB1", "x-thin-open"),
}


def change(answers: pd.DataFrame, marks: pd.DataFrame, edited: bool) -> go.Figure:
    """One row per word: probability before (hollow) and after (filled), the controls as quiet marks with their range.

    answers: token, before, probability; marks: token, control, mean, low, high. Of one mask.
    """
    rows = answers.iloc[::-1]
    tokens = [label(t) for t in rows["token"]]
    figure = go.Figure()
    if edited:
        for name, group in marks.groupby("control", sort=False):
            colour, symbol = CONTROL_MARKS[str(name)]
            group = group.set_index("token").loc[rows["token"]]
            figure.add_scatter(
                x=floats(group["mean"]),
                y=tokens,
                mode="markers",
                name=str(name),
                opacity=0.75,
                marker={"symbol": symbol, "color": colour, "size": 9, "line": {"width": 2, "color": colour}},
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "array": floats(group["high"] - group["mean"]),
                    "arrayminus": floats(group["mean"] - group["low"]),
                    "color": colour,
                    "thickness": 1,
                    "width": 0,
                },
                hovertemplate=f"%{{y}}: %{{x:.1%}} ({name})<extra></extra>",
            )
        figure.add_bar(
            x=floats(rows["change"]),
            base=floats(rows["before"]),
            y=tokens,
            orientation="h",
            width=0.28,
            opacity=0.55,
            marker={"color": np.where(rows["change"] >= 0, AFTER, LOSS)},
            showlegend=False,
            hoverinfo="skip",
        )
    figure.add_scatter(
        x=floats(rows["before"]),
        y=tokens,
        mode="markers",
        name="before" if edited else "probability",
        marker={
            "symbol": "circle-open" if edited else "circle",
            "size": 12,
            "color": BEFORE if edited else AFTER,
            "line": {"width": 2},
        },
        hovertemplate="%{y}: %{x:.1%} before<extra></extra>" if edited else "%{y}: %{x:.1%}<extra></extra>",
    )
    if edited:
        figure.add_scatter(
            x=floats(rows["probability"]),
            y=tokens,
            mode="markers",
            name="after",
            marker={"symbol": "circle", "size": 12, "color": np.where(rows["change"] >= 0, AFTER, LOSS)},
            customdata=floats(rows["change"]),
            hovertemplate="%{y}: %{x:.1%} after (%{customdata:+.1%})<extra></extra>",
        )
    figure.update_layout(
        height=190 + 26 * len(rows),
        legend=LEGEND,
        margin=MARGIN,
        barmode="overlay",
        xaxis={"tickformat": ".1~%", "rangemode": "tozero", "title": "probability"},
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": tokens},
    )
    return figure


def bars(answers: pd.DataFrame, edited: bool) -> go.Figure:
    """A pair of bars per word: its probability before (grey, hatched) and after. token, before, probability."""
    rows = answers.iloc[::-1]
    tokens = [label(t) for t in rows["token"]]
    figure = go.Figure()
    runs = [("before", "before", BEFORE, "/")] if edited else []
    for column, name, colour, pattern in [
        *runs[::-1],
        ("probability", "after" if edited else "probability", AFTER, ""),
    ]:
        figure.add_bar(
            x=floats(rows[column]),
            y=tokens,
            orientation="h",
            name=name,
            marker={"color": colour, "pattern": {"shape": pattern, "fgopacity": 0.4}},
            text=[f"{value:.0%}" if value >= 0.005 else "" for value in rows[column]],
            textposition="outside",
            cliponaxis=False,
            hovertemplate=f"%{{y}}: %{{x:.1%}} {name}<extra></extra>",
        )
    figure.update_layout(
        height=60 + 46 * len(rows),
        legend=LEGEND | {"traceorder": "reversed"},
        margin=MARGIN | {"r": 40, "t": 4},
        bargap=0.25,
        xaxis={"tickformat": ".0%", "rangemode": "tozero", "showgrid": False, "showticklabels": False},
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": tokens},
    )
    return figure


def chance(lines: pd.DataFrame, token: str, probability: float) -> go.Figure:
    """The winning word's probability under the edit and under each control, with the range of its draws.

    lines: control, draws, mean, low, high. The first row is the edit itself.
    """
    names = ["the whole formula", *lines["control"]][::-1]
    figure = go.Figure()
    figure.add_scatter(
        x=floats(lines["mean"]),
        y=lines["control"],
        mode="markers",
        marker={"symbol": "diamond-open", "size": 11, "color": LOSS, "line": {"width": 2}},
        error_x={
            "type": "data", "symmetric": False, "array": floats(lines["high"] - lines["mean"]),
            "arrayminus": floats(lines["mean"] - lines["low"]), "color": LOSS, "thickness": 2, "width": 4,
        },
        hovertemplate=f"{label(token)}: %{{x:.1%}}, %{{y}}<extra></extra>",
        showlegend=False,
    )  # fmt: skip
    figure.add_bar(
        x=[probability], y=["the whole formula"], orientation="h", marker={"color": AFTER}, showlegend=False,
        text=[f"{probability:.0%}"], textposition="outside", cliponaxis=False, width=0.5,
        hovertemplate=f"{label(token)}: %{{x:.1%}}<extra></extra>",
    )  # fmt: skip
    figure.add_vline(x=probability, line={"width": 1, "dash": "dot", "color": AFTER})
    figure.update_layout(
        height=80 + 30 * len(names),
        margin=MARGIN | {"t": 4, "r": 40},
        xaxis={"tickformat": ".0%", "rangemode": "tozero", "title": f"probability of {label(token)}"},
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": names},
    )
    return figure


def chance_alt(lines: pd.DataFrame, token: str, probability: float) -> str:
    """The strip of controls in a sentence."""
    parts = [f"{line.control} {line.mean:.1%}" for line in lines.itertuples()]
    return f"Probability of {token}: the whole formula {probability:.1%}; controls: {', '.join(parts)}."


def change_alt(answers: pd.DataFrame, edited: bool) -> str:
    """The change chart in a sentence."""
    best = answers.loc[answers["rank_after"].idxmin()]
    first = answers.loc[answers["rank_before"].idxmin()]
    if not edited:
        return (
            f"Probability of {len(answers)} words at the mask; the first is {best['token']}, {best['probability']:.1%}."
        )
    return (
        f"Probability of {len(answers)} words before and after the edit."
        f" Before: {first['token']} {first['before']:.1%}; after:"
        f" {best['token']} {best['probability']:.1%} (before {best['before']:.1%})."
    )


def strength(curve: pd.DataFrame, column: str, now: float) -> go.Figure:
    """Lines over strength 0 … 2, a word each; column is probability or log_odds; a rule at the strength in use."""
    figure = go.Figure()
    for number, (token, group) in enumerate(curve.groupby("token", sort=False)):
        figure.add_scatter(
            x=floats(group["strength"]),
            y=floats(group[column]),
            mode="lines",
            name=label(str(token)),
            line={"dash": LINES[number % len(LINES)], "color": COLOURS[number % len(COLOURS)], "width": 2.5},
            hovertemplate="%{y:.1%} at %{x:.1f}" if column == "probability" else "%{y:.2f} at %{x:.1f}",
        )
    figure.add_vline(x=now, line={"width": 1.5, "dash": "dot", "color": BEFORE})
    figure.add_vline(x=0, line={"width": 0}, annotation_text="original", annotation_position="top right")
    figure.update_layout(
        height=340,
        hovermode="x unified",
        legend=LEGEND,
        margin=MARGIN,
        xaxis={"title": "strength of the edit"},
        yaxis={"tickformat": ".1~%", "title": "probability"}
        if column == "probability"
        else {"title": "log-odds against the original answer", "zeroline": True},
    )
    return figure


def strength_alt(curve: pd.DataFrame) -> str:
    """The strength curve in a sentence."""
    parts = []
    for token, group in curve.groupby("token", sort=False):
        values = group.set_index(group["strength"].round(2))["probability"]
        parts.append(f"{token} {values.iloc[0]:.1%}, {values.iloc[len(values) // 2]:.1%}, {values.iloc[-1]:.1%}")
    return "Probability at strength 0, 1 and 2: " + "; ".join(parts) + "."


def layers(frame: pd.DataFrame) -> go.Figure:
    """The logit lens: a line per word over the layers, before (thin, open marks) and after (thick) the edit."""
    figure = go.Figure()
    for number, (token, group) in enumerate(frame.groupby("token", sort=False)):
        for run, line in group.groupby("run", sort=False):
            edited = run == "edited"
            figure.add_scatter(
                x=floats(line["layer"]), y=floats(line["probability"]), mode="lines+markers",
                name=f"{label(str(token))}, {run}",
                line={"color": COLOURS[number % len(COLOURS)], "width": 3 if edited else 1.5,
                      "dash": LINES[number % len(LINES)]},
                marker={"symbol": "circle" if edited else "circle-open", "size": 7},
                hovertemplate="%{y:.1%} after layer %{x}",
            )  # fmt: skip
    figure.update_layout(
        height=380, hovermode="x unified", legend=LEGEND, margin=MARGIN,
        xaxis={"title": "layer (0: embeddings)", "dtick": 1},
        yaxis={"tickformat": ".2~%", "title": "probability (logarithmic)", "type": "log", "nticks": 6},
    )  # fmt: skip
    return figure


def layers_alt(frame: pd.DataFrame) -> str:
    """The logit lens in a sentence: each run's first answer after every layer."""
    firsts = frame.drop_duplicates(["run", "layer"]).groupby("run", sort=False)["first"]
    return "First answer after each layer. " + " ".join(f"{run}: {', '.join(words)}." for run, words in firsts)
