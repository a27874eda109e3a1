"""The odd one out: a game in which the visitor guesses before BERT's pick is shown."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.similarity import odd_one_out as charts
from embtools.similarity import odd_one_out as numbers
from embtools.similarity import verdict
from embtools.similarity.matrix import MAX_WORDS
from embtools.similarity.odd_one_out import Puzzle
from embtools.ui import cached, figures, page, spelling, state, texts
from embtools.ui.fields import Names, Number, Text
from embtools.ui.share import Code
from embtools.ui.similarity import inputs
from embtools.ui.similarity.inputs import PIECES, Query
from embtools.words.vectors import MAX_CHARACTERS, Pieces, check, split

TAB = "Odd one out"
ROUNDS = 50
OWN = Text("similarity_odd", "", 8_000)
GUESS = Text("similarity_guess", "", MAX_CHARACTERS)  # for the visitor's own words
ROUND = Number("similarity_round", 1, 1, ROUNDS, 1)
GUESSES = Names("similarity_guesses")  # one for each round
FIELDS = (*inputs.SPACE, OWN, GUESS, ROUND, GUESSES)
PRESETS: dict[str, dict[str, Any]] = {}
_COLUMNS = {"odd": "odd one out", "guess": "your guess", "bert": "BERT's pick"}


def button_texts() -> list[dict[str, str]]:
    """The texts that a button can copy from the first tab."""
    return [{OWN.key: values[inputs.WORDS.key]} for values in inputs.LISTS.values()]


@state.fragment
def show(model: str, code: Code) -> None:
    """Show a puzzle with its words as buttons; after the guess, BERT's pick with the cosines behind it."""
    try:
        game = cached.compute(numbers.puzzles, model, n=ROUNDS)
    except ValueError as error:  # the model knows too few of the words; the visitor's own words may still work
        texts.problem(error)
        game = ()
    game_container = st.container()
    own, container = _own(model)
    if not own and not game:
        return
    words = own or game[ROUND.value - 1].words
    query = inputs.vectors(model, words)
    model = inputs.in_space(model, query, code)
    code.drop("odd")
    try:
        table = cached.compute(ranked, model, query)
    except ValueError as error:
        with container:
            texts.problem(error)
        inputs.suggestions(model, query, container, OWN)
        return
    odd = numbers.intruder(words, game)
    guess = GUESS.value if own else _guessed(ROUND.value)
    with game_container:
        if guess not in words:
            _ask(words, own=bool(own))
        else:
            _reveal(table, guess, odd)
        if not own:
            _score(model, query, game, code)
    if guess in words:
        code.add(
            "odd",
            f"table = odd_one_out({query.code(str(list(words)))})",
            f"print(verdict.guessed(table, {guess!r}, {odd!r}), table, sep='\\n')",
        )
    _quiz(model, code)


def ranked(query: Query, *, model: Any) -> pd.DataFrame:
    """How well each word of a query fits the others."""
    return numbers.odd_one_out(query.words, model, **query.space)


def _own(model: str) -> tuple[tuple[str, ...], Any]:
    """Show the field for the visitor's own words; return the words and the container for error messages."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Your own words (comma-separated, three or more; leave empty to play)",
            max_chars=OWN.most,
            on_change=state.put,
            args=({GUESS.key: ""},),
            **OWN.widget,
        )
        if OWN.value.strip():
            st.button("Back to the game", on_click=state.put, args=({OWN.key: "", GUESS.key: ""},))
        else:
            values = {OWN.key: inputs.WORDS.value, GUESS.key: ""}
            usable = cached.compute(_usable, model, inputs.words(model), PIECES.value)
            st.button("Use the list of the first tab", on_click=state.put, args=(values,), disabled=not usable)
    return split(spelling.text(OWN, model)), st.container()


def _usable(words: tuple[str, ...], pieces: Pieces, *, model: Any) -> bool:
    """Whether a list is valid for an odd one out."""
    try:
        check(words, model, least=3, most=MAX_WORDS, pieces=pieces)
    except ValueError:
        return False
    return True


def _guessed(number: int) -> str:
    """The guess of a round; "" if there is none yet."""
    guesses = tuple(GUESSES.value)
    return str(guesses[number - 1]) if number <= len(guesses) else ""


def _ask(words: tuple[str, ...], *, own: bool) -> None:
    st.header("Which word does not belong?", anchor=False)
    key = f"guess-{'-'.join(words)}"  # for this puzzle only, so that the next one starts without a choice

    def guess() -> None:
        picked = st.session_state[key]
        if own:
            state.put({GUESS.key: picked or ""})
        elif picked:
            before = (*GUESSES.value, *[""] * ROUNDS)[: ROUND.value - 1]
            state.put({GUESSES.key: (*before, picked)})

    with st.container(key="guess"):
        st.pills(
            "Guess first, then see what BERT picks",
            words,
            format_func=texts.plain,
            key=key,
            on_change=guess,
        )


def _reveal(table: pd.DataFrame, guess: str, odd: str | None) -> None:
    st.header(texts.plain(verdict.guessed(table, guess, odd)), anchor=False)
    worst, n = table.iloc[0], len(table)
    notes = {str(worst["word"]): "  ← BERT"}
    notes[guess] = f"{notes.get(guess, '  ←')}{', you' if guess in notes else ' you'}"
    figures.chart(
        cached.figure(charts.odd_one_out, table, notes),
        table,
        name="odd-one-out",
        alt=f"Mean cosine of each word with the others. {worst['word']} has the lowest, {worst['cosine']:.2f}.",
    )
    firm = (
        f" If one of the other words is left out, the pick stays the same in {worst['times_odd']} of {n - 1} cases."
        if n > 3
        else ""
    )
    page.seen(
        "Each bar is the mean [[cosine]] of a word with the others. BERT picks the word with the lowest, which is"
        f" {table['cosine'][1] - worst['cosine']:.2f} below the next.{firm}"
    )


def _score(model: str, query: Query, game: tuple[Puzzle, ...], code: Code) -> None:
    """Show the button for the next round, and how many rounds the visitor and BERT have won."""
    guesses = tuple(GUESSES.value)[:ROUNDS]
    played = cached.compute(_played, model, guesses, Query((), query.pieces, query.layer, query.template))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if _guessed(ROUND.value) and ROUND.value < ROUNDS:
            values = {ROUND.key: ROUND.value + 1}
            st.button(
                "Next puzzle", type="primary", icon=":material/arrow_forward:", on_click=state.put, args=(values,)
            )
        st.text(f"Round {ROUND.value}")
        if len(played):
            for who, column in (("You", "guess"), ("BERT", "bert")):
                st.text(f"{who}: {(played[column] == played['odd']).sum()} of {len(played)}")
    if len(played):
        fold = state.fold("rounds", "All rounds so far", ":material/list:")
        if fold.open:
            with fold:
                figures.table(played, name="rounds", column_config=_COLUMNS)
        space = query.code("").removeprefix(", model")
        code.add("rounds", f"print(play(puzzles(model, n={ROUNDS}), model, guesses={list(guesses)}{space}))")


def _played(guesses: tuple[str, ...], space: Query, *, model: Any) -> pd.DataFrame:
    return numbers.play(numbers.puzzles(model, n=ROUNDS), model, guesses=guesses, **space.space)


def _quiz(model: str, code: Code) -> None:
    """Show how often the odd one out is found in random puzzles."""
    fold = state.fold("quiz", "How good is BERT at this?", ":material/casino:")
    if not fold.open:
        code.drop("quiz")
        return
    with fold:
        try:
            quiz = cached.compute(numbers.quiz, model)
        except ValueError as error:
            texts.problem(error)
            return
        st.metric(
            "Random puzzles solved",
            f"{quiz.right / quiz.rounds:.0%}",
            "by chance: 25%",
            delta_color="off",
            delta_arrow="off",
        )
        page.seen(
            f"BERT played {quiz.rounds} puzzles with [[static embedding|static embeddings]]. Each puzzle has three"
            " words from one built-in list and one word from another. The [[confidence interval|95% interval]] of the"
            f" share that BERT solved is {quiz.low:.0%} to {quiz.high:.0%}."
        )
    code.add("quiz", "print(quiz(model))")
