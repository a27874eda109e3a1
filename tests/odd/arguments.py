"""Arguments that work, by the type of a parameter, or by its type and its name. A function makes one of the world."""

from typing import Any

from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.corpus.search import Query
from embtools.mask_filling.edits import Change
from embtools.mask_filling.experiments import Cases
from embtools.occurrences.corpus import Corpus
from embtools.similarity.odd_words import Puzzle
from embtools.spaces.space import Space

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


BY_TYPE: dict[str, Any] = {
    "EmbeddingModel": lambda w: w.model,
    "Corpus": lambda w: Corpus(SENTENCES, tuple(("bank" if s else "", s) for s in SENSES)),
    "Corpus | CorpusFolder": lambda w: Corpus(SENTENCES, tuple(("bank" if s else "", s) for s in SENSES)),
    "View": View(method="PCA", perplexity=3),
    "Space": Space("centred"),
    "Change": lambda w: Change.of(["rome = rome - italy + france"]),
    "str | Number | Word | Call": "king - man + woman",
    "Words": Words(GROUPS, shuffled=0),
    "Query": Query("bank"),
    "Cases": Cases(
        (("rome", "italy"), ("paris", "france")), "{a} = {a} - {b} + {c}", ("{a} is the capital of [MASK] .",)
    ),
    "tuple[str, str, str]": ("king", "man", "woman"),
    "Sequence[Puzzle]": (Puzzle(("red", "green", "blue", "king"), "king"),),
    "Sequence[tuple[str, str, bool | None]]": (("he works", "she works", True), ("he is a king", "it is red", False)),
    "str | CorpusFolder": "layer 1",
}

BY_NAME: dict[str, Any] = {
    "int k": 3,
    "int n": 10,
    "int count": 5,
    "int number": 1,
    "int neuron": 1,
    "int feature": 1,
    "int per_side": 20,
    "int most": 10,
    "int least": 1,
    "int draws": 3,
    "int layer": 1,
    "int rounds": 20,
    "int row": 1,
    "int column": 2,
    "int start": 0,
    "int dimension": 0,
    "int mask": 1,
    "int words": 30,
    "int steps": 4,
    "int resamples": 20,
    "int | None layer": 1,
    "int sentences": 4,
    "int | None segment": None,
    "str expected": "queen",
    "str text": MASKED,
    "str word": "bank",
    "str heads": "1.1",
    "str column": "is",
    "str reference": "king",
    "str template": TEMPLATE,
    "str first": SENTENCES[0],
    "str second": SENTENCES[1],
    "str combination": "layer 1",
    "str sentence": SENTENCES[4],
    "str piece": "bank",
    "str pooling": "sentence: mean",
    "Sequence[str] words": WORDS,
    "Sequence[str] templates": (TEMPLATE, "a {word} is green"),
    "Sequence[str | int] source": ("rome",),
    "Sequence[str | int] target": ("capital",),
    "Sequence[str] groups": ("he", "she"),
    "Sequence[str] x": X,
    "Sequence[str] y": Y,
    "Sequence[str] a": A,
    "Sequence[str] b": B,
    "Sequence[str] first": ("he", "man", "king"),
    "Sequence[str] second": ("she", "woman", "queen"),
    "Sequence[str] tokens": ("king", "queen"),
    "Sequence[str] occupations": ("king", "queen"),
    "Sequence[str] sentences": ("rome is the capital of [MASK] .",) * 2,
    "str edit": "{a} = {a} - {b} + {c}",
    "Sequence[str] answers": ("italy, france",) * 2,
    "Sequence[str] names": ("one", "two"),
    "Sequence[str] picked": ("rome",),
    "Sequence[str] lines": SENTENCES[4:9],
    "Sequence[str] questions": ("who is the king", "is rome in italy"),
    "Sequence[str] subjects": ("king", "queen", "river"),
    "Sequence[str] guesses": ("king",),
}
