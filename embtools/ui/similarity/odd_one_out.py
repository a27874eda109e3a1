"""Panel for the odd one out: a game in which the visitor guesses before BERT's pick is shown."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from embtools.charts import similarity as charts
from embtools.messages import first_of
from embtools.rooms.question import Ask
from embtools.similarity import odd_words as numbers
from embtools.similarity.corrections import is_readable
from embtools.similarity.in_spaces import odd_by_space
from embtools.similarity.odd_words import OddOneOut, Puzzle
from embtools.spaces.space import AS_IS
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.ui import captions, entry, figures, guess_first, page, running, shown, spelling, state, texts
from embtools.ui.call import Call
from embtools.ui.corpora import text_vectors
from embtools.ui.fields import Names, Number, Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.similarity import inputs, named_texts
from embtools.ui.similarity.inputs import PIECES
from embtools.words.vectors import MAX_CHARACTERS, split

TAB = "Odd one out"
USES_EDIT = True
HAS_GUESSES = True
ROUNDS = 50
OWN = inputs.ODD
GUESS = Text("similarity_guess", "", MAX_CHARACTERS)  # for the visitor's own words
ROUND = Number("similarity_round", 1, 1, ROUNDS, 1)
GUESSES = Names("similarity_guesses")  # one for each round
ASKED_ABOUT = (OWN, ROUND)
FIELDS = (*inputs.SPACE, OWN, GUESS, ROUND, GUESSES)
PRESETS: dict[str, dict[str, Any]] = {}
_OFFERED = 12  # occurrences or sentences
_ASKED = "odd-asked"  # in the session: the text of the run before, and the guess about it
_COLUMNS = {"odd": "odd one out", "guess": "your guess", "bert": "BERT's pick"}


def button_texts() -> list[dict[str, str]]:
    """The texts that a button can copy from the first tab."""
    return [{OWN.key: values[inputs.WORDS.key]} for values in inputs.LISTS.values()]


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return inputs.caption(OWN)


@state.fragment
def show(models: Models) -> None:
    """Draw a puzzle with its words as buttons; after the guess, each model's pick with the cosines behind it."""
    (_of_text if text_vectors.are_chosen(inputs.OF) else _puzzle)(models)


def question(models: Models) -> Ask:
    """Ask a class about these words."""
    model = models[0]
    if text_vectors.are_chosen(inputs.OF):
        if not (read := inputs.sources((model,))):
            raise ValueError("There are no occurrences or sentences to ask about.")
        words = _offered(read[0])
        found: OddOneOut = running.run(Call(numbers.odd_one_out, words=words), read[0])
        return lambda choices: found.question(choices, words=words)
    game = _game(model)
    words = _own_words(model.name) or _round(game).words
    vectors = inputs.arguments()
    first, *_ = inputs.PROCESSED.within(inputs.sources((model,)), possible="layer" not in vectors)
    query = Call(numbers.odd_one_out, words=words, **inputs.at_depth(vectors, first, model))
    result: OddOneOut = running.run(query, first)
    return lambda choices: result.question(choices, words=words)


def _of_text(models: Models) -> None:
    """Draw occurrences or sentences, of which the visitor chooses one before BERT's pick is shown."""
    guess_first.follow()
    read = inputs.in_space(named_texts.fields(models))
    if not read:
        return
    entry.text_input(
        f"Which ones (comma-separated, three or more; leave empty for the first {_OFFERED})",
        on_change=state.put,
        args=({GUESS.key: ""},),
        **OWN.widget,
    )
    words = _offered(read[0])
    if unknown := [name for name in split(str(OWN.value)) if name not in words]:
        st.text(f"Left out because they are not among these: {first_of(unknown)}.")
    answers = running.ask("ranked", Call(numbers.odd_one_out, words=words), read, prints=None)
    if not answers or answers[0].stale:
        return
    text, guess = named_texts.contexts(read[0]), str(GUESS.value)
    before = st.session_state.get(_ASKED, (text, guess))
    st.session_state[_ASKED] = text, guess
    if guess and guess == before[1] and text != before[0]:  # a guess that Back or a link brings is about their text
        state.put({GUESS.key: ""})
        st.rerun()  # the address was written before
    if guess not in words:
        named_texts.sentences(read[0], words)
        _ask(words, own=True, kind=answers[0].value.kind)
        return
    for answer in answers:
        running.detail("ranked", answer.query, answer.model, prints=(f"guessed{(guess, None)!r}", "table"))
    for container in running.containers(answers):
        with container as answer:
            _reveal(answer.value, guess, None, [each.value for each in answers])
            if sentence := named_texts.contexts(answer.model).get(answer.value.pick):
                st.text(f"{answer.value.pick}: {sentence}")
    st.button("Guess again", on_click=state.put, args=({GUESS.key: ""},))


def _offered(model: Model) -> tuple[str, ...]:
    """The occurrences or sentences that the visitor lists, or the first ones."""
    every = named_texts.names(model)
    listed = tuple(name for name in split(str(OWN.value)) if name in every)
    return listed if len(listed) >= 3 else every[:_OFFERED]


def _puzzle(models: Models) -> None:
    # If the model knows too few of the words, the visitor's own words may still work.
    game = _game(models[0])
    game_container = st.container()
    own, container = _own(models[0])
    guess_first.follow()
    vectors = inputs.chosen_vectors(models[0].name)
    if not own and not game:
        if inputs.OF.file is not None:
            st.text("Write three or more words of your file.")
        return
    words = own or _round(game).words
    models = inputs.within(models, vectors)

    def spelling_of(model: Model) -> tuple[str, ...]:
        if model == models[0] or inputs.OF.only_file:
            return words
        return split(spelling.text(OWN, model.name) if own else spelling.quietly(", ".join(words), model.name))

    answers = running.ask(
        "ranked",
        lambda model: Call(numbers.odd_one_out, words=spelling_of(model), **inputs.at_depth(vectors, model, models[0])),
        models,
        container=container,
        prints=None,
    )
    if not answers or answers[0].stale:
        if models[0].vectors is None:
            inputs.suggestions(models[0], words, container, OWN)
        return
    guess = GUESS.value if own else _guessed(ROUND.value)
    with game_container:
        if guess in words:
            containers = running.containers(answers)
            odd = numbers.intruder(words, game) or ""
            spellings = [dict(zip(words, answer.query["words"], strict=True)) for answer in answers if containers]
            picks = [(own[guess], own.get(odd)) for own in spellings]
            # In the copied Python only after the guess, and before the charts, which share their axis.
            for answer, pick in zip(answers, picks, strict=False):
                running.detail("ranked", answer.query, answer.model, prints=(f"guessed{pick!r}", "table"))
            for container, pick in zip(containers, picks, strict=True):
                with container as answer:
                    _reveal(answer.value, *pick, [each.value for each in answers])
        else:
            _ask(words, own=bool(own))
        if not own:
            _score(game, models, vectors)
    if inputs.PROCESSED.value != AS_IS and "layer" not in vectors:
        _by_space(tuple(model.within(AS_IS) for model in models), spelling_of)
    if models[0].vectors is None:
        _quiz(tuple(model for model in models if model.vectors is None))


def _game(model: Model) -> tuple[Puzzle, ...]:
    """The puzzles; with a file or texts, those whose words all are there."""
    every: tuple[Puzzle, ...] = running.detail("game", Call(numbers.puzzles, n=ROUNDS), model, prints=None) or ()
    return tuple(puzzle for puzzle in every if inputs.have(puzzle.words, model.name))


def _round(game: tuple[Puzzle, ...]) -> Puzzle:
    """The puzzle of the round, or the last one if a file or texts have fewer."""
    return game[min(ROUND.value, len(game)) - 1]


def _by_space(models: Models, spelling_of: Callable[[Model], tuple[str, ...]]) -> None:
    """Show the mean cosine of each word in every space, with the controls."""
    with figures.expander("spaces", "In every space, with the controls", ":material/blur_on:") as opened:
        if not opened:
            return
        answers = running.ask(
            "odd",
            lambda model: Call(odd_by_space, words=spelling_of(model), space=inputs.PROCESSED.value),
            models,
            prints=("headline", "table"),
        )
        for container in running.containers(answers):
            with container as answer:
                st.text(answer.value.headline)
                title = "Mean cosine of each word with the others, by space"
                figures.table(answer.value.table, title, name=f"odd-spaces{shown.suffix()}")


def _own(model: Model) -> tuple[tuple[str, ...], Any]:
    """Show the fields for the visitor's own words and vectors; return the words and the container for errors."""
    inputs.OF.show(help=inputs.OF_HELP)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=600):  # on a phone, the button stands below it
            entry.text_input(
                "Your own words (comma-separated, three or more; leave empty to play)",
                on_change=state.put,
                args=({GUESS.key: ""},),
                **OWN.widget,
            )
        if OWN.value.strip():
            st.button("Back to the game", on_click=state.put, args=({OWN.key: "", GUESS.key: ""},))
        else:
            values = {OWN.key: inputs.WORDS.value, GUESS.key: ""}
            listed = Call(is_readable, words=inputs.words(model.name), pieces=PIECES.value, least=3)
            usable = running.run(listed, model)
            st.button("Use the list of the first tab", on_click=state.put, args=(values,), disabled=not usable)
    return _own_words(model.name), st.container()


def _own_words(name: str) -> tuple[str, ...]:
    return split(str(OWN.value) if inputs.OF.only_file else spelling.text(OWN, name))


def _guessed(number: int) -> str:
    """The guess of a round; "" if there is none yet."""
    guesses = tuple(GUESSES.value)
    return str(guesses[number - 1]) if number <= len(guesses) else ""


def _ask(words: tuple[str, ...], *, own: bool, kind: str = "word") -> None:
    st.header(f"Which {kind} does not belong?", anchor=False)
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
            f"Guess first, then see what {'the vectors pick' if inputs.of_named() else 'BERT picks'}",
            words,
            format_func=texts.plain,
            key=key,
            on_change=guess,
        )


def _reveal(result: OddOneOut, guess: str, odd: str | None, results: Sequence[OddOneOut]) -> None:
    """Draw a model's pick."""
    shown.headline(result.guessed(guess, odd))
    figures.show(charts.odd_one_out, result, guess, name="odd-one-out", beside=results)
    table = result.table
    worst, n = table.iloc[0], len(table)
    below = f" The lowest is {decimal(table['cosine'][1] - worst['cosine'])} below the next."
    firm = (
        f" If one of the other {result.kind}s is left out, the pick stays the same in {worst['times_odd']} of {n - 1}"
        " cases."
    )
    page.caption(
        f"Each bar is the mean [[cosine]] of one {result.kind} with the others."
        f"{below if result.equal == 1 else ''}{firm if result.equal == 1 and n > 3 else ''}"
    )


def _score(game: tuple[Puzzle, ...], models: Models, vectors: dict[str, Any]) -> None:
    """Show the button for the next round, and how many rounds the visitor and each model have won."""
    guesses = tuple(GUESSES.value)[: len(game)]
    rounds: tuple[Answer[Any], ...] = ()
    if any(guesses):
        rounds = running.ask(
            "rounds",
            lambda model: Call(
                numbers.play,
                puzzles=_respelled(game[: len(guesses)], model),
                guesses=guesses,
                **inputs.at_depth(vectors, model, models[0]),
            ),
            models,
        )
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if _guessed(ROUND.value) and ROUND.value < len(game):
            values = {ROUND.key: ROUND.value + 1}
            st.button(
                "Next puzzle", type="primary", icon=":material/arrow_forward:", on_click=state.put, args=(values,)
            )
        st.text(f"Round {ROUND.value}")
        if rounds:
            played = rounds[0].value
            st.text(f"You: {(played['guess'] == played['odd']).sum()} of {len(played)}")
        for answer in rounds:
            who = answer.model.title if len(rounds) > 1 or inputs.of_named() else "BERT"
            st.text(f"{who}: {(answer.value['bert'] == answer.value['odd']).sum()} of {len(answer.value)}")
    if rounds:
        columns = _COLUMNS | ({"bert": "pick of the vectors"} if inputs.of_named() else {})
        with figures.expander("rounds", "All rounds so far", ":material/list:") as opened:
            for container in running.containers(rounds) if opened else ():
                with container as answer:
                    name = f"rounds{shown.suffix()}"
                    figures.table(answer.value, "All rounds so far", name=name, column_config=columns)


def _respelled(puzzles: tuple[Puzzle, ...], model: Model) -> tuple[Puzzle, ...]:
    """Puzzles in the spelling that a model needs."""
    if not spelling.cased(model.name):
        return puzzles
    spellings = [split(spelling.quietly(", ".join(puzzle.words), model.name)) for puzzle in puzzles]
    return tuple(
        Puzzle(words, words[puzzle.words.index(puzzle.odd)]) for words, puzzle in zip(spellings, puzzles, strict=True)
    )


def _quiz(models: Models) -> None:
    """Show how often the odd one out is found in random puzzles."""
    with figures.expander("quiz", "How good is BERT at this?", ":material/casino:") as opened:
        if not opened:
            return
        quizzes = running.ask("quizzed", Call(numbers.quiz), models, label="Playing the puzzles")
        for container in running.containers(quizzes) if quizzes else ():
            with container as answer:
                quiz = answer.value
                st.metric(
                    "Random puzzles solved",
                    rounded(quiz.right / quiz.rounds),
                    "by chance: 25%",
                    delta_color="off",
                    delta_arrow="off",
                )
                page.caption(
                    f"BERT played {quiz.rounds} puzzles with [[static embedding|static embeddings]]. Each puzzle has"
                    " three words from one built-in list and one word from another. The [[confidence interval|95%"
                    f" interval]] for the share of puzzles that BERT solved is {rounded(quiz.low)} to"
                    f" {rounded(quiz.high)}."
                )


def _of_own(model: Model) -> Call:
    text_vectors.refuse(inputs.OF)
    return Call(numbers.odd_one_out, words=split(spelling.text(OWN, model.name)), **inputs.arguments())


READINGS = {"pick": Reading(_of_own, "Odd one out of your own words", "word", "pick")}
