"""Claims D1 to D3 and D7 of the lecture notes "BERT": embeddings, masked words, and the size of the model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from embtools.inputs import input_terms, lookup
from embtools.mask_filling.answers import fill_mask
from embtools.models.catalogue import BUNDLED
from embtools.paper.conditions import exact
from embtools.paper.measured import Condition, Measure, Measured, number, percent, published
from embtools.progress import Progress

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_SUN, _MAT = "The [MASK] is bright today.", "The cat sat on the [MASK]."
_DOG = ("my dog is cute", "he likes playing")
_CLOSE = 1e-4  # tolerance for float32 numbers that should be equal
_GOOGLE = "google-bert/"


def one_matrix(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of D1: a product that gives a row, and a probability computed from the same row."""
    into, back = lookup.look_up("sun", model), lookup.output(_SUN, model, word="sun")
    best, top = fill_mask(_SUN, model, k=1).iloc[0], back.answers.iloc[0]
    answer = (
        f"sun is row {into.id:,} of {len(model.vocabulary):,}. In the output, the hidden state times this row is"
        f" {number(back.dot, 2)}; with the bias {number(back.bias, 2)} added, the probability of sun is"
        f" {percent(back.probability)} (rank {back.rank:,})."
    )
    return judge_one_matrix(
        answer,
        into.largest,
        (str(top["token"]), float(top["probability"])),
        (str(best["token"]), float(best["probability"])),
    )


def judge_one_matrix(answer: str, largest: float, by_row: tuple[str, float], own: tuple[str, float]) -> Measured:
    """Judge D1 from the largest difference of product and row, and the top answers from the rows and of the model."""
    return Measured(
        answer,
        (
            exact("A one-hot vector times the matrix is exactly the row.", largest == 0,
                  f"The largest difference is {largest:g}."),
            exact("State · row + bias, followed by a softmax, gives the model's own answer.",
                  by_row[0] == own[0] and abs(by_row[1] - own[1]) < _CLOSE,
                  f"{by_row[0]} {percent(by_row[1])}, and the model's own answer is {own[0]} {percent(own[1])}."),
        ),
    )  # fmt: skip


def sum_of_three(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of D2: the terms of "he", the first word of a second sentence."""
    if not model.has_segments:
        raise ValueError("This model has no segment embeddings. It adds up only two terms, token and position.")
    he = input_terms.terms(input_terms.pieces(_DOG, model, pair=True), model, piece="he")
    vectors = he.vectors[0].astype(np.float64)
    at = {name: vectors[he.names.index(name)] for name in he.names}
    token = he.occurrences.iloc[0]
    entered = model.hidden_states(*_DOG)[0, int(token["position"])]
    return judge_sum_of_three(at, entered, int(token["position"]), int(token["segment"]))


def judge_sum_of_three(at: dict[str, np.ndarray], entered: np.ndarray, position: int, segment: int) -> Measured:
    """Judge D2 from the terms (d,) by name, and the vector that the first layer reads (d,)."""
    rest = float(
        np.abs(at[input_terms.TOKEN] + at[input_terms.SEGMENT] + at[input_terms.POSITION] - at[input_terms.SUM]).max()
    )
    rest_normed = float(np.abs(at[input_terms.NORMED] - entered).max())
    added = " + ".join(number(at[name][0]) for name in (input_terms.TOKEN, input_terms.SEGMENT, input_terms.POSITION))
    return Measured(
        f"he is at position {position} in segment {segment}. The first number of its input is {added} ="
        f" {number(at[input_terms.SUM][0])} (added before rounding), and {number(at[input_terms.NORMED][0])} after"
        " the layer norm.",
        (
            exact("The three terms add up to the sum, number by number.", rest < _CLOSE,
                  f"The largest difference is {rest:.1g}."),
            exact("After the layer norm, the sum is the vector that the first layer reads.", rest_normed < _CLOSE,
                  f"The largest difference is {rest_normed:.1g}."),
        ),
    )  # fmt: skip


def masked_words(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of D3: two sentences of the notes, and the training of the model, if it is documented."""
    rows = []
    for text, word in ((_SUN, "sun"), (_MAT, "mat")):
        back, best = lookup.output(text, model, word=word), fill_mask(text, model, k=1).iloc[0]
        rows.append((text, word, str(best["token"]), float(best["probability"]), back.probability, back.rank))
    return judge_masked_words(rows, model.name)


def judge_masked_words(rows: Sequence[tuple[str, str, str, float, float, int]], name: str) -> Measured:
    """Judge D3 from rows (sentence, expected word, top answer, its probability, the word's own, its rank)."""
    answers, conditions = [], []
    for text, word, best, probability, own, rank in rows:
        answer = f"{best} {percent(probability)}"
        answer += "" if best == word else f"; {word} has {percent(own)} (rank {rank:,})"
        answers.append(f"Top answer in “{text}”: {answer}")
        conditions.append(exact(f"In “{text}”, {word} is the top answer.", best == word, f"{answer}."))
    return Measured(f"{'. '.join(answers)}.", (*conditions, _training(name)))


def _training(name: str) -> Condition:
    """Decide from its documentation how a model was trained, because its weights do not show it."""
    statement = "It was trained to predict 15% of the tokens: 80% of them masked, 10% replaced, 10% left unchanged."
    if name == BUNDLED:
        evidence = "Pocket BERT was trained with [MASK] for every predicted token (docs/pocket-model.md)."
        return Condition(statement, False, f"{evidence} This is documented, not measured.")
    if name.startswith(_GOOGLE):
        return Condition(statement, True, "See Devlin et al. 2019, section 3.1. This is documented, not measured.")
    return Condition(statement, None, "The weights of a model do not show how it was trained.")


def sizes(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of D7: the sizes of the loaded model."""
    return judge_sizes(model.layers, model.dimensions, model.heads, model.parameters)


def judge_sizes(layers: int, dimensions: int, heads: int, parameters: int) -> Measured:
    """Judge D7; a model with neither of the two published shapes leaves it undecided."""
    numbers = published("D7")
    own = {"layers": layers, "dimensions": dimensions, "heads": heads}
    answer = (
        f"This model has {layers} layers, {dimensions:,} dimensions, {heads} heads and {parameters / 1e6:.1f} million"
        " parameters"
    )
    for name in ("base", "large"):
        if all(numbers[name, key] == value for key, value in own.items()):
            millions = numbers[name, "million parameters"]
            near = abs(parameters / 1e6 - millions) <= 0.03 * millions
            return Measured(
                f"{answer}. These are the sizes of BERT {name}.",
                (
                    exact(f"With these sizes it has about {millions:.0f} million parameters (within 3%).", near,
                          f"It has {parameters / 1e6:.1f} million."),
                ),
            )  # fmt: skip
    return Measured(f"{answer}. These are not the sizes of BERT base or BERT large, so there is nothing to compare.")


MEASURES: dict[str, Measure] = {"D1": one_matrix, "D2": sum_of_three, "D3": masked_words, "D7": sizes}
