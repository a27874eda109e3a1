"""The first tab of the Inputs page: one piece in two places, as the strips of its terms; and put at another place."""

from typing import Any

import streamlit as st

from embtools.charts.inputs import terms as charts
from embtools.inputs import terms
from embtools.inputs.terms import Terms
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.inputs import asking, details
from embtools.ui.inputs.asking import OWN, PAIR, PIECE, POSITION, READING, SECOND, SEGMENT, TEXT, Read
from embtools.ui.share import Code

TAB = "One word, two places"
FIELDS = (*asking.FIELDS, *details.FIELDS)
BANK = "After stealing money from the bank vault, the bank robber was seen fishing on the Mississippi river bank."
STORE = {TEXT.key: "I went to the store.", SECOND.key: "The store was closed.", READING.key: PAIR, PIECE.key: "store"}
PRESETS: dict[str, dict[str, Any]] = {
    "rock": {},
    "rock, at equal positions": {POSITION.key: 4},
    "I, the same": {PIECE.key: "i"},
    "A pair": STORE,
    "22 pieces": {TEXT.key: BANK, SECOND.key: "", PIECE.key: "bank"},
    "em ##bed ##ding ##s": {
        TEXT.key: "Here is the sentence I want embeddings for.",
        SECOND.key: "",
        PIECE.key: "##bed",
        POSITION.key: 1,
    },
    "Move a word, ask again": {
        TEXT.key: "Rome is the capital of [MASK].",
        SECOND.key: "",
        PIECE.key: "rome",
        POSITION.key: 5,
        details.MORE.key: details.GUESS,
    },
}
_PILLS = 24  # pieces that are offered as buttons; more go into a menu
_AT, _IN = "inputs-at", "inputs-in"  # widgets that show where the piece stands; the fields only hold where it was put


@state.fragment
def show(model: str, code: Code) -> None:
    """The texts and the piece beside its strips; everything in detail below them, where one place leaves room there."""
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
            found = cached.compute(asking.looked, model, *asked)
        except ValueError as error:
            texts.problem(error)
            asked = (*answer.asked, piece, OWN, OWN)
            found = cached.compute(asking.looked, model, *asked)
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
    with (right if len(found.terms.places) == 1 else st).container(key="beneath"):
        details.show(model, answer.value, found, asked, code)


def _texts(model: str) -> jobs.Answer[Read] | None:
    """The texts and how they are read; below, what is wrong with them."""
    st.text_input("Text", max_chars=TEXT.most, on_change=_stay, **TEXT.widget)
    st.text_input("Second text (or none)", max_chars=SECOND.most, on_change=_stay, placeholder="None", **SECOND.widget)
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
    """The piece, and whether two texts are a pair."""
    widget = PIECE.among(tuple(read.choices), read.choice) | {"on_change": _stay}
    help_ = f"{glossary.definition('word piece')} Those that stand there twice come first."
    if len(read.choices) <= _PILLS:
        st.pills("Piece", required=True, format_func=texts.plain, wrap=True, help=help_, **widget)
    else:
        st.selectbox("Piece", format_func=str, help=help_, **widget)
    return str(PIECE.value)


def _stay() -> None:
    """Other texts, another piece: what was put elsewhere stands at its own place again."""
    state.put({POSITION.key: OWN, SEGMENT.key: OWN})


def _put(model: str, read: Read, found: Terms) -> None:
    """Where the piece stands the second time, and the proof: the same place makes the same vector."""
    loaded = cached.model(model)
    last = found.places.iloc[-1]
    first = found.places.iloc[0]
    for key, value in ((_AT, int(last["position"])), (_IN, int(last["segment"]))):
        if st.session_state.get(key) != value:
            st.session_state[key] = value
    name = "Position, 2nd time" if read.frame["token"].eq(found.piece).sum() > 1 else "Position"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input(
            name,
            min_value=0,
            max_value=loaded.max_tokens - 1,
            step=1,
            key=_AT,
            width=170,
            help="Where the piece stands, as BERT is told. Put it elsewhere: the word stays, its vector changes.",
            on_change=_moved,
            args=(_AT, POSITION.key, int(last["stood"])),
        )
        if loaded.has_segments:
            st.segmented_control(
                "Segment",
                (0, 1),
                required=True,
                key=_IN,
                help=glossary.definition("segment id"),
                on_change=_moved,
                args=(_IN, SEGMENT.key, int(last["belongs"])),
            )
        if SECOND.value.strip():
            st.segmented_control("Texts are read", required=True, on_change=_stay, help=_HOW_READ, **READING.widget)
    if found.moved:
        st.button("Put it back", icon=":material/undo:", key="use-back", type="tertiary", on_click=_stay)
    elif len(found.places) > 1 and not (found.vectors[0] == found.vectors[1]).all():
        same = {POSITION.key: int(first["position"]), SEGMENT.key: int(first["segment"])}
        own = {POSITION.key: int(last["stood"]), SEGMENT.key: int(last["belongs"])}
        st.button(
            f"Put it at the first one's place, {first['position']}",
            icon=":material/equal:",
            key="use-same",
            type="tertiary",
            on_click=state.put,
            args=({key: OWN if value == own[key] else value for key, value in same.items()},),
        )


_HOW_READ = (
    "Each alone: two inputs, each with its own positions and segment 0. As a pair: one input, [CLS] first [SEP] second"
    " [SEP]; the second text has segment 1."
)


def _moved(widget: str, field: str, own: int) -> None:
    value = st.session_state[widget]
    state.put({field: OWN if value is None or value == own else value})


def _seen(found: Terms) -> None:
    text = (
        "Each strip is a vector, a column one of its numbers: blue above zero, orange below. BERT adds what the"
        " [[word piece|piece]] is (its [[static embedding]])"
    )
    text += ", which text it is in ([[segment id|segment]])" if terms.SEGMENT in found.names else ""
    text += " and where it stands ([[position embedding|position]]); the [[layer norm]] of the sum enters the encoder."
    page.seen(text)
