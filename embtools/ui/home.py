"""Home: a guess and its reveal, a card for each page, the model in use."""

import re
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import verdict
from embtools.arithmetic.candidates import candidates
from embtools.mask_filling.edits import Change
from embtools.models.catalogue import CATALOGUE
from embtools.scoring import stored
from embtools.statistics.percentages import percent
from embtools.ui import cached, page, state, texts
from embtools.ui.arithmetic import edit_query
from embtools.ui.fields import Choice, Flag

WORDS = ("Italy", "France", "Greece")
GUESS, FRENCH = Choice("guess", "", ("", *WORDS)), Flag("french")
FIELDS = (GUESS, FRENCH)
_QUESTION = edit_query.FIRST_TEXT.replace("[MASK].", "…")


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
            st.toggle("Make Rome French", help=f"The edit {edit_query.FIRST_EDIT}", **FRENCH.widget)
    return right.container()


def answer(place: Any, model: str) -> None:
    """The reveal: bars that move when the switch is pressed, and the finding. Without a guess, empty bars."""
    with place:
        if not GUESS.value:
            st.html(_bars([(word, 0.0, 0.0) for word in WORDS], "Three bars, still empty.", known=False))
            return
        try:
            asked = edit_query.first_query(model)
            words = cached.compute(_guessed, model, asked.change)
            result = cached.compute(edit_query.experiment, model, asked)
        except ValueError as error:
            texts.problem(error)
            return
        rows = [(line.word, line.probability_before, line.probability_after) for line in words.itertuples()]
        if FRENCH.value:
            said = _capitalised(verdict.finding(result))
        else:
            rows = [(word, 0.0, before) for word, before, _ in rows]
            said = _compared(result.answers)
        alt = "Probability: " + ", ".join(f"{word} {now:.1%}" for word, _, now in rows) + "."
        st.html(_bars(rows, alt))
        st.subheader(texts.plain(said), anchor=False)
        with st.container(key="start"):
            # The game's own edit, or an empty sentence: not what was left on that page.
            shared = {field.key for field in page.COMMON}
            common = {key: parts for key, parts in state.link("", page.COMMON).items() if key in shared}
            empty = {edit_query.TEXT.key: [""], edit_query.EDITS.key: [""]}
            st.page_link(
                "pages/arithmetic.py",
                label="Could it be chance? See the controls" if FRENCH.value else "Ask with a sentence of your own",
                icon=":material/arrow_forward:",
                query_params=common if FRENCH.value else common | empty,
            )


def _compared(answers: pd.DataFrame) -> str:
    """BERT's top answer and the visitor's guess."""
    top = answers.loc[answers["rank_before"].idxmin()]
    word, probability = _capitalised(str(top["token"])), percent(top["probability_before"])
    if word == GUESS.value:
        return f"You guessed it: BERT says {word} too ({probability})."
    return f"BERT says {word} ({probability}). You guessed {GUESS.value}."


def _capitalised(text: str) -> str:
    """The countries of the game with their capitals, which most models do not use."""
    return re.sub(rf"\b({'|'.join(WORDS)})\b", lambda found: found[0].capitalize(), text, flags=re.IGNORECASE)


def _guessed(change: Change, *, model: Any) -> pd.DataFrame:
    """The three words before and after the edit, in their order."""
    words = candidates(edit_query.FIRST_TEXT, WORDS, change, model=model)
    return words.set_index("word").loc[list(WORDS)].reset_index()


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
        _scores(cached.compute(stored.read, name))
        st.caption(
            "For comparison: BERT base has 12 layers × 768, 12 heads and 110 million parameters; BERT large 24 × 1024,"
            " 16 heads and 340 million (Devlin et al. 2018, section 3; other texts count 345)."
        )


def privacy() -> None:
    """What happens to what visitors type."""
    st.caption(
        "What you type becomes part of this page's address and is kept in this server's memory. The app writes none of"
        " it to disk, sends it to no other server and gathers no usage statistics. But the address can be recorded on"
        " its way, for example in the log of a proxy. The model's answers are habits learnt from text, not facts, and"
        " repeat its prejudices."
    )


def _scores(scores: pd.DataFrame) -> None:
    """The scores that are stored of a model, if there are any, and what makes one of them flattering."""
    if scores.empty:
        return
    shares = {c: st.column_config.NumberColumn(format="percent") for c in ("value", "low", "high")}
    shown = scores.drop(columns="start")  # measured for some; what matters of it is said below
    st.dataframe(shown, hide_index=True, column_config=shares, alt="Scores of the bundled model")
    st.caption(
        "low, high: 95% confidence interval (bootstrap). n: number of test items. The model card says how each score"
        " was measured."
    )
    if said := stored.copying(scores):
        st.text(said)


def _bars(rows: list[tuple[str, float, float]], alt: str, known: bool = True) -> str:
    """Bars that grow from one probability to another: plain HTML, since a chart would be the page's heaviest part."""
    lines = "".join(
        f"<span>{escape(word)}</span>"
        f'<i style="--from: {before:.2%}; --to: {now:.2%}"></i>'
        f"<b>{f'{now:.0%}' if known else '?'}</b>"
        for word, before, now in rows
    )
    return f'<div class="growing" role="img" aria-label="{escape(alt)}">{lines}</div>'
