"""Arguments that work, by the type of a parameter, or by its type and its name. A function makes one of the world."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from embtools import chance
from embtools.attention.tasks import Case
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.corpus.search import Query
from embtools.formula.parser import parse, parse_equation
from embtools.inputs.masking import Rule
from embtools.mask_filling.edits import Change
from embtools.models.switching import Off
from embtools.occurrences.corpus import Corpus
from embtools.paper.measured import Figure, Measured
from embtools.probing.items import Item
from embtools.similarity.odd_words import Puzzle
from embtools.spaces.space import Space
from embtools.statistics.permutations import Mantel
from tests.features import made as learned_dictionary

if TYPE_CHECKING:
    from tests.odd.world import World

SENTENCES = (
    "the king of italy is a man", "a queen of france is a woman", "she is the queen of rome", "he works as a king",
    "the red river is green and the bank is blue", "rome is the capital of italy", "paris is the capital of france",
    "a green bank is as blue as the river", "the bank works in paris", "she is a bank",
)  # fmt: skip
SENSES = ("", "", "", "", "river", "", "", "river", "money", "money")
MASKED = "rome is the capital of [MASK] ."
GROUPS = (("cities", ("rome", "paris")), ("people", ("king", "queen")), ("colours", ("red", "green", "blue")))
COLOURS = ("red", "green", "blue", "white", "black")
WORDS = ("red", "green", "blue", "king", "queen")
X, Y, A, B = ("rome", "paris"), ("king", "queen"), ("italy", "france"), ("man", "woman")
TEMPLATE = "the {word} is red"
GROUP_TEMPLATE = "the {group} works as a [MASK] ."


def made(name: str, part: str = "") -> "Callable[[World], Any]":
    """What another function gives for the arguments for which it works, or a part of it."""
    return lambda world: getattr(world.result(name), part) if part else world.result(name)


def vectors(n: int, d: int = 16, seed: int = 0) -> "Callable[[World], Any]":
    """The same n vectors in each run."""
    return lambda world: chance.generator(seed).normal(size=(n, d)).astype(np.float32)


def vector(seed: int = 0) -> "Callable[[World], Any]":
    """The same vector in each run."""
    return lambda world: vectors(1, seed=seed)(world)[0]


def distances(n: int, seed: int = 0) -> "Callable[[World], Any]":
    """The distances (n, n) between some points."""

    def table(world: "World") -> Any:
        points = chance.generator(seed).normal(size=(n, 3))
        return np.linalg.norm(points[:, None] - points, axis=-1)

    return table


def labelled_words(world: "World") -> tuple[Item, ...]:
    """Twenty items of ten words and two labels."""
    return tuple(
        Item(f"the {word} is {colour}", label, word)
        for label, words in (("a", "king queen man woman rome"), ("b", "italy france paris bank river"))
        for word in words.split()
        for colour in ("red", "green")
    )


BY_TYPE: dict[str, Any] = {
    "EmbeddingModel": lambda w: w.model,
    "Callable[[float], None]": lambda w: lambda done: None,
    "Corpus": lambda w: Corpus(SENTENCES, tuple(("bank" if s else "", s) for s in SENSES)),
    "Corpus | CorpusFolder": lambda w: Corpus(SENTENCES, tuple(("bank" if s else "", s) for s in SENSES)),
    "View": View(method="PCA", perplexity=3),
    "Space": Space("centred"),
    "Change": lambda w: Change.of(["rome = rome - italy + france"]),
    "Equation": lambda w: parse_equation("rome = rome - italy + france"),
    "Sequence[Equation]": lambda w: (parse_equation("rome = rome - italy + france"),),
    "Number | Word | Call": lambda w: parse("king - man + woman"),
    "str | Number | Word | Call": "king - man + woman",
    "Words": Words(GROUPS, shuffled=0),
    "Query": Query("bank"),
    "Rule": Rule(),
    "Case": Case("rome is", (((1,), (2,)),)),
    "Sequence[Case]": (Case("rome is", (((1,), (2,)),)), Case("rome is", (((2,), (1,)),))),
    "tuple[str, str]": ("one", "two"),
    "tuple[str, str, str, str]": ("a", "b", "c", "d"),
    "tuple[str, str, str]": ("king", "man", "woman"),
    "Generator": lambda w: chance.generator(0),
    "Mantel": Mantel(0.5, 0.01, 99),
    "Sized": (1, 2, 3),
    "Sequence[Puzzle]": (Puzzle(("red", "green", "blue", "king"), "king"),),
    "tuple[str, ...]": SENTENCES[4:9],
    "CorpusFolder": lambda w: w.folder,
    "tuple[Item, ...]": labelled_words,
    "Sequence[Item]": labelled_words,
    "Points": made("clusters.points.read"),
    "Population": made("isotropy.population.population"),
    "Reading": made("attention.reading.read"),
    "Readings": made("attention.reading.read_all"),
    "Terms": made("inputs.input_terms.terms"),
    "Comparison": made("layers.comparisons.compare_word"),
    "Experiment": made("arithmetic.controls.experiment"),
    "Dictionary": made("decomposition.dictionary.of_occurrences"),
    "PatchSite": made("decomposition.patching.patch_site"),
    "Target": made("decomposition.targets.occurrence"),
    "Parts": made("decomposition.parts.decompose"),
    "Similarity": made("similarity.matrix.compare_words"),
    "Association": made("bias.association.weat"),
    "GroupAnswers": made("bias.groups.group_answers"),
    "Occurrences": made("occurrences.encoding.encode_corpus"),
    "Moments": made("spaces.moments.moments"),
    "Attribution": made("attention.attribution.attribute"),
    "Nearest": made("corpus.search.nearest"),
    "Positions": made("inputs.position_vectors.positions"),
    "Measures": made("spaces.measures.measure"),
    "RandomPairs": made("pairs.random_pairs.random_pairs"),
    "Answers": made("pairs.questions.compare_answers"),
    "NextSentence": made("pairs.next_sentence.with_controls"),
    "Features": made("probing.features.read_features"),
    "ColourAnswers": made("similarity.answers.ask_most_similar"),
    "Steps": made("attention.head_steps.steps"),
    "LayerSteps": made("models.layer_steps.layer_steps"),
    "Sequence[Off]": (Off(1), Off(2, neurons=(3,))),
    "Mitigation": made("bias.mitigated.mitigate"),
    "Occupations": made("bias.occupations.score_occupations"),
    "Methods": made("bias.methods.compare_methods"),
    "GroupDimensions": made("clusters.group_dimensions.group_dimensions"),
    "NeighbourTest": made("statistics.neighbour_test.neighbour_test"),
    "Map": made("clusters.maps.compute"),
    "SharedNeighbours": made("clusters.two_models.shared_neighbours"),
    "Analogy": made("corpus.occurrence_analogies.analogy"),
    "Choices": made("corpus.occurrence_analogies.all_choices"),
    "Matches": made("corpus.sentences.similar_sentences"),
    "LearnedDictionary": lambda w: learned_dictionary(w.model),
    "FeatureTable": made("decomposition.feature_table.read_features"),
    "Mix": made("decomposition.lasso.mix"),
    "Others": made("inputs.input_terms.others"),
    "Output": made("inputs.lookup.output"),
    "Check": made("inputs.masking.check"),
    "Grouped": made("isotropy.words_in_spaces.compare_groups"),
    "Survey": made("layers.survey.survey"),
    "Batch": made("pairs.batch.follow"),
    "ColourComparison": made("similarity.colours.compare_with_perception"),
    "Pair": made("similarity.word_pairs.pair"),
    "Runs": made("tracing.runs.two_runs"),
    "AttendedWords": made("attention.attended.attend"),
    "Measured": lambda w: Measured("yes"),
    "tuple[Figure, ...]": (Figure("a", 0.5, 0.5),),
    "Mapping[str, Space]": lambda w: {"raw": Space(), "processed": Space("centred")},
    "tuple[tuple[str, tuple[str, ...]], ...]": GROUPS,
    "tuple[tuple[Array of int64, Array of int64], ...]": made("statistics.probe.split"),
    "dict[str, float]": {word: float(n) for n, word in enumerate(WORDS)},
    "dict[str, tuple[str, ...]]": {"red": ("red",), "green": ("gre", "##en")},
    "Sequence[DataFrame]": lambda w: [w.model.tokenize("the bank is red")],
    "Mapping[str, Array]": lambda w: {"one": np.full(len(w.model.vocabulary), 1 / len(w.model.vocabulary))},
    "Array | Iterable[Array]": vectors(40),
    "Sequence[float] | Array": (0.01, 0.2, 0.5),
    "Sequence[float]": (0.3, 0.1, 0.2, 0.9, 0.4, 0.5),
    "Sequence[tuple[str, str]]": (("king", "queen"), ("man", "woman")),
    "DataFrame | Sequence[tuple[str, str]]": (("rome", "italy"), ("paris", "france"), ("king", "man")),
    "tuple[tuple[str, str], ...]": (("rome", "italy"), ("paris", "france"), ("king", "man")),
    "Sequence[tuple[str, str, bool | None]]": (("he works", "she works", True), ("he is a king", "it is red", False)),
    "Iterable[str]": WORDS,
    "bool": True,
    "<class 'SupportsIndex'>": 0,
    "object": "text",
    "float": 0.5,
    "str | CorpusFolder": "layer 1",
}

BY_NAME: dict[str, Any] = {
    "int k": 3,
    "int n": 10,
    "int count": 5,
    "int layers": 2,
    "int heads": 2,
    "int number": 1,
    "int neuron": 1,
    "int feature": 1,
    "int per_side": 20,
    "int most": 10,
    "int least": 1,
    "int draws": 3,
    "int layer": 1,
    "int position": 1,
    "int target": 5,
    "int rounds": 20,
    "int senses": 2,
    "int row": 1,
    "int column": 2,
    "int start": 0,
    "int dimension": 0,
    "int question": 0,
    "int after": 2,
    "int before": 2,
    "int total": 10,
    "int pieces": 10,
    "int mask": 1,
    "int room": 20,
    "int megabytes": 1,
    "int dimensions": 16,
    "int words": 30,
    "int permutations": 50,
    "int steps": 4,
    "int shuffles": 9,
    "int resamples": 20,
    "int | None layer": 1,
    "int | None words": 60,
    "int sentences": 4,
    "int | None segment": None,
    "str expected": "queen",
    "str text": MASKED,
    "str word": "bank",
    "str scope": "input",
    "str heads": "1.1",
    "str row": "rome",
    "str column": "is",
    "str reference": "king",
    "str template": TEMPLATE,
    "str first": SENTENCES[0],
    "str second": SENTENCES[1],
    "str combination": "layer 1",
    "str sentence": SENTENCES[4],
    "str formula": "king - man + woman",
    "str name": "bank",
    "str piece": "bank",
    "str line": "the bank is red",
    "str pooling": "sentence: mean",
    "str a": "rome",
    "str b": "home",
    "str kind": "labels",
    "str task": "tense",
    "str what": "words",
    "str slot": "{word}",
    "str measure": "a measure",
    "str guess": "red",
    "str form": "banks",
    "str claim": "A1",
    "str space": "raw",
    "Sequence[str] words": WORDS,
    "Sequence[str] templates": (TEMPLATE, "a {word} is green"),
    "Sequence[str] source": ("rome",),
    "Sequence[str | int] source": ("rome",),
    "Sequence[str] target": ("capital",),
    "Sequence[str | int] target": ("capital",),
    "Sequence[str] groups": ("he", "she"),
    "Sequence[str] x": X,
    "Sequence[str] y": Y,
    "Sequence[str] a": A,
    "Sequence[str] b": B,
    "Sequence[str] x_words": X,
    "Sequence[str] y_words": Y,
    "Sequence[str] first": ("he", "man", "king"),
    "Sequence[str] second": ("she", "woman", "queen"),
    "Sequence[str] tokens": ("king", "queen"),
    "Sequence[str] occupations": ("king", "queen"),
    "Sequence[str] sentences": ("rome is the capital of [MASK] .",) * 2,
    "str edit": "{a} = {a} - {b} + {c}",
    "Sequence[str] answers": ("italy, france",) * 2,
    "Sequence[str] names": ("one", "two"),
    "Sequence[str] picked": ("rome",),
    "Sequence[str] texts": SENTENCES[:2],
    "Sequence[str] lines": SENTENCES[4:9],
    "Sequence[str] senses": ("river", "", "", "river", "money"),
    "Sequence[str] combinations": ("layer 1",),
    "Sequence[str] questions": ("who is the king", "is rome in italy"),
    "Sequence[str] labels": ("a", "b") * 10,
    "Sequence[str] types": tuple(f"w{n // 2}" for n in range(20)),
    "list[str] types": [f"w{n // 2}" for n in range(20)],
    "Sequence[str] fillers": ("rome", "paris"),
    "Sequence[str] subjects": ("king", "queen", "river"),
    "Sequence[str] guesses": ("king",),
    "Sequence[str] pieces": ("bank",),
    "Sequence[str] values": ("#ff0000", "#00ff00"),
    "bytes data": b"sentence,edits\nrome is ___,rome = italy\n",
    "Array vectors": vectors(40),
    "Array atoms": vectors(30),
    "Array target": vector(),
    "Array vector": vector(),
    "Array axis": vector(3),
    "Array a": vectors(6, seed=1),
    "Array b": vectors(6, seed=2),
    "Array x": vectors(6, seed=3),
    "Array y": vectors(6, seed=4),
    "Array distances": distances(12),
    "Array drawn": distances(12, 1),
    "Array original": distances(12),
    "Array of int64 labels": lambda w: np.repeat(np.arange(3), 4),
    "Array rows": vectors(12),
    "Array places": vectors(30, 2),
    "Array towards": vectors(12, 2),
    "Array directions": vectors(12),
    "Array cosines": lambda w: np.sort(chance.generator(0).uniform(-1, 1, 30)),
    "Array states": lambda w: w.model.hidden_states("rome is red"),
    "Array probabilities": lambda w: np.full((20, 2), 0.5),
    "Array of float64 totals": vectors(4),
    "Array of float64 successes": lambda w: np.ones((4, 16)),
    "Array of integer counts": lambda w: np.ones((4, 16), int),
    "Array of integer trials": lambda w: np.ones((4, 16), int),
    "Array totals": lambda w: np.ones((4, 16)),
    "Array successes": lambda w: np.ones((4, 16)),
    "Array values": lambda w: chance.generator(0).uniform(size=12),
    "Array variances": lambda w: np.array([3.0, 2.0, 1.0]),
    "Array same": lambda w: np.array([0.9, 0.8]),
    "Array different": lambda w: np.array([0.1, 0.85]),
    "Array p": lambda w: np.full(4, 0.25),
    "Array q": lambda w: np.array([0.1, 0.2, 0.3, 0.4]),
    "Array first": distances(12),
    "Array second": distances(12, 1),
    "Array scores": vectors(1, 12),
    "Array shift": vector(),
    "Array matrix": vectors(4),
}
