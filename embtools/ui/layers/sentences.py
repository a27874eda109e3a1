"""The sentences of the Layers page: the word marked in each, in the colour of its sense."""

from html import escape

import streamlit as st

from embtools.charts.layers.trajectories import look
from embtools.charts.style import shade
from embtools.layers import asking as reader
from embtools.layers.asking import Reading
from embtools.layers.comparisons import Comparison
from embtools.ui import fields, state, texts
from embtools.ui.layers import asking
from embtools.ui.layers.asking import Compared, Picked
from embtools.words.occurrences import marked, split_line

_SIGNS = {"circle": "●", "diamond": "◆", "square": "■", "hexagon": "⬢", "pentagon": "⬟", "star": "★"}
_MOST = 4  # set-aside lines that are shown one by one


def show(found: Compared, picked: Picked) -> None:
    """The sentences, in the colours of the visitor's page."""
    comparison = asking.with_senses(found.comparison, picked.together)
    st.html(html(found.reading, comparison, dark=st.context.theme.type == "dark"))


def html(reading: Reading, comparison: Comparison, dark: bool = False) -> str:
    """The lines as an escaped list; numbers, colours and signs are those of the points."""
    table = comparison.occurrences
    senses = list(table["sense"].unique())
    looks: dict[int, list[tuple[int, str, str, str]]] = {}
    for sentence, number, sense in zip(table["sentence"], table["occurrence"], table["sense"], strict=True):
        colour, shape = look(senses, sense)
        looks.setdefault(sentence, []).append((number, sense, shade(colour, dark), _SIGNS[shape]))
    items = []
    for number, line in enumerate(reading.lines, 1):
        before = "".join(
            f'<span><i style="color:{colour}">{sign}</i> {escape(sense)}</span> '
            for sense, colour, sign in dict.fromkeys(look[1:] for look in looks[number])
            if sense
        )
        parts = marked(split_line(line)[1], reading.word, len(looks[number]))
        text = escape(parts[0])
        for (occurrence, _, colour, _), word, rest in zip(looks[number], parts[1::2], parts[2::2], strict=True):
            badge = f'<b style="border-color:{colour}">{occurrence}</b>'
            text += f'{badge}<mark style="border-color:{colour}">{escape(word)}</mark>{escape(rest)}'
        items.append(f"<li>{before}{text}</li>")
    return f'<ol class="occurrences">{"".join(items)}</ol>'


def set_aside(reading: Reading) -> None:
    """What is not compared, and why, with a button where one press would mend it."""
    if reading.problem:
        texts.problem(f"{reading.problem} Compared instead: {reading.word}.")
    with st.container(horizontal=True, gap="small"):
        wanted = asking.WORD.value.strip().lower()
        if reading.problem and wanted in asking.fifty():
            st.button(
                f"The eight sentences of {texts.plain(wanted)}",
                on_click=state.put,
                args=(asking.chosen(wanted),),
                key="layers-eight",
            )
        for other in reading.others:
            st.button(
                texts.plain(other), on_click=state.put, args=({asking.WORD.key: other},), key=f"layers-compare-{other}"
            )
    for number, aside in enumerate(reading.aside[:_MOST]):
        st.text(f"Set aside: “{_short(aside.line)}” {aside.why}")
        if aside.form:
            lines = fields.lines(asking.LINES.value)
            mended = [
                reader.rewritten(line, aside.form, reading.word) if line == aside.line else line for line in lines
            ]
            st.button(
                f"Write “{texts.plain(reading.word)}” for “{texts.plain(aside.form)}”",
                on_click=state.put,
                args=({asking.LINES.key: "\n".join(mended)},),
                key=f"layers-mend-{number}",
            )
    more = len(reading.aside) - _MOST
    if more > 0:
        st.text(f"{more} more {'line is' if more == 1 else 'lines are'} set aside.")


def _short(line: str) -> str:
    return line if len(line) <= 60 else line[:59] + "…"
