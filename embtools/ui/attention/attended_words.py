"""Panel for what a word attends to, in one head and over all heads, for one or two target words."""

from collections.abc import Sequence
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from embtools.attention import heads
from embtools.attention.attended import NOW, VERSUS, AttendedWords, attended_words
from embtools.attention.reading import BEFORE, CONTROL
from embtools.charts import attention as charts
from embtools.charts.plot import marking
from embtools.mask_filling.edits import MAX_EDITS
from embtools.statistics.percentages import rounded
from embtools.ui import captions, entry, figures, page, running, shown, state
from embtools.ui.attention import reading
from embtools.ui.call import Call
from embtools.ui.lesson_answers import Reading
from embtools.ui.one_token import hide_special
from embtools.ui.shown import Model, Models

TAB = "What a word attends to"
USES_EDIT = True
FIELDS = reading.FIELDS
PRESETS: dict[str, dict[str, Any]] = reading.PAIRS
FIRST = Call(
    attended_words,
    text=reading.TIRED,
    source=reading.FROM.default,
    target=reading.TO.default,
    control=reading.WIDE,
)
_BARS, _CELLS = "attention-words", "attention-heads"
_ABOVE = 29  # rem taken by what is above the charts and by the captions below them


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return *reading.CAPTION, captions.Setting("control sentence", reading.TWIN)


@state.fragment
def show(models: Models) -> None:
    """Draw the fields; for each model the shares of the words next to all heads; and more fields below."""
    read = reading.bar(models)
    if read is not None:
        prints = ("headline", "limits", "words", "cells")
        query = Call(attended_words, control=read.query["control"])
        answers = reading.ask("attended", query, read, models, prints)
        results = [answer.value for answer in answers]
        for container in running.containers(answers):
            with container as answer:
                _result(answer.value, results)
    _more(models)


def _result(result: AttendedWords, results: Sequence[AttendedWords]) -> None:
    shown.headline(result.headline)
    with st.container(key=f"limits{shown.suffix()}"):
        st.html(f'<p class="seen">{escape(result.limits)}</p>')
    left, right = shown.split([1, 1], gap="medium")
    with left:
        _bars(result, results)
    with right:
        _heads(result, results)


def _bars(result: AttendedWords, results: Sequence[AttendedWords]) -> None:
    hidden = reading.HIDE.value
    rows = charts.shown_words(result, hidden)
    figures.show(
        charts.word_bars,
        result,
        hide_special=hidden,
        name=_BARS,
        beside=results,
        options={"above": _ABOVE, "below": lambda: page.caption(_bars_caption(result, rows, hidden)), **_click(_WORD)},
    )


def _bars_caption(result: AttendedWords, rows: pd.DataFrame, hidden: bool) -> str:
    """Return what a bar is, and what the bars that are shown add up to."""
    total, rest = rows[NOW].sum(), 1 - rows[NOW].sum()
    if result.heads == heads.ROLLOUT:
        what = (
            "Each bar is an estimate of how much of the attending word has come from this word through all layers"
            " ([[attention rollout|rollout]], which assumes that half of every vector passes unchanged)."
        )
    else:
        what = "Each bar is the share of [[attention]] that a word gets."
    if len(rows) == len(result.words):
        adds = "The bars add up to 100%"
    else:
        special = result.special if hidden else 0.0
        parts = [f"[CLS] and [SEP], which are hidden, get {rounded(special)}"] if hidden else []
        if rest - special > 0.005:
            parts.append(f"words without a bar get {rounded(rest - special)}")
        adds = f"The bars add up to {rounded(total)}" + (f"; {' and '.join(parts)}" if parts else "")
    hatched = "or a bar to choose the target (hatched)"
    if result.versus:
        hatched = "or a bar to choose the first target (striped; the second is cross-hatched)"
    marks = " Circles show the sentence before the edit." if BEFORE in result.words else ""
    marks += " Diamonds show the control sentence." if CONTROL in result.words else ""
    click = "" if shown.suffix() else f" Click a word above to choose the attending word, {hatched}."
    return f"{what} {adds}.{click}{marks}"


def _heads(result: AttendedWords, results: Sequence[AttendedWords]) -> None:
    most = max(0.01, *(each.cells.filter([NOW, VERSUS]).to_numpy().max() for each in results))
    figures.show(
        charts.head_cells,
        result,
        name=_CELLS,
        beside=results,
        options={"above": _ABOVE, "below": lambda: page.caption(_heads_caption(result, most)), **_click(_HEAD)},
    )
    names = [f"{layer}.{head}" for layer, head in zip(result.cells["layer"], result.cells["head"], strict=True)]
    selector = f".st-key-chart-{_CELLS}{shown.suffix()}"
    chosen = [names.index(name) for name in result.heads.split(", ") if name in names]
    if chosen:
        st.html(f"<style>{' '.join(marking(selector, number) for number in chosen)}</style>")


def _heads_caption(result: AttendedWords, most: float) -> str:
    """Return a caption that says what a cell is and how much attention the strongest colour means."""
    cell = "Each cell is an [[attention head]]. Stronger blue means more attention from the attending word to"
    click = " Click a head to see its bars."
    if reading.HEADS.value == reading.SET:
        click = " The framed heads are averaged. Click a head to add or remove it."
    click = "" if shown.suffix() else click
    if result.versus:
        return (
            f"{cell} the first target (left) and to the second (right), up to {rounded(most)}. Both maps use the same"
            f" colour scale, and the same head is framed in both.{click}"
        )
    return f"{cell} the target, up to {rounded(most)}.{click}"


def _click(chosen: figures.Pick) -> dict[str, Any]:
    """Return the options of a chart whose marks can be clicked: only that of the first model, whose words are shown."""
    return {} if shown.suffix() else {"pick": chosen}


_WORD = figures.Pick(lambda word: state.put({reading.TO.key: (str(word),)}), lambda row: row["word"])
_HEAD = figures.Pick(lambda head: reading.choose_head(str(head)), lambda row: f"{row['layer']:.0f}.{row['head']:.0f}")


def _more(models: Models) -> None:
    """Draw the fields that are needed less often: second sentence, edits, several words, hidden special tokens."""
    label = "More: second sentence, edits, several words, hide [CLS] and [SEP]"
    with figures.expander("more", label, ":material/tune:") as opened:
        if not opened:
            return
        second, edits, flags = st.columns([3, 3, 2], gap="medium")
        with second:
            entry.text_input("Second sentence", **reading.SECOND.widget)
            if not models[0].facts.has_segments:
                st.caption("This model has no segments. Only [SEP] tells it where the second sentence begins.")
        with edits:
            entry.text_area(
                f"Edits (one per line, up to {MAX_EDITS})",
                height=80,
                placeholder="animal = animal - dog + car",
                help="Write word = formula, as on the Arithmetic page. The embedding of the word is replaced before the"
                " first layer.",
                **reading.EDITS.widget,
            )
        with flags:
            st.toggle(
                "Select several words",
                help="If you select several words, the attention of the attending words is averaged and the attention"
                " received by the target words is added up.",
                **reading.SEVERAL.widget,
            )
            hide_special(reading.HIDE)


def _query(_: Model) -> Call:
    read = reading.query()
    return reading.chosen(Call(attended_words, control=read["control"]), read)


def _share(attended: AttendedWords) -> float:
    words = attended.words
    return float(words.loc[words["word"].isin(tuple(reading.TO.value)), NOW].sum())


def _more_heads(attended: AttendedWords) -> str:
    """Return the target that gets more attention in more heads; "" if both do in equally many."""
    if not attended.versus:
        raise ValueError("There is no second target to compare with.")
    first, second = ((attended.cells[a] > attended.cells[b]).sum() for a, b in ((NOW, VERSUS), (VERSUS, NOW)))
    return "" if first == second else (attended.target if first > second else attended.versus)[0]


READINGS = {
    "share": Reading(_query, "Attention that the target gets", "number", _share, "%"),
    "more": Reading(_query, "Target that gets more attention in more heads", "word", _more_heads),
    "special": Reading(_query, "Attention that [CLS] and [SEP] get", "number", "special", "%"),
}
