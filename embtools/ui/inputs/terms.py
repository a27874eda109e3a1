"""The tab that compares the input vectors of one token at two positions, and can move the token."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import inputs as charts
from embtools.inputs import comparison, input_terms
from embtools.inputs.comparison import Arrangements, Comparison, OtherWords, compare_positions
from embtools.inputs.input_terms import Terms
from embtools.ui import captions, entry, figures, glossary, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.inputs import folds
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.texts import plain

TAB = "One word, two positions"
ALONE, PAIR = "each alone", "as a pair"
OWN = -1  # the position or segment of a token that was not moved
PIECES, TERMS, NUMBERS, ANSWER = "Tokens, ids, segments", "Terms", "Single numbers", "Answer at the mask"
MASK = "[MASK]"
TEXT, SECOND = Text("inputs_first", "I found a rock.", 5_000), Text("inputs_second", "I only listen to rock.", 5_000)
READING = Choice("inputs_reading", ALONE, {"alone": ALONE, "pair": PAIR})
PIECE = Choice("inputs_piece", "rock")
POSITION, SEGMENT = Number("inputs_position", OWN, OWN, 4_095, 1), Number("inputs_segment", OWN, OWN, 1, 1)
MORE = Choice("inputs_more", PIECES, {"tokens": PIECES, "terms": TERMS, "numbers": NUMBERS, "answer": ANSWER})
DIMENSION = Number("inputs_dimension", 0, 0, 4_095, 1)
FIELDS = (TEXT, SECOND, READING, PIECE, POSITION, SEGMENT, MORE, DIMENSION, *folds.FIELDS)
BANK = "After stealing money from the bank vault, the bank robber was seen fishing on the Mississippi river bank."
STORE = {TEXT.key: "I went to the store.", SECOND.key: "The store was closed.", READING.key: PAIR, PIECE.key: "store"}
PRESETS: dict[str, dict[str, Any]] = {
    "rock": {},
    "rock, twice at one position": {POSITION.key: 4},
    "I, at the same position": {PIECE.key: "i"},
    "A pair of texts": STORE,
    "22 tokens": {TEXT.key: BANK, SECOND.key: "", PIECE.key: "bank"},
    "em ##bed ##ding ##s": {
        TEXT.key: "Here is the sentence I want embeddings for.",
        SECOND.key: "",
        PIECE.key: "##bed",
        POSITION.key: 1,
    },
    "Move a word": {
        TEXT.key: "Rome is the capital of [MASK].",
        SECOND.key: "",
        PIECE.key: "rome",
        POSITION.key: 5,
        MORE.key: ANSWER,
    },
    **folds.PRESETS,
}
_PILLS = 24  # up to this number, tokens are shown as buttons; more are in a list
_AT, _IN = "inputs-at", "inputs-in"  # widgets for the current position and segment; the fields hold only changes


_DEFAULT_TEXTS = {"texts": (TEXT.default, SECOND.default), "pair": False}
_READ = Call(input_terms.pieces, **_DEFAULT_TEXTS)
FIRST = Call(compare_positions, **_DEFAULT_TEXTS, piece=PIECE.default, position=None, segment=None)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        TEXT,
        SECOND,
        captions.Setting("sentences read", READING),
        captions.Setting("token", PIECE),
    )


@state.fragment
def show(models: Models) -> None:
    """Show the fields next to the strips of the terms for each model, and below them the folds and the details."""
    left, right = shown.fields_and_results(models)
    answers = _compared(models, left, right)
    folds.show(models)
    if answers:
        alone = len(answers[0].value.terms.occurrences) == 1
        with (right if alone else st).container(key="beneath"):
            _details(answers)


def _compared(models: Models, left: Any, right: Any) -> tuple[Answer[Comparison], ...]:
    """Show the fields on the left and the strips on the right; return the answers."""
    with left:
        entry.text_input("Text", on_change=_stay, **TEXT.widget)
        problems = st.container()
        entry.text_input("Second text (optional)", on_change=_stay, placeholder="None", **SECOND.widget)
        if TEXT.value.strip() and SECOND.value.strip():  # what is wrong may be both together, such as their length
            problems = st.container()
        query = Call(input_terms.pieces, **_texts())
        read = running.ask("tokens", query, models[:1], _READ, container=problems, prints=None)
    if not read:
        return ()
    hero = right.container(key="hero")
    with left, st.container(key=f"{'stale' if read[0].stale else 'fresh'}-inputs-piece"):
        _piece(read[0])
        position, refused, caption = st.container(), st.container(), st.container()
    with hero:
        answers = running.ask(
            "found",
            _query,
            models,
            FIRST,
            container=refused,
            # The error of the texts was shown when their tokens were asked for.
            report=(lambda _: None) if read[0].stale else None,
            prints=("terms.headline", "terms.table", "terms.numbers", "tokens"),
        )
        if not answers:
            return ()
        alike = tuple(answer.value.terms for answer in answers) if len(models) > 1 else ()
        for container in running.containers(answers):
            with container as answer:
                shown.headline(answer.value.terms.headline)
                figures.show(charts.terms, answer.value.terms, alike, name="terms")
    with position:
        _position(answers)
    with caption:
        _caption(answers[0].value.terms)
    return answers


def _query(_: Model) -> Call:
    moved = {
        name: None if at.value == OWN else int(at.value) for name, at in (("position", POSITION), ("segment", SEGMENT))
    }
    return Call(compare_positions, **_texts(), piece=PIECE.value, **moved)


def _texts() -> dict[str, Any]:
    both = (TEXT.value, SECOND.value) if SECOND.value.strip() else (TEXT.value,)
    return {"texts": both, "pair": READING.value == PAIR}


def _piece(read: Answer[Any]) -> None:
    """Show the tokens to choose from."""
    choices = tuple(input_terms.choices(read.value))
    default = PIECE.value if PIECE.value in choices else input_terms.first_choice(read.value, read.model.open())
    widget = PIECE.among(choices, default) | {"on_change": _stay}
    help_ = f"{glossary.definition('word piece')} In this list, tokens that occur more than once come first."
    if len(choices) <= _PILLS:
        st.pills("Token", required=True, format_func=plain, wrap=True, help=help_, **widget)
    else:
        st.selectbox("Token", format_func=str, help=help_, **widget)


def _stay() -> None:
    """Undo the move of the token, because the texts or the token have changed."""
    state.put({POSITION.key: OWN, SEGMENT.key: OWN})


def _position(answers: Sequence[Answer[Comparison]]) -> None:
    """Show position and segment of the second occurrence, with a button that makes them equal to the first."""
    result, tokens = answers[0].value.terms, answers[0].value.tokens
    last = result.occurrences.iloc[-1]
    first = result.occurrences.iloc[0]
    for key, value in ((_AT, int(last["position"])), (_IN, int(last["segment"]))):
        st.session_state[key] = value  # in each run: the one before may have been interrupted before it was sent
    name = "Second position" if tokens["token"].eq(result.piece).sum() > 1 else "Position"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input(
            name,
            min_value=0,
            max_value=answers[0].model.facts.max_tokens - 1,
            step=1,
            key=_AT,
            width=170,
            help="The position that BERT is given for the token. If you change it, the token stays the same but its"
            " vector changes.",
            on_change=_moved,
            args=(_AT, POSITION.key, int(last["own_position"])),
        )
        if any(answer.model.facts.has_segments for answer in answers):
            st.segmented_control(
                "Segment",
                (0, 1),
                required=True,
                key=_IN,
                help=glossary.definition("segment id"),
                on_change=_moved,
                args=(_IN, SEGMENT.key, int(last["own_segment"])),
            )
        if SECOND.value.strip():
            st.segmented_control("Read the texts", required=True, on_change=_stay, help=_HOW_READ, **READING.widget)
    if result.moved:
        st.button("Move it back", icon=":material/undo:", key="use-back", type="tertiary", on_click=_stay)
    elif len(result.occurrences) > 1 and not (result.vectors[0] == result.vectors[1]).all():
        same = {POSITION.key: int(first["position"]), SEGMENT.key: int(first["segment"])}
        own = {POSITION.key: int(last["own_position"]), SEGMENT.key: int(last["own_segment"])}
        st.button(
            f"Move the second occurrence to position {first['position']}, the position of the first",
            icon=":material/equal:",
            key="use-same",
            type="tertiary",
            on_click=state.put,
            args=({key: OWN if value == own[key] else value for key, value in same.items()},),
        )


_HOW_READ = (
    "Each alone: the texts are two inputs, each with its own positions and segment 0. As a pair: they are one input,"
    " [CLS] first [SEP] second [SEP], and the second text has segment 1."
)


def _moved(widget: str, field: str, own: int) -> None:
    value = st.session_state[widget]
    state.put({field: OWN if value is None or value == own else value})


def _caption(result: Terms) -> None:
    text = (
        "Each strip is a vector, and each column is one of its numbers: blue is above zero, orange below. BERT adds up"
        " the embedding of the [[word piece|token]] (its [[static embedding]])"
    )
    text += ", that of its [[segment id|segment]]" if input_terms.SEGMENT in result.names else ""
    text += " and that of its [[position embedding|position]]. The [[layer norm]] of the sum enters the encoder."
    page.caption(text)


def _details(answers: Sequence[Answer[Comparison]]) -> None:
    """Show the tabs."""
    drawn = {PIECES: _tokens, TERMS: _terms, NUMBERS: _numbers, ANSWER: _answer}
    for name, tab in state.tabs(MORE).items():
        if not tab.open:
            continue
        with tab:
            if name == NUMBERS:
                _dimension(answers)
            for container in running.containers(answers, part="more"):
                with container as answer:
                    drawn[name](answer)
            if name == TERMS:
                page.caption(
                    "The table compares the two vectors of each term by [[Euclidean distance]] and [[cosine]]. If they"
                    " are the same, all numbers agree to the last digit."
                )


def _like(answer: Answer[Comparison], function: Any, **more: Any) -> Call:
    """Return the query of another function about the same token of the same texts."""
    return Call(function, **answer.query.arguments, **more)


def _tokens(answer: Answer[Comparison]) -> None:
    facts, frame = answer.model.facts, answer.value.tokens
    alone = frame["text"].nunique() == 1 or not answer.query["pair"]
    t = int((frame["text"] == 1).sum()) if alone else len(frame)
    shape = (facts.layers + 1, 1, t, facts.dimensions)
    text = (
        f"{'Text 1' if alone and frame['text'].nunique() > 1 else 'This input'} has **{t}** [[word piece|tokens]]. BERT"
        f" turns them into **{' × '.join(map(str, shape))} = {math.prod(shape):,}** numbers"
        " ([[layer|layers]], including layer 0, × texts × tokens × [[dimension|dimensions]])."
    )
    if not facts.has_segments:
        text += " This model has no segments."
    elif alone:
        text += (
            " A text that is read alone has [[segment id|segment]] 0. The article “Understanding BERT” gives it segment"
            " 1. The model accepts this, but it was trained with 0."
        )
    else:
        text += " In a pair, the first text with its [SEP] has [[segment id|segment]] 0, the second has segment 1."
    page.caption(text)
    figures.table(
        frame if facts.has_segments else frame.drop(columns=["segment", "segment_in_article"]),
        "Tokens of the input",
        name=f"pieces{shown.suffix()}",
        column_config={
            "segment": "segment (BERT)",
            "segment_in_article": "segment (“Understanding BERT”)",
            "first_value": st.column_config.NumberColumn("first number of the input", format="%.4f"),
        },
    )


def _terms(answer: Answer[Comparison]) -> None:
    result = answer.value.terms
    if len(result.occurrences) > 1 and not result.table["same"].all():
        query = _like(answer, comparison.compare_words)
        nearest: OtherWords | None = running.detail("nearest", query, answer.model, prints=("sentence", "rank"))
        if nearest is not None:
            st.text(nearest.sentence)
    figures.table(
        result.table,
        "Differences between the two positions, term by term",
        name=f"differences{shown.suffix()}",
        column_config={
            "length_1": "length, 1st",
            "length_2": "length, 2nd",
            "largest_difference": "largest difference in a number",
            "same": "all numbers the same",
        },
    )


def _dimension(answers: Sequence[Answer[Comparison]]) -> None:
    most = min(answer.model.facts.dimensions for answer in answers) - 1
    if DIMENSION.value > most:
        DIMENSION.correct(most)
    st.slider("Dimension", **(DIMENSION.widget | {"max_value": most}))


def _numbers(answer: Answer[Comparison]) -> None:
    page.caption(
        f"The table follows one of the {answer.model.facts.dimensions} numbers from the embeddings to the input of the"
        " encoder. The [[layer norm]] subtracts the mean of all numbers of the sum and divides by their standard"
        " deviation; then it multiplies each dimension by a learnt weight and adds a learnt bias."
    )
    query = _like(answer, comparison.follow_dimension, dimension=int(DIMENSION.value))
    steps: pd.DataFrame | None = running.detail("steps", query, answer.model)
    if steps is not None:
        names = {"value_1": "1st position", "value_2": "2nd position"}
        figures.table(steps, "How one number is computed", name=f"steps{shown.suffix()}", column_config=names)


def _answer(answer: Answer[Comparison]) -> None:
    query = _like(answer, comparison.rearrange)
    result: Arrangements | None = running.detail("rearranged", query, answer.model, prints=("headline", "frame"))
    if result is None:
        if MASK not in TEXT.value and not shown.suffix():
            masked = _masked(TEXT.value, answer.value.terms.piece)
            st.button(
                plain(f"Use: {masked}"),
                type="tertiary",
                key="use-mask",
                on_click=state.put,
                args=({TEXT.key: masked, SECOND.key: "", POSITION.key: OWN},),
            )
        return
    st.subheader(plain(result.headline), anchor=False)
    figures.show(charts.arrangements, result, name="answers")
    page.caption(
        "Each bar is the [[probability]] of the answer to the text as written, after the same words were given other"
        " positions or segments. If it stays high, the words alone are enough. If it falls, BERT uses their order."
    )


def _masked(text: str, piece: str) -> str:
    """Return the text with its last word masked that is not the chosen token, or with a mask at its end."""
    words = text.split()
    for number in range(len(words) - 1, -1, -1):
        core = words[number].strip(".,;:!?")
        if core and core.lower() != piece.lower():
            return " ".join([*words[:number], words[number].replace(core, MASK), *words[number + 1 :]])
    return f"{text} {MASK}"


def _same(found: Comparison) -> bool:
    vectors = found.terms.vectors
    return bool((vectors[0, -1] == vectors[-1, -1]).all())


READINGS = {
    "same": Reading(_query, "Whether both occurrences enter BERT as the same vector", "yes or no", _same),
    "cosine": Reading(
        _query,
        "Cosine of the two vectors that enter BERT",
        "number",
        lambda found: found.terms.table.set_index("term").at[input_terms.NORMED, "cosine"],
    ),
}
