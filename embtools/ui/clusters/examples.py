"""What the Clusters page offers in one click, and the keys of its fields."""

from typing import Any

from embtools.words import groups
from embtools.words.groups import FIGURE_1, PRESETS

OWN, VOCABULARY = "own words", "whole vocabulary"
LISTS = (*PRESETS, OWN, VOCABULARY)
STATIC, SENTENCE = "static embedding", "in a sentence"
SENTENCES = {
    FIGURE_1: "{word} is a city.",
    "cities of 15 countries": "{word} is a city.",
    "capitals by continent": "{word} is a capital.",
    "animals": "The {word} is an animal.",
    "professions": "I talked to the {word}.",
    "sports": "Their favourite sport is {word}.",
    "verbs by tense": "They {word} every day.",
    "numbers": "There are {word} of them.",
    "months": "It happened in {word}.",
    OWN: "This is about {word}.",
    VOCABULARY: "This is about {word}.",
}
_STARTER = "fruit: apple, pear, orange, cherry\ntools: hammer, knife, axe, needle\nrivers: rhine, danube, thames, nile"
_DEFAULTS: dict[str, Any] = {
    "only": "",
    "formulas": "",
    "pieces": "leave out",
    "source": STATIC,
    "shuffle": False,
    "method": "t-SNE",
    "dimensions": 2,
    "metric": "cosine",
    "centre": False,
    "normalise": False,
    "perplexity": 5,
    "start": "pca",
    "seed": 0,
    "stability": False,
    "x": "she - he",
    "y": "rich - poor",
    "colour": "group",
    "label": "word",
    "find": "",
    "pick": "",
    "found": 0,
    "density": False,
    "beside": "nothing",
}


def words_key(name: str) -> str:
    """The key of the text field of a list: each list has its own, so that a link to a list needs no words in it."""
    return f"clusters_words_{name.replace(' ', '_')}"


def sentence_key(name: str) -> str:
    """The key of the sentence that goes with a list."""
    return f"clusters_sentence_{name.replace(' ', '_')}"


def text(name: str) -> str:
    """The words of a list as they stand in its field; a start for the visitor's own."""
    return groups.write_groups(groups.preset(name)) if name in PRESETS else _STARTER


def _example(name: str = FIGURE_1, **changes: Any) -> dict[str, Any]:
    """Every field at its default, except those named: an example sets the whole page."""
    state = {f"clusters_{key}": value for key, value in (_DEFAULTS | {"list": name} | changes).items()}
    return state | ({} if name == VOCABULARY else {words_key(name): text(name), sentence_key(name): SENTENCES[name]})


_MIXED = tuple(
    word
    for name in ("months", "numbers", "animals", "sports")
    for word in [w for _, members in groups.preset(name) for w in members][:12]
)
EXAMPLES = {
    "Cities of Figure 1": _example(),
    "Rome moved to France": _example(
        "cities of 15 countries", formulas="rome = rome - italy + france", pick="rome, rome - italy + france"
    ),
    "Cities in a sentence": _example("cities of 15 countries", source=SENTENCE),
    "Work on two axes": _example("professions", method="axes"),
    "Numbers": _example("numbers", method="PCA"),
    "Verbs by tense": _example("verbs by tense", method="PCA"),
    "Shuffled countries": _example(method="group means", shuffle=True),
    "Four kinds without labels": _example(OWN, found=4, colour="found clusters", density=True)
    | {words_key(OWN): groups.write_groups((("everything", _MIXED),))},
    "Whole vocabulary": _example(VOCABULARY, method="PCA", label="nothing", find="*ology, *ism"),
}
RESET = EXAMPLES["Cities of Figure 1"]
