"""One column per space: raw and processed."""

from typing import Any

import streamlit as st

from embtools.spaces.controls import AFTER, BEFORE, with_controls
from embtools.spaces.space import Space
from embtools.ui import shown, texts


def of(space: Space) -> list[tuple[str, Any]]:
    """Return the name and the container of each space, with a heading: raw and processed, or raw only."""
    names = [name for name in (BEFORE, AFTER) if name in with_controls(space)]
    result = list(zip(names, shown.split([1] * len(names), gap="medium"), strict=True))
    for name, container in result:
        with container:
            st.subheader("Raw" if name == BEFORE else texts.plain(f"Processed: {space.says}"), anchor=False)
    return result
