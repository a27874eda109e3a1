"""Lists of sentences with one word marked in each; all texts are escaped, because visitors can write them."""

from collections.abc import Mapping
from html import escape

import pandas as pd
import streamlit as st

from embtools.charts.corpus import sense_marks, sign
from embtools.charts.style import GREY, INK, shade
from embtools.statistics.decimals import decimal
from embtools.ui.texts import marked

_MOST = 360  # characters of a sentence

Marks = Mapping[str, tuple[str, str]]
"""The colour and the shape of each sense."""


def show(frame: pd.DataFrame, *, senses: pd.Series | None = None, marks: Marks | None = None) -> None:
    """Show a list of occurrences. frame: word, cosine (optional), sense, text, start, end."""
    st.html(html(frame, senses=senses, dark=st.context.theme.type == "dark", marks=marks))


def html(
    frame: pd.DataFrame, *, senses: pd.Series | None = None, dark: bool = False, marks: Marks | None = None
) -> str:
    """The list as HTML; each sense has the colour and shape of these `marks`, or of a figure of all `senses`."""
    kinds = marks or sense_marks(frame["sense"] if senses is None else pd.concat([frame["sense"], senses]))
    items = []
    for row in frame.to_dict("records"):
        colour, shape = kinds.get(row["sense"], (GREY, "circle"))
        colour = shade(colour if row["sense"] else INK, dark)
        sense = (
            f'<span><i style="color:{colour}">{sign(shape)}</i> {escape(row["sense"])}</span> ' if row["sense"] else ""
        )
        number = f"<b>{decimal(row['cosine'])}</b>" if "cosine" in row else ""
        items.append(f"<li>{number}{sense}{marked(row['text'], row['start'], row['end'], colour)}</li>")
    return f'<ol class="occurrences">{"".join(items)}</ol>'


def by_activation(frame: pd.DataFrame) -> None:
    """Show words in sentences after their activations. frame: activation, sense (optional), text, start, end."""
    items = (
        f"<li><b>{decimal(row['activation'])}</b> {escape(row.get('sense', ''))}"
        f" {marked(row['text'], row['start'], row['end'])}</li>"
        for row in frame.to_dict("records")
    )
    st.html(f'<ol class="occurrences">{"".join(items)}</ol>')


def plain(frame: pd.DataFrame, column: str, number: str, form: str) -> None:
    """Show the sentences of `column` as a list, each after its `number` (also a column) in this format."""
    items = (
        f"<li><b>{escape(format(row[number], form))}</b>{escape(row[column][:_MOST])}</li>"
        for row in frame.to_dict("records")
    )
    st.html(f'<ol class="occurrences">{"".join(items)}</ol>')
