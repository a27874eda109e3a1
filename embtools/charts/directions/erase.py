"""What is left of two groups after erasure by each method, and what it costs in other sentences and other probes."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.charts.chart import Chart
from embtools.charts.style import BLUE, GREY, INK, LEGEND, MARGIN, VERMILLION, floats, saved, whiskers
from embtools.directions.erased import Erased
from embtools.statistics.decimals import signed
from embtools.statistics.percentages import rounded

_HEIGHT = 258


def left(result: Erased) -> Chart:
    """The accuracy of a new classifier by method, with intervals; hollow: on the items of the eraser."""
    rows, heights = result.methods, _heights(result)
    others, own = f"other {result.kind}", f"{result.kind} that the eraser was fitted on"
    figure = go.Figure()
    figure.add_scatter(
        x=floats(rows["accuracy"]), y=heights, mode="markers", name=others,
        error_x=whiskers(
            rows["accuracy"], rows["accuracy_low"], rows["accuracy_high"], thickness=2, width=4, color=BLUE
        ),
        marker={"size": 11, "color": _colours(result)}, hovertemplate=f"%{{x:.0%}}<extra>{others}</extra>",
        cliponaxis=False,
    )  # fmt: skip
    figure.add_scatter(
        x=floats(rows["accuracy_fitted"]), y=heights + np.float32(0.22), mode="markers", name=own,
        marker={"size": 10, "color": VERMILLION, "symbol": "diamond-open", "line": {"width": 2}},
        hovertemplate=f"%{{x:.0%}}<extra>{own}</extra>", cliponaxis=False,
    )  # fmt: skip
    figure.add_vline(x=result.guess, line={"dash": "dot", "width": 2, "color": GREY})
    figure.update_layout(_layout(result, "accuracy of a new classifier"), legend=LEGEND)
    figure.update_xaxes(tickformat=".0%", range=[0, 1.03])
    accuracies = ", ".join(f"{row.method} {rounded(row.accuracy)}" for row in rows.itertuples())
    alt = (
        f"Accuracy of a new classifier on {result.kind} that it has not seen: {accuracies}."
        f" Guessing: {rounded(result.guess)}."
    )
    return Chart(figure, rows, alt)


def cost(result: Erased, ends: tuple[float, float] | None = None) -> Chart:
    """The change in the log probability of masked words in other sentences by method, with intervals."""
    rows = result.methods
    figure = go.Figure(
        go.Scatter(
            x=floats(rows["cost"]), y=_heights(result), mode="markers",
            error_x=whiskers(rows["cost"], rows["cost_low"], rows["cost_high"], thickness=2, width=4, color=BLUE),
            marker={"size": 11, "color": _colours(result)},
            hovertemplate="%{x:+.3f} nats<extra></extra>", cliponaxis=False,
        )
    )  # fmt: skip
    figure.add_vline(x=0, line={"dash": "dot", "width": 1.5, "color": INK})
    figure.update_layout(_layout(result, "change in the log probability, in nats"), showlegend=False)
    figure.update_xaxes(range=list(ends or _ends([result])), zeroline=False)
    costs = ", ".join(f"{row.method} {signed(row.cost)}" for row in rows.itertuples())
    return Chart(figure, rows, f"Change in the log probability of masked words in other sentences: {costs} nats.")


def other(result: Erased) -> Chart:
    """The accuracy of a new probe for another property by method, with intervals; dotted: guessing."""
    rows = result.methods
    figure = go.Figure(
        go.Scatter(
            x=floats(rows["other_accuracy"]), y=_heights(result), mode="markers",
            error_x=whiskers(
                rows["other_accuracy"], rows["other_accuracy_low"], rows["other_accuracy_high"],
                thickness=2, width=4, color=BLUE,
            ),
            marker={"size": 11, "color": _colours(result)}, hovertemplate="%{x:.1%}<extra></extra>", cliponaxis=False,
        )
    )  # fmt: skip
    figure.add_vline(x=result.other_guess, line={"dash": "dot", "width": 2, "color": GREY})
    figure.update_layout(_layout(result, f"accuracy for the {result.other}"), showlegend=False)
    figure.update_layout(height=_HEIGHT - 40, margin_b=48)  # no legend next to it, as above
    figure.update_xaxes(tickformat=".0%", range=[0, 1.03])
    accuracies = ", ".join(f"{row.method} {rounded(row.other_accuracy)}" for row in rows.itertuples())
    return Chart(figure, rows, f"Accuracy of a new probe for the {result.other}: {accuracies}.")


def ends(results: Sequence[Erased]) -> tuple[float, float] | None:
    """The ends of the axis of `cost` for several results; None for one result."""
    return _ends(results) if len(results) > 1 else None


def _colours(result: Erased) -> list[str]:
    """Grey for random directions, blue for the methods."""
    return [GREY if "random" in name else BLUE for name in result.methods["method"]]


def _heights(result: Erased) -> np.ndarray:
    return np.arange(len(result.methods), dtype=np.float32)


def _layout(result: Erased, title: str) -> dict[str, object]:
    names = result.methods["method"].tolist()
    return {
        **saved(yaxis="method"),
        "height": _HEIGHT,
        "margin": {**MARGIN, "t": 8, "b": 88, "l": 142},
        "dragmode": False,
        "xaxis": {"title": title, "fixedrange": True},
        "yaxis": {
            **{"tickvals": list(range(len(names))), "ticktext": names, "range": [len(names) - 0.4, -0.6]},
            **{"automargin": False, "zeroline": False, "fixedrange": True, "tickfont": {"size": 12}},
        },
    }


def _ends(results: Sequence[Erased]) -> tuple[float, float]:
    values = np.concatenate([each.methods[["cost_low", "cost_high"]].to_numpy().ravel() for each in results])
    low, high = min(-0.1, float(values.min())), max(0.1, float(values.max()))
    room = 0.06 * (high - low)
    return low - room, high + room
