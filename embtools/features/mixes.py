"""A word in a sentence, or the result of a formula, as a mix of other vectors, with its controls for each penalty."""

from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from embtools.features import controls, targets
from embtools.features import dictionary as dictionaries
from embtools.features.dictionary import Dictionary
from embtools.features.parts import SHARE, sparsity_path
from embtools.features.results import Controls, Decomposition, decomposed
from embtools.features.targets import Target, normalised
from embtools.layer_combinations import SUM_FOUR
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.progress import Progress, part, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

OCCURRENCES, STATIC = "occurrences", "static embeddings"
"""What a word can be decomposed into, without a folder."""


@remembered
def decompose_word(
    word: str,
    model: "EmbeddingModel",
    *,
    number: int = 1,
    sentence: str = "",
    combination: str = SUM_FOUR,
    into: str = OCCURRENCES,
    folder: CorpusFolder | None = None,
    chosen: tuple[str, ...] = (),
    share: float = SHARE,
    alpha: float | None = None,
    same_word: bool = False,
    same_sentence: bool = True,
    progress: Progress = silent,
) -> Decomposition:
    """Decompose one occurrence of a word into other occurrences or into static embeddings (cached).

    Parameters
    ----------
    word : str
    model : EmbeddingModel
    number : int, default 1
        Number of its occurrence in the built-in corpus or in the folder; the last one if it is too large.
    sentence : str, default ""
        Your own sentence with the word, instead of an occurrence in the corpus.
    combination : str, default "sum of last four"
        The layer combination; a folder has its own.
    into : str, default "occurrences"
        OCCURRENCES (those in the built-in corpus) or STATIC (static embeddings); not used for a folder.
    folder : CorpusFolder, optional
        Its occurrences are the possible parts, and the word's occurrence comes from it.
    chosen : tuple of str, default ()
        Words of the folder whose occurrences are the possible parts; if empty, a random sample of all occurrences.
    share : float, default 0.3
        The penalty as a share of its maximum, at which the mix is empty.
    alpha : float, optional
        The penalty as scikit-learn's `alpha`, instead of `share`.
    same_word, same_sentence : bool, default False and True
        Whether the same word, and words of the same sentence, may be parts.
    progress : callable, optional

    Returns
    -------
    Decomposition
        The parts, and how much they and the nearest words explain.

    Raises
    ------
    ValueError
        For a word that cannot be read or does not occur, for another model than that of the folder, for an unknown
        layer combination, and for a penalty that is too small.
    """
    prepared = _prepare(word, model, number, sentence, combination, into, folder, chosen, progress)
    count, coverage = 0, ""
    if folder is not None:
        count = folder.count(prepared.target.name)
        coverage = dictionaries.coverage(folder, prepared.dictionary, words=chosen)
    return decomposed(
        prepared.target,
        prepared.dictionary,
        share=share,
        alpha=alpha,
        same_word=same_word,
        same_sentence=same_sentence,
        sentences=prepared.sentences,
        count=count,
        coverage=coverage,
    )


def word_controls(
    word: str,
    model: "EmbeddingModel",
    *,
    number: int = 1,
    sentence: str = "",
    combination: str = SUM_FOUR,
    into: str = OCCURRENCES,
    folder: CorpusFolder | None = None,
    chosen: tuple[str, ...] = (),
    share: float = SHARE,
    alpha: float | None = None,
    same_word: bool = False,
    same_sentence: bool = True,
    progress: Progress = silent,
) -> Controls:
    """Compare the decomposition of an occurrence with its controls, which takes longer than the decomposition.

    Parameters
    ----------
    word : str
    model : EmbeddingModel
    number, sentence, combination, into, folder, chosen, share, alpha, same_word, same_sentence, progress
        As in `decompose_word`.

    Returns
    -------
    Controls
        The share that the same number of parts explains of the vector and of its controls.

    Raises
    ------
    ValueError
        As `decompose_word` does.
    """
    where = (number, sentence, combination, into, folder, chosen)
    mix = decompose_word(
        word,
        model,
        number=number,
        sentence=sentence,
        combination=combination,
        into=into,
        folder=folder,
        chosen=chosen,
        share=share,
        alpha=alpha,
        same_word=same_word,
        same_sentence=same_sentence,
        progress=part(progress, 0.0, 0.2),
    )
    prepared = _prepare(word, model, *where, part(progress, 0.2, 0.1))
    rules = {"same_word": same_word, "same_sentence": same_sentence}
    rest = part(progress, 0.3, 0.7)
    return Controls(controls.compare(prepared.target, prepared.dictionary, mix.parts, **rules, progress=rest))


def word_path(
    word: str,
    model: "EmbeddingModel",
    *,
    number: int = 1,
    sentence: str = "",
    combination: str = SUM_FOUR,
    into: str = OCCURRENCES,
    folder: CorpusFolder | None = None,
    chosen: tuple[str, ...] = (),
    same_word: bool = False,
    same_sentence: bool = True,
    progress: Progress = silent,
) -> pd.DataFrame:
    """Decompose one occurrence of a word with decreasing penalties.

    Parameters
    ----------
    word : str
    model : EmbeddingModel
    number, sentence, combination, into, folder, chosen, same_word, same_sentence, progress
        As in `decompose_word`.

    Returns
    -------
    DataFrame
        Columns: penalty, parts, explained, word, share.

    Raises
    ------
    ValueError
        As `decompose_word` does.
    """
    where = (number, sentence, combination, into, folder, chosen)
    prepared = _prepare(word, model, *where, part(progress, 0.0, 0.3))
    rules = {"same_word": same_word, "same_sentence": same_sentence}
    return sparsity_path(prepared.target, prepared.dictionary, **rules, progress=part(progress, 0.3, 0.7))


@remembered
def decompose_formula(
    text: str, model: "EmbeddingModel", *, share: float = SHARE, alpha: float | None = None, same_word: bool = False
) -> Decomposition:
    """Decompose the result of a formula over static embeddings into static embeddings of whole words (cached).

    Parameters
    ----------
    text : str
        A formula, or a single word.
    model : EmbeddingModel
    share : float, default 0.3
        The penalty as a share of its maximum, at which the mix is empty.
    alpha : float, optional
        The penalty as scikit-learn's `alpha`, instead of `share`.
    same_word : bool, default False
        Whether the words of the formula may be parts.

    Returns
    -------
    Decomposition
        The parts, and how much they and the nearest words explain.

    Raises
    ------
    ValueError
        For a formula that cannot be read, for a result of zero, and for a penalty that is too small.
    """
    target = targets.formula(text, model)
    return decomposed(target, dictionaries.of_vocabulary(model), share=share, alpha=alpha, same_word=same_word)


def formula_controls(
    text: str,
    model: "EmbeddingModel",
    *,
    share: float = SHARE,
    alpha: float | None = None,
    same_word: bool = False,
    progress: Progress = silent,
) -> Controls:
    """Compare the decomposition of a formula with its controls, which takes longer than the decomposition itself.

    Parameters
    ----------
    text : str
    model : EmbeddingModel
    share, alpha, same_word
        As in `decompose_formula`.
    progress : callable, optional

    Returns
    -------
    Controls
        The share that the same number of parts explains of the result and of its controls.

    Raises
    ------
    ValueError
        As `decompose_formula` does.
    """
    mix = decompose_formula(text, model, share=share, alpha=alpha, same_word=same_word)
    atoms = dictionaries.of_vocabulary(model)
    return Controls(controls.compare(mix.target, atoms, mix.parts, same_word=same_word, progress=progress))


def formula_path(
    text: str, model: "EmbeddingModel", *, same_word: bool = False, progress: Progress = silent
) -> pd.DataFrame:
    """Decompose the result of a formula with decreasing penalties.

    Parameters
    ----------
    text : str
    model : EmbeddingModel
    same_word
        As in `decompose_formula`.
    progress : callable, optional

    Returns
    -------
    DataFrame
        Columns: penalty, parts, explained, word, share.

    Raises
    ------
    ValueError
        As `decompose_formula` does.
    """
    target = targets.formula(text, model)
    return sparsity_path(target, dictionaries.of_vocabulary(model), same_word=same_word, progress=progress)


class _Prepared(NamedTuple):
    """The target, the dictionary, and the sentences of the built-in corpus that contain the word."""

    target: Target
    dictionary: Dictionary
    sentences: tuple[str, ...] = ()


def _prepare(
    word: str,
    model: "EmbeddingModel",
    number: int,
    sentence: str,
    combination: str,
    into: str,
    folder: CorpusFolder | None,
    chosen: tuple[str, ...],
    progress: Progress,
) -> _Prepared:
    if into not in (OCCURRENCES, STATIC):
        raise ValueError(f"A word cannot be decomposed into {quoted(into)}. Choose {OCCURRENCES} or {STATIC}.")
    name = normalised(word, model)  # errors are raised before a thousand sentences are encoded
    if folder is not None:
        if chosen:
            atoms = dictionaries.of_words(folder, model, words=chosen, progress=progress)
        else:
            atoms = dictionaries.of_folder(folder, model, progress=progress)
        if sentence:
            return _Prepared(targets.from_sentence(sentence, model, word=word, combination=folder.combination), atoms)
        return _Prepared(targets.from_folder(folder, model, word=word, number=number, atoms=atoms.positions), atoms)
    read = encode_corpus(built_in_corpus(), model, combination=combination, progress=progress)
    if sentence:
        target = targets.from_sentence(sentence, model, word=word, combination=combination)
    else:
        target = targets.occurrence(read, model, word=word, number=number)
    atoms = dictionaries.of_vocabulary(model) if into == STATIC else dictionaries.of_occurrences(read)
    numbers = read.table["sentence"].to_numpy()[read.of(name)]
    return _Prepared(target, atoms, tuple(read.sentences[n] for n in numbers))
