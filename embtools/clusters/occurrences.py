"""The occurrences of a word in a text or a folder as `Vectors`, labelled with their senses."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import checked_seed
from embtools.messages import quoted
from embtools.models.vectors_as_model import CONTEXT, Labels, Vectors
from embtools.occurrences.corpus import LEAST_MAPPED, Corpus
from embtools.occurrences.folder import scan
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sampling import some_of
from embtools.occurrences.opened import opened
from embtools.occurrences.rows import model_spelling, out_of_range
from embtools.progress import Progress, part, silent
from embtools.spaces.space import AS_IS, Space

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_POINTS = 500  # on a map: t-SNE of more takes seconds
SENSE = "sense"
"""The column of labels with the senses."""


def word_occurrences(
    model: "EmbeddingModel",
    *,
    corpus: Corpus | CorpusFolder,
    word: str,
    combination: str = "",
    space: Space = AS_IS,
    seed: int = 0,
    progress: Progress = silent,
) -> Vectors:
    """Read the occurrences of a word; of more than MAX_POINTS, a random sample.

    Parameters
    ----------
    model : EmbeddingModel
        For a folder, the model that encoded it.
    corpus : Corpus or CorpusFolder
    word : str
        A word with at least three occurrences.
    combination : str, optional
        The layer combination, such as "layer 6" or "sum of last four"; by default that of the corpus.
    space : Space, optional
        Processed space, fitted to all occurrences of the corpus, so a text is read completely.
    seed : int, default 0
        Seed of the sample.
    progress : callable, optional

    Returns
    -------
    Vectors
        One per occurrence, named "bank 1", "bank 2" and so on by its number in the text, with its sense and its
        sentence; a folder has neither senses nor sentences. The first of the `notes` counts the occurrences.

    Raises
    ------
    ValueError
        For a word with fewer than three occurrences, an unknown layer combination, a space that cannot be fitted, and a
        folder of another model or layer combination.
    """
    checked_seed(seed)
    fitting = 0.0 if space == AS_IS or corpus.is_encoded else 0.8  # share of the time
    source = opened(corpus, model, combination=combination, space=space, progress=part(progress, 0.0, fitting))
    name = model_spelling(word, model)
    rows = source.of(name)
    count = len(rows)
    if count < LEAST_MAPPED:
        raise ValueError(_too_few(word, name, count, corpus.where))
    numbers = some_of(count, MAX_POINTS, seed=seed)
    wanted = np.arange(count) if corpus.lists_all else numbers  # the senses of all occurrences are counted
    occ, _, vectors = scan.selected(rows.blocks(part(progress, fitting, 1 - fitting)), wanted)
    labels: Labels = ()
    notes = f"{name} occurs {count:,} times in {corpus.where}."
    if corpus.lists_all:  # the sentences of a folder would be read from many files
        every = rows.described(occ, name)
        counted = every["sense"][every["sense"] != ""].value_counts().sort_index().items()
        senses = ", ".join(f"{sense} ({number})" for sense, number in counted)
        notes += f" Its labelled senses: {senses}." if senses else " Its senses are not labelled."
        frame, vectors = every.iloc[numbers], vectors[numbers]
        labels = ((CONTEXT, tuple(frame["text"])),)
        labels = ((SENSE, tuple(frame["sense"])), *labels) if senses else labels
    names = [f"{word.strip()} {number + 1}" for number in numbers]  # the same for models that spell it differently
    return Vectors(names, vectors, labels, title=f"occurrences of {name}", notes=(notes,), kind="occurrence")


def occurrence(
    corpus: Corpus | CorpusFolder, model: "EmbeddingModel", *, word: str, number: int, combination: str = ""
) -> pd.DataFrame:
    """One occurrence of a word, by its number, in its sentence.

    Parameters
    ----------
    corpus : Corpus or CorpusFolder
    model : EmbeddingModel
        For a folder, the model that encoded it.
    word : str
    number : int
        The number of the occurrence, from 1.
    combination : str, optional
        The layer combination with which a text is read; by default that of the corpus.

    Returns
    -------
    DataFrame
        One row with the columns rank, word, sense, text, start, end.

    Raises
    ------
    ValueError
        If there is no such occurrence, for an unknown layer combination, and for a folder of another model or layer
        combination.
    """
    name = model_spelling(word, model)
    rows = opened(corpus, model, combination=combination).of(name)
    if not 1 <= number <= len(rows):
        raise ValueError(out_of_range(quoted(word), corpus.where, len(rows)))
    return rows.described(np.array([rows.one(number - 1)[0]]), name)


def _too_few(word: str, name: str, count: int, where: str) -> str:
    if not count:
        return f"{quoted(word)} does not occur in {where}. Use another word, in the form in which it occurs there."
    times = "once" if count == 1 else "twice"
    return f"{quoted(name)} occurs only {times} in {where}; three occurrences are needed. Use another word."
