"""Chart of the parts of a vector: one bar per word, with one segment per occurrence."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.chart import Chart
from embtools.decomposition.parts import by_word
from embtools.decomposition.results import Decomposition
from embtools.statistics.percentages import rounded

MOST = 8  # words with a bar of their own


def bars(table: pd.DataFrame, most: float | None = None) -> Chart:
    """Bars of the shares of the parts, stacked by word, the heaviest on top; the last bar combines the remaining words.

    table: columns word, share, sentence, start, end; the heaviest part first. `most`: see the function `most`.
    """
    return Chart(_figure(table, most), table.drop(columns=["start", "end"]), _alt(table))


def most(results: Sequence[Decomposition]) -> float | None:
    """The end of the axis on which the bars of several results can be compared; None for a single result."""
    if len(results) == 1:
        return None
    return 1.1 * max((float(share) for result in results for share in _shares(result.parts.table)), default=1.0)


def _shares(table: pd.DataFrame) -> pd.Series:
    """The length of each bar, by its name."""
    named, rest = _named(table)
    rows = [word if word in named else rest for word in table["word"]]
    return pd.DataFrame({"row": rows, "share": table["share"]}).groupby("row", sort=False)["share"].sum()


def _named(table: pd.DataFrame) -> tuple[list[str], str]:
    """The words with a bar of their own, the heaviest first, and the name of the bar of the others."""
    totals = table.groupby("word", sort=False)["share"].sum().sort_values(ascending=False, kind="stable")
    named = list(totals.index[: MOST if len(totals) > MOST + 1 else MOST + 1])
    return named, f"{len(totals) - len(named)} other words"


def _alt(table: pd.DataFrame) -> str:
    words = ", ".join(f"{row.word} {rounded(row.share)}" for row in by_word(table).itertuples())
    return f"Shares of the words in the mix: {words}."


def _figure(table: pd.DataFrame, most: float | None) -> go.Figure:
    named, rest = _named(table)
    rows = [word if word in named else rest for word in table["word"]]
    shown = _shares(table)
    order = [*named, *([rest] if rest in shown.index else [])]
    figure = go.Figure(
        go.Bar(
            x=style.floats(table["share"]),
            y=[style.label(row) for row in rows],
            orientation="h",
            marker={
                "color": [style.GREY if row == rest else style.BLUE for row in rows],
                "line": {"color": style.PAPER, "width": 1.5},
            },
            customdata=[
                f"{style.label(word)}: {rounded(share, 1)}<br>{style.wrap(text, 60, 4)}"
                for word, share, text in zip(table["word"], table["share"], table["sentence"], strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    figure.add_scatter(
        x=style.floats(shown.loc[order]),
        y=[style.label(row) for row in order],
        mode="text",
        text=[f" {rounded(shown[row])}" for row in order],
        textposition="middle right",
        textfont={"color": style.INK},
        cliponaxis=False,
        hoverinfo="skip",
    )
    figure.update_layout(
        height=96 + 27 * len(order),
        margin={**style.MARGIN, "t": 8, "r": 44},
        bargap=0.3,
        barmode="stack",
        showlegend=False,
        **style.saved(yaxis="word"),
        xaxis={"title": "share of the mix", "tickformat": ".0%", "rangemode": "tozero"}
        | ({} if most is None else {"range": [0, most]}),
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": [style.label(w) for w in order[::-1]]},
    )
    return figure
