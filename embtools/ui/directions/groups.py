"""The fields that all panels of the Directions page share: two groups of words, a sentence, a layer and a method."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from embtools.directions.groups import DIFFERENCE, LEAST, LOGISTIC, MOST, PAIRS, TEMPLATE
from embtools.directions.lists import list_of, lists
from embtools.ui import captions, fields, figures, shown, spelling, state
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
SENTENCE = Text("directions_template", TEMPLATE, 300)
LAYER = Choice("directions_layer", "layer 4", keys={str(layer): f"layer {layer}" for layer in range(49)})
METHODS = {"Difference of means": DIFFERENCE, "Logistic regression": LOGISTIC, "Component of pairs": PAIRS}
METHOD = Choice(
    "directions_method", "Difference of means", dict(zip(("difference", "logistic", "pairs"), METHODS, strict=True))
)
METHOD_HELP = (
    "The component of pairs is the first principal component of all pairs, each centred at its own mean. It needs"
    " the same number of words in both groups, in the order of the pairs."
)
SEED = Number("directions_seed", 0, 0, 9_999, 1)
FIELDS = (FIRST_GROUP, SECOND_GROUP, SENTENCE, LAYER, SEED)


def examples(male_female: Mapping[str, Any], one_many: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the examples of a panel: the built-in groups with these values of the panel's own fields."""
    return {
        "Bad and good": {},
        "Male and female": {FIRST_GROUP.key: MALE, SECOND_GROUP.key: FEMALE, **male_female},
        "One and many": {FIRST_GROUP.key: ONE, SECOND_GROUP.key: MANY, **one_many},
    }


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names of the shared fields."""
    return FIRST_GROUP, SECOND_GROUP, SENTENCE, captions.Setting("vectors", LAYER), captions.changed("seed", SEED)


def bar(sentences: Text | None = None) -> Any:
    """Draw the fields of the groups, with one for sentences next to them; return the container for errors."""
    first, second, *others = st.columns(3 if sentences else 2, gap="small")
    help_ = f"{LEAST} to {MOST} words, separated by commas. More words give narrower intervals."
    with first:
        st.text_area("First group", height=88, max_chars=FIRST_GROUP.most, help=help_, **FIRST_GROUP.widget)
    with second:
        st.text_area("Second group", height=88, max_chars=SECOND_GROUP.most, help=help_, **SECOND_GROUP.widget)
    if sentences:
        with others[0]:
            st.text_area("Sentences with [MASK], one per line", height=88, max_chars=sentences.most, **sentences.widget)
    return st.container()


def layer(models: Models) -> None:
    """Draw the field of the layer, as narrow as its options."""
    names = tuple(f"layer {number}" for number in range(models[0].facts.layers + 1))
    st.selectbox("Layer", help="Layer 0 is the embedding output.", width=116, **LAYER.among(names, names[-1]))


def arguments(model: Model, models: Models) -> dict[str, Any]:
    """Return the shared arguments of a query about the groups in the fields, with a layer at the same depth."""
    chosen = int(LAYER.value.removeprefix("layer "))
    return {
        "first": _words(FIRST_GROUP, model),
        "second": _words(SECOND_GROUP, model),
        "template": spelling.text(SENTENCE, model.name),
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


def settings(name: str, number: Number, *, method: bool = False) -> None:
    """Draw what is changed less often in an expander: built-in groups, the sentence of the words, a number, the seed.

    The number is one of the panel; `method` adds how the direction is found.
    """
    with figures.expander("directions-settings", "Settings", ":material/tune:") as opened:
        if opened:
            listed, sentence, *numbers = st.columns([2, 2, 1, 1], gap="small")
            with listed:
                _picker()
            with sentence:
                help_ = "A sentence with {word}."
                st.text_input("Read each word in", max_chars=SENTENCE.most, help=help_, **SENTENCE.widget)
            for column, (label, field) in zip(numbers, ((name, number), ("Seed", SEED)), strict=True):
                with column:
                    st.number_input(label, **field.widget)
            if method:
                st.segmented_control("Direction", required=True, help=METHOD_HELP, **METHOD.widget)


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
        help="Lists from other pages: the published tests on Bias (Caliskan et al. 2017, Bolukbasi et al. 2016) and the"
        " words on Probing.",
    )


def values_of(name: str) -> dict[str, str]:
    """Return the field values of a built-in list."""
    return {
        field.key: ", ".join(words) for field, words in zip((FIRST_GROUP, SECOND_GROUP), lists()[name], strict=True)
    }


def button_texts() -> list[dict[str, str]]:
    """Return the field values of all built-in lists."""
    return [values_of(name) for name in lists()]


def _words(field: Text, model: Model) -> tuple[str, ...]:
    return fields.words(spelling.text(field, model.name))
