"""Charts of analogies in bulk: a cell per relation and method, and the methods over the layers."""

import numpy as np
import plotly.graph_objects as go

from embtools.charts.cells import marks
from embtools.charts.chart import Chart
from embtools.charts.style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    LEGEND,
    LINES,
    MAUVE,
    NUMBERED_WITH_LEGEND,
    SYMBOLS,
    VERMILLION,
    floats,
    saved,
    tint,
    whiskers,
    wrap,
)
from embtools.evidence.analogy_result import ALL, AT_1, MRR, Analogies
from embtools.evidence.analogy_runs import METHODS, STATIC
from embtools.mask_filling.relations import TITLES
from embtools.statistics.percentages import rounded
from embtools.statistics.reporting import LEVEL

NAMES = {"at_1": "accuracy at 1", "at_5": "accuracy at 5", "at_10": "accuracy at 10", MRR: "mean reciprocal rank"}
"""What each score is called."""
_COLOURS = dict(zip(METHODS, (BLUE, GREEN, VERMILLION, MAUVE, GREY), strict=True))


def cells(result: Analogies, layer: str, inputs: str, score: str = AT_1) -> Chart:
    """All relations (rows) and methods (columns) at one layer. The customdata of each mark is "relation|method".

    A star marks an accuracy at 1 that differs from nearness to c alone after Holm's correction.
    """
    table = result.table
    rows = table[(table["layer"] == layer) & (table["inputs"] == inputs)]
    keys = [*result.relations, ALL]
    values = rows.pivot(index="relation", columns="method", values=score).loc[keys, list(METHODS)].to_numpy()
    tests = result.tests
    clear = tests[(tests["layer"] == layer) & (tests["inputs"] == inputs) & (tests["p_adjusted"] < LEVEL)]
    stars = {(row.relation, row.method) for row in clear.itertuples()} if score == AT_1 else set()
    texts = [
        [f"{_number(values[r, m], score)}{' *' if (key, method) in stars else ''}" for m, method in enumerate(METHODS)]
        for r, key in enumerate(keys)
    ]
    names = [TITLES.get(key, key) for key in keys]
    heat = go.Heatmap(
        z=values.astype(np.float32),
        text=texts,
        texttemplate="%{text}",
        textfont={"color": INK, "size": 12},
        zmin=0,
        zmax=1,
        colorscale=[(0.0, "rgba(127, 127, 127, 0)"), (1.0, tint(BLUE, 0.45))],
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
    y, x = (axis.ravel() for axis in np.mgrid[: len(keys), : len(METHODS)])
    ends = rows.set_index(["relation", "method"])
    clicks = marks(
        x.astype(np.float32),
        y.astype(np.float32),
        [f"{keys[r]}|{METHODS[m]}" for r, m in zip(y, x, strict=True)],
        [
            f"{names[r]}, {METHODS[m]}: {_number(values[r, m], score)} (95% interval"
            f" {_number(ends.loc[(keys[r], METHODS[m]), f'{score}_low'], score)} to"
            f" {_number(ends.loc[(keys[r], METHODS[m]), f'{score}_high'], score)})"
            for r, m in zip(y, x, strict=True)
        ],
        "%{text}<extra></extra>",
    )
    bare = {"showgrid": False, "zeroline": False, "fixedrange": True, "tickmode": "array"}
    figure = go.Figure([heat, clicks])
    figure.update_layout(
        height=50 + 29 * len(keys),
        margin={"l": 146, "r": 8, "t": 46, "b": 4},
        dragmode=False,
        **saved(xaxis="method", yaxis="relation"),
        xaxis={**bare, "side": "top", "tickvals": list(range(len(METHODS))), "tickangle": 0,
               "ticktext": [method.replace(" ", "<br>", 1) for method in METHODS], "tickfont": {"size": 11},
               "range": [-0.5, len(METHODS) - 0.5]},
        yaxis={**bare, "tickvals": list(range(len(keys))), "ticktext": [wrap(name, 24) for name in names],
               "range": [len(keys) - 0.5, -0.5]},
    )  # fmt: skip
    alt = f"{NAMES[score].capitalize()}: {len(METHODS)} methods for {len(result.relations)} relations."
    return Chart(figure, rows.reset_index(drop=True), f"{alt} {result.sentence(layer, inputs, score)}")


def layers(result: Analogies, inputs: str, score: str = AT_1) -> Chart:
    """The mean over the relations of each method, for the static embeddings and each layer, with 95% intervals."""
    table = result.table
    rows = table[(table["relation"] == ALL) & (table["inputs"] == inputs)]
    figure = go.Figure()
    for number, method in enumerate(METHODS):
        own = rows[rows["method"] == method]
        figure.add_scatter(
            x=list(own["layer"]),
            y=floats(own[score]),
            error_y=whiskers(own[score], own[f"{score}_low"], own[f"{score}_high"], thickness=1.2, width=3),
            mode="lines+markers",
            name=method,
            line={"color": _COLOURS[method], "dash": LINES[number], "width": 2},
            marker={"color": _COLOURS[method], "symbol": SYMBOLS[number], "size": 8},
            hovertemplate="%{x}: %{y:.2f}<extra>" + method + "</extra>",
        )
    form = {} if score == MRR else {"tickformat": ".0%"}
    figure.update_layout(
        height=360,
        margin=NUMBERED_WITH_LEGEND | {"t": 12},
        legend=LEGEND,
        xaxis={"title": "layer", "type": "category"},
        yaxis={"title": NAMES[score], "range": [-0.03, 1.03], **form},
    )
    best = rows.loc[rows[score].idxmax()]
    where = "with static embeddings" if best["layer"] == STATIC else f"in layer {best['layer']}"
    alt = (
        f"{NAMES[score].capitalize()} by layer, mean over the relations. The highest is {_number(best[score], score)},"
        f" for {best['method']} {where}."
    )
    return Chart(figure, rows.reset_index(drop=True), alt)


def _number(value: float, score: str) -> str:
    return f"{value:.2f}" if score == MRR else rounded(value)
