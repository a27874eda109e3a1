"""The study "colours cluster by use": cosines of colour words, compared with their use in text and their appearance."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import wordlists
from embtools.paper.study_result import COLUMNS, Study, interval
from embtools.progress import Progress, silent
from embtools.statistics.decimals import decimal
from embtools.statistics.exact import jackknife
from embtools.statistics.permutations import mantel
from embtools.statistics.reporting import p_value
from embtools.vectors import Array, cosine
from embtools.words.colours import colour_differences

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SENTENCE = "Colour words are similar if they are used in similar ways, not if the colours look similar."
USE, LOOKS, MORE, BOTH = ROWS = (
    "with use in text", "with appearance", "use minus appearance", "use with appearance, without BERT",
)  # fmt: skip
LEAST = 8
"""Colours that a model must know."""


def colour_uses(model: "EmbeddingModel", *, seed: int = 0, progress: Progress = silent) -> Study:
    """Compare the cosines of all colour words with how similarly they are used in Simple English Wikipedia, without
    BERT, and look (CIEDE2000), by Spearman's rank correlation over all pairs."""
    table = wordlists.load("colours")
    known = [word for word in table["colour"] if len(model.pieces(word)) == 1 and "[UNK]" not in model.pieces(word)]
    if len(known) < LEAST:
        raise ValueError(f"This model knows only {len(known)} of the colour words as single tokens.")
    vectors = np.stack([model.vector(word) for word in known]).astype(np.float64)
    cosines, use = cosine(vectors, vectors), _use(known)
    looks = -colour_differences(tuple(table.set_index("colour")["hex"][known]))
    progress(0.5)

    def rho(one: Array, other: Array) -> tuple[float, float, float]:
        return jackknife(lambda rows: spearman(one, other, rows), len(known))

    def more(rows: NDArray[np.intp]) -> float:
        return spearman(cosines, use, rows) - spearman(cosines, looks, rows)

    values = {
        USE: rho(cosines, use),
        LOOKS: rho(cosines, looks),
        MORE: jackknife(more, len(known)),
        BOTH: rho(use, looks),
    }
    i, j = np.triu_indices(len(known), 1)
    frame = pd.DataFrame([(name, *value, len(i)) for name, value in values.items()], columns=list(COLUMNS))
    items = pd.DataFrame(
        {
            "first": [known[k] for k in i], "second": [known[k] for k in j], "cosine": cosines[i, j],
            "use": use[i, j], "difference": -looks[i, j],
        }
    ).sort_values("cosine", ascending=False, ignore_index=True)  # fmt: skip
    tests = [p_value(mantel(cosines, other, permutations=9_999, seed=seed).p, 9_999) for other in (use, looks)]
    progress(1.0)
    return Study(
        "colours", SENTENCE, "A4", "rank correlation", _headline(values, len(known)), frame, items,
        (
            f"The study uses the static embeddings of {len(known)} colour words, which form {len(i)} pairs. Mantel's"
            f" test (9,999 permutations) gives for use {tests[0]}, and for appearance {tests[1]}. The intervals come"
            " from a jackknife over the colours.",
            "Use is measured in Simple English Wikipedia, which is a part of the bundled model's training text.",
        ),
        ("Rank correlation with use minus that with appearance", *values[MORE]), (MORE,),
    )  # fmt: skip


def spearman(one: Array, other: Array, rows: NDArray[np.intp]) -> float:
    """Return the rank correlation of two (n, n) tables over all pairs of these rows.

    >>> table = np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]])
    >>> spearman(table, -table, np.arange(3))
    -1.0
    """
    from scipy.stats import rankdata

    i, j = (rows[k] for k in np.triu_indices(len(rows), 1))
    ranks = [rankdata(np.asarray(table)[i, j]) for table in (one, other)]
    return float(np.corrcoef(*ranks)[0, 1].round(12))


def _use(words: list[str]) -> Array:
    """Return how similarly colour words are used, (n, n), from the word list."""
    found = np.ones((len(words), len(words)))
    at = {word: number for number, word in enumerate(words)}
    for first, second, value in wordlists.load("colour_uses").itertuples(index=False, name=None):
        if first in at and second in at:
            found[at[first], at[second]] = found[at[second], at[first]] = value
    return found


def _headline(values: dict[str, tuple[float, float, float]], n: int) -> str:
    use, looks = (f"ρ = {decimal(values[name][0])}" for name in (USE, LOOKS))
    _, low, high = values[MORE]
    clear = "" if low > 0 or high < 0 else ", which is not clear"
    return (
        f"The similarity of {n} colour words has a rank correlation of {use} with their use in text and of {looks} with"
        f" their appearance. The difference is {interval(*values[MORE])}{clear}."
    )
