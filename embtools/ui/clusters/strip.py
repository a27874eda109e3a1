"""How far a map can be trusted, in a line: each measure as a dot between 0 and 1, beside the ring of a shuffled map."""

import pandas as pd

from embtools.ui import glossary


def html(trust: pd.DataFrame, stable: pd.DataFrame | None = None) -> str:
    """The strip. trust: measure, value, shuffled; stable: of `maps.stability`, or None."""
    items = [_item(row.measure, row.value, row.shuffled) for row in trust.itertuples()]
    if stable is not None:
        items.append(_item("stability", float(stable["stable"].mean())))
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
    """Where a value stands; below 0 at the left end."""
    return f"{100 * min(max(value, 0.0), 1.0):.0f}%"
