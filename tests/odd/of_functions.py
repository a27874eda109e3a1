"""Arguments of single functions, by room, name and parameter, where those for every function of a type do not fit."""

from typing import TYPE_CHECKING, Any

from embtools.arithmetic import Relations
from embtools.clusters.view import View
from embtools.concepts import Probes
from embtools.concepts.groups import lists
from embtools.evidence import PairList, Scoring
from embtools.features import sentence_features
from embtools.occurrences.corpus import Corpus
from embtools.tracing import DrawnCases
from tests.odd.arguments import COLOURS, GROUP_TEMPLATE, MASKED, SENSES, SENTENCES

if TYPE_CHECKING:
    from tests.odd.world import World

LABELLED = "\n".join(
    f"{label} | {word} | the {word} is {colour}"
    for label, words in (("a", "king queen man woman rome"), ("b", "italy france paris bank river"))
    for word in words.split()
    for colour in ("red", "green")
)
"""Twenty items of ten words and two labels."""
PAIRS = (("rome", "italy"), ("paris", "france"), ("king", "man"), ("queen", "woman"), ("red", "blue"), ("he", "she"))
TEN = tuple("rome italy france paris king queen man woman he she".split())
TEN_OTHERS = tuple("red green blue the is a of capital bank river".split())
TWENTY = lists()["flowers and insects"]
MINIMAL_PAIRS = PairList(
    "stereoset",
    (
        ("the king is red", "the queen is red", "royal", "the river is red", "king"),
        ("he is a man", "he works a man", "people", "he red a man", "man"),
    ),
)
SMALL = "layer 1, small"
"""The dictionary of the tiny model."""
OF_A_CAPITAL = "{a} is the capital of [MASK] ."
FORMULA = "king - man + woman"
PROBES = ("probe_combinations", "probe_fewer", "probe_layers", "probe_mistakes", "try_probe", "describe_layers")
TRACES = ("two_runs", "trace", "trace_positions", "trace_components", "trace_heads")


def of_each(room: str, names: tuple[str, ...], parameter: str, value: Any) -> dict[str, Any]:
    """The same argument for several functions of a room."""
    return {f"{room}.{name}.{parameter}": value for name in names}


def active_feature(world: "World") -> int:
    found: int = sentence_features(MASKED, world.model, dictionary=SMALL).feature
    return found


OF_FUNCTION: dict[str, Any] = {
    "arithmetic.analogies.relations": Relations(("pronoun",)),
    "arithmetic.answer_rows.rows": ((MASKED, ("rome = rome - italy + france",)), ("he is a ___", ())),
    "arithmetic.edits_by_layer.word": "france",
    "arithmetic.read_table.source": b"sentence,edits\nhe is red,he = she\n",
    **of_each("arithmetic", ("read_edit", "edited_answers"), "edits", ("rome = rome - italy + france",)),
    "attention.whole_layer.tuned": False,
    "bias.compare.sentence": "the king is a man",
    "bias.residual_map.method": "project away",
    "bias.score_occupations.templates": ("{group} is the {occupation}",),
    **of_each("bias", ("group_answers", "lean_curve"), "template", GROUP_TEMPLATE),
    **of_each("bias", ("weat", "seat"), "permutations", 99),
    "clusters.stability.view": View(perplexity=2),
    **of_each("concepts", ("find_direction", "erase", "steer"), "first", TEN),
    **of_each("concepts", ("find_direction", "erase", "steer"), "second", TEN_OTHERS),
    "concepts.steer.first_answers": ("rome", "paris"),
    "concepts.steer.second_answers": ("king",),
    "concepts.sweep.first": TWENTY[0],
    "concepts.sweep.second": TWENTY[1],
    "concepts.try_probe.sentence": "the king is red",
    "concepts.items_table.labels": LABELLED,
    **of_each("concepts", PROBES, "probes", Probes(LABELLED, "first token")),
    "clusters.recovery.corpus": lambda w: Corpus(
        (*SENTENCES, "the bank of paris is red", "a river and a bank is green"),
        tuple(("bank" if s else "", s) for s in (*SENSES, "money", "river")),
    ),
    "clusters.recovery_of_all.corpus": lambda w: w.arguments("clusters.recovery")["corpus"],
    "evidence.dose.strengths": (0.0, 1.0),
    "evidence.minimal_pair.first": "the king is red",
    "evidence.minimal_pair.second": "the queen is red",
    "evidence.pair_battery.how": Scoring(first=2),
    "evidence.pair_battery.pairs": MINIMAL_PAIRS,
    "paper.study.name": "ties",
    "features.clamp.feature": active_feature,
    "features.clamp.text": MASKED,
    "features.features_of_examples.examples": ("king | the king is red", "queen | the queen is red"),
    "features.features_of_word.word": "king",
    "features.patch_formula.text": "the king is [MASK] .",
    "features.patch_word.text": "the bank is [MASK] .",
    "features.patch_formula.formula": FORMULA,
    **of_each("features", ("decompose_formula", "formula_controls", "formula_path"), "text", FORMULA),
    **of_each(
        "features",
        ("clamp", "features_of_examples", "feature_occurrences", "features_of_word", "sentence_features"),
        "dictionary",
        SMALL,
    ),
    "inputs.list_entries.pattern": "king",
    "inputs.rearrange.texts": ("a bank is red", "the bank is [MASK]"),
    "inputs.round_trip.sentence": "the king is [MASK] .",
    **of_each(
        "inputs",
        ("pieces", "compare_positions", "compare_words", "follow_dimension"),
        "texts",
        ("the bank is [MASK]", "a bank is red"),
    ),
    "clusters.own_analogy.words": ("man", "king", "woman", "queen"),
    "similarity.group_means.text": "cities: rome, paris\ncolours: red, blue",
    "similarity.odd_by_space.words": ("red", "green", "blue", "king"),
    "layers.fifty_words.words": 4,
    "layers.layer_similarity.sentences": ("the king is a man of rome and the queen is a woman of italy",) * 3,
    **of_each(
        "layers",
        ("one_word", "combinations", "segment_ids"),
        "lines",
        (
            "river | the bank is blue",
            "money | the bank works in paris",
            "river | a green bank is blue",
            "money | she is a bank",
        ),
    ),
    "mask_filling.edited_model.edits": ("rome = rome - italy + france",),
    "mask_filling.relation.key": "capital",
    "models.load_model.name": "bundled",
    "similarity.nearest_words.word": "red",
    "clusters.cluster_sentences.count": 2,
    "similarity.black_sheep.colours": ("red", "green"),
    "similarity.black_sheep.template": "the {word} is [MASK] .",
    **of_each("similarity", ("pair", "path"), "first", "red"),
    **of_each("similarity", ("pair", "path"), "second", "green"),
    **of_each("similarity", ("compare_answers", "compare_colours"), "words", COLOURS),
    "tracing.average.cases": DrawnCases(PAIRS, sentence=OF_A_CAPITAL, count=4),
    **of_each("tracing", TRACES, "edits", ("rome = rome - 9 * italy + 9 * france",)),  # an effect far from zero
    **of_each("tracing", TRACES, "text", MASKED),
    "words.preset.name": "months",
}
