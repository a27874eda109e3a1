"""A result in a notebook: its figure in the type of plotly, and headline, alt text, table and figure as HTML.

A front end shows the richest type that it knows. JupyterLab and VS Code show the figure alone, so its title is the
headline; others, and exported pages, show the HTML, in which everything but the figure needs neither network nor
scripts.
"""

import base64
import html
import json
import math
import re
from functools import cache
from hashlib import sha256
from typing import Any

import numpy as np
import pandas as pd

from embtools.charts.chart import Chart
from embtools.charts.plot import Plot
from embtools.charts.style import INK, MARGIN, sent, wrap

TYPE = "application/vnd.plotly.v1+json"
ROWS = 10
"""Rows of the table."""
_COLUMNS = 12
_TITLE, _LINE, _ABOVE = 64, 19, 20  # characters of a line of the title, pixels of a line, and above all lines
_HEIGHT = 450  # pixels of a figure that fills the window on a page
_DIGITS = 5  # of a number in a figure that is not whole: more than anyone sees, in half of the bytes
# The words of tables can contain dollar signs, which are no formulas.
_CONFIG = {"responsive": True, "displaylogo": False, "typesetMath": False}
_DRAW = """\
<div class="{name}"></div>
<script>(() => {{
const figure = {figure};
const draw = () => document.querySelectorAll(".{name}:empty").forEach(each => Plotly.newPlot(each, figure));
if (window.Plotly) return draw();
let script = document.querySelector('script[src="{address}"]');
if (!script) {{
script = document.createElement("script");
Object.assign(script, {{src: "{address}", integrity: "{integrity}", crossOrigin: "anonymous"}});
document.head.append(script);
}}
script.addEventListener("load", draw);
}})()</script>"""


def bundle(headline: str, chart: Chart | Plot) -> dict[str, Any]:
    """Return what a notebook displays of a result, by type."""
    figure = _sent(chart)
    return {TYPE: _titled(figure, headline), "text/html": page(headline, chart.alt, chart.frame, figure)}


def page(headline: str, alt: str, frame: pd.DataFrame, figure: dict[str, Any]) -> str:
    """Return headline, alt text, the figure and the first rows of the frame as HTML, which MathJax skips."""
    written = json.dumps(figure, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    name = f"embtools-{sha256(written.encode()).hexdigest()[:12]}"
    address, integrity = _plotly()
    rows = frame.head(ROWS).to_html(index=False, border=0, na_rep="", float_format=_number, max_cols=_COLUMNS)
    more = f"<p>First {ROWS} of {len(frame):,} rows.</p>" if len(frame) > ROWS else ""
    return (
        f'<div class="embtools tex2jax_ignore mathjax_ignore"><h4>{html.escape(headline)}</h4>'
        f"{_DRAW.format(name=name, figure=written, address=address, integrity=integrity)}"
        f"<p>{html.escape(alt)}</p>{rows}{more}</div>"
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _sent(chart: Chart | Plot) -> dict[str, Any]:
    """The figure as the light page shows it, without the template, which is longer than most figures, and clicks."""
    figure = _plain(sent(chart.figure))
    for trace in figure["data"]:
        if "customdata" not in str(trace.get("hovertemplate")):  # some marks of a series can have their own
            trace.pop("customdata", None)
    layout = {"height": _HEIGHT, "hovermode": "closest", **figure["layout"]}
    layout.pop("template", None)
    for name in filter(re.compile(r"[xy]axis\d*").fullmatch, layout):
        layout[name] = {"automargin": True, **layout[name]}  # as in the templates
    return {**figure, "layout": layout, "config": _CONFIG}


def _titled(figure: dict[str, Any], headline: str) -> dict[str, Any]:
    """The figure with a headline above it, in lines that also fit into a narrow window."""
    text, layout = wrap(headline, _TITLE), figure["layout"]
    room = _ABOVE + _LINE * (1 + text.count("<br>"))
    margin = {**MARGIN, **layout.get("margin", {})}
    height = layout["height"] + room
    place = {"x": 0, "xanchor": "left", "y": 1 - _ABOVE / height, "yanchor": "top", "yref": "container"}
    title = {"text": f"<b>{text}</b>", "font": {"size": 14, "color": INK}, "pad": {"l": 8}, **place}
    taller = {"height": height, "margin": {**margin, "t": margin["t"] + room}}
    return {**figure, "layout": {**layout, **taller, "title": title}}


def _plain(part: Any) -> Any:
    """The part of a figure as JSON. Arrays become lists, because not every front end can read plotly's bytes."""
    if isinstance(part, dict) and "bdata" in part:
        values = np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"])
        shape = [int(size) for size in str(part["shape"]).split(",")] if "shape" in part else -1
        return _plain(values.reshape(shape).tolist())
    if isinstance(part, dict):
        return {key: _plain(value) for key, value in part.items()}
    if isinstance(part, np.ndarray | pd.Series):
        return _plain(part.tolist())
    if isinstance(part, list | tuple):
        return [_plain(value) for value in part]
    if isinstance(part, np.generic):
        return _plain(part.item())
    if not isinstance(part, float):
        return part
    if not math.isfinite(part):
        return None
    return int(part) if part.is_integer() else float(f"{part:.{_DIGITS}g}")


@cache
def _plotly() -> tuple[str, str]:
    """The public address of plotly.js in the version of the installed plotly, and its checksum for browsers."""
    from plotly.offline import get_plotlyjs, get_plotlyjs_version

    digest = base64.b64encode(sha256(get_plotlyjs().encode()).digest()).decode()
    return f"https://cdn.plot.ly/plotly-{get_plotlyjs_version()}.min.js", f"sha256-{digest}"
