"""One vector for each word of a text: the mean of its occurrences, as named vectors that take the place of a model."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.layer_combinations import SUM_FOUR
from embtools.models.vectors_as_model import Vectors
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sampling import sample
from embtools.occurrences.in_space import fitted_space
from embtools.progress import Progress, part, silent
from embtools.spaces.fitting import fit
from embtools.spaces.space import AS_IS, RAW, Space
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

TITLE = "words in texts"
MOST_DRAWN = 50_000
"""Largest number of occurrences of a folder that are read one by one."""


def word_means(
    model: "EmbeddingModel",
    *,
    combination: str = SUM_FOUR,
    folder: CorpusFolder | None = None,
    space: Space = AS_IS,
    progress: Progress = silent,
) -> Vectors:
    """The mean of the occurrences of each word, in the built-in corpus or in a folder; the most frequent word first.

    Parameters
    ----------
    model : EmbeddingModel
    combination : str, default "sum of last four"
        Layer combination of the built-in corpus; a folder has its own.
    folder : CorpusFolder, optional
        A folder that this model has encoded. Of more than 50,000 occurrences, a random sample is read.
    space : Space, optional
        A processed space is fitted to all occurrences, which are processed before their mean is taken.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Vectors
        The words that begin with a letter.

    Raises
    ------
    ValueError
        For an unknown layer combination, a folder of another model, more directions to remove than the vectors have,
        and more clusters than they allow.
    """
    if folder is not None:
        folder.check(model)
        drawn = sample(folder, MOST_DRAWN, progress=progress)
        rows = drawn.vectors
        if space.kind != RAW:
            rows = fit(rows, space, known=folder.sums().moments()).apply(rows)
        return _means(drawn.table, rows)
    read = encode_corpus(built_in_corpus(), model, combination=combination, progress=part(progress, 0, 0.8))
    if space.kind == RAW:
        return _means(read.table, read.vectors)
    fitted = fitted_space(
        built_in_corpus(), model, combination=combination, space=space, progress=part(progress, 0.8, 0.2)
    )
    return _means(read.table, fitted.apply(read.vectors))


def _means(table: pd.DataFrame, rows: Array) -> Vectors:
    names, owner, counts = np.unique(table["word"].to_numpy().astype(str), return_inverse=True, return_counts=True)
    order = np.argsort(owner, kind="stable")
    sums = np.add.reduceat(rows[order], np.r_[0, counts[:-1].cumsum()], axis=0)
    means = sums / counts[:, None].astype(rows.dtype)
    words = [number for number in np.argsort(-counts, kind="stable") if names[number][:1].isalpha()]
    return Vectors([str(names[number]) for number in words], means[words], title=TITLE)
