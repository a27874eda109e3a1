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
    text : a formula or a single word
    share, alpha : the penalty, as a share of its maximum or as scikit-learn's alpha (see `parts.decompose`)
    same_word : whether the words of the formula may be parts

    Raises
    ------
    ValueError for a formula that cannot be read, for a result of zero, and for a penalty that is too small.
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
    """The controls of `decompose_formula`, which take longer than the decomposition itself.

    The parameters are those of `decompose_formula`; `progress` receives 0 … 1 and may raise to stop.
    """
    mix = decompose_formula(text, model, share=share, alpha=alpha, same_word=same_word)
    atoms = dictionary.of_vocabulary(model)
    return compared(mix.target, atoms, mix.parts, same_word=same_word, progress=progress)


def formula_path(
    text: str, model: "EmbeddingModel", *, same_word: bool = False, progress: Progress = silent
) -> pd.DataFrame:
    """The parts of the result of a formula for decreasing penalties: the frame of `sparsity.sparsity_path`.

    The parameters are those of `decompose_formula`; `progress` receives 0 … 1 and may raise to stop.
    """
    target = targets.formula(text, model)
    return sparsity_path(target, dictionary.of_vocabulary(model), same_word=same_word, progress=progress)
