"""Decomposition of the result of a formula into static embeddings, with its controls and the effect of the penalty."""

from typing import TYPE_CHECKING

import pandas as pd

from embtools.decomposition import dictionary, targets
from embtools.decomposition.parts import SHARE
from embtools.decomposition.results import Controls, Decomposition, compared, decomposed
from embtools.decomposition.sparsity import sparsity_path
from embtools.memory import remembered
from embtools.progress import Progress, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


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
    return decomposed(target, dictionary.of_vocabulary(model), share=share, alpha=alpha, same_word=same_word)


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
        A formula, or a single word.
    model : EmbeddingModel
    share : float, default 0.3
        The penalty as a share of its maximum, at which the mix is empty.
    alpha : float, optional
        The penalty as scikit-learn's `alpha`, instead of `share`.
    same_word : bool, default False
        Whether the words of the formula may be parts.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

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
    atoms = dictionary.of_vocabulary(model)
    return compared(mix.target, atoms, mix.parts, same_word=same_word, progress=progress)


def formula_path(
    text: str, model: "EmbeddingModel", *, same_word: bool = False, progress: Progress = silent
) -> pd.DataFrame:
    """Decompose the result of a formula with decreasing penalties.

    Parameters
    ----------
    text : str
        A formula, or a single word.
    model : EmbeddingModel
    same_word : bool, default False
        Whether the words of the formula may be parts.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

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
    return sparsity_path(target, dictionary.of_vocabulary(model), same_word=same_word, progress=progress)
