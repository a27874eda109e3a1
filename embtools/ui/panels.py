"""All panels of all pages by permanent keys: the one place where a panel is found by its name."""

import importlib
from typing import Any


def of(page: str) -> dict[str, Any]:
    """Return the panels of a page by key, in the order of its tabs."""
    try:
        panels: dict[str, Any] = importlib.import_module(f"embtools.ui.{page}.panels").PANELS
    except ModuleNotFoundError:
        return {}
    return panels
