"""Charts of a battery: one mark per case, and the rates of the edit and its controls with their intervals."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREEN, GREY, LEGEND, MARGIN, VERMILLION, floats, label, whiskers, wrap
from embtools.evidence.result import CHANGED, MEASURES, NEVER, STATES, UNCHANGED, Battery

MOST_MARKS, MOST_WORDS = 3_600, 80
_STYLES = {CHANGED: (BLUE, "square"), UNCHANGED: (VERMILLION, "x"), NEVER: (GREY, "circle-open")}
_MEASURES = dict(zip(MEASURES, ((BLUE, "circle"), (GREEN, "diamond"), (VERMILLION, "square")), strict=True))


def cases(result: Battery) -> Chart:
    """One column per word and one mark per case; bars if there are too many. The words that fail most are on the left.

    If every word was tested with every other one, the rows are the new words; otherwise the marks of a word are piled
    up. The customdata of a mark is "a|b|c".
    """
    grid, words = result.grid, result.by_word
    large = len(grid) > MOST_MARKS or len(words) > MOST_WORDS
    figure = _bars(grid, words) if large else _marks(grid, words)
    return Chart(figure, grid, _alt(grid, words))


def rates(result: Battery, *, correct: bool = False) -> Chart:
    """The rate of each measure for the edit and each control, with 95% intervals.

    `correct` shows the rates over the pairs whose unedited answer was right.
    """
    frame = result.rates_of_correct if correct else result.rates
    conditions = list(dict.fromkeys(frame["condition"]))
    figure = go.Figure()
    measures = [measure for measure in MEASURES if (frame["measure"] == measure).any()]
    for number, measure in enumerate(measures):
        rows = frame[frame["measure"] == measure]
        colour, symbol = _MEASURES[measure]
        places = [conditions.index(name) + 0.22 * (number - (len(measures) - 1) / 2) for name in rows["condition"]]
        figure.add_scatter(
            x=floats(rows["rate"]),
            y=np.array(places, np.float32),
            mode="markers",
            name=measure,
            marker={"color": colour, "symbol": symbol, "size": 10},
            error_x=whiskers(rows["rate"], rows["low"], rows["high"], thickness=1.5, width=4, color=colour),
            customdata=rows[["condition", "low", "high"]].to_numpy(),
            hovertemplate="%{customdata[0]}: %{x:.0%} (%{customdata[1]:.0%} to %{customdata[2]:.0%})"
            f"<extra>{measure}</extra>",
        )
    figure.update_layout(
        height=110 + 46 * len(conditions),
        margin=MARGIN | {"b": 84, "l": 130},
        legend=LEGEND,
        xaxis={"title": "rate", "range": [-0.02, 1.02], "tickformat": ".0%", "dtick": 0.25},
        yaxis={
            "tickvals": list(range(len(conditions))),
            "ticktext": [wrap(name, 16) for name in conditions],
            "autorange": "reversed",
            "zeroline": False,
        },
    )
    return Chart(figure, frame, _rates_alt(frame))


def _marks(grid: pd.DataFrame, words: pd.DataFrame) -> go.Figure:
    column = {key: number for number, key in enumerate(zip(words["a"], words["b"], strict=True))}
    x = np.array([column[key] for key in zip(grid["a"], grid["b"], strict=True)], np.float32)
    new_words = sorted(grid["c"].unique())
    crossed = len(grid) > 0.6 * len(words) * len(new_words) and len(new_words) > 1
    if crossed:
        row = {word: number for number, word in enumerate(new_words)}
        y = grid["c"].map(row).to_numpy(np.float32)
    else:
        order = grid["state"].map({state: number for number, state in enumerate(STATES)})
        y = order.groupby(x).rank(method="first").to_numpy(np.float32)
    figure = go.Figure()
    size = float(np.clip(340 / max(len(words), 1), 5, 14))
    for state, (colour, symbol) in _STYLES.items():
        chosen = (grid["state"] == state).to_numpy()
        rows = grid[chosen]
        figure.add_scatter(
            x=x[chosen],
            y=y[chosen],
            mode="markers",
            name=state,
            marker={"color": colour, "symbol": symbol, "size": size},
            customdata=[[f"{line.a}|{line.b}|{line.c}"] for line in rows.itertuples()],
            text=[
                f"{label(line.a)}: {label(line.b)} → {label(line.c)}<br>before: {label(line.answer_before)},"
                f" after: {label(line.answer)}"
                for line in rows.itertuples()
            ],
            hovertemplate="%{text}<extra></extra>",
        )
    names = {"tickvals": list(range(len(new_words))), "ticktext": [label(word) for word in new_words]}
    height = 40 + 15 * len(new_words) if crossed else 22 * int(y.max())
    figure.update_layout(
        height=max(260, 170 + height),
        margin=MARGIN | {"b": 120, "l": 90 if crossed else 64},
        legend=LEGEND,
        showlegend=True,
        xaxis=_words_axis(words),
        yaxis={"title": "new word c", "zeroline": False, "showgrid": False}
        | (names if crossed else {"dtick": 1, "title": "cases", "range": [0.3, float(y.max()) + 0.7]}),
    )
    return figure


def _bars(grid: pd.DataFrame, words: pd.DataFrame) -> go.Figure:
    counts = grid.groupby(["a", "b", "state"], sort=False).size().unstack("state", fill_value=0)
    counts = counts.loc[list(zip(words["a"], words["b"], strict=True))]
    figure = go.Figure()
    for state, (colour, _) in _STYLES.items():
        if state in counts:
            figure.add_bar(
                x=np.arange(len(words)),
                y=(counts[state] / counts.sum(axis=1)).to_numpy(np.float32),
                name=state,
                marker={"color": colour, "pattern": {"shape": "" if state == CHANGED else "/"}},
                customdata=[[label(a)] for a in words["a"]],
                hovertemplate="%{customdata[0]}: %{y:.0%}<extra>" + state + "</extra>",
            )
    figure.update_layout(
        height=360,
        margin=MARGIN | {"b": 120, "l": 64},
        legend=LEGEND,
        barmode="stack",
        bargap=0.1,
        xaxis=_words_axis(words),
        yaxis={"title": "share of the cases", "tickformat": ".0%", "range": [0, 1]},
    )
    return figure


def _words_axis(words: pd.DataFrame) -> dict[str, object]:
    # Categories, because plotly leaves out some of their labels where they would overlap, for example on a phone.
    return {
        "type": "category",
        "categoryarray": list(range(len(words))),
        "labelalias": {str(number): label(word) for number, word in enumerate(words["a"])},
        "tickangle": -60,
        "range": [-0.7, len(words) - 0.3],
        "showgrid": False,
    }


def _alt(grid: pd.DataFrame, words: pd.DataFrame) -> str:
    counts = grid["state"].value_counts()
    parts = ", ".join(f"{counts.get(state, 0):,} {state}" for state in STATES)
    worst = words.iloc[0]
    return (
        f"{len(grid):,} cases of {len(words)} words: {parts}. The lowest rate is that of {worst['a']}:"
        f" {worst['changed']} of {worst['cases']}."
    )


def _rates_alt(frame: pd.DataFrame) -> str:
    edit = frame[frame["condition"] == frame["condition"].iloc[0]] if len(frame) else frame
    parts = ", ".join(f"{row.measure} {row.rate:.0%}" for row in edit.itertuples())
    return f"Rates of the edit: {parts}." if parts else "There are no cases."
