"""Figures of pages and of notebooks in one form, so that they can be compared."""

import base64
import json
from typing import Any

import numpy as np
import plotly.graph_objects as go

from embtools.charts.style import sent, with_tools


def of_page(visit: Any) -> dict[str, Any]:
    """The figures of a page by name."""
    return {chart.id.partition("chart-")[2]: json.loads(chart.spec) for chart in visit.charts}


def without_template(figure: dict[str, Any]) -> dict[str, Any]:
    """A figure without the template, which is Streamlit's on a page and plotly's in a notebook."""
    return figure | {"layout": {key: part for key, part in figure["layout"].items() if key != "template"}}


def of_chart(figure: go.Figure) -> Any:
    """A figure as the light page shows it."""
    return json.loads(go.Figure(with_tools(sent(figure))).to_json())


def of_json(bundle: dict[str, Any]) -> Any:
    """The figure of an executed cell as the light page shows it, with the frames of an animation."""
    return of_chart(go.Figure({part: bundle[part] for part in ("data", "layout", "frames") if part in bundle}))


def drawn(notebook: Any, names: Any) -> dict[str, Any]:
    """Draw the figures of a notebook with the results that its code has left behind; return them by name."""
    known = dict(vars(names))
    imports = [line for line in notebook.cells[1].source.splitlines() if line.startswith(("import ", "from "))]
    exec("\n".join(imports), known)
    return {
        cell.metadata["figure"]: of_chart(eval(compile(cell.source, cell.id, "eval"), known).figure)
        for cell in notebook.cells
        if "figure" in cell.metadata
    }


def assert_executed(notebook: Any, shown: dict[str, Any]) -> None:
    """Compare the figures of an executed notebook with those that a page shows."""
    found = {
        cell.metadata["figure"]: of_json(cell.outputs[-1]["data"]["application/vnd.plotly.v1+json"])
        for cell in notebook.cells
        if "figure" in cell.metadata
    }
    assert found.keys() == shown.keys()
    for name, figure in found.items():
        assert_close(*map(without_template, (figure, shown[name])))


def assert_close(one: Any, other: Any, where: str = "figure") -> None:
    """Compare two figures; their numbers may differ as far as another process can round them differently."""
    if isinstance(one, dict) and isinstance(other, dict):
        if "bdata" in one and "bdata" in other:
            np.testing.assert_allclose(_numbers(one), _numbers(other), rtol=1e-3, atol=1e-4, err_msg=where)
            return
        assert one.keys() == other.keys(), where
        for key in one:
            assert_close(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other), where
        for number, pair in enumerate(zip(one, other, strict=True)):
            assert_close(*pair, f"{where}[{number}]")
    elif isinstance(one, float) or isinstance(other, float):
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4, err_msg=where)
    else:
        assert one == other, where


def arrays(figure: Any) -> go.Figure:
    """A figure that is sent to the browser, with the arrays that the browser reads."""
    return go.Figure(decoded(figure.to_dict()))


def decoded(part: Any) -> Any:
    """The part of a figure's dictionary with arrays, as the browser reads it, where Plotly writes their bytes."""
    if isinstance(part, list):
        return [decoded(each) for each in part]
    if not isinstance(part, dict):
        return part
    if "bdata" not in part:
        return {key: decoded(value) for key, value in part.items()}
    shape = [int(n) for n in str(part["shape"]).split(",")] if "shape" in part else -1
    return _numbers(part).reshape(shape)


def _numbers(part: dict[str, str]) -> Any:
    return np.frombuffer(base64.b64decode(part["bdata"]), np.dtype(part["dtype"]))
