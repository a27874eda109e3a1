"""The sentences of the Layers page: the word marked in each, in the colour of its sense."""

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


def instead(model: str, reading: Reading) -> None:
    """Say that the typed word is not the one that is shown, and offer sentences with it, or other words."""
    texts.problem(f"{reading.problem} “{reading.word}” is shown instead.")
    offers(model)
    if reading.others:
        with st.container(horizontal=True, gap="small"):
            for other in reading.others:
                values = {asking.WORD.key: other}
                st.button(texts.plain(other), on_click=state.put, args=(values,), key=f"layers-compare-{other}")


def offers(model: str) -> None:
    """Buttons that insert built-in sentences with the typed word, and that begin sentences of the visitor's own."""
    wanted = asking.WORD.value.strip()
    with st.container(horizontal=True, gap="small"):
        if wanted.lower() in asking.fifty():
            st.button(
                f"The eight sentences of {texts.plain(wanted.lower())}",
                on_click=state.put,
                args=(asking.chosen(wanted.lower()),),
                key="layers-eight",
            )
        elif built_in := cached.compute(asking.built_in, model, wanted):
            label = f"Insert {len(built_in)} built-in sentences with “{texts.plain(shortened(wanted))}”"
            st.button(label, on_click=_add, args=(built_in,), key="layers-insert")
        if starter := cached.compute(asking.starter, model, wanted):
            label = f"Write sentences with “{texts.plain(shortened(wanted))}”"
            st.button(label, icon=":material/edit:", on_click=_add, args=(starter,), key="layers-write")


def _add(lines: tuple[str, ...]) -> None:
    """Put lines into the field, and open it: behind the visitor's own, but in place of built-in ones."""
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


def set_aside(reading: Reading) -> None:
    """The lines that are not compared, and why, with a button where another form of the word would do."""
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
