"""The measures of a map in one line: for each, a dot between 0 and 1, and a ring for the value of a shuffled map."""

import pandas as pd

from embtools.ui import glossary


def html(trust: pd.DataFrame, stable: pd.DataFrame | None = None) -> str:
    """The line of measures as HTML. trust: frame of `trust.trust`; stable: frame of `maps.stability`, or None."""
    items = [_item(row.measure, row.value, row.shuffled) for row in trust.itertuples()]
    if stable is not None:
        items.append(_item("stability", float(stable["stability"].mean())))
    return f'<ul class="strip" aria-label="How far the map can be trusted">{"".join(items)}</ul>'


def _item(measure: str, value: float, shuffled: float | None = None) -> str:
    ring = chance = ""
    if shuffled is not None:
        ring = f'<i class="chance" style="left: {_at(shuffled)}"></i>'
        chance = f" <small>({shuffled:.2f} shuffled)</small>"
    return (
        f"<li>{glossary.html(f'[[{measure}]]')}"
        f'<span class="scale">{ring}<i style="left: {_at(value)}"></i></span> <strong>{value:.2f}</strong>{chance}</li>'
    )


def _at(value: float) -> str:
    """The position of a value on its scale as a CSS percentage, clipped to 0 to 100%."""
    return f"{100 * min(max(value, 0.0), 1.0):.0f}%"
