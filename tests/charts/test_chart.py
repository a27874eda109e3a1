"""A chart as one value."""

import ast
from pathlib import Path

import pandas as pd
import plotly.graph_objects as go

from embtools import charts
from embtools.charts.chart import Chart


def test_a_notebook_displays_a_chart_as_its_figure() -> None:
    figure = go.Figure(go.Bar(x=[1], y=["a"]))
    chart = Chart(figure, pd.DataFrame({"x": [1]}), "One bar.")
    assert chart._repr_mimebundle_() == figure._repr_mimebundle_()


def test_public_functions_return_charts_and_no_bare_figures() -> None:
    """A figure without its frame and its description would be drawn without a table and an alt text."""
    folder = Path(charts.__file__).parent
    bare = [
        f"{path.relative_to(folder)} {node.name}"
        for path in folder.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.returns is not None
        if ast.unparse(node.returns).strip("'") == "go.Figure"
    ]
    assert bare == []
