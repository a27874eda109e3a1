"""The fields of a sentence that is read: the text and its control, attending words, target words and heads."""

from dataclasses import replace
from typing import Any

import streamlit as st

from embtools.attention import heads
from embtools.attention.reading import Readings, default_source, default_target, read_all
from embtools.ui import captions, entry, fields, glossary, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Flag, Names, Text
from embtools.ui.one_token import MOST_PILLS
from embtools.ui.shown import Model, Models

_MOST_LAYERS = 48
TIRED = "The animal didn't cross the street because it was too tired."
WIDE = "The animal didn't cross the street because it was too wide."
TEXT, SECOND = Text("attention_text", TIRED, 5_000), Text("attention_second", "", 5_000)
TWIN = Text("attention_control", WIDE, 5_000)
EDITS = Text("attention_edits", "", 1_000)
FROM, TO = Names("attention_from", ("it",)), Names("attention_to", ("animal",))
VERSUS = Names("attention_versus")  # the second target
SEVERAL, HIDE = Flag("attention_several"), Flag("attention_hide")
SET = "chosen heads"
HEADS = Choice(
    "attention_heads",
    heads.STRONGEST,
    keys={"strongest": heads.STRONGEST, "all": heads.ALL, "rollout": heads.ROLLOUT, "set": SET}
    | {str(layer): f"layer {layer}" for layer in range(1, _MOST_LAYERS + 1)},
)
HEAD_SET = Names("attention_head_set")  # the heads that are averaged, if `SET` is chosen
MOST_HEADS = 50
CAPTION: tuple[captions.Part, ...] = (
    TEXT,
    SECOND,
    EDITS,
    captions.Setting("attending", FROM),
    captions.Setting("target", TO),
    captions.changed("second target", VERSUS),
    captions.Setting("heads", HEADS),
    captions.changed("chosen heads", HEAD_SET),
    captions.changed("without [CLS] and [SEP]", HIDE),
)
FIELDS = (TEXT, SECOND, TWIN, EDITS, FROM, TO, VERSUS, SEVERAL, HIDE, HEADS, HEAD_SET)
FIRST = Call(read_all, text=TIRED, control=WIDE)
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
_CHOSEN = {"source": FROM, "target": TO, "versus": VERSUS}


def query() -> Call:
    """Return the query that reads the sentences in the fields."""
    return Call(
        read_all,
        text=TEXT.value,
        second=SECOND.value.strip(),
        control=TWIN.value.strip(),
        edits=fields.lines(EDITS.value),
    )


def bar(models: Models, compared: bool = True) -> running.Answer[Readings] | None:
    """Draw the fields (`compared`: also the control sentence and the second target) and the words of the first model;
    return the readings, or the last ones that succeeded."""
    _forget_control()
    with st.container(key="attention-bar"):
        sentence, *rest = st.columns([6, 4, 3, 3, 3] if compared else [8, 3, 3], gap="small")
        target, of_heads = rest[1 if compared else 0], rest[-1]
        with sentence:
            entry.text_input("Sentence", **TEXT.widget)
            problems = st.container()
        if compared:
            with rest[0]:
                entry.text_input(
                    "Control sentence",
                    placeholder="The same sentence with one word changed",
                    help=glossary.definition("control"),
                    **TWIN.widget,
                )
        read = running.ask(
            "readings",
            query(),
            models[:1],
            FIRST,
            label="Reading the sentence",
            container=problems,
            suggest=EDITS,
            prints=None,
        )
        if not read:
            return None
        words = read[0].value.now.words
        _settle(read[0].value, models[0])
        with target:
            _list("Target word", words, TO)
        if compared:
            with rest[2]:
                _list("Second target", tuple(word for word in words if word not in TO.value), VERSUS, optional=True)
        with of_heads:
            every = heads.options(models[0].facts.layers, models[0].facts.heads)
            several = (*every[:3], SET, *every[3:])
            st.selectbox("Heads", help=glossary.definition("attention head"), **HEADS.among(several))
        if HEADS.value == SET:
            _head_set(tuple(name for name in every if "." in name))
        _source(words)
    return read[0]


def ask(
    name: str, call: Call, read: running.Answer[Readings], models: Models, prints: tuple[str, ...]
) -> tuple[running.Answer[Any], ...]:
    """Ask each model about the chosen words of the sentence that was read, both of which are missing in `call`."""
    now = read.value.now

    def of_model(model: Model) -> Call:
        own = chosen(call, read.query)
        if model.facts.cased != models[0].facts.cased:  # it names words differently
            own = own.but(**{name: now.numbers(own[name]) for name in _CHOSEN})
        return own.but(heads=_counterpart(chosen_heads(), models[0], model))

    answers = running.ask(name, of_model, models, label="Reading the sentence", prints=prints)
    return tuple(replace(answer, stale=answer.stale or read.stale) for answer in answers)


def chosen(call: Call, read: Call) -> Call:
    """Return a query about the sentence of the query `read`, with the chosen words and heads."""
    sentence = {name: read[name] for name in ("text", "second", "edits")}
    words = {name: tuple(field.value) for name, field in _CHOSEN.items()}
    return call.but(**sentence, **words, heads=chosen_heads())


def chosen_heads() -> str:
    """Return the heads that are shown; the strongest one while no head of a set is chosen."""
    if HEADS.value == SET:
        return heads.joined(HEAD_SET.value) if HEAD_SET.value else heads.STRONGEST
    return str(HEADS.value)


def choose_head(name: str) -> None:
    """Choose a head, such as "4.2"; if a set is shown, add it to the set, or remove it."""
    if HEADS.value != SET:
        state.put({HEADS.key: name})
        return
    others = tuple(other for other in HEAD_SET.value if other != name)
    state.put({HEAD_SET.key: others if len(others) < len(HEAD_SET.value) else (*others, name)[:MOST_HEADS]})


def choose_tokens(words: tuple[int, ...], names: tuple[str, ...], row: int, column: int) -> None:
    """Choose the word of the token at `row` as the attending word and that of the token at `column` as the target;
    `words` has the number of each token's word."""
    state.put({FROM.key: (names[words[row]],), TO.key: (names[words[column]],)})


def _counterpart(chosen: str, first: Model, model: Model) -> str:
    """Return the choice of heads for another model, whose heads do not correspond: the same number, or the last one, in
    a layer at the same relative depth."""
    if "," in chosen:
        return heads.joined([_counterpart(name.strip(), first, model) for name in chosen.split(",")])
    layer, dot, number = chosen.removeprefix("layer ").partition(".")
    if model == first or not layer.isdigit():
        return chosen
    depth = max(1, shown.same_depth(int(layer), first, model))
    return f"{depth}.{min(int(number), model.facts.heads)}" if dot else f"layer {depth}"


def _forget_control() -> None:
    """Clear the control sentence of an example if the sentence is no longer that of the example."""
    pairs = {(example.get(TWIN.key, WIDE), example.get(TEXT.key, TIRED)) for example in PAIRS.values()}
    of_examples = {control for control, _ in pairs if control}
    if TWIN.value in of_examples and (TWIN.value, TEXT.value) not in pairs:
        state.put({TWIN.key: ""})


def _settle(readings: Readings, model: Model) -> None:
    """Replace chosen words that this sentence does not contain by words of this sentence."""
    words = readings.now.words
    source = tuple(word for word in FROM.value if word in words) or (default_source(readings.now),)
    target = tuple(word for word in TO.value if word in words)
    if not target:
        target = (default_target(readings.now, model.open(), source=source),)
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


def _head_set(every: tuple[str, ...]) -> None:
    """Show the list of the heads that are averaged; heads that this model does not have are removed."""
    known = tuple(name for name in HEAD_SET.value if name in every)
    if known != tuple(HEAD_SET.value):
        HEAD_SET.correct(known)
    key = "attention_heads_of_set"
    st.session_state[key] = list(known)
    st.multiselect(
        "Heads to average (layer.head)",
        every,
        max_selections=MOST_HEADS,
        key=key,
        on_change=lambda: state.put({HEAD_SET.key: tuple(st.session_state[key])}),
        placeholder="Choose heads, or click on them in the map of all heads",
    )


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
