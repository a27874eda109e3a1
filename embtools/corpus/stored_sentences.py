"""Sentences by meaning in a corpus folder, which holds words: a sentence is the mean of its words there."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.corpus.search import MAX_NEIGHBOURS
from embtools.corpus.sentences import Matches, asked_sentence
from embtools.limits import within
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder import reading, scan
from embtools.occurrences.folder.files import Block
from embtools.occurrences.folder.keeping import Kept, keep
from embtools.occurrences.folder.reading import FILES, CorpusFolder
from embtools.occurrences.folder.shards import WORDS
from embtools.progress import Progress, part, silent
from embtools.spaces.space import AS_IS
from embtools.vectors import Array, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MOST_BYTES = 1_000_000_000
"""Of the means of all sentences."""
_SAME = 0.9999  # cosines above this are equal but for half precision
_PACE = 50_000  # rows of 384 numbers in a second: read, kept, and summed by sentence


def sentences_in_folder(
    folder: CorpusFolder, sentence: str, model: "EmbeddingModel", *, k: int = 10, progress: Progress = silent
) -> Matches:
    """The k sentences of a folder nearest to a sentence, exactly, by the cosine of the means of their words (without
    [CLS], [SEP] and signs: the folder holds words); and those that share most words with it (tf-idf).

    The means are made once and kept on this machine. A sentence with the very same words is left out. Raises
    ValueError for a folder of another model, one with more than MOST_KEPT occurrences or whose means would take more
    than MOST_BYTES, a sentence that is empty, too long or without a word that the model knows, and k out of range.
    """
    from scipy.stats import rankdata

    within(k, MAX_NEIGHBOURS, "sentences")
    folder.check(model)
    possible(folder)
    asked = encode_corpus(Corpus((asked_sentence(sentence),)), folder.recipe, model)
    occ = folder.kept(part(progress, 0.0, 0.6)).occ
    means = sentence_means(folder, part(progress, 0.6, 0.4))
    meaning = _cosines(folder, means, asked.vectors.mean(0))
    shared = shared_words(folder, occ, asked.table["word"].to_numpy())
    others = np.flatnonzero((means.norms > 0) & ~((meaning > _SAME) & (shared > _SAME)))
    if not len(others):
        raise ValueError("The folder has no other sentence. Choose another folder.")
    meaning, shared = meaning[others].astype(np.float64), shared[others]
    ranks, by_words = rankdata(-meaning, method="min").astype(int), rankdata(-shared.round(12))

    def listed(rows: NDArray[np.intp]) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "rank": ranks[rows],
                "sentence": folder.sentences(others[rows].tolist()),
                "cosine": meaning[rows],
                "words": by_words[rows],
            }
        )

    alike = top_k(np.where(shared > 0, shared, -np.inf), min(k, int((shared > 0).sum())))
    return Matches(listed(top_k(meaning, k)), listed(alike), len(others))


def sentence_means(folder: CorpusFolder, progress: Progress = silent) -> Kept:
    """The mean of the words of every sentence (s, d) and its length, by number; made once and kept on this machine.

    Of the words as they are: in a space the mean is what the space makes of it, for that takes a shift and a matrix.
    """
    s, d, name = int(folder.about["sentences"]), folder.dimensions, f"{folder.checksum}-sentences"
    if found := Kept.open(name, s, d):
        return found
    sums, counts = np.zeros((s, d), np.float32), np.zeros(s, np.float32)
    for block in folder.seen(AS_IS).blocks(progress=progress):
        numbers = block.occ // WORDS
        order = np.argsort(numbers, kind="stable")
        own, starts, sizes = np.unique(numbers[order], return_index=True, return_counts=True)
        sums[own] += np.add.reduceat(block.vectors[order], starts, axis=0)
        counts[own] += sizes
    sums /= np.maximum(counts, 1)[:, None]
    return keep(name, s, d, [(np.arange(s), np.linalg.norm(sums, axis=1), sums)])


def shared_words(folder: CorpusFolder, occ: NDArray[np.int64], words: NDArray[np.object_]) -> NDArray[np.float64]:
    """The cosine (s,) of words with every sentence of a folder, each word weighted by its rarity (tf-idf).

    occ: of all rows of the folder, which are sorted by word, so that a word's counts in its sentences stand together.
    The weights are scikit-learn's: count · (ln((1 + s) / (1 + sentences with the word)) + 1).
    """
    if len(occ) != len(folder):
        raise ValueError(f"There are {len(occ):,} occurrences; give those of all {len(folder):,} rows of the folder.")
    s = int(folder.about["sentences"])
    counts = folder.words()["count"].to_numpy()
    word, sentence = np.repeat(np.arange(len(counts)), counts), occ // WORDS
    begins = np.flatnonzero(np.r_[True, (np.diff(word) != 0) | (np.diff(sentence) != 0)])
    word, sentence, often = word[begins], sentence[begins], np.diff(np.r_[begins, len(occ)])
    rarity = np.log((1 + s) / (1 + np.bincount(word, minlength=len(counts)))) + 1
    weights = often * rarity[word]
    lengths = np.sqrt(np.bincount(sentence, weights**2, minlength=s))
    products, length = np.zeros(s), 0.0
    for name, count in zip(*np.unique(words.astype(str), return_counts=True), strict=True):
        begin, end = np.searchsorted(begins, folder.span(str(name)))
        if begin == end:
            length += (count * (np.log(1 + s) + 1)) ** 2  # a word that no sentence has
            continue
        own = count * rarity[word[begin]]
        length += own**2
        products[sentence[begin:end]] += own * weights[begin:end]
    return products / np.where(lengths == 0, 1, lengths) / max(np.sqrt(length), 1e-12)


def _cosines(folder: CorpusFolder, means: Kept, vector: Array) -> Array:
    """The cosines (s,) of the means of all sentences with a mean (d,), in the folder's space."""
    asked, found = folder.fitted.apply(vector), []
    for first in range(0, len(means.occ), scan.BLOCK):
        some = slice(first, first + scan.BLOCK)
        block = Block(first, means.occ[some], means.norms[some], means.vectors[some]).seen(folder.fitted)
        found.append(scan.cosines(block.vectors, block.norms, asked))
    return np.concatenate(found)


def possible(folder: CorpusFolder) -> None:
    """Raise ValueError for a folder whose sentences cannot be compared on this machine."""
    size = int(folder.about["sentences"]) * folder.dimensions * 4
    if folder.rung() == FILES or size > MOST_BYTES:
        raise ValueError(
            f"This folder has {len(folder):,} occurrences in {folder.about['sentences']:,} sentences. It holds words;"
            f" the means of its sentences are made for at most {reading.MOST_KEPT:,} occurrences and"
            f" {MOST_BYTES / 1e9:.0f} GB. Search one of its words under “Nearest occurrences”, or choose another."
        )


def seconds(folder: CorpusFolder) -> float:
    """About how long the first search takes; the next ones find what it has kept."""
    if folder.is_kept() and Kept.open(f"{folder.checksum}-sentences", folder.about["sentences"], folder.dimensions):
        return 0.0
    return len(folder) * folder.dimensions / 384 / _PACE
