"""A chart as one value: the figure, the frame that it shows, and a description for people who cannot see it."""

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go


@dataclass(frozen=True, eq=False)
class Chart:
    """What a function of `charts/` returns.

    figure  interactive; `chart.figure.show()` draws it in a notebook
    frame   the numbers that it shows, one row per mark: the table and the CSV file under the chart
    alt     the finding in one or two sentences, for screen readers
    """

    figure: go.Figure
    frame: pd.DataFrame
    alt: str

    def _repr_mimebundle_(self, *arguments: object, **named: object) -> object:
        """In a notebook a chart is displayed as its figure."""
        return self.figure._repr_mimebundle_(*arguments, **named)
