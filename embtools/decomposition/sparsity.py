"""The parts of a vector for a range of penalties."""

import numpy as np
import pandas as pd

from embtools.decomposition import lasso
from embtools.decomposition.dictionary import Dictionary
from embtools.decomposition.parts import by_word
from embtools.decomposition.target import Target
from embtools.progress import Progress, silent

SHARES = tuple(float(share) for share in np.geomspace(0.95, 0.05, 14).round(4))


def sparsity_path(
    target: Target,
    dictionary: Dictionary,
    *,
    same_word: bool = False,
    same_sentence: bool = True,
    progress: Progress = silent,
) -> pd.DataFrame:
    """Shares by word for decreasing penalties."""
    allowed = dictionary.allowed(target, same_word=same_word, same_sentence=same_sentence)
    square = float(target.vector.astype(np.float64) @ target.vector.astype(np.float64))
    frames = []
    for mix in lasso.path(dictionary.vectors, target.vector, SHARES, allowed=allowed, progress=progress):
        if not len(mix.support):
            continue
        table = pd.DataFrame({"word": dictionary.words[mix.support], "share": mix.weights / mix.weights.sum()})
        shares = by_word(table).drop(columns="parts")
        explained = 1 - float(mix.residual @ mix.residual) / square
        shares.insert(0, "penalty", mix.share)
        shares.insert(1, "parts", len(mix.support))
        shares.insert(2, "explained", explained)
        frames.append(shares)
    columns = ["penalty", "parts", "explained", "word", "share"]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)
