"""The embedding matrix in input and output: looking up a row, and scoring a hidden state against every row."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.mask_filling.forward import mask_positions, probabilities
from embtools.mask_filling.typed_input import normalise_masks
from embtools.messages import quoted
from embtools.models.last_states import last_states
from embtools.statistics.percentages import percent
from embtools.statistics.ranks import ordinal
from embtools.vectors import Array, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_ANSWERS = 8
_AROUND, _SHOWN = 2, 6  # neighbouring rows on each side, and numbers of each row


@dataclass(frozen=True)
class LookUp:
    """The product of a one-hot vector and the embedding matrix.

    id            of the token: the index of the 1 in the one-hot vector
    row           (d,) that row of the matrix
    largest       of the d differences between the product, multiplied out in full, and the row
    neighbours    the row and those around it: id, token, one_hot, then their first numbers
    """

    id: int
    row: Array
    largest: float
    neighbours: pd.DataFrame


def look_up(word: str, model: "EmbeddingModel") -> LookUp:
    """Return the product of a word's one-hot vector (v,) and the embedding matrix (v, d): the word's row (d,), which is
    why the embedding lookup is called a layer.
    """
    if not word.strip():
        raise ValueError("There is no word to look up. Write one.")
    number = model.token_id(word)
    one_hot = np.zeros(len(model.vocabulary), np.float32)
    one_hot[number] = 1
    product = one_hot @ model.matrix
    row = model.matrix[number]
    ids = np.arange(max(0, number - _AROUND), min(len(one_hot), number + _AROUND + 1))
    frame = pd.DataFrame({"id": ids, "token": [model.vocabulary[i] for i in ids], "one_hot": one_hot[ids].astype(int)})
    values = pd.DataFrame(model.matrix[ids, :_SHOWN]).add_prefix("dim_")
    return LookUp(number, row, float(np.abs(product - row).max()), frame.join(values))


@dataclass(frozen=True)
class Output:
    """The steps from a hidden state to the probability of one word.

    state, row, products   (d,) the transformed state at the mask, the word's row, and their products number by number
    dot, bias, logit       the sum of the products; the word's bias; their sum, which is the word's score
    log_total              the logarithm of the sum of exp(score) over all v words
    probability, rank      exp(logit - log_total), and its rank among all words
    answers                the best words, and the word itself: token, dot, bias, logit, probability, rank
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


def output(text: str, model: "EmbeddingModel", *, word: str) -> Output:
    """Return the steps by which a word gets its probability at the first [MASK]: state · row + bias, then softmax
    (Devlin et al. 2018, section 3.1, with the transform of their code before the product).
    """
    from scipy.special import logsumexp

    if not model.tied:
        raise ValueError("This model uses different matrices for input and output. Choose another model.")
    number = model.token_id(word)
    frame = model.tokenize(normalise_masks(text))
    mask = mask_positions(frame, model)[0]
    ids, segments = frame["id"].to_numpy(), frame["segment"].to_numpy()
    state = model.transform(last_states(model.matrix[ids][None], model, at=[mask], segments=segments)[0])[0]
    logits = model.logits(state[None])[0].astype(np.float64)
    shares = probabilities(logits)
    row = model.matrix[number]
    products = state.astype(np.float64) * row
    dot, bias = float(products.sum()), float(model.output_bias[number])
    if not np.isclose(dot + bias, logits[number], 1e-3, 0.01):  # only the row of the input is edited
        raise ValueError(f"The edit of {quoted(word)} does not change the output. Choose the scope 'tied'.")
    chosen = top_k(shares, _ANSWERS)
    chosen = chosen if number in chosen else np.append(chosen, number)
    answers = pd.DataFrame(
        {
            "token": [model.vocabulary[i] for i in chosen],
            "dot_product": logits[chosen] - model.output_bias[chosen],
            "bias": model.output_bias[chosen].astype(np.float64),
            "logit": logits[chosen],
            "probability": shares[chosen],
            "rank": [int((shares > shares[i]).sum()) + 1 for i in chosen],
        }
    )
    total = float(logsumexp(logits))
    rank = int((shares > shares[number]).sum()) + 1
    return Output(state, row, products, dot, bias, dot + bias, total, float(np.exp(dot + bias - total)), rank, answers)


def percentage(probability: float) -> str:
    """Format a probability as a percentage with at least one decimal place; a very small one as "under 0.01%".

    >>> percentage(0.1264), percentage(0.0004), percentage(3e-7)
    ('12.6%', '0.04%', 'under 0.01%')
    """
    return percent(probability, 1) if probability >= 0.0001 else "under 0.01%"


@dataclass(frozen=True)
class RoundTrip(Displayed):
    """A word in the input, where its row of the matrix is looked up, and in the output, where it gets a probability.

    word      the word
    size      number of rows and of columns of the matrix: (v, d)
    input     the row
    output    the steps to the probability at the mask
    """

    word: str
    size: tuple[int, int]
    input: LookUp
    output: Output

    @property
    def headline(self) -> str:
        """The row of the word in the matrix, and the probability that the same row gives it in the output."""
        return (
            f"In the input, “{self.word}” is row {self.input.id:,} of {self.size[0]:,}. In the output, the same row"
            f" gives it a probability of {percentage(self.output.probability)}; it ranks {ordinal(self.output.rank)}."
        )

    @property
    def products(self) -> pd.DataFrame:
        """The d numbers of the output: state, row, product."""
        return pd.DataFrame({"state": self.output.state, "row": self.output.row, "product": self.output.products})


def round_trip(sentence: str, model: "EmbeddingModel", *, word: str) -> RoundTrip:
    """Return the row of a word in the input, and how the same row gives it a probability at the first mask.

    Parameters
    ----------
    sentence : str
        A text with a mask.
    model : EmbeddingModel
    word : str
        A word of one token.

    Returns
    -------
    RoundTrip
        The row of the word, and the steps to its probability.

    Raises
    ------
    ValueError
        For a word that is not one token, a text without a mask, and a model with different matrices for input and
        output, also by an edit of the word with the scope "input".
    """
    rows, columns = model.matrix.shape
    return RoundTrip(word.strip(), (rows, columns), look_up(word, model), output(sentence, model, word=word))
