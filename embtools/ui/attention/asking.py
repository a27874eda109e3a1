"""The fields that two tabs of the Attention page share: sentences, attending words, target words and heads."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.attention import attended_words
from embtools.attention.attended_words import AttendedWords, Readings
from embtools.mask_filling.edits import Change
from embtools.ui import cached, fields, glossary, jobs, state, texts
from embtools.ui.fields import Choice, Flag, Names, Text

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = "The animal didn't cross the street because it was too wide."
TEXT, SECOND = Text("attention_text", TIRED, 5_000), Text("attention_second", "", 5_000)
TWIN = Text("attention_control", WIDE, 5_000)
EDITS = Text("attention_edits", "", 1_000)
FROM, TO = Names("attention_from", ("it",)), Names("attention_to", ("animal",))
VERSUS = Names("attention_versus")  # the second target
SEVERAL, HIDE = Flag("attention_several"), Flag("attention_hide")
HEADS = Choice("attention_heads", attended_words.STRONGEST)
FIELDS = (TEXT, SECOND, TWIN, EDITS, FROM, TO, VERSUS, SEVERAL, HIDE, HEADS)
FIRST = (TIRED, "", WIDE, ())
PAIRS = {
    "Too tired": {},
    "Too wide": {TEXT.key: WIDE, TWIN.key: TIRED, TO.key: ("street",)},
    "The trophy": {
        TEXT.key: "The trophy didn't fit into the suitcase because it was too big.",
        TWIN.key: "The trophy didn't fit into the suitcase because it was too small.",
        TO.key: ("trophy",),
        VERSUS.key: ("suitcase",),
    },
    "Dog or cat": {
        TEXT.key: "The dog chased the cat because it was hungry.",
        TWIN.key: "The dog chased the cat because it was noisy.",
        TO.key: ("dog",),
        VERSUS.key: ("cat",),
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
"""Up to this number, the words of a text are shown as buttons; a longer text has a list instead."""


@dataclass(frozen=True)
class Chosen:
    """The choice in a text: the attending words, the words of one or two targets, and the heads."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    heads: str
    versus: tuple[str, ...] = ()


def read(text: str, second: str, control: str, lines: tuple[str, ...], *, model: Any) -> Readings:
    """Return the readings of the sentences in the fields. Raises ValueError as `read_all` and `Change.of` do."""
    change = Change.of(lines)
    return attended_words.read_all(
        text, model, second=second.strip() or None, control=control.strip() or None, change=change
    )


def bar(model: str, compared: bool = True) -> jobs.Answer[Readings] | None:
    """Show the fields in a row and the words below them; return the readings, or the last ones that succeeded.

    `compared` says whether the fields of the control sentence and of the second target are shown.
    """
    _forget_control()
    with st.container(key="attention-bar"):
        sentence, *rest = st.columns([6, 4, 3, 3, 3] if compared else [8, 3, 3], gap="small")
        target, heads = rest[1 if compared else 0], rest[-1]
        with sentence:
            st.text_input("Sentence", max_chars=TEXT.most, **TEXT.widget)
            problems = st.container()
        if compared:
            with rest[0]:
                st.text_input(
                    "Control sentence",
                    max_chars=TWIN.most,
                    placeholder="The same sentence with one word changed",
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
            _list("Target word", words, TO)
        if compared:
            with rest[2]:
                _list("Second target", tuple(word for word in words if word not in TO.value), VERSUS, optional=True)
        with heads:
            every = attended_words.options(cached.model(model).layers, cached.model(model).heads)
            st.selectbox("Heads", help=glossary.definition("attention head"), **HEADS.among(every))
        _source(words)
    return answer


def chosen() -> Chosen:
    """Return the current choice; call it after `bar`."""
    return Chosen(tuple(FROM.value), tuple(TO.value), HEADS.value, tuple(VERSUS.value))


def attended(model: str, answer: jobs.Answer[Readings], picked: Chosen) -> AttendedWords:
    """Return what the chosen words attend to."""
    given = answer.value, cached.model(model)
    return cached.derive(
        _attended, given, (model, *answer.asked), picked.source, picked.target, picked.heads, picked.versus
    )


def choose_tokens(readings: Readings, row: int, column: int) -> None:
    """Choose the word of the token at `row` as the attending word, that of the token at `column` as the target."""
    of = readings.now.tokens["word"].tolist()
    state.put({FROM.key: (readings.now.words[of[row]],), TO.key: (readings.now.words[of[column]],)})


def code(answer: jobs.Answer[Readings]) -> list[str]:
    """Return Python code that computes the readings."""
    text, second, control, lines = answer.asked
    named = f", second={second.strip()!r}" if second.strip() else ""
    named += f", control={control.strip()!r}" if control.strip() else ""
    named += f", change=Change.of({list(lines)!r})" if lines else ""
    return [f"readings = attended_words.read_all({text!r}, model{named})"]


def says(answer: jobs.Answer[Readings]) -> str:
    """Return the sentence of an answer, cut to one line."""
    return answer.asked[0][:120]


def _attended(
    given: tuple[Readings, Any], source: tuple[str, ...], target: tuple[str, ...], heads: str, versus: tuple[str, ...]
) -> AttendedWords:
    readings, model = given
    return attended_words.attend(readings, model, source=source, target=target, heads=heads, versus=versus)


def _forget_control() -> None:
    """Clear the control sentence of an example if the sentence is no longer that of the example."""
    pairs = {(example.get(TWIN.key, WIDE), example.get(TEXT.key, TIRED)) for example in PAIRS.values()}
    of_examples = {control for control, _ in pairs if control}
    if TWIN.value in of_examples and (TWIN.value, TEXT.value) not in pairs:
        state.put({TWIN.key: ""})


def _settle(readings: Readings, model: Any) -> None:
    """Replace chosen words that this sentence does not contain by words of this sentence."""
    words = readings.now.words
    source = tuple(word for word in FROM.value if word in words) or (attended_words.default_source(readings.now),)
    target = tuple(word for word in TO.value if word in words)
    if not target:
        target = (attended_words.default_target(readings.now, model, source=source),)
    versus = tuple(word for word in VERSUS.value if word in words and word not in target)
    for field, names in ((FROM, source), (TO, target), (VERSUS, versus)):
        if tuple(field.value) != names:
            state.put({field.key: names})


def _list(label: str, words: tuple[str, ...], field: Names, optional: bool = False) -> None:
    """Show a list of words that writes its selection into the field; only an `optional` one can be empty."""
    several = SEVERAL.value or len(field.value) > 1
    key = f"{field.key}_{'several' if several else 'one'}"
    st.session_state[key] = list(field.value) if several else next(iter(field.value), None)

    def choose() -> None:
        picked = st.session_state[key] or ()
        if picked or optional:
            state.put({field.key: tuple(picked) if several or not picked else (picked,)})

    if several:
        st.multiselect(label, words, max_selections=10, key=key, on_change=choose, placeholder="None")
    else:
        st.selectbox(label, words, index=None if optional else 0, key=key, on_change=choose, placeholder="None")


def _source(words: tuple[str, ...]) -> None:
    """Show the words of the sentence: a click selects the attending word, or one more if several are allowed."""
    label = "Attending words"
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
