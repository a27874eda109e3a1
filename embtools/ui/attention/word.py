"""The first tab of the Attention page: what a word looks at, beside all heads at a glance."""

from html import escape
from typing import Any

import streamlit as st

from embtools.attention import looks, verdict
from embtools.attention.looks import Look, Readings
from embtools.charts.attention import looks as charts
from embtools.mask_filling.edits import MAX_EDITS
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.attention import asking
from embtools.ui.share import Code

TAB = "What a word looks at"
FIELDS = asking.FIELDS
PRESETS: dict[str, dict[str, Any]] = asking.PAIRS
_BARS, _CELLS = "attention-words", "attention-heads"
_ABOVE = 29  # rem above the charts, the reading below them included


@state.fragment
def show(model: str, code: Code) -> None:
    """The bar; the shares of the words beside all heads; below, what else can be asked."""
    answer = asking.bar(model)
    if answer is not None:
        with jobs.results(answer, "attention-look", asking.says(answer)):
            _hero(model, answer, code)
    _more(model)


def _hero(model: str, answer: jobs.Answer[Readings], code: Code) -> None:
    picked = asking.chosen()
    look = asking.look(model, answer, picked)
    code.add(
        "look",
        *asking.code(answer),
        f"look = looks.look(readings, {picked.source!r}, {picked.target!r}, {picked.heads!r}, model)",
        "print(verdict.finding(look), verdict.doubts(look), look.words, look.cells, sep='\\n')",
    )
    finding, doubts, bars, overview = cached.derive(_told, look, (model, *answer.asked, picked))
    with st.container(key="hero"):
        st.header(texts.plain(finding), anchor=False)
        st.html(f'<p class="seen">{escape(doubts)}</p>')
    left, right = st.columns([1, 1], gap="medium")
    with left:
        _bars(look, bars)
    with right:
        _overview(look, overview)


def _told(look: Look) -> tuple[str, str, str, str]:
    """The finding, what it is to be measured by, and the two pictures in a sentence each."""
    return verdict.finding(look), verdict.doubts(look), verdict.alt(look), verdict.cells_alt(look.cells)


def _bars(look: Look, alt: str) -> None:
    def below() -> None:
        beside = " Diamonds: the control sentence." if looks.CONTROL in look.words else ""
        what = (
            "Each bar: how much of the word that looks has flowed in from each word through all layers, if half of"
            " every"
            " state stays itself ([[attention rollout|rollout]])."
            if look.heads == looks.ROLLOUT
            else "Each bar: the share of [[attention]] that a word gets; together 100%."
        )
        page.seen(f"{what} Click a word above to let it look, a bar to have it looked at (hatched).{beside}")

    figures.chart(
        cached.figure(charts.shares, look.words, look.target, asking.HIDE.value),
        look.words,
        name=_BARS,
        alt=alt,
        select=("points",),
        on_select=_click_word,
        above=_ABOVE,
        below=below,
    )


def _overview(look: Look, alt: str) -> None:
    def below() -> None:
        page.seen(
            "Each cell is an [[attention head]]: the bluer, the more goes from the word that looks to the word looked"
            f" at, at most {look.cells[looks.NOW].max():.0%}. Click one to see its bars."
        )

    figures.chart(
        cached.figure(charts.overview, look.cells),
        look.cells,
        name=_CELLS,
        alt=alt,
        select=("points",),
        on_select=_click_head,
        above=_ABOVE,
        below=below,
    )
    names = [f"{layer}.{head}" for layer, head in zip(look.cells["layer"], look.cells["head"], strict=True)]
    if look.heads in names:
        st.html(f"<style>{charts.marking(f'.st-key-chart-{_CELLS}', names.index(look.heads))}</style>")


def _more(model: str) -> None:
    """What is asked more seldom: a second sentence, an edit, several words, signs out of sight."""
    fold = state.fold(
        "more", "A second sentence, an edited word, several words, [CLS] and [SEP] hidden", ":material/tune:"
    )
    if not fold.open:
        return
    with fold:
        second, edits, flags = st.columns([3, 3, 2], gap="medium")
        with second:
            st.text_input("Second sentence", max_chars=asking.SECOND.most, **asking.SECOND.widget)
            if not cached.model(model).has_segments:
                st.caption("This model has no segments: only [SEP] tells it where the second sentence begins.")
        with edits:
            st.text_area(
                f"Edited embeddings, one a line, up to {MAX_EDITS}",
                height=80,
                placeholder="animal = animal - dog + car",
                help="word = formula, as on the Arithmetic page: the embedding is changed before the first layer.",
                **asking.EDITS.widget,
            )
        with flags:
            st.toggle(
                "Several words at once",
                help="Those that look are averaged, what those looked at get is added up.",
                **asking.SEVERAL.widget,
            )
            st.toggle("Hide [CLS] and [SEP]", help=glossary.definition("[CLS], [SEP]"), **asking.HIDE.widget)


def _click_word() -> None:
    if word := figures.clicked(_BARS):
        state.put({asking.TO.key: (str(word),)})


def _click_head() -> None:
    if heads := figures.clicked(_CELLS):
        state.put({asking.HEADS.key: str(heads)})
