"""The fields of the tab about one word, the list of its sentences, and buttons that change the sentences."""

from functools import cache
from html import escape
from typing import Any

import streamlit as st

from embtools import wordlists
from embtools.charts.style import shade
from embtools.charts.trajectories import mark_of
from embtools.layer_combinations import SUM_FOUR
from embtools.layers import sentences
from embtools.layers.comparisons import Comparison
from embtools.layers.sentences import Reading
from embtools.layers.word import Word
from embtools.messages import shortened
from embtools.ui import combinations, fields, running, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Number, Numbers, Text
from embtools.ui.shown import Model
from embtools.words.occurrences import marked, split_line


@cache
def eight_sentences(word: str) -> str:
    """Return the eight lines of a word of `senses.csv`, each beginning with its sense."""
    rows = wordlists.load("senses").query("word == @word")
    return "\n".join(f"{sense} | {text}" for sense, text in zip(rows["sense"], rows["sentence"], strict=True))


WORD, LINES = Text("layers_word", "bank", most=100), Text("layers_lines", eight_sentences("bank"))
POOLING, COMBINATION = combinations.pooling("layers_pooling"), combinations.combination("layers_recipe", SUM_FOUR)
KEEP, TOGETHER = Numbers("layers_keep"), Numbers("layers_first")
LAYER = Number("layers_layer", -1, -1, 99, 1)  # -1: the last layer of the model
OTHER_LAYER = Number("layers_layer_second", -1, -1, 99, 1)  # of a second model, which may have another number of layers
FIELDS = (WORD, LINES, POOLING, COMBINATION, KEEP, TOGETHER, LAYER, OTHER_LAYER)
_SIGNS = {"circle": "●", "diamond": "◆", "square": "■", "hexagon": "⬢", "pentagon": "⬟", "star": "★"}
_MOST = 4  # skipped lines that are shown one by one


@cache
def fifty() -> tuple[str, ...]:
    """Return the fifty words of `senses.csv`."""
    return tuple(wordlists.load("senses")["word"].unique())


def has_built_in_lines() -> bool:
    """Return whether the field holds the sentences of one of the fifty words."""
    return any(LINES.value == eight_sentences(word) for word in fifty())


def chosen(word: str) -> dict[str, Any]:
    """Return the values of all fields for one of the fifty words."""
    return {field.key: field.default for field in FIELDS} | {WORD.key: word, LINES.key: eight_sentences(word)}


def show(result: Word) -> None:
    """Draw the sentences in the colours of the visitor's theme."""
    st.html(html(result.reading, result.comparison, dark=st.context.theme.type == "dark"))


def html(reading: Reading, comparison: Comparison, dark: bool = False) -> str:
    """The lines as an escaped HTML list, with the numbers, colours and shapes of the points."""
    table = comparison.occurrences
    senses = list(table["sense"].unique())
    marks: dict[int, list[tuple[int, str, str, str]]] = {}
    for sentence, number, sense in zip(table["sentence"], table["occurrence"], table["sense"], strict=True):
        colour, shape = mark_of(senses, sense)
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


def instead(model: Model, reading: Reading) -> None:
    """Say that another word than the typed one is shown, and suggest sentences and other words."""
    texts.problem(f"{reading.problem} “{reading.word}” is shown instead.")
    offers(model)
    if reading.others:
        with st.container(horizontal=True, gap="small"):
            for other in reading.others:
                values = {WORD.key: other}
                st.button(texts.plain(other), on_click=state.put, args=(values,), key=f"layers-compare-{other}")


def offers(model: Model) -> None:
    """Show buttons that insert built-in sentences with the typed word, or begin the visitor's own."""
    word = WORD.value.strip()
    with st.container(horizontal=True, gap="small"):
        if word.lower() in fifty():
            st.button(
                f"Use the eight sentences with {texts.plain(word.lower())}",
                on_click=state.put,
                args=(chosen(word.lower()),),
                key="layers-eight",
            )
        elif built_in := running.run(Call(sentences.built_in, word=word), model):
            label = f"Insert {len(built_in)} built-in sentences with “{texts.plain(shortened(word))}”"
            st.button(label, on_click=_add, args=(built_in,), key="layers-insert")
        if starter := running.run(Call(sentences.starter, word=word), model):
            label = f"Write sentences with “{texts.plain(shortened(word))}”"
            st.button(label, icon=":material/edit:", on_click=_add, args=(starter,), key="layers-write")


def _add(lines: tuple[str, ...]) -> None:
    """Add lines to the field and open it; they follow the visitor's own lines, but replace built-in ones."""
    own = () if has_built_in_lines() else fields.lines(LINES.value)
    opened = tuple(dict.fromkeys((*state.OPEN.value, "sentences")))
    state.put(
        {
            LINES.key: "\n".join((*own, *lines)),
            KEEP.key: (),
            TOGETHER.key: (),
            state.OPEN.key: opened,
        }
    )


def skipped(reading: Reading) -> None:
    """Show the lines that are not compared and why, with a button that replaces another form of the word."""
    for number, line in enumerate(reading.skipped[:_MOST]):
        st.text(f"Not compared: “{shortened(line.line, 60)}” {line.why}")
        if line.form:
            lines = fields.lines(LINES.value)
            rewritten = [
                sentences.rewritten(one, line.form, reading.word) if one == line.line else one for one in lines
            ]
            st.button(
                f"Replace “{texts.plain(line.form)}” with “{texts.plain(reading.word)}”",
                on_click=state.put,
                args=({LINES.key: "\n".join(rewritten)},),
                key=f"layers-replace-{number}",
            )
    more = len(reading.skipped) - _MOST
    if more > 0:
        st.text(f"{more} more {'line is' if more == 1 else 'lines are'} not compared.")
