"""The claims D1 to D3 and D7 of the lecture notes "BERT": embeddings, masked words, and the size of the model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from embtools.inputs import lookup, terms
from embtools.mask_filling.answers import fill_mask
from embtools.models.catalogue import BUNDLED
from embtools.paper.conditions import exact
from embtools.paper.measured import Condition, Measure, Measured, number, percent, published
from embtools.progress import Progress

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_SUN, _MAT = "The [MASK] is bright today.", "The cat sat on the [MASK]."
_DOG = ("my dog is cute", "he likes playing")
_CLOSE = 1e-4  # of float32 numbers that should be the same
_GOOGLE = "google-bert/"


def one_matrix(model: "EmbeddingModel", progress: Progress) -> Measured:
    """D1: a row that a product looks up, and a probability that follows from the same row."""
    into, back = lookup.look_up("sun", model), lookup.output(_SUN, "sun", model)
    best, top = fill_mask(_SUN, model, k=1).iloc[0], back.answers.iloc[0]
    answer = (
        f"sun is row {into.id:,} of {len(model.vocabulary):,}. As an output, state · row {back.dot:.2f} + bias"
        f" {number(back.bias, 2)} gives sun {percent(back.probability)} (rank {back.rank:,})."
    )
    return judge_one_matrix(
        answer,
        into.largest,
        (str(top["token"]), float(top["probability"])),
        (str(best["token"]), float(best["probability"])),
    )


def judge_one_matrix(answer: str, largest: float, by_row: tuple[str, float], own: tuple[str, float]) -> Measured:
    """Judge D1 from the largest difference of product and row, and the top answer by the row and by the model."""
    return Measured(
        answer,
        (
            exact("One-hot vector times matrix is the row, to the last digit.", largest == 0,
                  f"Largest difference {largest:g}."),
            exact("State times row plus bias, then softmax, is the model's own answer.",
                  by_row[0] == own[0] and abs(by_row[1] - own[1]) < _CLOSE,
                  f"{by_row[0]} {percent(by_row[1])} and {own[0]} {percent(own[1])}."),
        ),
    )  # fmt: skip


def sum_of_three(model: "EmbeddingModel", progress: Progress) -> Measured:
    """D2: the terms of "he", the first word of a second sentence."""
    if not model.has_segments:
        raise ValueError("This model has no segment embeddings: it adds up two terms, token and position.")
    found = terms.terms(terms.pieces(_DOG, model, pair=True), "he", model)
    vectors = found.vectors[0].astype(np.float64)
    at = {name: vectors[found.names.index(name)] for name in found.names}
    place = found.occurrences.iloc[0]
    entered = model.hidden_states(*_DOG)[0, int(place["position"])]
    return judge_sum_of_three(at, entered, int(place["position"]), int(place["segment"]))


def judge_sum_of_three(at: dict[str, np.ndarray], entered: np.ndarray, position: int, segment: int) -> Measured:
    """Judge D2 from the terms (d,) by name, and what the first layer reads (d,)."""
    apart = float(np.abs(at[terms.TOKEN] + at[terms.SEGMENT] + at[terms.POSITION] - at[terms.SUM]).max())
    beside = float(np.abs(at[terms.NORMED] - entered).max())
    said = " + ".join(number(at[name][0]) for name in (terms.TOKEN, terms.SEGMENT, terms.POSITION))
    return Measured(
        f"he, position {position}, segment {segment}: its first number is {said} = {number(at[terms.SUM][0])}, and"
        f" {number(at[terms.NORMED][0])} after the layer norm.",
        (
            exact("The three terms add up to the sum, number by number.", apart < _CLOSE,
                  f"Largest difference {apart:.1g}."),
            exact("With its layer norm, the sum is what the first layer reads.", beside < _CLOSE,
                  f"Largest difference {beside:.1g}."),
        ),
    )  # fmt: skip


def masked_words(model: "EmbeddingModel", progress: Progress) -> Measured:
    """D3: two sentences of the notes, and how the model was trained, as far as that is documented."""
    found = []
    for text, word in ((_SUN, "sun"), (_MAT, "mat")):
        back, best = lookup.output(text, word, model), fill_mask(text, model, k=1).iloc[0]
        found.append((text, word, str(best["token"]), float(best["probability"]), back.probability, back.rank))
    return judge_masked_words(found, model.name)


def judge_masked_words(found: Sequence[tuple[str, str, str, float, float, int]], name: str) -> Measured:
    """Judge D3 from rows (sentence, expected word, top answer, its probability, the word's own, its rank)."""
    said, conditions = [], []
    for text, word, best, probability, own, rank in found:
        answer = f"{best} {percent(probability)}"
        answer += "" if best == word else f", {word} {percent(own)} (rank {rank:,})"
        said.append(f"{text} {answer}")
        conditions.append(exact(f"In “{text}”, {word} is the top answer.", best == word, f"{answer}."))
    return Measured(f"{'; '.join(said)}.", (*conditions, _training(name)))


def _training(name: str) -> Condition:
    """Decide how a model was trained from its documentation: its weights do not tell."""
    statement = "It was trained to predict 15% of the tokens: 80% of them masked, 10% replaced, 10% left."
    if name == BUNDLED:
        said = "Pocket BERT was trained with [MASK] in place of every predicted token (docs/pocket-model.md)."
        return Condition(statement, False, f"{said} Documented, not measured.")
    if name.startswith(_GOOGLE):
        return Condition(statement, True, "Devlin et al. 2019, section 3.1. Documented, not measured.")
    return Condition(statement, None, "The weights of a model do not tell how it was trained.")


def sizes(model: "EmbeddingModel", progress: Progress) -> Measured:
    """D7: the sizes of the loaded model."""
    return judge_sizes(model.layers, model.dimensions, model.heads, model.parameters)


def judge_sizes(layers: int, dimensions: int, heads: int, parameters: int) -> Measured:
    """Judge D7: nothing can be told from a model that has neither of the two published shapes."""
    numbers = published("D7")
    own = {"layers": layers, "dimensions": dimensions, "heads": heads}
    answer = f"{layers} layers × {dimensions:,}, {heads} heads, {parameters / 1e6:.1f} million parameters"
    for name in ("base", "large"):
        if all(numbers[name, key] == value for key, value in own.items()):
            millions = numbers[name, "million parameters"]
            near = abs(parameters / 1e6 - millions) <= 0.03 * millions
            return Measured(
                f"{answer}. This is the shape of BERT {name}.",
                (
                    exact(f"With this shape it has about {millions:.0f} million parameters (within 3%).", near,
                          f"{parameters / 1e6:.1f} million."),
                ),
            )  # fmt: skip
    return Measured(f"{answer}. This is neither of the two shapes, so there is nothing to compare.")


MEASURES: dict[str, Measure] = {"D1": one_matrix, "D2": sum_of_three, "D3": masked_words, "D7": sizes}
