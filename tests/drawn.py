"""What stands in a figure, for the tests of charts."""

import json
from typing import Any

import plotly.graph_objects as go

HOSTILE = "<img src=x>"  # what a visitor may type: every chart must escape it


def texts(figure: go.Figure) -> list[str]:
    """Every text of a figure: names, labels, ticks, titles, hover texts."""

    def walk(part: Any) -> list[str]:
        if isinstance(part, str):
            return [part]
        if isinstance(part, dict):
            return [text for key, value in part.items() if key != "template" for text in walk(value)]
        return [text for value in part for text in walk(value)] if isinstance(part, list) else []

    return walk(json.loads(figure.to_json()))


def shows_no_markup(figure: go.Figure) -> bool:
    """Whether HOSTILE stands in the figure, escaped wherever it does."""
    found = texts(figure)
    return any("&lt;img" in text for text in found) and not any("<img" in text for text in found)
