"""Into BERT and out again by one matrix: a row that is looked up, and the scores of a hidden state with all rows."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.limits import within
from embtools.mask_filling.forward import mask_positions, probabilities
from embtools.vectors import Array, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_ANSWERS = 50
MAX_ROWS, MAX_SHOWN = 100, 1_024  # of what is shown around a row, and of each row


@dataclass(frozen=True)
class LookUp:
    """A one-hot vector times the embedding matrix.

    id            of the piece: the place of the one
    row           (d,) that row of the matrix
    largest       of the d differences between the product, multiplied out in full, and the row
    neighbours    the rows around it: id, token, one_hot, then their first numbers
    """

    id: int
    row: Array
    largest: float
    neighbours: pd.DataFrame


def look_up(word: str, model: "EmbeddingModel", *, around: int = 2, shown: int = 6) -> LookUp:
    """One-hot (v,) · matrix (v, d) = the word's row (d,). ValueError for a word that is not one piece, and for too many
    rows or numbers.

    Why an embedding layer is called a layer: it is a product with a vector of zeros and a single one, and since all
    else is zero nothing need be multiplied.
    """
    if not word.strip():
        raise ValueError("There is no word to look up. Write one.")
    within(around, MAX_ROWS, "rows around it", least=0)
    within(shown, MAX_SHOWN, "numbers of a row")
    place = model.token_id(word)
    one_hot = np.zeros(len(model.vocabulary), np.float32)
    one_hot[place] = 1
    product = one_hot @ model.matrix
    row = model.matrix[place]
    ids = np.arange(max(0, place - around), min(len(one_hot), place + around + 1))
    frame = pd.DataFrame({"id": ids, "token": [model.vocabulary[i] for i in ids], "one_hot": one_hot[ids].astype(int)})
    values = pd.DataFrame(model.matrix[ids, :shown], columns=[f"dim {i}" for i in range(min(shown, len(row)))])
    return LookUp(place, row, float(np.abs(product - row).max()), frame.join(values))


@dataclass(frozen=True)
class WayBack:
    """From a hidden state to the probability of one word.

    state, row, products   (d,) the transformed state at the mask, the word's row, and their products number by number
    dot, bias, logit       the sum of the products; what is added; their sum, the word's score
    log_total              the logarithm of the sum of exp(score) over all v words
    probability, rank      exp(logit - log_total), and its place among all words
    answers                the k best words, and the word itself: token, dot, bias, logit, probability, rank
    """

    state: Array
    row: Array
    products: Array
    dot: float
    bias: float
    logit: float
    log_total: float
    probability: float
    rank: int
    answers: pd.DataFrame


def way_back(text: str, word: str, model: "EmbeddingModel", k: int = 8) -> WayBack:
    """How the first [MASK] of a text comes to give a word its probability: state · row + bias, then softmax.

    Devlin et al. 2018, section 3.1, with the transform of their code before the product. Raises ValueError for a text
    without a mask, a word that is not one piece, k out of range, and a model whose output matrix is not the input's.
    """
    from scipy.special import logsumexp

    if not model.tied:
        raise ValueError("This model has an output matrix of its own: the way back is not the way in. Choose another.")
    within(k, MAX_ANSWERS, "answers")
    place = model.token_id(word)
    frame = model.tokenize(text)
    mask = mask_positions(frame, model)[0]
    ids, segments = frame["id"].to_numpy(), frame["segment"].to_numpy()
    state = model.transform(model.encode(model.matrix[ids][None], segments, last_only=True)[0, :, mask])[0]
    logits = model.logits(state[None])[0].astype(np.float64)
    shares = probabilities(logits)
    row = model.matrix[place]
    products = state.astype(np.float64) * row
    chosen = top_k(shares, k)
    chosen = chosen if place in chosen else np.append(chosen, place)
    answers = pd.DataFrame(
        {
            "token": [model.vocabulary[i] for i in chosen],
            "dot": model.matrix[chosen].astype(np.float64) @ state,
            "bias": model.output_bias[chosen].astype(np.float64),
            "logit": logits[chosen],
            "probability": shares[chosen],
            "rank": [int((shares > shares[i]).sum()) + 1 for i in chosen],
        }
    )
    dot, bias = float(products.sum()), float(model.output_bias[place])
    total = float(logsumexp(logits))
    rank = int((shares > shares[place]).sum()) + 1
    return WayBack(state, row, products, dot, bias, dot + bias, total, float(np.exp(dot + bias - total)), rank, answers)
