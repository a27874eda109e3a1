"""What the tabs of the Attention page ask for: a sentence, a word that looks and one that is looked at, and heads."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.attention import looks
from embtools.attention.looks import Look, Readings
from embtools.mask_filling.edits import Change
from embtools.ui import cached, fields, glossary, jobs, state, texts
from embtools.ui.fields import Choice, Flag, Names, Text

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = "The animal didn't cross the street because it was too wide."
TEXT, SECOND = Text("attention_text", TIRED, 5_000), Text("attention_second", "", 5_000)
TWIN = Text("attention_control", WIDE, 5_000)
EDITS = Text("attention_edits", "", 1_000)
FROM, TO = Names("attention_from", ("it",)), Names("attention_to", ("animal",))
SEVERAL, HIDE = Flag("attention_several"), Flag("attention_hide")
HEADS = Choice("attention_heads", looks.STRONGEST)
FIELDS = (TEXT, SECOND, TWIN, EDITS, FROM, TO, SEVERAL, HIDE, HEADS)
FIRST = (TIRED, "", WIDE, ())
PAIRS = {
    "Too tired": {},
    "Too wide": {TEXT.key: WIDE, TWIN.key: TIRED, TO.key: ("street",)},
    "The trophy": {
        TEXT.key: "The trophy didn't fit into the suitcase because it was too big.",
        TWIN.key: "The trophy didn't fit into the suitcase because it was too small.",
        TO.key: ("trophy",),
    },
    "Two sentences": {
        TEXT.key: "The waiter dropped a glass.",
        SECOND.key: "He apologised to the guests.",
        TWIN.key: "",
        FROM.key: ("he",),
        TO.key: ("waiter",),
    },
    "An edited word": {EDITS.key: "animal = animal - dog + car", TWIN.key: "", state.OPEN.key: ("more",)},
}
MOST_PILLS = 60
"""Words that stand as buttons; the words of a longer text stand in a list."""


@dataclass(frozen=True)
class Chosen:
    """What was chosen of a text: the words that look, those looked at, and the heads."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    heads: str


def read(text: str, second: str, control: str, lines: tuple[str, ...], *, model: Any) -> Readings:
    """The readings that the fields ask for. Raises ValueError as `looks.read_all` and `Change.of` do."""
    change = Change.of(lines)
    return looks.read_all(text, model, second=second.strip() or None, control=control.strip() or None, change=change)


def bar(model: str, beside: bool = True) -> jobs.Answer[Readings] | None:
    """The fields in a line, the words below it; what they ask for, or the last that could be read.

    `beside` tells whether the field of the control sentence is shown.
    """
    _forget_control()
    with st.container(key="attention-bar"):
        sentence, *rest = st.columns([6, 4, 3, 3] if beside else [8, 3, 3], gap="small")
        target, heads = rest[-2:]
        with sentence:
            st.text_input("Sentence", max_chars=TEXT.most, **TEXT.widget)
            problems = st.container()
        if beside:
            with rest[0]:
                st.text_input(
                    "Control sentence",
                    max_chars=TWIN.most,
                    placeholder="The same with one word changed",
                    help=glossary.definition("control"),
                    **TWIN.widget,
                )
        answer = jobs.ask(
            "attention",
            read,
            model,
            (TEXT.value, SECOND.value, TWIN.value, fields.lines(EDITS.value)),
            FIRST,
            label="Reading the sentence",
            place=problems,
            mends=EDITS,
        )
        if answer is None:
            return None
        words = answer.value.now.words
        _settle(answer.value, cached.model(model))
        with target:
            _list("Looked at", words, TO)
        with heads:
            every = looks.options(cached.model(model).layers, cached.model(model).heads)
            st.selectbox("Heads", help=glossary.definition("attention head"), **HEADS.among(every))
        _source(words)
    return answer


def chosen() -> Chosen:
    """What is chosen, once the bar has been drawn."""
    return Chosen(tuple(FROM.value), tuple(TO.value), HEADS.value)


def look(model: str, answer: jobs.Answer[Readings], picked: Chosen) -> Look:
    """What the chosen words look at."""
    given = answer.value, cached.model(model)
    return cached.derive(_look, given, (model, *answer.asked), picked.source, picked.target, picked.heads)


def choose_tokens(readings: Readings, row: int, column: int) -> None:
    """Let the word of the token at `row` look at that of the token at `column`."""
    of = readings.now.tokens["word"].tolist()
    state.put({FROM.key: (readings.now.words[of[row]],), TO.key: (readings.now.words[of[column]],)})


def code(answer: jobs.Answer[Readings]) -> list[str]:
    """The readings as Python."""
    text, second, control, lines = answer.asked
    named = f", second={second.strip()!r}" if second.strip() else ""
    named += f", control={control.strip()!r}" if control.strip() else ""
    named += f", change=Change.of({list(lines)!r})" if lines else ""
    return [f"readings = looks.read_all({text!r}, model{named})"]


def says(answer: jobs.Answer[Readings]) -> str:
    """The question of an answer in a line."""
    return answer.asked[0][:120]


def _look(given: tuple[Readings, Any], source: tuple[str, ...], target: tuple[str, ...], heads: str) -> Look:
    readings, model = given
    return looks.look(readings, source, target, heads, model)


def _forget_control() -> None:
    """A control sentence that an example brought belongs to its sentence, and to no other."""
    pairs = {(example.get(TWIN.key, WIDE), example.get(TEXT.key, TIRED)) for example in PAIRS.values()}
    of_examples = {control for control, _ in pairs if control}
    if TWIN.value in of_examples and (TWIN.value, TEXT.value) not in pairs:
        state.put({TWIN.key: ""})


def _settle(readings: Readings, model: Any) -> None:
    """Words that were chosen in another sentence give way to words of this one."""
    words = readings.now.words
    source = tuple(word for word in FROM.value if word in words) or (looks.default_source(readings.now),)
    target = tuple(word for word in TO.value if word in words)
    if not target:
        target = (looks.default_target(readings.now, source, model),)
    for field, names in ((FROM, source), (TO, target)):
        if tuple(field.value) != names:
            state.put({field.key: names})


def _list(label: str, words: tuple[str, ...], field: Names) -> None:
    """A list of the words that writes its choice into the field, which holds nothing but words of the sentence."""
    several = SEVERAL.value or len(field.value) > 1
    key = f"{field.key}_{'several' if several else 'one'}"
    st.session_state[key] = list(field.value) if several else field.value[0]

    def choose() -> None:
        picked = st.session_state[key]
        if picked:
            state.put({field.key: tuple(picked) if several else (picked,)})

    if several:
        st.multiselect(label, words, max_selections=10, key=key, on_change=choose)
    else:
        st.selectbox(label, words, key=key, on_change=choose)


def _source(words: tuple[str, ...]) -> None:
    """The words of the sentence: a click chooses the one that looks, or one more if several may."""
    label = "Words that look"
    if len(words) > MOST_PILLS:
        _list(label, words, FROM)
        return
    several = SEVERAL.value or len(FROM.value) > 1
    key = "attention_words" if several else "attention_word"
    st.session_state[key] = list(FROM.value) if several else FROM.value[0]

    def choose() -> None:
        picked = st.session_state[key]
        if picked:
            state.put({FROM.key: tuple(picked) if several else (picked,)})

    st.pills(
        label,
        words,
        selection_mode="multi" if several else "single",
        key=key,
        on_change=choose,
        format_func=texts.plain,
        label_visibility="collapsed",
    )
