"""Home: a guessing game, a card for each page, and the model in use."""

import re
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from embtools import stored_scores, wordlists
from embtools.arithmetic.candidate_words import candidates
from embtools.mask_filling.edits import Change
from embtools.models.catalogue import CATALOGUE
from embtools.statistics.percentages import percent, rounded
from embtools.ui import cached, carried, figures, menu, page, running, state, texts, trained, word_search
from embtools.ui.arithmetic import edit_query
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Flag
from embtools.ui.shown import Model

WORDS = ("Italy", "France", "Greece")
GUESS, FRENCH = Choice("guess", "", ("", *WORDS)), Flag("french")
FIELDS = (GUESS, FRENCH, *word_search.FIELDS)
_QUESTION = edit_query.FIRST_TEXT.replace("[MASK].", "…")


def question(name: str) -> Any:
    """Draw the introduction and the guessing game; returns the container for the answer, which needs the model."""
    page.head(menu.TITLE)
    carried.badge()
    page.caption(
        "Inside [[BERT]], every word is a list of numbers: its [[embedding]]. Change an embedding, ask BERT again, and"
        " see what happens and whether it could be chance."
    )
    with st.container(key="game", border=True):
        left, right = st.columns([2, 3], gap="medium")
    with left:
        st.header(_QUESTION, anchor=False)
        st.text("What does BERT answer? Tap your guess.")
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
            st.toggle("Make Rome French", help=f"Applies the edit {edit_query.FIRST_EDIT}.", **FRENCH.widget)
        trained.capital_edit(Model(name), Change.of([edit_query.FIRST_EDIT]))
    return right.container()


def answer(container: Any, name: str) -> None:
    """Draw bars, which move when the switch is pressed, and the finding. Without a guess the bars are empty."""
    with container:
        if not GUESS.value:
            st.html(_bars([(word, 0.0, 0.0) for word in WORDS], "Three empty bars.", known=False))
            return
        result = running.detail("answers", edit_query.first_answers, Model(name), prints=None)
        if result is None:
            return
        query = Call(candidates, text=edit_query.FIRST_TEXT, words=WORDS, change=result.change)
        found = running.detail("guessed", query, Model(name), prints=None)
        if found is None:
            return
        words = found.set_index("word").loc[list(WORDS)].reset_index()
        rows = [(line.word, line.probability_before, line.probability_after) for line in words.itertuples()]
        if FRENCH.value:
            headline = _capitalised(result.headline)
        else:
            rows = [(word, 0.0, before) for word, before, _ in rows]
            headline = _compared(result.answers)
        alt = "Probability: " + ", ".join(f"{word} {rounded(now, 1)}" for word, _, now in rows) + "."
        st.html(_bars(rows, alt))
        st.subheader(texts.plain(headline), anchor=False)
        with st.container(key="start"):
            # Links to the game's own edit or to an empty sentence, not to what the visitor left on that page.
            common = page.common()
            empty = {edit_query.TEXT.key: [""], edit_query.EDITS.key: [""]}
            st.page_link(
                "pages/arithmetic.py",
                label="Could it be chance? See the controls" if FRENCH.value else "Try your own sentence",
                icon=":material/arrow_forward:",
                query_params=common if FRENCH.value else common | empty,
            )


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


def model_in_use(name: str) -> None:
    """Draw an expander with size, licence and scores of the model; its sizes are read from the loaded network."""
    chosen = CATALOGUE[name]
    with figures.expander("model", f"{chosen.title}, the model in use", ":material/memory:") as opened:
        if opened:
            st.markdown(
                f"{chosen.licence} · {chosen.megabytes:,} MB · reads {chosen.reads}. {chosen.note} You can choose"
                " another model under *settings* in the menu."
            )
            loaded = running.attempt(lambda: cached.model(name))
            if loaded is None:
                return
            sizes: dict[str, int | str] = {
                "Layers": loaded.layers,
                "Dimensions": loaded.dimensions,
                "Attention heads": loaded.heads,
                "Tokens in the vocabulary": f"{len(loaded.vocabulary):,}",
                "Parameters": f"{loaded.parameters / 1e6:.1f} M",
            }
            with st.container(horizontal=True):
                for label, value in sizes.items():
                    st.metric(label, value, border=True, width="content")
            _scores(running.run(Call(stored_scores.read), Model(name)))
            st.caption(
                "For comparison: BERT base has 12 layers with 768 dimensions, 12 heads and 110 million parameters. BERT"
                " large has 24 layers with 1,024 dimensions, 16 heads and 340 million parameters (Devlin et al. 2018,"
                " section 3; other texts give 345 million)."
            )


def privacy() -> None:
    """Say what happens to the text that visitors type."""
    st.caption(
        "What you type becomes part of this page's address and stays in this server's memory for a while. The app does"
        " not write it to disk, does not send it to another server and collects no usage statistics. But others may"
        " record the address: a proxy may log it, for example. The model's answers are not facts. They repeat what it"
        " has learnt from text, including prejudices."
    )


def _scores(scores: pd.DataFrame) -> None:
    """Draw the stored scores of a model, if there are any, and the note on the score that looks too good."""
    if scores.empty:
        return
    shares = {c: st.column_config.NumberColumn(format="percent") for c in ("value", "low", "high")}
    shown = scores.drop(columns="start")  # measured for some scores only; the note below says what matters about it
    st.dataframe(shown, hide_index=True, column_config=shares, alt="Scores of the bundled model")
    st.caption(
        "low, high: 95% confidence interval (bootstrap). n: number of test items. The model card says how each"
        " score was measured."
    )
    if note := stored_scores.copying(scores):
        st.text(note)


def _bars(rows: list[tuple[str, float, float]], alt: str, known: bool = True) -> str:
    """Return bars that grow from one probability to another, as HTML, which is lighter than a chart."""
    rows_html = "".join(
        f"<span>{escape(word)}</span>"
        f'<i style="--from: {before:.2%}; --to: {now:.2%}"></i>'
        f"<b>{rounded(now) if known else '?'}</b>"
        for word, before, now in rows
    )
    return f'<div class="growing" role="img" aria-label="{escape(alt)}">{rows_html}</div>'
