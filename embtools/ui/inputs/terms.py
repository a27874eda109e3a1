"""The tab that compares the input vectors of one token at two positions, and can move the token."""

from typing import Any

import streamlit as st

from embtools.charts.inputs import terms as charts
from embtools.inputs import terms
from embtools.inputs.terms import Terms
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.inputs import asking, details
from embtools.ui.inputs.asking import OWN, PAIR, PIECE, POSITION, READING, SECOND, SEGMENT, TEXT, Read
from embtools.ui.share import Code

TAB = "One word, two positions"
FIELDS = (*asking.FIELDS, *details.FIELDS)
BANK = "After stealing money from the bank vault, the bank robber was seen fishing on the Mississippi river bank."
STORE = {TEXT.key: "I went to the store.", SECOND.key: "The store was closed.", READING.key: PAIR, PIECE.key: "store"}
PRESETS: dict[str, dict[str, Any]] = {
    "rock": {},
    "rock, at equal positions": {POSITION.key: 4},
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


@state.fragment
def show(model: str, code: Code) -> None:
    """Show the fields next to the strips of the terms, and the details below."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        answer = _texts(model)
    if answer is None:
        return
    with left, st.container(key=f"{'stale' if answer.stale else 'fresh'}-inputs-piece"):
        piece = _piece(answer.value)
        place = st.container()
        asked = (*answer.asked, piece, POSITION.value, SEGMENT.value)
        try:
            found = cached.compute(asking.compared, model, *asked)
        except ValueError as error:
            texts.problem(error)
            asked = (*answer.asked, piece, OWN, OWN)
            found = cached.compute(asking.compared, model, *asked)
        with place:
            _put(model, answer.value, found.terms)
        _seen(found.terms)
    with right, st.container(key="hero"), jobs.results(answer, "inputs-terms", " · ".join(answer.asked[:2])[:120]):
        st.header(texts.plain(found.finding), anchor=False)
        figures.chart(
            cached.figure(charts.terms, found.terms, found.table),
            found.numbers,
            name="terms",
            alt=found.alt,
        )
    code.add("terms", *asking.code(*asked))
    with (right if len(found.terms.occurrences) == 1 else st).container(key="beneath"):
        details.show(model, answer.value, found, asked, code)


def _texts(model: str) -> jobs.Answer[Read] | None:
    """Show the fields of the texts and, below them, what is wrong with them; return the tokens."""
    st.text_input("Text", max_chars=TEXT.most, on_change=_stay, **TEXT.widget)
    st.text_input("Second text (optional)", max_chars=SECOND.most, on_change=_stay, placeholder="None", **SECOND.widget)
    place = st.container()
    return jobs.ask(
        "inputs-pieces",
        asking.read,
        model,
        (TEXT.value, SECOND.value, READING.value),
        asking.FIRST,
        place=place,
    )


def _piece(read: Read) -> str:
    """Show the tokens to choose from; return the chosen one."""
    widget = PIECE.among(tuple(read.choices), read.choice) | {"on_change": _stay}
    help_ = f"{glossary.definition('word piece')} In this list, tokens that occur more than once come first."
    if len(read.choices) <= _PILLS:
        st.pills("Token", required=True, format_func=texts.plain, wrap=True, help=help_, **widget)
    else:
        st.selectbox("Token", format_func=str, help=help_, **widget)
    return str(PIECE.value)


def _stay() -> None:
    """Undo the move of the token, because the texts or the token have changed."""
    state.put({POSITION.key: OWN, SEGMENT.key: OWN})


def _put(model: str, read: Read, found: Terms) -> None:
    """Show position and segment of the second occurrence, with a button that makes them equal to the first."""
    loaded = cached.model(model)
    last = found.occurrences.iloc[-1]
    first = found.occurrences.iloc[0]
    for key, value in ((_AT, int(last["position"])), (_IN, int(last["segment"]))):
        if st.session_state.get(key) != value:
            st.session_state[key] = value
    name = "Second position" if read.frame["token"].eq(found.piece).sum() > 1 else "Position"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input(
            name,
            min_value=0,
            max_value=loaded.max_tokens - 1,
            step=1,
            key=_AT,
            width=170,
            help="The position that BERT is given for the token. If you change it, the token stays the same but its"
            " vector changes.",
            on_change=_moved,
            args=(_AT, POSITION.key, int(last["own_position"])),
        )
        if loaded.has_segments:
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
    if found.moved:
        st.button("Move it back", icon=":material/undo:", key="use-back", type="tertiary", on_click=_stay)
    elif len(found.occurrences) > 1 and not (found.vectors[0] == found.vectors[1]).all():
        same = {POSITION.key: int(first["position"]), SEGMENT.key: int(first["segment"])}
        own = {POSITION.key: int(last["own_position"]), SEGMENT.key: int(last["own_segment"])}
        st.button(
            f"Move it to position {first['position']}, like the first one",
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


def _seen(found: Terms) -> None:
    text = (
        "Each strip is a vector, and each column is one of its numbers: blue is above zero, orange below. BERT adds up"
        " the embedding of the [[word piece|token]] (its [[static embedding]])"
    )
    text += ", that of its [[segment id|segment]]" if terms.SEGMENT in found.names else ""
    text += " and that of its [[position embedding|position]]. The [[layer norm]] of the sum enters the encoder."
    page.seen(text)
