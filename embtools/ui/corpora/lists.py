"""Lists of sentences with one word marked in each; all texts are escaped, because visitors can write them."""

from collections.abc import Mapping
from html import escape

import pandas as pd
import streamlit as st

from embtools.charts.corpus import sense_marks, sign
from embtools.charts.style import GREY, INK, shade
from embtools.statistics.decimals import decimal

_ROOM = 90  # characters shown before and after the word


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


def marked(text: str, start: int, end: int, colour: str) -> str:
    """A sentence with the word from start to end marked; a long sentence is shortened around it."""
    before, behind = text[:start], text[end:]
    if len(before) > _ROOM:
        before = "… " + before[-_ROOM:].partition(" ")[2]
    if len(behind) > _ROOM:
        behind = behind[:_ROOM].rpartition(" ")[0] + " …"
    return f'{escape(before)}<mark style="border-color:{colour}">{escape(text[start:end])}</mark>{escape(behind)}'


def plain(frame: pd.DataFrame, column: str, number: str, form: str) -> None:
    """Show the sentences of `column` as a list, each after its `number` (also a column) in this format."""
    items = (
        f"<li><b>{escape(format(row[number], form))}</b>{escape(row[column][: 4 * _ROOM])}</li>"
        for row in frame.to_dict("records")
    )
    st.html(f'<ol class="occurrences">{"".join(items)}</ol>')
