"""The cards of Home: one for each page, in rows of nearly equal length at every window width."""

import base64
import re
from functools import cache
from pathlib import Path

import streamlit as st

from embtools.ui import menu, page, state

NARROWEST, GAP = 10.0, 0.7  # rem: of a card, and between two
_PICTURES = Path(__file__).parent / "pictures"


def show() -> None:
    """Draw the cards in the order of the menu: a picture, the name and the question of each page."""
    st.html(_styled(len(menu.PAGES)))
    with st.container(key="cards", horizontal=True):
        for each in menu.PAGES:
            with st.container(border=True, key=f"card-{each.name}", width=205):
                alt, picture = _picture(each.name)
                st.html(f'<img alt="{alt}" src="{picture}">')
                st.page_link(
                    each.script, label=each.title, icon=each.icon, query_params=state.link(each.name, page.COMMON)
                )
                st.caption(each.question)


def rows(n: int, most: int) -> list[int]:
    """Return how many of n cards are in each row if a row has room for `most`: the fewest rows, short ones first.

    Rows differ by at most one card, so that no card is alone in the last row.

    >>> rows(13, 6), rows(13, 3), rows(13, 2)
    ([4, 4, 5], [2, 2, 3, 3, 3], [1, 2, 2, 2, 2, 2, 2])
    """
    count = -(-n // most)
    few, longer = divmod(n, count)
    return [few] * (count - longer) + [few + 1] * longer


@cache
def _styled(n: int) -> str:
    """Return the CSS that sets how many cards share a row, for each width of their container."""
    lines = []
    for most in range(1, n + 1):
        first = 1
        parts = []
        for row in rows(n, most):
            parts.append(
                f".st-key-cards > :nth-child(n + {first}):nth-child(-n + {first + row - 1}) {{ --row: {row}; }}"
            )
            first += row
        width = most * NARROWEST + (most - 1) * GAP
        lines.append(f"@container cards (min-width: {width:g}rem) {{ {' '.join(parts)} }}")
    return f"<style>{' '.join(lines)}</style>"


def _picture(name: str) -> tuple[str, str]:
    """Return the alt text of a page's drawing, and the drawing as a data URL."""
    drawing = (_PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    title = re.search("<title>(.+?)</title>", drawing)
    coded = base64.b64encode(drawing.encode()).decode()
    return title[1] if title else name, f"data:image/svg+xml;base64,{coded}"
