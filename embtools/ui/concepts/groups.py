"""What the tabs about directions share: the fields of two groups, of a layer and a method, and how they are asked."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from embtools import wordlists
from embtools.concepts.groups import LEAST, MOST, TEMPLATE, WHOLE, list_of, lists
from embtools.spaces.two_groups import DIFFERENCE, LOGISTIC, PAIRS
from embtools.tables.columns import listed_again
from embtools.ui import captions, entry, fields, figures, long_work, running, shown, spelling, state, uploads
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.running import Answer
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
FIRST_GROUP = Text("concepts_first", BAD, 3_000)
SECOND_GROUP = Text("concepts_second", GOOD, 3_000)
_LABELLED = wordlists.load("labelled_sentences")
PRESENT, PAST = ("\n".join(_LABELLED.query("label == @tense")["sentence"]) for tense in ("present", "past"))
FIRST_SENTENCES = Text("concepts_first_sentences", PRESENT, 10_000)
SECOND_SENTENCES = Text("concepts_second_sentences", PAST, 10_000)
WORDS, SENTENCES = "Words", "Sentences"
SOURCE = Choice("concepts_source", WORDS, {"words": WORDS, "sentences": SENTENCES})
SENTENCE = Text("concepts_template", TEMPLATE, 300)
LAYER = Choice("concepts_layer", "layer 4", keys={str(layer): f"layer {layer}" for layer in range(49)})
METHODS = {"Difference of means": DIFFERENCE, "Logistic regression": LOGISTIC, "Component of pairs": PAIRS}
METHOD = Choice(
    "concepts_method", "Difference of means", dict(zip(("difference", "logistic", "pairs"), METHODS, strict=True))
)
METHOD_HELP = (
    "The component of pairs is the first principal component of all pairs, each centred at its own mean. Both"
    " groups need the same number of words or sentences, in the same order: the first of one group and the first of the"
    " other are a pair, and so on."
)
SEED = Number("concepts_seed", 0, 0, 9_999, 1)
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


def draw(models: Models, *, with_method: bool = True) -> Any:
    """Draw the fields of the groups, the layer and the method; return the container for errors."""
    if _of_sentences():
        what = "sentences, one per line. The vector of a sentence is the mean over its tokens"
    else:
        what = "words, separated by commas"
    help_ = f"{LEAST} to {MOST} {what}. More items give narrower intervals."
    beside = st.columns(2, gap="small") if len(models) > 1 else [st.container(), st.container()]
    for container, label, field in zip(beside, ("First group", "Second group"), group_fields(), strict=True):
        with container:
            entry.text_area(label, height=84, help=help_, **field.widget)
            uploads.say(*listed_again(items(field.value), "sentence" if _of_sentences() else "word"))
    problems = st.container()
    names = tuple(f"layer {number}" for number in range(models[0].facts.layers + 1))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        help_ = "Each word is read in a sentence (see Advanced settings)."
        st.selectbox("Groups of", help=help_, width=132, **SOURCE.widget)
        st.selectbox("Layer", help="Layer 0 is the embedding output.", width=116, **LAYER.among(names, names[-1]))
        if with_method:
            st.selectbox("Direction", help=METHOD_HELP, width=190, **METHOD.widget)
    return problems


def items(text: str) -> tuple[str, ...]:
    """Return the words or sentences of the text of a group."""
    return fields.lines(text) if _of_sentences() else fields.words(text)


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


def ask(
    name: str,
    button: tuple[str, str],
    query: Callable[[Model], Call],
    models: Models,
    effort: tuple[Callable[..., float], str],  # what returns the seconds, and the arguments of the query that it takes
    **options: Any,
) -> Sequence[Answer[Any]]:
    """Return the answers, as `running.ask`; none while long work waits for its `button` (name and text)."""
    function, names = effort

    def seconds(call: Call) -> Call:
        return Call(function, **{each: call[each] for each in names.split()})

    if not long_work.may_begin(*button, query, models, seconds):
        return ()
    return running.ask(name, query, models, **options)


def settings(*numbers: tuple[str, Number], own: Callable[[], None] | None = None) -> None:
    """Draw what is changed less often in an expander: built-in groups, the sentence of the words, numbers with their
    labels, the seed, and what `own` draws."""
    with figures.expander("concepts-settings", "Advanced settings", ":material/tune:") as opened:
        if not opened:
            return
        if not _of_sentences():
            _picker()
            entry.text_input("Read each word in", help="A sentence with {word}.", **SENTENCE.widget)
        with st.container(horizontal=True, gap="small"):
            for label, field in (*numbers, ("Seed", SEED)):
                entry.number_input(label, **field.widget)
        if own:
            own()


def _picker() -> None:
    """Draw the choice of two built-in groups; those whose words are in the fields are selected."""
    key = "concepts-list"

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
        " 2016) and the words of the tab Probe.",
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
