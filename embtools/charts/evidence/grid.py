"""All cases of a battery: a grid of words a and new words c, or bars if there are too many words."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts.cells import marks
from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, INK, LEGEND, MARGIN, VERMILLION, label, saved, tint
from embtools.evidence.result import ALREADY, CHANGED, NEVER, STATES, UNCHANGED, Battery
from embtools.messages import shortened

MOST_WORDS, MOST_COLUMNS, MOST_NAMED = 80, 60, 8
"""Largest numbers of words a (rows), of columns, and of columns whose cells have room for the name of the new word."""
_DENSE = 0.6  # with a larger share of all combinations, each new word has its own column
_STYLES = {
    CHANGED: (tint(BLUE, 0.35), BLUE, "✓"),
    UNCHANGED: (tint(VERMILLION, 0.4), VERMILLION, "✗"),
    NEVER: (tint(GREY, 0.3), GREY, "○"),
    ALREADY: (tint(GREY, 0.1), GREY, "="),
}
"""Colour of the cell, colour of the bar, and sign of each state."""
_ROW, _NAME = 19, 8  # pixels, and characters of a name in a cell, which fit on a phone
_ROOMY, _SHORT = 5, 5  # with more columns than this, a name has so many characters


def cases(result: Battery, *, most: int | None = None, correct: bool = False) -> Chart:
    """One row per word a and one cell per case; the words for which the edit works least often are at the top.

    `most` limits the words, and `correct` shows only pairs whose unedited answer was right.

    If most combinations were tested, each new word c has a column; otherwise the cells of a row are the new words that
    were drawn for it, with their names. With too many words, there is one bar per word. The customdata of a mark is
    "a|b|c".
    """
    result = result.of_correct if correct else result
    words, grid = result.by_word.head(most or len(result.by_word)), result.grid
    chosen = set(zip(words["a"], words["b"], strict=True))
    grid = grid[[key in chosen for key in zip(grid["a"], grid["b"], strict=True)]]
    columns, names = _columns(grid, len(words))
    large = len(words) > MOST_WORDS or (columns.max(initial=0) >= (MOST_COLUMNS if names else MOST_NAMED))
    figure = _bars(grid, words) if large else _grid(grid, words, columns, names)
    return Chart(figure, result.grid, _alt(result, len(words)))


def _columns(grid: pd.DataFrame, words: int) -> tuple[np.ndarray, list[str]]:
    """Return the column of each case, and the names of the columns if each is a new word."""
    changed = (grid["state"] == CHANGED).groupby(grid["c"]).mean().sort_values(kind="stable")
    if len(changed) > 1 and len(grid) > _DENSE * words * len(changed):
        numbers = {word: number for number, word in enumerate(changed.index)}
        return grid["c"].map(numbers).to_numpy(), [str(word) for word in changed.index]
    return grid.groupby(["a", "b"], sort=False).cumcount().to_numpy(), []


def _grid(grid: pd.DataFrame, words: pd.DataFrame, columns: np.ndarray, names: list[str]) -> go.Figure:
    rows = _rows(grid, words)
    shape = len(words), int(columns.max()) + 1
    states = np.full(shape, np.nan, np.float32)
    states[rows, columns] = grid["state"].map({state: number for number, state in enumerate(STATES)})
    texts = np.full(shape, "", object)
    signs = [_STYLES[state][2] for state in grid["state"]]
    name = _NAME if shape[1] <= _ROOMY else _SHORT
    texts[rows, columns] = signs if names else [
        f"{sign} {label(shortened(word, name))}" for sign, word in zip(signs, grid["c"], strict=True)
    ]  # fmt: skip
    figure = go.Figure(
        go.Heatmap(
            z=states,
            text=texts,
            texttemplate="%{text}" if shape[1] <= MOST_COLUMNS // 2 else None,
            textfont={"color": INK, "size": 11},
            zmin=-0.5,
            zmax=len(STATES) - 0.5,
            colorscale=_steps(),
            showscale=False,
            xgap=1,
            ygap=1,
            hoverinfo="skip",
        )
    )
    figure.add_trace(
        marks(
            columns.astype(np.float32),
            rows.astype(np.float32),
            _keys(grid),
            _hover(grid),
            "%{text}<extra></extra>",
            size=_ROW - 4,
        )
    )
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True}
    named = {"tickvals": list(range(len(names))), "ticktext": [label(shortened(name, 14)) for name in names]}
    figure.update_layout(
        height=_ROW * len(words) + (150 if names else 66),
        margin=MARGIN | {"l": 96, "b": 44, "t": 96 if names else 8},
        dragmode=False,
        **saved(xaxis="new word c", yaxis="edited word a"),
        xaxis={**bare, "side": "top", "tickangle": -60, "range": [-0.5, shape[1] - 0.5]}
        | (named if names else {"visible": False}),
        yaxis={**bare, "tickvals": list(range(len(words))), "ticktext": _labels(words),
               "range": [len(words) - 0.5, -0.5]},
        legend=LEGEND,
        showlegend=True,
    )  # fmt: skip
    for state in STATES:
        if (grid["state"] == state).any():
            colour, _, sign = _STYLES[state]
            figure.add_scatter(
                x=[None], y=[None], mode="markers", name=f"{sign} {state}",
                marker={"symbol": "square", "size": 13, "color": colour},
            )  # fmt: skip
    return figure


def _bars(grid: pd.DataFrame, words: pd.DataFrame) -> go.Figure:
    """Stacked shares of the states, one column per word; a click opens the first case of that state."""
    rows = _rows(grid, words)
    sizes = np.bincount(rows, minlength=len(words))
    figure = go.Figure()
    for state, (_, colour, sign) in _STYLES.items():
        chosen = (grid["state"] == state).to_numpy()
        if chosen.any():
            first = dict(reversed(list(zip(rows[chosen].tolist(), _keys(grid[chosen]), strict=True))))
            figure.add_bar(
                x=np.arange(len(words)),
                y=(np.bincount(rows[chosen], minlength=len(words)) / sizes).astype(np.float32),
                name=f"{sign} {state}",
                marker={"color": colour, "pattern": {"shape": "" if state == CHANGED else "/"}},
                customdata=[first.get(row, "") for row in range(len(words))],
                text=[label(word) for word in words["a"]],
                textposition="none",
                hovertemplate="%{text}: %{y:.0%}<extra>" + state + "</extra>",
            )
    figure.update_layout(
        height=380,
        margin=MARGIN | {"b": 130, "l": 64},
        legend=LEGEND,
        barmode="stack",
        bargap=0.1,
        **saved(xaxis="edited word a"),
        # Categories, because plotly leaves out some of their labels where they would overlap, for example on a phone.
        xaxis={
            "type": "category",
            "categoryarray": list(range(len(words))),
            "labelalias": {str(number): text for number, text in enumerate(_labels(words))},
            "tickangle": -60,
            "range": [-0.7, len(words) - 0.3],
            "showgrid": False,
        },
        yaxis={"title": "share of the cases", "tickformat": ".0%", "range": [0, 1]},
    )
    return figure


def _rows(grid: pd.DataFrame, words: pd.DataFrame) -> np.ndarray:
    numbers = {key: number for number, key in enumerate(zip(words["a"], words["b"], strict=True))}
    return np.array([numbers[key] for key in zip(grid["a"], grid["b"], strict=True)], int)


def _labels(words: pd.DataFrame) -> list[str]:
    return [label(shortened(word, 13)) for word in words["a"]]


def _keys(grid: pd.DataFrame) -> list[str]:
    return [f"{row.a}|{row.b}|{row.c}" for row in grid.itertuples()]


def _hover(grid: pd.DataFrame) -> list[str]:
    return [
        f"{label(row.a)}: {label(row.b)} → {label(row.c)} ({row.state})<br>before: {label(row.answer_before)},"
        f" after: {label(row.answer)}"
        for row in grid.itertuples()
    ]


def _steps() -> list[tuple[float, str]]:
    """Colour scale with one constant colour per state."""
    ends = np.linspace(0, 1, len(STATES) + 1)
    colours = [_STYLES[state][0] for state in STATES]
    return [(float(end), colour) for k, colour in enumerate(colours) for end in (ends[k], ends[k + 1])]


def _alt(result: Battery, drawn: int) -> str:
    grid, words = result.grid, result.by_word
    counts = grid["state"].value_counts()
    parts = ", ".join(f"{counts[state]:,} {state}" for state in STATES if state in counts)
    worst = words.iloc[0]
    size = "1 case" if len(grid) == 1 else f"{len(grid):,} cases"
    text = f"{size} of {len(words)} {'word' if len(words) == 1 else 'words'}: {parts}."
    if drawn < len(words):
        text += f" The {drawn} words for which the edit works least often are shown."
    return f"{text} The lowest rate is that of {worst['a']}: {worst['changed']} of {worst['cases']}."
