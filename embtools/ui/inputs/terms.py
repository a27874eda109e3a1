"""The tab that compares the input vectors of one token at two positions, and can move the token."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import inputs as charts
from embtools.inputs import input_terms
from embtools.inputs.comparison import Comparison, compare_positions
from embtools.inputs.input_terms import Terms
from embtools.ui import captions, entry, figures, glossary, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.inputs import details, token_fields
from embtools.ui.inputs.token_fields import OWN, PAIR, PIECE, POSITION, READING, SECOND, SEGMENT, TEXT
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.texts import plain

TAB = "One word, two positions"
FIELDS = (*token_fields.FIELDS, *details.FIELDS)
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
        details.MORE.key: details.ANSWER,
    },
}
_PILLS = 24  # up to this number, tokens are shown as buttons; more are in a list
_AT, _IN = "inputs-at", "inputs-in"  # widgets for the current position and segment; the fields hold only changes


_DEFAULT_TEXTS = {"texts": (TEXT.default, SECOND.default), "pair": False}
_READ = Call(input_terms.pieces, **_DEFAULT_TEXTS)
FIRST = Call(compare_positions, **_DEFAULT_TEXTS, piece=PIECE.default, position=None, segment=None)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        token_fields.TEXT,
        token_fields.SECOND,
        captions.Setting("sentences read", token_fields.READING),
        captions.Setting("token", token_fields.PIECE),
    )


@state.fragment
def show(models: Models) -> None:
    """Show the fields next to the strips of the terms for each model, and the details below."""
    left, right = shown.fields_and_results(models)
    with left:
        entry.text_input("Text", on_change=_stay, **TEXT.widget)
        problems = st.container()
        entry.text_input("Second text (optional)", on_change=_stay, placeholder="None", **SECOND.widget)
        if TEXT.value.strip() and SECOND.value.strip():  # what is wrong may be both together, such as their length
            problems = st.container()
        query = Call(input_terms.pieces, **token_fields.texts())
        read = running.ask("tokens", query, models[:1], _READ, container=problems, prints=None)
    if not read:
        return
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
            report=_said_at_the_texts if read[0].stale else None,
            prints=("terms.headline", "terms.table", "terms.numbers", "tokens"),
        )
        if not answers:
            return
        alike = tuple(answer.value.terms for answer in answers) if len(models) > 1 else ()
        for container in running.containers(answers):
            with container as answer:
                shown.headline(answer.value.terms.headline)
                figures.show(charts.terms, answer.value.terms, alike, name="terms")
    with position:
        _position(answers)
    with caption:
        _caption(answers[0].value.terms)
    alone = len(answers[0].value.terms.occurrences) == 1
    with (right if alone else st).container(key="beneath"):
        details.show(answers)


def _query(_: Model) -> Call:
    return Call(compare_positions, **token_fields.texts(), piece=PIECE.value, **token_fields.moved())


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


def _said_at_the_texts(_: Exception) -> None:
    """The error of the texts was shown when their tokens were asked for."""


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
