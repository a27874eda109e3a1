"""The content of a figure, for the tests of charts."""

import json
from typing import Any

import plotly.graph_objects as go

FLAT = ("scatter", "scattergl", "bar", "heatmap", "histogram", "box", "violin", "contour")
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
    """Whether HOSTILE is in the figure, and escaped wherever it is."""
    found = texts(figure)
    return any("&lt;img" in text for text in found) and not any("<img" in text for text in found)


def axis_titles(layout: dict[str, Any], axis: str) -> list[str]:
    """The titles of an axis ("xaxis2"): on the screen, and in a saved picture (`style.saved`)."""
    title = layout.get(axis, {}).get("title")
    shown = title.get("text") if isinstance(title, dict) else title
    saved = layout.get("meta", {}).get("titles", {}).get(axis)
    return [text for text in (shown, saved) if text is not None]


def untitled(figure: dict[str, Any]) -> list[str]:
    """The axes of a figure, as a dictionary, that would have no title in a saved picture."""
    layout, axes = figure["layout"], set()
    for trace in figure["data"]:
        if trace.get("type", "scatter") in FLAT:
            axes |= {f"{name}axis{trace.get(f'{name}axis', name)[1:]}" for name in "xy"}
    scene = [
        f"scene.{name}axis" for name in "xyz" if layout.get("scene") and not axis_titles(layout["scene"], f"{name}axis")
    ]
    return sorted(axis for axis in axes if not axis_titles(layout, axis)) + scene
