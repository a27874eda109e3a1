"""The fields of the Clusters page, and the words and the view that they describe."""

from dataclasses import replace
from typing import Any

from embtools.charts.maps import FOUND as FOUND_CLUSTERS
from embtools.charts.maps import SCALES
from embtools.clusters import kmeans, lookup
from embtools.clusters.map_result import Map
from embtools.clusters.maps import MAX_TSNE
from embtools.clusters.points import Words, words_of_file
from embtools.clusters.view import View
from embtools.models.catalogue import MAX_LAYERS
from embtools.models.vectors_as_model import CONTEXT, Vectors
from embtools.ui import captions, fields, running, shown, spelling, state
from embtools.ui.call import Call
from embtools.ui.corpora import text_vectors
from embtools.ui.fields import Choice, Field, Flag, Number, Text
from embtools.ui.shown import Model
from embtools.ui.spaces import Spaces
from embtools.ui.vectors_of import BOTH, FILE, MODEL, VectorsOf
from embtools.words import groups
from embtools.words.groups import FIGURE_1, MAX_CHARACTERS, PRESETS

OWN, VOCABULARY = "own words", "whole vocabulary"
LISTS = dict(
    zip(
        ("figure1", "cities", "capitals", "animals", "professions", "sports", "verbs", "numbers", "months"),
        PRESETS,
        strict=True,
    )
) | {"own": OWN, "vocabulary": VOCABULARY}
"""The lists by their permanent keys."""
STATIC, SENTENCE = "static embedding", "in a sentence"
NOTHING = "nothing"
MOST_DRAWN = 1_000  # words of a sample of a file
_AROUND = {
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


def _key(kind: str, name: str) -> str:
    """The key of a list's own field. Each list has one, so that a link to a list need not contain its words."""
    return f"clusters_{kind}_{next(key for key, option in LISTS.items() if option == name)}"


LIST = Choice("clusters_list", FIGURE_1, LISTS)
TYPED = {
    name: Text(_key("words", name), groups.write_groups(groups.preset(name)) if name in PRESETS else _STARTER,
               most=MAX_CHARACTERS)
    for name in (*PRESETS, OWN)
}  # fmt: skip
TEMPLATES = {name: Text(_key("sentence", name), sentence) for name, sentence in _AROUND.items()}
# One field per model depth: the default is the middle layer, which differs between models.
LAYERS = {n: Number(f"clusters_layer_{n}", n // 2, 0, n, 1) for n in range(1, MAX_LAYERS + 1)}
LABELS = Choice("clusters_labels", "")  # the name of a column of the file; "" is the first one
SAMPLE = Flag("clusters_sample", True)
FORMULAS = Text("clusters_formulas")
SOURCE = Choice("clusters_source", STATIC, {"static": STATIC, "sentence": SENTENCE})
PIECES = Choice("clusters_pieces", "leave out", {"leave-out": "leave out", "mean": "mean", "first": "first"})
ONLY = Text("clusters_only", most=MAX_CHARACTERS)
SHUFFLE = Flag("clusters_shuffle")
METHOD = Choice("clusters_method", "t-SNE", {"tsne": "t-SNE", "pca": "PCA", "axes": "axes", "means": "group means"})
PERPLEXITY = Number("clusters_perplexity", 5, 1, 50, 1)
DIMENSIONS = Choice("clusters_dimensions", "2", ("2", "3"))
METRIC = Choice("clusters_metric", "cosine", ("cosine", "euclidean"))
CENTRE, NORMALISE = Flag("clusters_centre"), Flag("clusters_normalise")
START = Choice("clusters_start", "pca", ("pca", "random"))
SEED = Number("clusters_seed", 0, 0, 9999, 1)
AXES = (Text("clusters_x", "she - he"), Text("clusters_y", "rich - poor"), Text("clusters_z", "old - young"))
STABILITY, DENSITY = Flag("clusters_stability"), Flag("clusters_density")
BESIDE = Choice("clusters_beside", NOTHING, {"nothing": NOTHING, "pca": "PCA", "tsne": "t-SNE", "means": "group means"})
FOUND = Number("clusters_found", 0, 0, kmeans.MAX_FOUND, 1)
PROCESSED = Spaces("clusters")
RAW = Flag("clusters_raw")  # next to a processed space
COLOUR = Choice(
    "clusters_colour",
    "group",
    {"group": "group", "found": FOUND_CLUSTERS, **dict(zip(("rank", "kept", "stability"), SCALES, strict=True))},
)
LABEL = Choice(
    "clusters_label", "word", {"word": "word", "group": "group", "found": FOUND_CLUSTERS, "nothing": NOTHING}
)
FIND, PICK = Text("clusters_find", most=lookup.MAX_LETTERS), Text("clusters_pick")
PANEL = Choice("clusters_panel", "Words", {"words": "Words", "map": "Settings", "selected": "Selected"})


def _renewed(vectors: Vectors | None) -> None:
    """Choose all words of a file when it comes, and a list of the model's words when it goes."""
    if vectors is not None:
        state.put({LIST.key: VOCABULARY, ONLY.key: "", PICK.key: ""})
    elif LIST.value == VOCABULARY:
        state.put({LIST.key: LIST.default, ONLY.key: "", PICK.key: ""})


OF = VectorsOf("clusters", _renewed, more=text_vectors.MORE)
FIELDS: tuple[Field, ...] = (
    *OF.fields, LABELS, SAMPLE, LIST, *TYPED.values(), *TEMPLATES.values(), *LAYERS.values(), FORMULAS, SOURCE,
    PIECES, ONLY, SHUFFLE,
    METHOD, PERPLEXITY, DIMENSIONS, METRIC, CENTRE, NORMALISE, START, SEED, *AXES, STABILITY, DENSITY, BESIDE, FOUND,
    COLOUR, LABEL, FIND, PICK, PANEL, *PROCESSED.fields, RAW,
)  # fmt: skip


def caption(drawn: Map | None = None) -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names; of a map, its own settings."""
    if OF.source.value not in (MODEL, FILE, BOTH):
        return (drawn.settings,) if drawn else ()
    name, inside = LIST.value, SOURCE.value == SENTENCE and not OF.only_file
    typed = () if name == VOCABULARY else (TYPED[name],)
    axes = AXES[: int(DIMENSIONS.value)] if METHOD.value == "axes" else ()
    return (
        *OF.caption(),
        *typed,
        *((TEMPLATES[name],) if inside else ()),
        FORMULAS,
        *axes,
        *(() if edited() or (OF.file and name == VOCABULARY) else (captions.Setting("list", LIST),)),
        captions.changed("words of several tokens", PIECES),
        captions.changed("groups shuffled", SHUFFLE),
        PROCESSED.caption(possible=not inside),
        *((drawn.settings,) if drawn else ()),
    )


def edited() -> bool:
    """Whether the groups of a built-in list were changed, so that its name would be wrong."""
    name = LIST.value
    return name not in (VOCABULARY, OWN) and TYPED[name].value != TYPED[name].default


def words(model: Model, first: Model) -> Words:
    """Return the words that the fields describe, as this model spells them, with the layer at the depth chosen for the
    `first` model; raises ValueError for texts that cannot be read."""
    name, inside = LIST.value, in_sentence(model)
    if OF.source.value not in (MODEL, FILE, BOTH):  # all that the source has
        return Words(None, only=groups.read_words(ONLY.value), shuffled=int(SEED.value) if SHUFFLE.value else None)
    everything: dict[str, Any] = {}
    if name == VOCABULARY and (file := OF.file):
        everything = {"label": str(LABELS.value), "sample": MOST_DRAWN if SAMPLE.value and has_many(file) else 0}
    if everything and model.vectors is None:  # the words of the file in the model
        listed = running.run(Call(words_of_file, file=file, **everything), model)
        everything = {}
    else:
        listed = None if name == VOCABULARY else groups.read_groups(spelling.text(TYPED[name], model.name))
    return Words(
        listed,
        only=groups.read_words(ONLY.value),
        formulas=tuple(dict.fromkeys(fields.lines(spelling.text(FORMULAS, model.name)))),
        pieces=PIECES.value,
        template=(TEMPLATES[name].value or " ") if inside else "",  # an empty sentence is an error, not no sentence
        layer=shown.same_depth(int(LAYERS[first.facts.layers].value), first, model) if inside else 0,
        shuffled=int(SEED.value) if SHUFFLE.value else None,
        **everything,
    )


def in_sentence(model: Model) -> bool:
    """Whether the words are read in a sentence, which only a model can do."""
    return SOURCE.value == SENTENCE and model.vectors is None


def label_columns() -> tuple[str, ...]:
    """The columns of labels of the file, if there are any."""
    return tuple(name for name, _ in OF.file.labels if name != CONTEXT) if OF.file else ()


def has_many(file: Vectors | None) -> bool:
    """Whether a file has so many words that they are all shown only by a projection."""
    return file is not None and len(file) > MAX_TSNE


def view(model: Model) -> View:
    """Return the settings of the map that the fields describe, with axes as this model spells their words."""
    method, dimensions = METHOD.value, int(DIMENSIONS.value)
    chosen = View(method, dimensions, METRIC.value, CENTRE.value, NORMALISE.value, seed=int(SEED.value))
    if method == "t-SNE":
        return replace(chosen, perplexity=float(PERPLEXITY.value), start=START.value)
    if method == "axes":
        return replace(chosen, axes=tuple(spelling.text(axis, model.name) for axis in AXES[:dimensions]))
    return chosen


def preview(query: Call) -> Call:
    """Return the query shown until a slow map is started: static embeddings, and PCA instead of t-SNE."""
    seen: View = query["view"]
    pca = View("PCA", seen.dimensions, seen.metric, seen.centre, seen.normalise, seed=seen.seed)
    return query.but(words=replace(query["words"], template="", layer=0), view=pca if seen.method == "t-SNE" else seen)


def only_words(chosen: tuple[str, ...]) -> dict[str, Any]:
    """Return the field values for a map of these words only; no words: a map of all words again."""
    return {ONLY.key: groups.write_words(chosen), PICK.key: ""}
