"""A small grammar of charts: dots, lines, bars and cells of a frame, with rules, rings and two axes.

A chart is a `Plot` of a frame to which series are added. A series names columns; the grammar knows how its look, its
intervals, its hover texts and its clicks are drawn, and how much room labels, titles and a legend take:

    Plot(frame, alt, Axis("rate", ".0%"), Names(words, "word")).dots("rate", "word", Look("edit", BLUE)).rule(x=0.5)

Charts of several models next to each other get the same axes and colours by `beside`, so that none has to know of the
other results.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import Any, TypedDict, Unpack

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from embtools.charts import style
from embtools.charts.axes import LETTER, SHARES, Axis, Look, Names, Shades
from embtools.charts.style import GREY, INK, SLATE, floats, label, tint
from embtools.vectors import Array

_NUMBERS, _TITLE, _NAME = 76, 59, 36  # pixels: numbers and title of an axis upright and level, the title of names
_LAST, _BAR = 18, 94  # pixels: half a last number, a bar of colours
_LEGEND, _ROW = 33, 19  # pixels: a legend of one row, each further row
_ENTRY, _WIDTH = 50, 500  # pixels: an entry of a legend without its name, a usual chart
_STILL = {"showgrid": False, "zeroline": False, "fixedrange": True, "ticks": ""}  # an axis of cells
_FIELD, _LINES = re.compile(r"{(\w+)(:[^{}]*)?}"), re.compile(r":(\d+)/(\d*)")
_INTERVAL = re.compile(r" \({low[^{}]*} to {high[^{}]*}\)")
SILENT: Mapping[str, Any] = {"hoverinfo": "skip", "hovertemplate": None}
"""For `more`: a series without a hover text."""
SAME: Mapping[str, Any] = {each: {"marker": {"opacity": 1}} for each in ("selected", "unselected")}
"""For `more`: marks whose colours a click does not change."""
FIXED: Mapping[str, Any] = {"dragmode": False, "xaxis": {"fixedrange": True}, "yaxis": {"fixedrange": True}}
"""For `layout`: a chart whose axes stay as they are."""
Ends = tuple[str, str]
"""Two columns: the lower and the upper end of an interval."""
Spans = Mapping[str, tuple[float, float]]
"""The lowest and the highest number of each axis and of each scale of colours."""
Trace = dict[str, Any]


class Given(TypedDict, total=False):
    """What every series of dots, lines or bars can be given.

    rows   its rows; by default those of the frame
    text   what stands at the marks: a column, or the texts
    hover  the hover text, with columns in braces: "{word}: {x} ({low} to {high})". There, {x} and {y} are the numbers
           of a mark, {low} and {high} those of its interval, and {name} is the name of the series; {text:60/4} is
           written in lines of 60 characters, at most 4
    spots  the row numbers of the marks that have their text, and where it is
    click  the column that a click on a mark chooses
    size, colours  the size of the marks, and the colour of each
    more   other settings of plotly
    """

    rows: pd.DataFrame
    text: str | Sequence[str]
    spots: Mapping[Any, str]
    hover: str
    click: str
    size: float
    colours: Sequence[str]
    more: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Plot:
    """A chart: `figure`, `frame` and `alt` as in `charts.chart.Chart`. Each method returns it with one more part.

    `legend` says whether there is one if there are several series, and `layout` has other settings of plotly.
    """

    frame: pd.DataFrame
    alt: str
    x: Axis | Names = field(default_factory=Axis)
    y: Axis | Names = field(default_factory=Axis)
    height: int | None = None
    legend: bool = True
    layout: Mapping[str, Any] = field(default_factory=dict)
    traces: tuple[Trace, ...] = ()
    bands: tuple[Trace, ...] = ()  # below all traces
    shades: tuple[Shades, ...] = ()
    shapes: tuple[Trace, ...] = ()
    notes: tuple[Trace, ...] = ()
    spans: Spans = field(default_factory=dict)

    def beside(self, *others: "Plot") -> "Plot":
        """The chart with axes and colours on which the numbers of these charts fit too."""
        spans = _joined(self._spans(), (span for other in others for span in other._spans().items()))
        shades = tuple(replace(each, ends=_fitting(each.ends)) for each in self.shades)
        return replace(self, x=_fitting(self.x), y=_fitting(self.y), shades=shades, spans=spans)

    def dots(
        self,
        x: str,
        y: str,
        look: Look,
        *,
        ends: Ends | None = None,
        shift: float | Array = 0.0,
        filled: Sequence[bool] | None = None,
        **given: Unpack[Given],
    ) -> "Plot":
        """Marks, hollow if not `filled`, with intervals between two columns (`ends`); `shift` moves them across."""
        trace, along = self._scatter("markers", x, y, look, given, ends), self._along
        across = "y" if along == "x" else "x"
        trace[across] = trace[across] + np.asarray(shift, np.float32)
        symbol = [f"{look.symbol}{'' if each else '-open'}" for each in filled] if filled is not None else look.symbol
        hollow = filled is not None or look.symbol.endswith("open")
        trace["marker"] = {"color": given.get("colours", look.colour), "symbol": symbol, "size": given.get("size", 10)}
        trace["marker"] |= {"line": {"width": 2, "color": look.colour}} if hollow else {}
        return self._with(trace, given, ends)

    def lines(
        self,
        x: str,
        y: str,
        look: Look,
        *,
        band: Ends | None = None,
        ends: Ends | None = None,
        marks: bool = True,
        **given: Unpack[Given],
    ) -> "Plot":
        """A line over the column `x`, with a band or with intervals between two columns."""
        trace = self._scatter("lines+markers" if marks else "lines", x, y, look, given, ends, band)
        trace["line"] = {"color": look.colour, "dash": look.dash, "width": 2.5}
        trace["marker"] = {"color": look.colour, "symbol": look.symbol, "size": given.get("size", 8)}
        trace |= {"textposition": "bottom center"} if "text" in given and "spots" not in given else {}
        if not band:
            return self._with(trace, given, ends)
        trace["legendgroup"] = trace["name"]  # a click in the legend hides both
        at, (low, high) = trace["x"], (floats(given.get("rows", self.frame)[end]) for end in band)
        below = {
            "type": "scatter",
            "x": np.concatenate([at, at[::-1]]),
            "y": np.concatenate([high, low[::-1]]),
            "mode": "none",
            "fill": "toself",
            "fillcolor": tint(look.colour, 0.18),
            "hoverinfo": "skip",
            "showlegend": False,
            "legendgroup": trace["name"],
        }
        return replace(self._with(trace, given, band), bands=(*self.bands, below))

    def bars(
        self,
        x: str,
        y: str,
        look: Look,
        *,
        ends: Ends | None = None,
        hatched: bool | Sequence[bool] = False,
        **given: Unpack[Given],
    ) -> "Plot":
        """Bars from zero, with intervals: to the right if the vertical axis has names, otherwise upwards."""
        trace = self._marks("bar", x, y, look, given, ends)
        trace["orientation"] = "h" if self._along == "x" else "v"
        shape = "/" * hatched if isinstance(hatched, bool) else ["/" if each else "" for each in hatched]
        trace["marker"] = {"color": given.get("colours", look.colour), "pattern": {"shape": shape}}
        if "text" in given:  # whole: plotly would shrink it to the thickness of its bar
            trace |= {"textposition": "outside", "cliponaxis": False, "constraintext": "none"}
        drawn = self._with(trace, given, ends)
        return replace(drawn, spans=_joined(drawn.spans, [(self._along, 0.0)]))

    def cells(
        self,
        values: Array,
        shades: Shades = SHARES,
        *,
        text: Callable[[int, int], str] | None = None,
        hover: Callable[[int, int], str] | None = None,
        click: Callable[[int, int], Any] | None = None,
        left: int = 0,
        size: int = 26,
        **more: Any,
    ) -> "Plot":
        """Coloured cells from the column `left` on, with a text, a hover text and what a click chooses (or None) by row
        and column from 0; `size` is that of a mark that can be clicked, in pixels.
        """
        rows, columns = (range(count) for count in values.shape)
        axis = f"coloraxis{len(self.shades) + 1}"
        trace = {
            "type": "heatmap",
            "z": values.astype(np.float32),
            "x": [left + column for column in columns],
            "y": list(rows),
            "coloraxis": axis,
            "xgap": 2,
            "ygap": 2,
            "hoverongaps": False,
            "hoverinfo": "skip",
        }
        if text:
            written = [[text(row, column) for column in columns] for row in rows]
            trace |= {"text": written, "texttemplate": "%{text}", "textfont": {"color": INK, "size": 12}}
        if hover and not click:
            trace["hovertext"] = [[hover(row, column) for column in columns] for row in rows]
            trace |= {"hovertemplate": "%{hovertext}<extra></extra>", "hoverinfo": None}
        spans = _joined(self.spans, [(axis, values)])
        drawn = replace(self, shades=(*self.shades, shades), traces=(*self.traces, _merged(trace, more)), spans=spans)
        if not click:
            return drawn
        chosen = [(row, column, name) for row in rows for column in columns if (name := click(row, column)) is not None]
        y, x, names = zip(*chosen, strict=True) if chosen else ((), (), ())
        invisible = {"marker": {"opacity": 0}}
        marks = {
            "type": "scatter",
            "x": np.array(x, np.float32) + left,
            "y": np.array(y, np.float32),
            "mode": "markers",
            "customdata": names,
            "text": [hover(row, column) for row, column in zip(y, x, strict=True)] if hover else None,
            "hovertemplate": "%{text}<extra></extra>",
            # Invisible, because plotly reports clicks on marks only; CSS shows the marks of chosen cells.
            "marker": {"symbol": "square-open", "size": size, "opacity": 0, "color": INK, "line": {"width": 3}},
            "selected": invisible,
            "unselected": invisible,
            "showlegend": False,
        }
        return replace(drawn, traces=(*drawn.traces, marks))

    def rule(
        self,
        text: str = "",
        *,
        x: float | None = None,
        y: float | None = None,
        colour: str = GREY,
        dash: str = "dot",
        width: float = 1.5,
        note: Mapping[str, Any] | None = None,
    ) -> "Plot":
        """A straight line over the whole chart, with a text at its lower or right end; `note` has settings of that."""
        across, along, at = ("x", "y", x) if x is not None else ("y", "x", y)
        line = {
            **{"type": "line", "line": {"width": width, "dash": dash, "color": colour}},
            **{f"{across}ref": across, f"{across}0": at, f"{across}1": at},
            **{f"{along}ref": f"{along} domain", f"{along}0": 0, f"{along}1": 1},
        }
        drawn = replace(self, shapes=(*self.shapes, line), spans=_joined(self.spans, [(across, at)]))
        end = {f"{across}ref": across, across: at, f"{along}ref": f"{along} domain", along: int(across == "y")}
        anchor = {"xanchor": "left" if across == "x" else "right", "yanchor": "bottom"}
        return drawn.note(text, **(end | anchor | dict(note or {}))) if text else drawn

    def note(self, text: str, **settings: Any) -> "Plot":
        """A text in the chart."""
        note = {"text": text, "showarrow": False, "font": {"color": INK, "size": 11}, **settings}
        return replace(self, notes=(*self.notes, note))

    def segment(self, look: Look, x: tuple[float, float], y: tuple[float, float], hover: str = "") -> "Plot":
        """A line between two points, with an entry in the legend; its hover text has the number that both share."""
        said = hover or ("{name}: {y}" if y[0] == y[1] else "{name}: {x}")
        return self.lines("x", "y", look, rows=pd.DataFrame({"x": x, "y": y}), marks=False, hover=said)

    def ring(self, x: Any, y: Any) -> "Plot":
        """A ring around the mark that was chosen."""
        more = {**SILENT, "showlegend": False, "cliponaxis": False, "marker": {"line": {"width": 3}}}
        look, rows = Look("", SLATE, "circle-open"), pd.DataFrame({"x": [x], "y": [y]})
        return self.dots("x", "y", look, rows=rows, size=20, more=more)

    def entry(self, name: str, colour: str) -> "Plot":
        """An entry in the legend for a colour of cells."""
        marker = {"symbol": "square", "size": 13, "color": colour}
        trace = {"type": "scatter", "x": [None], "y": [None], "mode": "markers", "name": name, "marker": marker}
        return replace(self, traces=(*self.traces, trace | {"showlegend": True}))

    @cached_property
    def figure(self) -> go.Figure:
        """The plotly figure."""
        spans = self._spans()
        axes = {
            "xaxis": self.x.laid_out(spans.get("x"), down=False),
            "yaxis": self.y.laid_out(spans.get("y"), down=True),
        }
        for number, shades in enumerate(self.shades, 1):
            low, high = shades.ends.ends(spans.get(f"coloraxis{number}")) or (None, None)
            axes[f"coloraxis{number}"] = {"cmin": low, "cmax": high, **shades.laid_out}
        titles = {f"{name}axis": axis.off_screen for name, axis in (("x", self.x), ("y", self.y)) if axis.off_screen}
        rows = len(self.y.names) if isinstance(self.y, Names) else 0
        layout = {
            "height": self.height or (110 + 28 * rows if rows else 350),
            "margin": self._margin(),
            "legend": style.LEGEND,
            **({} if self.legend else {"showlegend": False}),
            **style.saved(**titles),
            **(_merged(axes, {"xaxis": _STILL, "yaxis": _STILL, "dragmode": False}) if self.shades else axes),
            "shapes": self.shapes,
            "annotations": self.notes,
        }
        return go.Figure([*self.bands, *self.traces], _merged(layout, self.layout))

    def _repr_mimebundle_(self, *arguments: object, **named: object) -> object:
        """In a notebook a chart is displayed as its figure."""
        return self.figure._repr_mimebundle_(*arguments, **named)

    @property
    def _along(self) -> str:
        """The axis of the numbers of a mark: the horizontal one if the vertical one has names."""
        return "x" if isinstance(self.y, Names) else "y"

    def _scatter(
        self, mode: str, x: str, y: str, look: Look, given: Given, ends: Ends | None, band: Ends | None = None
    ) -> Trace:
        trace = self._marks("scatter", x, y, look, given, ends, band)
        if "text" not in given:
            return trace | {"mode": mode}
        trace |= {"mode": f"{mode}+text", "textposition": "middle right", "textfont": {"size": 12}}
        if "spots" not in given:
            return trace
        rows, spots = given.get("rows", self.frame).index, given["spots"]
        texts = [text if row in spots else "" for row, text in zip(rows, trace["text"], strict=True)]
        return trace | {"text": texts, "textposition": [spots.get(row, "top center") for row in rows]}

    def _marks(
        self, kind: str, x: str, y: str, look: Look, given: Given, ends: Ends | None, band: Ends | None = None
    ) -> Trace:
        rows, text, both = given.get("rows", self.frame), given.get("text"), ends or band or ()
        columns = dict(zip(("x", "y", "low", "high"), (x, y, *both), strict=False))
        hover = given.get("hover") or f"{{name}}: {{{self._along}}}{' ({low} to {high})' if both else ''}"
        trace = {
            "type": kind,
            "x": _places(self.x, rows[x]),
            "y": _places(self.y, rows[y]),
            "name": label(look.name),
            **({} if text is None else {"text": _escaped(rows[text]) if isinstance(text, str) else text}),
            **self._hover(hover, rows, look, columns, given.get("click", "")),
        }
        if ends:
            value, low, high = (rows[column] for column in (columns[self._along], *ends))
            whiskers = {"array": floats(high - value), "arrayminus": floats(value - low), "thickness": 1.5, "width": 4}
            colour = {} if kind == "bar" else {"color": look.colour}
            trace[f"error_{self._along}"] = {"type": "data", "symmetric": False, **whiskers, **colour}
        return trace

    def _hover(self, hover: str, rows: pd.DataFrame, look: Look, columns: Mapping[str, str], click: str = "") -> Trace:
        """The hover text as plotly takes it, and the columns that it and a click need."""
        along = self.x if self._along == "x" else self.y
        needed = [] if not click else [rows[click]]
        known: dict[str, int] = {}

        def written(found: re.Match[str]) -> str:
            name, digits = found[1], found[2]
            if name == "name":
                return label(look.name)
            axis = {"x": self.x, "y": self.y, "low": along, "high": along}.get(name)
            if isinstance(axis, Axis) and name in ("x", "y"):
                return f"%{{{name}{digits or f':{axis.hover}'}}}"
            lines = _LINES.fullmatch(digits or "")
            if name not in known:
                known[name], column = len(needed), rows[columns.get(name, name)]
                needed.append(_wrapped(column, *lines.groups()) if lines else _escaped(column))
            if lines:
                return f"%{{customdata[{known[name]}]}}"
            usual = f":{axis.hover}" if name in columns and isinstance(axis, Axis) else ""
            return f"%{{customdata[{known[name]}]{digits or usual}}}"

        hover = hover if "<extra>" in hover else f"{hover}<extra></extra>"
        template: str | list[str] = _FIELD.sub(written, hover)
        unknown = rows[[columns[end] for end in ("low", "high") if end in columns]].isna().any(axis=1)
        if unknown.any():  # plotly would write its ends as 0
            texts = [_FIELD.sub(written, _INTERVAL.sub("", hover) if each else hover) for each in unknown]
            template = texts[0] if len(set(texts)) == 1 else texts
        if not needed:
            return {"hovertemplate": template}
        data = pd.concat(needed, axis=1).to_numpy() if known else needed[0].to_numpy()
        return {"hovertemplate": template, "customdata": data}

    def _with(self, trace: Trace, given: Given, ends: Ends | None = None) -> "Plot":
        """The chart with one more trace; its numbers and the ends of its intervals belong to the axes."""
        axis = self.x if self._along == "x" else self.y
        farthest = axis.farthest if isinstance(axis, Axis) else ()
        intervals = [(self._along, given.get("rows", self.frame)[end].clip(*farthest)) for end in ends or ()]
        spans = _joined(self.spans, [("x", trace["x"]), ("y", trace["y"]), *intervals])
        return replace(self, traces=(*self.traces, _merged(trace, given.get("more", {}))), spans=spans)

    def _spans(self) -> Spans:
        """The spans of all axes of numbers and scales of colours, with the numbers that they always hold."""
        numbers = {name: axis for name, axis in (("x", self.x), ("y", self.y)) if isinstance(axis, Axis)}
        numbers |= {f"coloraxis{i}": shades.ends for i, shades in enumerate(self.shades, 1)}
        return _joined(self.spans, ((name, axis.least) for name, axis in numbers.items()))

    def _margin(self) -> dict[str, int]:
        """Room for the labels, because plotly draws a chart twice if they do not fit."""
        series = [trace for trace in self.traces if trace.get("showlegend", trace["type"] != "heatmap")]
        margin = {"l": 8, "r": 8, "t": 8, "b": 8}
        if self.legend and len(series) > 1:
            margin["b"] += _LEGEND + _ROW * (_rows([str(trace["name"]) for trace in series]) - 1)
        if isinstance(self.y, Names):
            margin["l"] += 8 + self.y.widest + _NAME * self.y.titled
        elif not self.y.hidden:
            margin["l"] += _NUMBERS
        if isinstance(self.x, Names):
            margin["t" if self.x.above else "b"] += 8 + self.x.highest
            margin["b"] += _NAME * self.x.titled
        elif not self.x.hidden:
            margin["b"] += _TITLE
            margin["r"] += _LAST
        if any(shades.bar for shades in self.shades):
            margin["r"] += _BAR
        return margin


def marking(selector: str, number: int) -> str:
    """CSS that frames the cell with this number, row by row from 0, in each block of cells within `selector`."""
    # The figure itself does not change, because the chart would flicker if every click drew a new figure.
    point = f"{selector} .points path:nth-child({number + 1})"
    return f"{point} {{ opacity: 1 !important; stroke: currentColor !important; }}"


def spread(count: int) -> Array:
    """Shifts of marks in a row, from −0.5 to 0.5, in an order that looks random but is always the same."""
    return (np.arange(count) * 0.618034) % 1 - 0.5


def _rows(names: Sequence[str]) -> int:
    """How many rows a legend has; in more than one, plotly gives all names the width of the widest."""
    widths = [_ENTRY + LETTER * len(name) for name in names]
    return 1 if sum(widths) <= _WIDTH else ceil(len(names) / max(1, _WIDTH // max(widths)))


def _fitting(axis: Any) -> Any:
    return replace(axis, fit=True) if isinstance(axis, Axis) and axis.shared else axis


def _places(axis: Axis | Names, values: "pd.Series[Any]") -> Array:
    return np.array(axis.places(values), np.float32) if isinstance(axis, Names) else floats(values)


def _escaped(values: "pd.Series[Any]") -> "pd.Series[Any]":
    return values if pd.api.types.is_numeric_dtype(values) else values.map(lambda value: label(str(value)))


def _wrapped(values: "pd.Series[Any]", wide: str, most: str) -> "pd.Series[Any]":
    return values.map(lambda text: style.wrap(str(text), int(wide), int(most) if most else None))


def _merged(settings: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Nested settings with others in their place."""
    nested = {name: _merged(settings[name], more[name]) for name in more if isinstance(settings.get(name), dict)}
    return {**settings, **more, **nested}


def _joined(spans: Spans, more: Iterable[tuple[str, Any]]) -> Spans:
    """The spans of axes with further numbers."""
    found = dict(spans)
    for axis, values in more:
        numbers = np.append(np.ravel(np.asarray(values, float)), found.get(axis, ()))
        numbers = numbers[np.isfinite(numbers)]
        if len(numbers):
            found[axis] = float(numbers.min()), float(numbers.max())
    return found
