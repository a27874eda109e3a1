"""The first thing to try: guess what BERT answers about Rome, change the numbers of Rome, and ask again."""

import re
from html import escape
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from embtools import wordlists
from embtools.arithmetic.candidate_words import candidates
from embtools.mask_filling.edits import Change
from embtools.models import catalogue
from embtools.statistics.percentages import percent, rounded
from embtools.ui import page, running, state, texts, trained
from embtools.ui.arithmetic import edit_query
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Flag
from embtools.ui.shown import Model

WORDS = ("Italy", "France", "Greece")
GUESS, FRENCH = Choice("guess", "", ("", *WORDS)), Flag("french")
FIELDS = (GUESS, FRENCH)
_QUESTION = edit_query.FIRST_TEXT.replace("[MASK].", "…")


class Game(NamedTuple):
    """The containers for the answers, which need the model: the bars, and the finding below the button."""

    bars: Any
    finding: Any


def question(name: str) -> Game:
    """Draw the question, the guesses and the button that changes Rome."""
    st.header(_QUESTION, anchor=False)
    st.text("What does BERT answer? Tap your guess.")
    left, right = st.columns([6, 5], gap="small")
    with left, st.container(key="guesses", horizontal=True, gap="small"):
        for word in WORDS:
            st.button(
                word,
                type="primary" if GUESS.value == word else "secondary",
                on_click=state.put,
                args=({GUESS.key: word},),
                key=f"guess-{word}",
            )
    st.button(
        "Change it back" if FRENCH.value else "Make Rome French",
        type="secondary" if FRENCH.value else "primary",
        icon=":material/undo:" if FRENCH.value else ":material/edit:",
        width="stretch",
        on_click=state.put,
        args=({FRENCH.key: not FRENCH.value},),
        key="make-french",
    )
    st.caption(_changed(name))
    finding = st.empty()
    trained.capital_edit(Model(name), Change.of([edit_query.FIRST_EDIT]))
    return Game(right.empty(), finding)


def answer(game: Game, name: str) -> None:
    """Draw bars, which move when the button is pressed, and the finding. Before the first press the bars are empty."""
    asked, model = bool(GUESS.value or FRENCH.value), Model(name)
    if not asked or not model.was_opened or not running.known(edit_query.first_answers(model), model):
        game.bars.html(_bars([(word, 0.0, 0.0) for word in WORDS], "Three empty bars.", known=False))
        if asked:
            game.finding.caption("BERT reads the sentence …")
    if not asked:
        return
    with game.finding:
        result = running.detail("answers", edit_query.first_answers, model, prints=None)
        if result is None:
            return
        query = Call(candidates, text=edit_query.FIRST_TEXT, words=WORDS, change=result.change)
        found = running.detail("guessed", query, model, prints=None)
        if found is None:
            return
    with game.bars:
        words = found.set_index("word").loc[list(WORDS)].reset_index()
        rows = [(line.word, line.probability_before, line.probability_after) for line in words.itertuples()]
        if not FRENCH.value:
            rows = [(word, 0.0, before) for word, before, _ in rows]
        alt = "Probability: " + ", ".join(
            f"{word} {rounded(now, 1)}{f' ({rounded(before, 1)} before)' if FRENCH.value else ''}"
            for word, before, now in rows
        )
        st.html(_bars(rows, f"{alt}.", changed=FRENCH.value))
    with game.finding.container(gap="small"):
        if not FRENCH.value:
            st.subheader(texts.plain(_compared(result.answers)), anchor=False)
            return
        st.subheader(texts.plain(_capitalised(result.headline)), anchor=False)
        st.caption(
            "What would refute the formula? A control that does the same: only adding France, subtracting another"
            " word, or a random change."
        )
        with st.container(key="start"):
            # A link to the game's own edit, not to what the visitor left on that page.
            st.page_link(
                "pages/arithmetic.py",
                label="Could it be chance? See the controls",
                icon=":material/arrow_forward:",
                query_params=page.common(),
            )


def _changed(name: str) -> str:
    """Return the formula, and how many numbers it gives to Rome if that is known without loading the model."""
    model = Model(name)
    count = model.facts.dimensions if model.was_opened else catalogue.dimensions(name)
    formula = edit_query.FIRST_EDIT.replace("-", "−")
    return f"`{formula}`: {f'{count:,} ' if count else ''}new numbers for Rome; the sentence stays."


def _compared(answers: pd.DataFrame) -> str:
    """Return a sentence that compares BERT's top answer with the visitor's guess."""
    top = answers.loc[answers["rank_before"].idxmin()]
    word, probability = _capitalised(str(top["token"])), percent(top["probability_before"])
    if word == GUESS.value:
        return f"You guessed it: BERT also answers {word} ({probability})."
    return f"BERT answers {word} ({probability}). You guessed {GUESS.value}."


def _capitalised(text: str) -> str:
    """Return the text with capital letters for countries, which most models write in lower case."""
    names = "|".join((*WORDS, *wordlists.load("countries")["country"], *wordlists.load("cities")["country"]))
    return re.sub(rf"\b({names})\b", lambda found: found[0].title(), text, flags=re.IGNORECASE)


def _bars(rows: list[tuple[str, float, float]], alt: str, known: bool = True, changed: bool = False) -> str:
    """Return bars that grow from one probability to another, as HTML, which is lighter than a chart."""
    rows_html = "".join(
        f"<span>{escape(word)}</span>"
        f'<i style="--from: {before:.2%}; --to: {now:.2%}"></i>'
        f"<b>{rounded(now) if known else '?'}{f' <small>was {rounded(before)}</small>' if changed else ''}</b>"
        for word, before, now in rows
    )
    return f'<div class="growing" role="img" aria-label="{escape(alt)}">{rows_html}</div>'
