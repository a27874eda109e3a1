"""The fields that all panels of Directions share: two groups of words or sentences, a layer and a method."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from embtools import wordlists
from embtools.directions.groups import LEAST, MOST, TEMPLATE, WHOLE
from embtools.directions.lists import list_of, lists
from embtools.spaces.two_groups import DIFFERENCE, LOGISTIC, PAIRS
from embtools.tables.columns import listed_again
from embtools.ui import captions, entry, fields, figures, shown, spelling, state, uploads
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.shown import Model, Models

BAD = (
    "bad, terrible, awful, horrible, ugly, nasty, sad, worthless, disgusting, stupid, dreadful, unpleasant, miserable,"
    " poor, pathetic, boring, cruel, hostile, clumsy, rotten, dark, wrong, bitter, cold"
)
GOOD = (
    "good, great, excellent, wonderful, beautiful, nice, happy, perfect, amazing, brilliant, lovely, pleasant,"
    " delightful, fantastic, superb, charming, kind, friendly, elegant, fresh, bright, fine, sweet, warm"
)
MALE = (
    "he, him, his, man, boy, king, prince, father, son, brother, uncle, husband, actor, nephew, grandfather, gentleman,"
    " lord, duke, sir, hero"
)
FEMALE = (
    "she, her, hers, woman, girl, queen, princess, mother, daughter, sister, aunt, wife, actress, niece, grandmother,"
    " lady, waitress, duchess, madam, heroine"
)
ONE = (
    "cat, dog, house, car, tree, book, king, city, river, hand, eye, friend, ship, stone, bird, song, door, window,"
    " road, game, table, letter, island, doctor"
)
MANY = (
    "cats, dogs, houses, cars, trees, books, kings, cities, rivers, hands, eyes, friends, ships, stones, birds, songs,"
    " doors, windows, roads, games, tables, letters, islands, doctors"
)
FIRST_GROUP = Text("directions_first", BAD, 3_000)
SECOND_GROUP = Text("directions_second", GOOD, 3_000)
_LABELLED = wordlists.load("labelled_sentences")
PRESENT, PAST = ("\n".join(_LABELLED.query("label == @tense")["sentence"]) for tense in ("present", "past"))
FIRST_SENTENCES = Text("directions_first_sentences", PRESENT, 10_000)
SECOND_SENTENCES = Text("directions_second_sentences", PAST, 10_000)
WORDS, SENTENCES = "Words", "Sentences"
SOURCE = Choice("directions_source", WORDS, {"words": WORDS, "sentences": SENTENCES})
SENTENCE = Text("directions_template", TEMPLATE, 300)
LAYER = Choice("directions_layer", "layer 4", keys={str(layer): f"layer {layer}" for layer in range(49)})
METHODS = {"Difference of means": DIFFERENCE, "Logistic regression": LOGISTIC, "Component of pairs": PAIRS}
METHOD = Choice(
    "directions_method", "Difference of means", dict(zip(("difference", "logistic", "pairs"), METHODS, strict=True))
)
METHOD_HELP = (
    "The component of pairs is the first principal component of all pairs, each centred at its own mean. Both"
    " groups need the same number of words or sentences, in the same order: the first of one group and the first of the"
    " other are a pair, and so on."
)
SEED = Number("directions_seed", 0, 0, 9_999, 1)
FIELDS = (SOURCE, FIRST_GROUP, SECOND_GROUP, FIRST_SENTENCES, SECOND_SENTENCES, SENTENCE, LAYER, SEED)


def examples(
    male_female: Mapping[str, Any], one_many: Mapping[str, Any], tenses: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return the examples of a panel: the built-in groups with these values of the panel's own fields."""
    return {
        "Bad and good": {},
        "Male and female": {FIRST_GROUP.key: MALE, SECOND_GROUP.key: FEMALE, **male_female},
        "One and many": {FIRST_GROUP.key: ONE, SECOND_GROUP.key: MANY, **one_many},
        "Present and past sentences": {SOURCE.key: SENTENCES, **tenses},
    }


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names of the shared fields."""
    settings = captions.Setting("vectors", LAYER), captions.changed("seed", SEED)
    return (*group_fields(), *settings) if _of_sentences() else (*group_fields(), SENTENCE, *settings)


def bar(sentences: Text | None = None) -> Any:
    """Draw the fields of the groups, with one for sentences next to them; return the container for errors."""
    first, second, *others = st.columns(3 if sentences else 2, gap="small")
    if _of_sentences():
        what = "sentences, one per line. The vector of a sentence is the mean over its tokens"
    else:
        what = "words, separated by commas"
    help_ = f"{LEAST} to {MOST} {what}. More items give narrower intervals."
    for container, label, field in zip((first, second), ("First group", "Second group"), group_fields(), strict=True):
        with container:
            entry.text_area(label, height=84, help=help_, **field.widget)
            uploads.say(*listed_again(items(field.value), "sentence" if _of_sentences() else "word"))
    if sentences:
        with others[0]:
            entry.text_area("Sentences with [MASK], one per line", height=84, **sentences.widget)
    return st.container()


def items(text: str) -> tuple[str, ...]:
    """Return the words or sentences of the text of a group."""
    return fields.lines(text) if _of_sentences() else fields.words(text)


def layer(models: Models) -> None:
    """Draw the field of the layer, as narrow as its options."""
    names = tuple(f"layer {number}" for number in range(models[0].facts.layers + 1))
    st.selectbox("Layer", help="Layer 0 is the embedding output.", width=116, **LAYER.among(names, names[-1]))


def source() -> None:
    """Draw the field of what the groups consist of, as narrow as its options."""
    st.selectbox(
        "Groups of", help="Each word is read in a sentence (see Advanced settings).", width=132, **SOURCE.widget
    )


def arguments(model: Model, models: Models) -> dict[str, Any]:
    """Return the shared arguments of a query about the groups in the fields, with a layer at the same depth."""
    chosen = int(LAYER.value.removeprefix("layer "))
    one, other = (tuple(dict.fromkeys(items(spelling.text(field, model.name)))) for field in group_fields())
    return {
        "first": one,
        "second": other,
        "template": WHOLE if _of_sentences() else spelling.text(SENTENCE, model.name),
        "layer": shown.same_depth(chosen, models[0], model),
        "seed": int(SEED.value),
    }


def first(function: Callable[..., Any], **more: Any) -> Callable[[Model], Call]:
    """Return the query about the first example, as a function of the model."""

    def of_model(model: Model) -> Call:
        default = int(LAYER.default.removeprefix("layer "))
        one, other = (
            fields.words(spelling.quietly(field.default, model.name)) for field in (FIRST_GROUP, SECOND_GROUP)
        )
        layer = min(default, model.facts.layers)
        return Call(function, first=one, second=other, template=SENTENCE.default, layer=layer, seed=0, **more)

    return of_model


def settings(
    name: str = "", number: Number | None = None, *, more: bool = False, own: Callable[[], None] | None = None
) -> None:
    """Draw what is changed less often in an expander: built-in groups, the sentence of the words, a number, the seed.

    The number is one of the panel, if it has one. `more` adds what the groups consist of and how the direction is
    found, for a panel that has no room for these fields above its chart on a phone. `own` draws another field of the
    panel.
    """
    with figures.expander("directions-settings", "Advanced settings", ":material/tune:") as opened:
        if opened:
            listed, sentence, *numbers = st.columns([2, 2, 1, 1], gap="small")
            if not _of_sentences():
                with listed:
                    _picker()
                with sentence:
                    help_ = "A sentence with {word}."
                    entry.text_input("Read each word in", help=help_, **SENTENCE.widget)
            for column, (label, field) in zip(numbers, ((name, number), ("Seed", SEED)), strict=True):
                if field is None:
                    continue
                with column:
                    entry.number_input(label, **field.widget)
            if more:
                source()
                st.segmented_control("Direction", required=True, help=METHOD_HELP, **METHOD.widget)
            if own:
                own()


def _picker() -> None:
    """Draw the choice of two built-in groups; those whose words are in the fields are selected."""
    key = "directions-list"

    def choose() -> None:
        if name := st.session_state[key]:
            state.put(values_of(name))

    st.session_state[key] = list_of(fields.words(FIRST_GROUP.value), fields.words(SECOND_GROUP.value))
    st.selectbox(
        "Groups from a list",
        list(lists()),
        index=None,
        key=key,
        on_change=choose,
        placeholder="Your own words",
        help="Lists from other pages: the published tests of the Bias page (Caliskan et al. 2017, Bolukbasi et al."
        " 2016) and the words of the Probing page.",
    )


def values_of(name: str) -> dict[str, str]:
    """Return the field values of a built-in list."""
    return {
        field.key: ", ".join(words) for field, words in zip((FIRST_GROUP, SECOND_GROUP), lists()[name], strict=True)
    }


def button_texts() -> list[dict[str, str]]:
    """Return the field values of all built-in lists."""
    return [values_of(name) for name in lists()]


def _of_sentences() -> bool:
    return bool(SOURCE.value == SENTENCES)


def group_fields(source: str | None = None) -> tuple[Text, Text]:
    """Return the fields of both groups for a source; None: the chosen one."""
    of_sentences = _of_sentences() if source is None else source == SENTENCES
    return (FIRST_SENTENCES, SECOND_SENTENCES) if of_sentences else (FIRST_GROUP, SECOND_GROUP)
