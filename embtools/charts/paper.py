"""Charts of the Paper page: all verdicts, published numbers next to those of this model, and the values of studies."""

import numpy as np
import pandas as pd

from embtools.charts.axes import Axis, Look, Names
from embtools.charts.plot import SILENT, Plot
from embtools.charts.style import BLUE, BROWN, GREY, INK, VERMILLION
from embtools.paper.measured import CANNOT, FAILS, HOLDS, PART
from embtools.paper.reports import UNKNOWN, Report
from embtools.paper.study_result import Study
from embtools.statistics.decimals import decimal

LOOKS = {
    HOLDS: Look(HOLDS, BLUE, "circle"),
    PART: Look(PART, BROWN, "diamond"),
    FAILS: Look(FAILS, VERMILLION, "x"),
    CANNOT: Look(CANNOT, GREY, "circle-open"),
    UNKNOWN: Look(UNKNOWN, GREY, "circle-open-dot"),
}
"""How the mark of each verdict looks."""
_ENDS = {"published": Look("Published", GREY, "circle-open"), "this_model": Look("This model", BLUE)}


def verdicts(report: Report) -> Plot:
    """One row per article and one mark per claim, whose colour and shape show the verdict."""
    table = report.table
    groups = [
        f"{verdict.capitalize()}: {', '.join(rows['id'])}" for verdict, rows in table.groupby("verdict", sort=False)
    ]
    marks = table.assign(column=table.groupby("text").cumcount() + 1)
    x = Axis("claim", range=(0.4, marks["column"].max() + 0.6), hidden=True, more={"fixedrange": True})
    y = Names(list(table["text"].unique()), "article", wide=13, more={"showgrid": False, "fixedrange": True})
    layout = {"showlegend": True, "legend": {"itemsizing": "constant"}, "margin": {"b": 58}}
    plot = Plot(table, f"{len(table)} claims by verdict. {'. '.join(groups)}.", x, y, 360, layout=layout)
    for verdict, look in LOOKS.items():
        rows = marks[marks["verdict"] == verdict]
        more = {
            "name": f"{verdict.capitalize()} ({len(rows)})",
            **{"textposition": "bottom center", "textfont": {"size": 11, "color": INK}},
        }
        if len(rows):
            hover = "{id}: {claim:50/}<extra>{name}</extra>"
            plot = plot.dots("column", "text", look, rows=rows, text="id", hover=hover, size=17, more=more)
    return plot


def numbers(report: Report) -> Plot:
    """One row for each number that was also published, with a line between that and the one of this model."""
    frame = report.comparison
    rows = frame.assign(row=range(len(frame)), claim=frame["name"])
    labels = [f"{row.id} {row.name}" for row in frame.itertuples()]
    still = {"zeroline": False, "fixedrange": True}
    x = Axis("probability, cosine or share", range=(-0.02, 1.0), more=still)
    y = Names(list(rows["row"]), "claim", labels, 99, more={**still, "tickfont": {"size": 11}, "showgrid": False})
    room = {"margin": {"l": round(0.82 * y.widest)}}
    plot = Plot(frame, _numbers_alt(frame), x, y, max(360, 60 + 18 * len(frame)), layout=room)
    both = frame[[*_ENDS]].assign(gap=np.nan).to_numpy(float)
    between = pd.DataFrame({"end": both.ravel(), "row": np.repeat(y.names, 3)})
    silent = {**SILENT, "showlegend": False, "line": {"width": 1.5}}
    plot = plot.lines("end", "row", Look("", GREY), rows=between, marks=False, more=silent)
    for column, look in _ENDS.items():
        hover = "{claim}: {x} ({kind})<extra>{name}</extra>"
        plot = plot.dots(column, "row", look, rows=rows, hover=hover, more={"cliponaxis": False})  # also one at zero
    return plot


def _numbers_alt(frame: pd.DataFrame) -> str:
    if frame.empty:
        return "No number has been computed yet."
    differences = (frame["this_model"] - frame["published"]).abs()
    most = frame.loc[differences.idxmax()]
    return (
        f"{len(frame)} published numbers and those of this model. They differ by {differences.mean():.2f} on average,"
        f" most for “{most['name']}” (published {decimal(most['published'])}, this model"
        f" {decimal(most['this_model'])})."
    )


def study(result: Study) -> Plot:
    """One mark per measured value, with its 95% interval; differences are diamonds."""
    rows = result.rows
    alt = (
        f"{result.unit.capitalize()}: {', '.join(f'{row.quantity} {decimal(row.value)}' for row in rows.itertuples())}."
    )
    x, names = Axis(result.unit, more={"zeroline": True}), Names(list(rows["quantity"]), "quantity", wide=24)
    plot = Plot(rows, alt, x, names, 106 + 40 * len(rows), legend=False)
    differs = rows["quantity"].isin(result.differences)
    for part, look in ((rows[~differs], Look("value", BLUE)), (rows[differs], Look("difference", GREY, "diamond"))):
        hover = "{x} ({low} to {high})<extra>n = {n}</extra>"
        plot = plot.dots("value", "quantity", look, rows=part, ends=("low", "high"), hover=hover)
    return plot
