"""Home: a guess and its reveal, a card for each page, the model in use."""

import base64
import json
import re
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import verdict
from embtools.arithmetic.candidates import candidates
from embtools.mask_filling.edits import Change
from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import cached, page, state, texts
from embtools.ui.arithmetic import asking
from embtools.ui.fields import Choice, Flag

WORDS = ("Italy", "France", "Greece")
GUESS, FRENCH = Choice("guess", "", ("", *WORDS)), Flag("french")
FIELDS = (GUESS, FRENCH)
_QUESTION = asking.FIRST_TEXT.replace("[MASK].", "…")
_HERE = Path(__file__).parent
_BUNDLED = _HERE.parent / "bundled"


def question(model: str) -> Any:
    """What this is, and the guess; returns the place for the answer, which may need the model first."""
    with st.container(key="head"):
        st.title(page.TITLE, anchor=False)
    page.seen(
        "Inside [[BERT]] every word is a list of numbers, its [[embedding]]. Change one, ask BERT again, and see what"
        " happens, and whether it could be chance."
    )
    with st.container(key="game", border=True):
        left, right = st.columns([2, 3], gap="medium")
    with left:
        st.header(_QUESTION, anchor=False)
        st.text("What does BERT say? Tap your guess.")
        with st.container(horizontal=True, gap="small"):
            for word in WORDS:
                st.button(
                    word,
                    type="primary" if GUESS.value in ("", word) else "secondary",
                    on_click=state.put,
                    args=({GUESS.key: word},),
                    key=f"guess-{word}",
                )
        if GUESS.value:
            st.toggle("Make Rome French", help=f"The edit {asking.FIRST_EDIT}", **FRENCH.widget)
    return right.container()


def answer(place: Any, model: str) -> None:
    """The reveal: bars that move when the switch is pressed, and the finding. Without a guess, empty bars."""
    with place:
        if not GUESS.value:
            st.html(_bars([(word, 0.0, 0.0) for word in WORDS], "Three bars, still empty.", known=False))
            return
        try:
            asked = asking.default(model)
            words = cached.compute(_guessed, model, asked.change)
            result = cached.compute(asking.experiment, model, asked)
        except ValueError as error:
            texts.problem(error)
            return
        rows = [(line.word, line.before, line.probability) for line in words.itertuples()]
        first = str(result.answers.loc[result.answers["rank_before"].idxmin(), "token"])
        if FRENCH.value:
            said = verdict.finding(result)
        else:
            rows = [(word, 0.0, before) for word, before, _ in rows]
            same = first == GUESS.value.lower()
            said = f"BERT says {first}" + (", and so do you." if same else f". You said {GUESS.value}.")
        alt = "Probability: " + ", ".join(f"{word} {now:.1%}" for word, _, now in rows) + "."
        st.html(_bars(rows, alt))
        st.subheader(texts.plain(said), anchor=False)
        with st.container(key="start"):
            st.page_link(
                "pages/arithmetic.py",
                label="Is it chance? See the controls" if FRENCH.value else "Ask with a sentence of your own",
                icon=":material/arrow_forward:",
                query_params=state.link("arithmetic", page.COMMON),
            )


def _guessed(change: Change, *, model: Any) -> pd.DataFrame:
    """The three words before and after the edit, in their order."""
    words = candidates(asking.FIRST_TEXT, WORDS, change, model=model)
    return words.set_index("word").loc[list(WORDS)].reset_index()


def cards() -> None:
    """One card per page, in the menu's order: a picture, the name, the question."""
    with st.container(key="cards", horizontal=True):
        for each in page.PAGES:
            with st.container(border=True, key=f"card-{each.name}", width=205):
                alt, picture = _picture(each.name)
                st.html(f'<img alt="{alt}" src="{picture}">')
                st.page_link(
                    each.script, label=each.title, icon=each.icon, query_params=state.link(each.name, page.COMMON)
                )
                st.caption(each.question)


def model_in_use(name: str) -> None:
    """Size, licence and scores of the model in use, folded; its sizes are read from the loaded network."""
    chosen = CATALOGUE[name]
    fold = state.fold("model", f"{chosen.title}, the model in use", ":material/memory:")
    if not fold.open:
        return
    with fold:
        st.markdown(
            f"{chosen.licence} · {chosen.megabytes:,} MB · reads {chosen.reads}. {chosen.note} Choose another one under"
            " *settings* in the menu."
        )
        try:
            loaded = cached.model(name)
        except ValueError as error:
            texts.problem(error)
            return
        figures: dict[str, int | str] = {
            "Layers": loaded.layers,
            "Dimensions": loaded.dimensions,
            "Attention heads": loaded.heads,
            "Word pieces": f"{len(loaded.vocabulary):,}",
            "Parameters": f"{loaded.parameters / 1e6:.1f} M",
        }
        with st.container(horizontal=True):
            for label, value in figures.items():
                st.metric(label, value, border=True, width="content")
        scores = _BUNDLED / "scores.json"
        if name == BUNDLED and scores.exists():
            _scores(json.loads(scores.read_text(encoding="utf-8")))
        st.caption(
            "For comparison: BERT base has 12 layers × 768, 12 heads and 110 million parameters; BERT large 24 × 1024,"
            " 16 heads and 340 million (Devlin et al. 2018, section 3; other texts count 345)."
        )


def privacy() -> None:
    """What happens to what visitors type."""
    st.caption(
        "What you type stays in your browser's address bar and in this server's memory; nothing is written to disk or"
        " sent elsewhere, and no usage statistics are gathered. The model's answers are habits learnt from text, not"
        " facts, and repeat its prejudices."
    )


def _scores(scores: list[dict[str, Any]]) -> None:
    percent = {c: st.column_config.NumberColumn(format="percent") for c in ("value", "low", "high")}
    st.dataframe(scores, hide_index=True, column_config=percent, alt="Scores of the bundled model")
    st.caption("low … high: 95% interval by bootstrap; n: items. The model card says how each was measured.")


def _bars(rows: list[tuple[str, float, float]], alt: str, known: bool = True) -> str:
    """Bars that grow from one probability to another: plain HTML, since a chart would be the page's heaviest part."""
    lines = "".join(
        f"<span>{escape(word)}</span>"
        f'<i style="--from: {before:.2%}; --to: {now:.2%}"></i>'
        f"<b>{f'{now:.0%}' if known else '?'}</b>"
        for word, before, now in rows
    )
    return f'<div class="growing" role="img" aria-label="{escape(alt)}">{lines}</div>'


def _picture(name: str) -> tuple[str, str]:
    """A page's drawing: what it shows, in words, and the drawing as an address of its own."""
    drawing = (_HERE / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    title = re.search("<title>(.+?)</title>", drawing)
    coded = base64.b64encode(drawing.encode()).decode()
    return title[1] if title else name, f"data:image/svg+xml;base64,{coded}"
