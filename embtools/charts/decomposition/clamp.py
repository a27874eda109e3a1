"""How far BERT's answers change with a learned feature at 0, 2 and 4 times its activation, next to random features."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.decomposition.clamping import FACTORS, FEATURE, RANDOM, Clamped


def runs(result: Clamped, most: float = 0.0) -> Chart:
    """One row per factor: the KL divergence with this feature and with each random one. Filled: the same top answer.

    `most` is the lowest end of the axis, see `largest`.
    """
    figure = go.Figure()
    looks = (
        (RANDOM, "random features", "circle", style.VERMILLION, 8),
        (FEATURE, "feature", "diamond", style.BLUE, 14),
    )
    for kind, name, symbol, colour, size in looks:
        rows = result.runs[result.runs["run"] == kind]
        spread = {factor: _spread(int((rows["factor"] == factor).sum())) for factor in FACTORS}
        heights = np.concatenate([FACTORS.index(factor) + spread[factor] for factor in FACTORS])
        figure.add_scatter(
            x=style.floats(rows["kl_bits"]),
            y=heights.astype(np.float32),
            mode="markers",
            name=f"{name} {result.feature}" if kind == FEATURE else name,
            marker={
                **{"size": size, "color": colour, "line": {"width": 2, "color": colour}},
                "symbol": [symbol if same else f"{symbol}-open" for same in rows["same_answer"]],
            },
            customdata=[
                [int(feature), style.label(answer)]
                for feature, answer in zip(rows["feature"], rows["answer"], strict=True)
            ],
            cliponaxis=False,
            hovertemplate=("feature %{customdata[0]}: %{x:.3f} bits<br>top answer: %{customdata[1]}<extra></extra>"),
        )
    end = max(most, largest([result])) * 1.05
    figure.update_layout(
        height=240,
        margin={**style.MARGIN, "t": 4, "b": 76, "l": 70},
        dragmode=False,
        legend=style.LEGEND,
        xaxis={
            "range": [-0.04 * end, end],  # marks at 0 do not cover the labels of the rows
            "title": "KL divergence (bits)",
            "fixedrange": True,
        },
        yaxis={
            **{"tickvals": list(range(len(FACTORS))), "ticktext": [f"× {factor:.0f}" for factor in FACTORS]},
            **{"range": [len(FACTORS) - 0.5, -0.5], "showgrid": False, "zeroline": False, "fixedrange": True},
            **{"title": "activation", "automargin": False},
        },
    )
    parts = [
        f"{row['kl_bits']:.3f} bits with factor {row['factor']:.0f} (random features: {row['random']:.3f} on average)"
        for row in result.summary.to_dict("records")
    ]
    alt = f"Change in the answers with feature {result.feature}: {'; '.join(parts)}."
    return Chart(figure, result.runs, alt)


def largest(results: Sequence[Clamped]) -> float:
    """The largest divergence of a feature or a random one, so that the charts of some results have the same axis."""
    return max(max(float(result.runs["kl_bits"].max()), 1e-3) for result in results)


def _spread(count: int) -> np.ndarray:
    """Offsets of marks in a row, so that they do not cover each other."""
    return np.linspace(-0.3, 0.3, count) if count > 1 else np.zeros(1)
