"""A sentence compared with all sentences of a corpus folder; a sentence is the mean of its words."""

import numpy as np
from numpy.typing import NDArray

from embtools.occurrences.folder import reading, scan
from embtools.occurrences.folder.files import Block
from embtools.occurrences.folder.reading import FILES, CorpusFolder
from embtools.occurrences.folder.shards import WORDS
from embtools.occurrences.folder.stored_rows import StoredRows, store
from embtools.occurrences.in_memory import ComparedSentences
from embtools.progress import Progress, part, silent
from embtools.spaces.space import AS_IS
from embtools.vectors import Array

MOST_BYTES = 1_000_000_000
"""The largest size of the means of all sentences."""
_SAME = 0.9999  # vectors with a higher cosine differ only by rounding to half precision
_PACE = 50_000  # rows of 384 numbers that are read, stored and summed by sentence in a second


def compare_sentences(
    folder: CorpusFolder, words: NDArray[np.object_], vectors: Array, *, progress: Progress = silent
) -> ComparedSentences:
    """A sentence (words (m,), raw vectors (m, d)) compared with all of a folder but those of exactly the same words, as
    means of words, because a folder has no vectors of [CLS], [SEP] and punctuation.
    """
    possible(folder)
    occ = folder.stored(part(progress, 0.0, 0.6)).occ
    means = sentence_means(folder, progress=part(progress, 0.6, 0.4))
    meaning = _cosines(folder, means, vectors.mean(0))
    shared = shared_words(folder, occ, words)
    others = np.flatnonzero((means.norms > 0) & ~((meaning > _SAME) & (shared > _SAME)))
    if not len(others):
        raise ValueError("The folder has no other sentence. Use another folder.")
    return ComparedSentences(others, meaning[others].astype(np.float64), shared[others])


def sentence_means(folder: CorpusFolder, *, progress: Progress = silent) -> StoredRows:
    """The mean vector of the words of every sentence (s, d) and its length, raw, because a space (a shift and a matrix)
    can be applied to means; computed once and stored on this machine.
    """
    s, d, name = int(folder.about["sentences"]), folder.dimensions, f"{folder.checksum}-sentences"
    if found := StoredRows.open(name, s, d):
        return found
    sums, counts = np.zeros((s, d), np.float32), np.zeros(s, np.float32)
    for block in folder.in_space(AS_IS).blocks(progress=progress):
        numbers = block.occ // WORDS
        order = np.argsort(numbers, kind="stable")
        own, starts, sizes = np.unique(numbers[order], return_index=True, return_counts=True)
        sums[own] += np.add.reduceat(block.vectors[order], starts, axis=0)
        counts[own] += sizes
    sums /= np.maximum(counts, 1)[:, None]
    return store(name, s, d, [(np.arange(s), np.linalg.norm(sums, axis=1), sums)])


def shared_words(folder: CorpusFolder, occ: NDArray[np.int64], words: NDArray[np.object_]) -> NDArray[np.float64]:
    """The cosine (s,) between words and every sentence of a folder, each word weighted by its rarity (tf-idf of
    scikit-learn); `occ`: the occurrence numbers of all rows of the folder.
    """
    if len(occ) != len(folder):
        raise ValueError(
            f"There are {len(occ):,} occurrence numbers; give those of all {len(folder):,} rows of the folder."
        )
    s = int(folder.about["sentences"])
    counts = folder.words()["count"].to_numpy()
    word, sentence = np.repeat(np.arange(len(counts)), counts), occ // WORDS
    # The rows are sorted by word, and those of a word by sentence.
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


def _cosines(folder: CorpusFolder, means: StoredRows, vector: Array) -> Array:
    """The cosines (s,) of the means of all sentences with a vector (d,), in the folder's space."""
    fitted, found = folder.fitted, []
    query = fitted.apply(vector)
    for first in range(0, len(means.occ), scan.BLOCK):
        some = slice(first, first + scan.BLOCK)
        block = Block(first, means.occ[some], means.norms[some], means.vectors[some]).processed(fitted)
        found.append(scan.cosines(block.vectors, block.norms, query))
    return np.concatenate(found)


def possible(folder: CorpusFolder) -> None:
    """Raise ValueError if the sentences of a folder cannot be compared on this machine."""
    size = int(folder.about["sentences"]) * folder.dimensions * 4
    if folder.rung() == FILES or size > MOST_BYTES:
        raise ValueError(
            f"This folder is too large to compare its sentences: it has {len(folder):,} occurrences in"
            f" {folder.about['sentences']:,} sentences. At most {reading.MOST_STORED:,} occurrences and"
            f" {MOST_BYTES / 1e9:.0f} GB of sentence vectors are allowed. Search for one of its words under “Nearest"
            " occurrences”, or choose another folder."
        )


def seconds(folder: CorpusFolder) -> float:
    """Estimated seconds for the first search; 0 if its results are already stored."""
    if folder.is_stored() and StoredRows.open(
        f"{folder.checksum}-sentences", folder.about["sentences"], folder.dimensions
    ):
        return 0.0
    return len(folder) * folder.dimensions / 384 / _PACE
