"""Claims B1 to B5 of "Understanding BERT — Word Embeddings": tokens, segment ids, and the shapes of vectors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from embtools.inputs import input_terms, vocabulary
from embtools.layer_combinations import CONCAT_FOUR, SECOND_TO_LAST, SUM_FOUR, sentence_vectors
from embtools.layers import published as figures
from embtools.layers.comparisons import Comparison, compare_word
from embtools.pairs import next_sentence
from embtools.paper.conditions import exact
from embtools.paper.measured import Measure, Measured, number, published
from embtools.progress import Progress, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

Pieces = list[tuple[str, int]]
"""Tokens with their ids."""
SENTENCE = "sentence: mean"  # a pooling
BANK = figures.BANK_LINE.partition("|")[2].strip()
_EMBEDDINGS = "Here is the sentence I want embeddings for."
_STORE = ("The man went to the store.", "He bought a gallon of milk.")


def pieces(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of B1: the three listings of the article."""
    listed = [(item, part, int(value)) for (item, part), value in published("B1").items()]
    word = [part for item, part, _ in listed if item == "embeddings"]
    sentence = [(part, value) for item, part, value in listed if item.startswith("piece")]
    window = [(part, value) for item, part, value in listed if item == "entry"]
    bank = input_terms.pieces([BANK], model)
    every = vocabulary.entries(model)
    entries = vocabulary.window(every, min(window[0][1], len(every) - 1), count=len(window))
    return judge_pieces(
        (word, input_terms.pieces([_EMBEDDINGS], model)["token"].tolist()),
        (sentence, list(zip(bank["token"], bank["id"], strict=True))),
        (window, list(zip(entries["token"], entries["id"], strict=True))),
    )


def judge_pieces(
    word: tuple[list[str], list[str]], sentence: tuple[Pieces, Pieces], window: tuple[Pieces, Pieces]
) -> Measured:
    """Judge B1 from pairs (published, this model's): tokens of a word, of a sentence, and vocabulary entries."""
    tokens, read = word
    split = any(read[i : i + len(tokens)] == tokens for i in range(len(read)))
    equal = sum(a == b for a, b in zip(*sentence, strict=False))
    same = len(set(window[0]) & set(window[1]))
    return Measured(
        f"{equal} of {len(sentence[0])} tokens and {same} of {len(window[0])} vocabulary entries are equal to the"
        " published ones.",
        (
            exact("embeddings is split into the four published tokens.", split,
                  f"The tokens of the sentence are “{' '.join(read[1:-1])}”."),
            exact(
                "The sentence has the published tokens and numbers.",
                sentence[0] == sentence[1],
                f"{equal} of {len(sentence[0])} are equal.",
            ),
            exact("The twenty vocabulary entries are equal to the published ones.", same == len(window[0]),
                  f"{same} of {len(window[0])} are equal."),
        ),
    )  # fmt: skip


def segment_ids(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of B2: the segment ids that the model's tokenizer gives to one sentence and to two."""
    if not model.has_segments:
        raise ValueError("This model has no segment embeddings.")
    one, two = next_sentence.single_sentence(BANK, model), next_sentence.tokens(*_STORE, model)
    first = len(input_terms.pieces([_STORE[0]], model))
    return judge_segment_ids(one["segment"].tolist(), two["segment"].tolist(), first)


def judge_segment_ids(one: Sequence[int], two: Sequence[int], first: int) -> Measured:
    """Judge B2 from the ids of one sentence and those of two; the first of the two has `first` tokens."""
    alone = " and ".join(map(str, sorted(set(one))))
    zeros, ones = sum(i == 0 for i in two), sum(i == 1 for i in two)
    return Measured(
        f"For one sentence, all {len(one)} tokens have segment id {alone}. For two, {zeros} tokens have 0 and {ones}"
        " have 1.",
        (
            exact("A single sentence has segment id 1 throughout.", set(one) == {1}, f"All ids are {alone}."),
            exact(
                "The first of two sentences and its [SEP] have segment id 0, and the second has 1.",
                set(two[:first]) == {0} and set(two[first:]) == {1},
                f"{zeros} tokens have 0 and {ones} have 1.",
            ),
        ),
    )


def hidden_states(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of B3: the shape of the hidden states of one sentence."""
    shape = bank(model).shapes.iloc[0][["layers", "batch", "tokens", "dimensions"]].astype(int).tolist()
    return judge_hidden_states(shape, model.layers, model.dimensions)


def judge_hidden_states(shape: Sequence[int], layers: int, dimensions: int) -> Measured:
    """Judge B3 from a shape (layers, batch, tokens, dimensions) and the sizes of the model."""
    target = [int(value) for value in published("B3").values()]
    same = list(shape) == target
    return Measured(
        f"{' × '.join(f'{n:,}' for n in shape)} = {int(np.prod(shape)):,} numbers"
        + ("." if same else ". The sizes differ from the published ones because they depend on the model. The claim is"
           " that every token has a vector at every layer."),
        (
            exact("There is one set of vectors for the input and one for each layer of the model.",
                  shape[0] == layers + 1, f"There are {shape[0]} sets, and the model has {layers} layers."),
            exact("The sentence has 22 tokens, each with one number per dimension of the model.",
                  list(shape[2:]) == [target[2], dimensions],
                  f"It has {shape[2]} tokens with {shape[3]:,} numbers each."),
        ),
    )  # fmt: skip


def token_vectors(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of B4: the sizes of a token's vector with two layer combinations."""
    comparison = bank(model)
    row, added = (
        comparison.sizes[comparison.combinations.index(combination)] for combination in (CONCAT_FOUR, SUM_FOUR)
    )
    return judge_token_vectors(row, added, model.dimensions)


def judge_token_vectors(concatenated: int, added: int, dimensions: int) -> Measured:
    """Judge B4 from the sizes of the concatenation and of the sum."""
    return Measured(
        f"The concatenation has {concatenated:,} numbers, the sum {added:,}.",
        (
            exact("The concatenation of four layers has four times as many numbers as the model has dimensions.",
                  concatenated == 4 * dimensions,
                  f"It has {concatenated:,} numbers, and the model has {dimensions:,} dimensions."),
            exact("The sum has as many numbers as the model has dimensions.", added == dimensions,
                  f"It has {added:,} numbers, and the model has {dimensions:,} dimensions."),
        ),
    )  # fmt: skip


def sentence_vector(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of B5: the vector of the sentence, and the mean that it should equal."""
    (vector,) = sentence_vectors([BANK], model, combination=SECOND_TO_LAST, pooling=SENTENCE)
    return judge_sentence_vector(vector, model.hidden_states(BANK)[-2].mean(axis=0))


def judge_sentence_vector(vector: np.ndarray, mean: np.ndarray) -> Measured:
    """Judge B5 from the library's sentence vector and the mean of the second-to-last layer, both (d,)."""
    difference = float(np.abs(vector - mean).max())
    return Measured(
        f"The vector has {len(vector):,} numbers; the first is {number(float(vector[0]))}.",
        (
            exact(
                "It is the mean of all tokens' vectors in the second-to-last layer.",
                bool(np.allclose(vector, mean, atol=1e-4)),
                f"The largest difference is {difference:.1g}.",
            ),
        ),
    )


def bank(model: "EmbeddingModel", *, segment: int | None = None) -> Comparison:
    """Return the comparison of the three occurrences of bank in the text's sentence."""
    return compare_word([figures.BANK_LINE], model, word=figures.BANK, segment=segment, progress=silent)


MEASURES: dict[str, Measure] = {
    "B1": pieces, "B2": segment_ids, "B3": hidden_states, "B4": token_vectors, "B5": sentence_vector,
}  # fmt: skip
