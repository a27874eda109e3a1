"""The list of sentences with the word marked in the colour of its sense, and buttons that change the sentences."""

from html import escape

import streamlit as st

from embtools.charts.layers.trajectories import look
from embtools.charts.style import shade
from embtools.layers import asking as reader
from embtools.layers.asking import Reading
from embtools.layers.comparisons import Comparison
from embtools.messages import shortened
from embtools.ui import cached, fields, state, texts
from embtools.ui.layers import asking
from embtools.ui.layers.asking import Compared, Picked
from embtools.words.occurrences import marked, split_line

_SIGNS = {"circle": "●", "diamond": "◆", "square": "■", "hexagon": "⬢", "pentagon": "⬟", "star": "★"}
_MOST = 4  # skipped lines that are shown one by one


def show(result: Compared, picked: Picked) -> None:
    """Show the sentences in the colours of the visitor's theme."""
    comparison = asking.with_senses(result.comparison, picked.together)
    st.html(html(result.reading, comparison, dark=st.context.theme.type == "dark"))


def html(reading: Reading, comparison: Comparison, dark: bool = False) -> str:
    """The lines as an escaped HTML list, with the numbers, colours and shapes of the points."""
    table = comparison.occurrences
    senses = list(table["sense"].unique())
    marks: dict[int, list[tuple[int, str, str, str]]] = {}
    for sentence, number, sense in zip(table["sentence"], table["occurrence"], table["sense"], strict=True):
        colour, shape = look(senses, sense)
        marks.setdefault(sentence, []).append((number, sense, shade(colour, dark), _SIGNS[shape]))
    items = []
    for number, line in enumerate(reading.lines, 1):
        before = "".join(
            f'<span><i style="color:{colour}">{sign}</i> {escape(sense)}</span> '
            for sense, colour, sign in dict.fromkeys(mark[1:] for mark in marks[number])
            if sense
        )
        parts = marked(split_line(line)[1], reading.word, len(marks[number]))
        text = escape(parts[0])
        for (occurrence, _, colour, _), word, rest in zip(marks[number], parts[1::2], parts[2::2], strict=True):
            badge = f'<b style="border-color:{colour}">{occurrence}</b>'
            text += f'{badge}<mark style="border-color:{colour}">{escape(word)}</mark>{escape(rest)}'
        items.append(f"<li>{before}{text}</li>")
    return f'<ol class="occurrences">{"".join(items)}</ol>'


def instead(model: str, reading: Reading) -> None:
    """Say that another word than the typed one is shown, and suggest sentences and other words."""
    texts.problem(f"{reading.problem} “{reading.word}” is shown instead.")
    offers(model)
    if reading.others:
        with st.container(horizontal=True, gap="small"):
            for other in reading.others:
                values = {asking.WORD.key: other}
                st.button(texts.plain(other), on_click=state.put, args=(values,), key=f"layers-compare-{other}")


def offers(model: str) -> None:
    """Show buttons that insert built-in sentences with the typed word, or begin the visitor's own."""
    word = asking.WORD.value.strip()
    with st.container(horizontal=True, gap="small"):
        if word.lower() in asking.fifty():
            st.button(
                f"Use the eight sentences with {texts.plain(word.lower())}",
                on_click=state.put,
                args=(asking.chosen(word.lower()),),
                key="layers-eight",
            )
        elif built_in := cached.compute(asking.built_in, model, word):
            label = f"Insert {len(built_in)} built-in sentences with “{texts.plain(shortened(word))}”"
            st.button(label, on_click=_add, args=(built_in,), key="layers-insert")
        if starter := cached.compute(asking.starter, model, word):
            label = f"Write sentences with “{texts.plain(shortened(word))}”"
            st.button(label, icon=":material/edit:", on_click=_add, args=(starter,), key="layers-write")


def _add(lines: tuple[str, ...]) -> None:
    """Add lines to the field and open it; they follow the visitor's own lines, but replace built-in ones."""
    own = () if asking.has_built_in_lines() else fields.lines(asking.LINES.value)
    opened = tuple(dict.fromkeys((*state.OPEN.value, "sentences")))
    state.put(
        {
            asking.LINES.key: "\n".join((*own, *lines)),
            asking.KEEP.key: (),
            asking.TOGETHER.key: (),
            state.OPEN.key: opened,
        }
    )


def skipped(reading: Reading) -> None:
    """Show the lines that are not compared and why, with a button that replaces another form of the word."""
    for number, line in enumerate(reading.skipped[:_MOST]):
        st.text(f"Not compared: “{_short(line.line)}” {line.why}")
        if line.form:
            lines = fields.lines(asking.LINES.value)
            rewritten = [reader.rewritten(one, line.form, reading.word) if one == line.line else one for one in lines]
            st.button(
                f"Replace “{texts.plain(line.form)}” with “{texts.plain(reading.word)}”",
                on_click=state.put,
                args=({asking.LINES.key: "\n".join(rewritten)},),
                key=f"layers-replace-{number}",
            )
    more = len(reading.skipped) - _MOST
    if more > 0:
        st.text(f"{more} more {'line is' if more == 1 else 'lines are'} not compared.")


def _short(line: str) -> str:
    return line if len(line) <= 60 else line[:59] + "…"
