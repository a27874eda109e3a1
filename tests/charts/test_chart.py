"""A chart as one value."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.chart import Chart


def test_a_notebook_displays_a_chart_as_its_figure() -> None:
    figure = go.Figure(go.Bar(x=[1], y=["a"]))
    chart = Chart(figure, pd.DataFrame({"x": [1]}), "One bar.")
    assert chart._repr_mimebundle_() == figure._repr_mimebundle_()
