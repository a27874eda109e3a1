"""The tab that shows what a word attends to, in one head and over all heads, for one or two target words."""

from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from embtools.attention import attended_words, verdict
from embtools.attention.attended_words import AttendedWords, Readings
from embtools.charts.attention import attended_words as charts
from embtools.mask_filling.edits import MAX_EDITS
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.attention import asking
from embtools.ui.share import Code

TAB = "What a word attends to"
FIELDS = asking.FIELDS
PRESETS: dict[str, dict[str, Any]] = asking.PAIRS
_BARS, _CELLS = "attention-words", "attention-heads"
_ABOVE = 29  # rem taken by what is above the charts and by the captions below them


@state.fragment
def show(model: str, code: Code) -> None:
    """Show the fields, the shares of the words next to all heads, and more fields below."""
    answer = asking.bar(model)
    if answer is not None:
        with jobs.results(answer, "attention-attended", asking.says(answer)):
            _hero(model, answer, code)
    _more(model)


def _hero(model: str, answer: jobs.Answer[Readings], code: Code) -> None:
    picked = asking.chosen()
    result = asking.attended(model, answer, picked)
    versus = f", versus={picked.versus!r}" if picked.versus else ""
    code.add(
        "attended",
        *asking.code(answer),
        f"result = attended_words.attend(readings, model, source={picked.source!r}, target={picked.target!r},"
        f" heads={picked.heads!r}{versus})",
        "print(verdict.finding(result), verdict.doubts(result), result.words, result.cells, sep='\\n')",
    )
    finding, doubts, bars, overview = cached.derive(_texts, result, (model, *answer.asked, picked), asking.HIDE.value)
    with st.container(key="hero"):
        st.header(texts.plain(finding), anchor=False)
        st.html(f'<p class="seen">{escape(doubts)}</p>')
    left, right = st.columns([1, 1], gap="medium")
    with left:
        _bars(result, bars)
    with right:
        _overview(result, overview)


def _texts(result: AttendedWords, hide_special: bool) -> tuple[str, str, str, str]:
    """Return the headline, what limits it, and the alt texts of both charts."""
    return verdict.finding(result), verdict.doubts(result), verdict.alt(result, hide_special), verdict.cells_alt(result)


def _bars(result: AttendedWords, alt: str) -> None:
    hidden = asking.HIDE.value
    rows = charts.shown(result.words, (*result.target, *result.versus), hidden)
    figures.chart(
        cached.figure(charts.shares, result.words, result.target, hidden, result.versus),
        result.words,
        name=_BARS,
        alt=alt,
        select=("points",),
        on_select=_click_word,
        above=_ABOVE,
        below=lambda: page.seen(_bars_caption(result, rows, hidden)),
    )


def _bars_caption(result: AttendedWords, rows: pd.DataFrame, hidden: bool) -> str:
    """Return what a bar is, and what the bars that are shown add up to."""
    total, rest = rows[attended_words.NOW].sum(), 1 - rows[attended_words.NOW].sum()
    if result.heads == attended_words.ROLLOUT:
        what = (
            "Each bar is an estimate of how much of the attending word has come from this word through all layers"
            " ([[attention rollout|rollout]], which assumes that half of every vector passes unchanged)."
        )
    else:
        what = "Each bar is the share of [[attention]] that a word gets."
    if len(rows) == len(result.words):
        adds = "The bars add up to 100%"
    else:
        framed = result.words.loc[result.words["special"], attended_words.NOW].sum() if hidden else 0.0
        parts = [f"[CLS] and [SEP], which are hidden, get {framed:.0%}"] if hidden else []
        if rest - framed > 0.005:
            parts.append(f"words without a bar get {rest - framed:.0%}")
        adds = f"The bars add up to {total:.0%}" + (f"; {' and '.join(parts)}" if parts else "")
    hatched = "or a bar to choose the target (hatched)"
    if result.versus:
        hatched = "or a bar to choose the first target (striped; the second is cross-hatched)"
    marks = " Circles show the sentence before the edit." if attended_words.BEFORE in result.words else ""
    marks += " Diamonds show the control sentence." if attended_words.CONTROL in result.words else ""
    return f"{what} {adds}. Click a word above to choose the attending word, {hatched}.{marks}"


def _overview(result: AttendedWords, alt: str) -> None:
    two = bool(result.versus)
    figures.chart(
        cached.figure(charts.overviews, result.cells, (_joined(result.target), _joined(result.versus)))
        if two
        else cached.figure(charts.overview, result.cells),
        result.cells,
        name=_CELLS,
        alt=alt,
        select=("points",),
        on_select=_click_head,
        above=_ABOVE,
        below=lambda: page.seen(_overview_caption(result)),
    )
    names = [f"{layer}.{head}" for layer, head in zip(result.cells["layer"], result.cells["head"], strict=True)]
    if result.heads in names:
        st.html(f"<style>{charts.marking(f'.st-key-chart-{_CELLS}', names.index(result.heads))}</style>")


def _overview_caption(result: AttendedWords) -> str:
    """Return what a cell is and how much attention the strongest colour stands for."""
    columns = [attended_words.NOW, attended_words.VERSUS] if result.versus else [attended_words.NOW]
    most = result.cells[columns].to_numpy().max()
    cell = "Each cell is an [[attention head]]. Stronger blue means more attention from the attending word to"
    if result.versus:
        return (
            f"{cell} the first target (left) and to the second (right), up to {most:.0%}. Both maps use the same colour"
            " scale, and the same head is framed in both. Click a head to see its bars."
        )
    return f"{cell} the target, up to {most:.0%}. Click a head to see its bars."


def _joined(words: tuple[str, ...]) -> str:
    return " + ".join(words)


def _more(model: str) -> None:
    """Show the fields that are needed less often: second sentence, edits, several words, hidden special tokens."""
    fold = state.fold("more", "More: second sentence, edits, several words, hide [CLS] and [SEP]", ":material/tune:")
    if not fold.open:
        return
    with fold:
        second, edits, flags = st.columns([3, 3, 2], gap="medium")
        with second:
            st.text_input("Second sentence", max_chars=asking.SECOND.most, **asking.SECOND.widget)
            if not cached.model(model).has_segments:
                st.caption("This model has no segments. Only [SEP] shows it where the second sentence begins.")
        with edits:
            st.text_area(
                f"Edits (one per line, up to {MAX_EDITS})",
                height=80,
                placeholder="animal = animal - dog + car",
                help="Write word = formula, as on the Arithmetic page. The embedding of the word is replaced before the"
                " first layer.",
                **asking.EDITS.widget,
            )
        with flags:
            st.toggle(
                "Select several words",
                help="If you select several words, the attention of the attending words is averaged and the attention"
                " received by the target words is added up.",
                **asking.SEVERAL.widget,
            )
            st.toggle("Hide [CLS] and [SEP]", help=glossary.definition("[CLS], [SEP]"), **asking.HIDE.widget)


def _click_word() -> None:
    if word := figures.clicked(_BARS):
        state.put({asking.TO.key: (str(word),)})


def _click_head() -> None:
    if heads := figures.clicked(_CELLS):
        state.put({asking.HEADS.key: str(heads)})
