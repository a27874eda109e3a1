"""The sentences of a text that activate a neuron most, and a sample over its whole range."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import memory
from embtools.chance import generator
from embtools.memory import remembered
from embtools.messages import counted, listed
from embtools.models.layer_modules import layer_modules
from embtools.models.layer_steps import steps_of_texts
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.rows import Row, read
from embtools.progress import Progress, part, silent
from embtools.statistics.decimals import decimal
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

K = 10
"""Number of sentences that are kept for each neuron."""
SAMPLE = 500
"""Number of random tokens whose activations are kept, to rank an activation among them."""
MAX_TOKENS = 100_000
QUANTILES = 1.0, 0.99, 0.9, 0.5, 0.1
"""Of the sampled tokens; a sentence is shown for each."""
_TOKENISING = 0.2  # share of the time
_PACE, _TOKEN_SECONDS = 2.5e9, 1e-4  # measured: tokens × layers × dimensions² per second, and seconds to tokenise one


@dataclass(frozen=True, eq=False)
class NeuronTable:
    """The activations of all f neurons of a layer over a text, as far as they are kept. The arrays are read-only.

    rows       the sentences as the model reads them
    tokens     number of tokens that are counted: all except [CLS] and [SEP]
    best       (f, k) the highest activations in different sentences, in falling order; -inf if there are fewer
    best_rows  (f, k) the numbers of these sentences
    best_at    (f, k) the positions of their tokens
    sample     (s, f) the activations at random tokens
    sample_at  (s, 2) the sentence and the position of each of these tokens
    mean       (f,) the mean over all counted tokens
    special    (f,) the mean over [CLS] and [SEP]
    """

    rows: tuple[Row, ...]
    tokens: int
    best: Array
    best_rows: NDArray[np.int32]
    best_at: NDArray[np.int32]
    sample: Array
    sample_at: NDArray[np.int32]
    mean: Array
    special: Array


@dataclass(frozen=True)
class NeuronSentences:
    """Sentences for one neuron.

    neuron, layer  both from 1
    best           the sentences that activate it most: rank, activation, word, text, start, end (of the word)
    spread         tokens over its whole range: share (of the sampled tokens that activate it less), and the same
                   columns without the rank
    sample         (s,) its activations at random tokens of the text, in rising order
    mean, special  its mean activation at words, and at [CLS] and [SEP]
    sentences      number of sentences that were read
    """

    neuron: int
    layer: int
    best: pd.DataFrame
    spread: pd.DataFrame
    sample: Array
    mean: float
    special: float
    sentences: int

    @cached_property
    def headline(self) -> str:
        """The words at which the neuron is strongest, compared with its mean."""
        words = listed(f"“{word}”" for word in dict.fromkeys(self.best["word"].head(5)))
        first = self.best["activation"].iloc[0]
        return (
            f"In {counted(self.sentences, 'sentence')}, neuron {self.neuron:,} of layer {self.layer} is strongest at"
            f" {words} (up to {decimal(first)}; the mean over all words of the text is {decimal(self.mean)})."
        )

    def share_below(self, activation: float) -> float:
        """Return the share of the sampled tokens with a lower activation."""
        return float(np.searchsorted(self.sample, activation) / len(self.sample))


def neuron_sentences(
    corpus: Corpus, model: "EmbeddingModel", *, layer: int, neuron: int, progress: Progress = silent
) -> NeuronSentences:
    """Return the sentences of a text that activate a neuron most, and a sample over its whole range.

    The sentences with the highest activations can look as if a neuron had one meaning although most of its activations
    are of another kind (Bolukbasi et al. 2021). So the sample shows tokens over its whole range, too.

    Parameters
    ----------
    corpus : Corpus
    model : EmbeddingModel
    layer : int
        1 … l.
    neuron : int
        1 … f.
    progress : callable, optional

    Returns
    -------
    NeuronSentences
        At most ten sentences, each with the word at which the neuron is strongest, and five tokens over its range.

    Raises
    ------
    ValueError
        For a layer or a neuron that does not exist, and for a corpus without a word that the model knows or with more
        than 100,000 tokens.

    References
    ----------
    Bolukbasi et al. 2021, "An Interpretability Illusion for BERT".
    """
    count = int(layer_modules(model, layer=layer).first.out_features)
    if not 1 <= neuron <= count:
        raise ValueError(f"There is no neuron {neuron:,}. Choose 1 to {count:,}.")
    table = read_neurons(corpus, model, layer=layer, progress=progress)
    n = neuron - 1
    known = np.isfinite(table.best[n])
    best = _placed(table, table.best_rows[n, known], table.best_at[n, known], model)
    best.insert(0, "rank", range(1, len(best) + 1))
    best.insert(1, "activation", table.best[n, known].astype(np.float64))
    order = np.argsort(table.sample[:, n], kind="stable")
    chosen = order[[round(share * (len(order) - 1)) for share in QUANTILES]]
    spread = _placed(table, table.sample_at[chosen, 0], table.sample_at[chosen, 1], model)
    spread.insert(0, "share", QUANTILES)
    spread.insert(1, "activation", table.sample[chosen, n].astype(np.float64))
    rising = table.sample[order, n].astype(np.float64)
    mean, special = float(table.mean[n]), float(table.special[n])
    return NeuronSentences(neuron, layer, best, spread, rising, mean, special, len(corpus.sentences))


@remembered
def read_neurons(corpus: Corpus, model: "EmbeddingModel", *, layer: int, progress: Progress = silent) -> NeuronTable:
    """Read a text up to a layer and keep, for each of its neurons, the sentences that activate it most; cached."""
    count = int(layer_modules(model, layer=layer).first.out_features)
    rows = _read(corpus, model, part(progress, 0.0, _TOKENISING))
    inside = np.array([len(row.ids) - 2 for row in rows])
    begins = np.concatenate([[0], inside.cumsum()])
    tokens = int(begins[-1])
    drawn = np.sort(generator(0).choice(tokens, min(SAMPLE, tokens), replace=False))
    sample_rows = np.searchsorted(begins, drawn, side="right") - 1
    sample_at = np.stack([sample_rows, drawn - begins[sample_rows] + 1], axis=1).astype(np.int32)
    best: Array = np.full((K, count), -np.inf, np.float32)
    best_rows, best_at = np.zeros((K, count), np.int32), np.zeros((K, count), np.int32)
    sample = np.empty((len(drawn), count), np.float32)
    total, special = np.zeros(count), np.zeros(count)
    done = 0
    report = part(progress, _TOKENISING, 1 - _TOKENISING)
    for numbers, found in steps_of_texts([row.ids for row in rows], model, layers=(layer,)):
        neurons = found[layer][1]
        for line, number in enumerate(numbers):
            t = len(rows[number].ids)
            words = neurons[line, 1 : t - 1]  # without [CLS] and [SEP], because they are in every sentence
            total += words.sum(0)
            special += neurons[line, [0, t - 1]].sum(0)
            own = np.flatnonzero(sample_rows == number)
            sample[own] = neurons[line, sample_at[own, 1]]
            at = words.argmax(0)
            _keep(best, best_rows, best_at, words[at, np.arange(count)], number, at + 1)
            done += t
        report(done / (tokens + 2 * len(rows)))
    order = np.argsort(-best, axis=0, kind="stable")
    values, numbers_of, places = (np.take_along_axis(each, order, axis=0).T for each in (best, best_rows, best_at))
    mean, of_special = (total / tokens).astype(np.float32), (special / (2 * len(rows))).astype(np.float32)
    for array in (values, numbers_of, places, sample, sample_at, mean, of_special):
        array.flags.writeable = False
    return NeuronTable(tuple(rows), tokens, values, numbers_of, places, sample, sample_at, mean, of_special)


def effort(corpus: Corpus, model: "EmbeddingModel", *, layer: int) -> float:
    """Return about how many seconds `read_neurons` takes; 0 if its result is cached."""
    if memory.known(read_neurons, {"corpus": corpus, "layer": layer}, checksum=model.checksum):
        return 0.0
    tokens = 1.3 * sum(len(sentence.split()) + 2 for sentence in corpus.sentences)
    return tokens * (layer * model.dimensions**2 / _PACE + _TOKEN_SECONDS)


def _keep(best: Array, best_rows: Array, best_at: Array, values: Array, number: int, at: NDArray[np.intp]) -> None:
    """Replace the lowest kept activation of each neuron by the one of this sentence if that is higher."""
    lowest = best.argmin(0)
    higher = np.flatnonzero(values > best[lowest, np.arange(len(values))])
    best[lowest[higher], higher] = values[higher]
    best_rows[lowest[higher], higher] = number
    best_at[lowest[higher], higher] = at[higher]


def _read(corpus: Corpus, model: "EmbeddingModel", progress: Progress) -> list[Row]:
    rows: list[Row] = []
    tokens = 0
    for number, sentence in enumerate(corpus.sentences):
        if number % 100 == 0:
            progress(number / len(corpus.sentences))
        own = [row for row, _ in read(sentence, model) if row.places]
        rows += own
        tokens += sum(len(row.ids) - 2 for row in own)
        if tokens > MAX_TOKENS:
            raise ValueError(f"The text has more than {MAX_TOKENS:,} tokens. Use a part of it.")
    if not rows:
        raise ValueError("There is no word in the text that this model knows. Use another text.")
    return rows


def _placed(table: NeuronTable, rows: Array, positions: Array, model: "EmbeddingModel") -> pd.DataFrame:
    """Return the words at some positions with their sentences: word, text, start, end."""
    found = []
    for number, position in zip(rows.tolist(), positions.tolist(), strict=True):
        row = table.rows[number]
        words = model.words(row.text)[1]
        start, end = next(
            ((start, end) for first, pieces, start, end in words if first <= position < first + pieces), (0, 0)
        )
        found.append((row.text[start:end], row.text, start, end))
    return pd.DataFrame(found, columns=["word", "text", "start", "end"])
