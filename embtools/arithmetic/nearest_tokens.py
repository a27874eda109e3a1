"""Formulas over static embeddings: the nearest words, the rank of an expected word, the vectors and their map."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.formula import expression as formula_expression
from embtools.formula.evaluation import as_tree, evaluate
from embtools.formula.expression import Expression
from embtools.messages import mentioned
from embtools.neighbours import Metric, neighbours, similarities
from embtools.statistics.agreement import shared
from embtools.statistics.ranks import ordinal
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_NEAR = 10  # highest rank that counts as near


def nearest(
    expression: str | Expression,
    model: "EmbeddingModel",
    *,
    k: int = 10,
    inputs: bool = True,
    metric: Metric = "cosine",
    whole_words: bool = False,
    leave_out: Sequence[str] = (),
) -> pd.DataFrame:
    """Return the k tokens nearest to a formula's value, the nearest first.

    With the inputs among the candidates, as in "BERT Embedding Math", the word nearest to king − man + woman is king.

    Parameters
    ----------
    expression : str or Expression
        A formula over words, such as "king - man + woman".
    model : EmbeddingModel
    k : int, default 10
        Number of tokens.
    inputs : bool, default True
        Whether the formula's own words are candidates.
    metric : {"cosine", "euclidean"}, default "cosine"
        How vectors are compared.
    whole_words : bool, default False
        Whether only whole words are listed, without parts of words such as ##ing.
    leave_out : sequence of str, optional
        Other words that are no candidates.

    Returns
    -------
    DataFrame
        Columns: rank, token, and cosine or distance; k rows.

    Raises
    ------
    ValueError
        For k out of range, a word to leave out that is not one token, a result without a direction, and as `evaluate`
        does.
    """
    parsed = as_tree(expression)
    hidden = list(leave_out) if inputs else [*leave_out, *formula_expression.words(parsed)]
    return neighbours(
        evaluate(parsed, model)[None], model, k=k, metric=metric, whole_words=whole_words, leave_out=hidden
    )[0]


def near_in_both(first: pd.DataFrame, second: pd.DataFrame, names: tuple[str, str]) -> str:
    """State the nearest word of each of two models, and how many of their nearest words they share.

    >>> near = [pd.DataFrame({"token": words}) for words in (["queen", "king"], ["Queen", "man"])]
    >>> near_in_both(*near, ("A", "B"))
    'The nearest word is queen in both models. They share 1 of their 2 nearest words.'
    """
    one, other = list(first["token"]), list(second["token"])
    same = one[0].lower() == other[0].lower()
    near, far = mentioned(one[0]), mentioned(other[0])
    where = f"{near} in both models" if same else f"{near} in {names[0]} and {far} in {names[1]}"
    k = min(len(one), len(other))
    common = len(shared(one[:k], other[:k])) or "none"
    return f"The nearest word is {where}. They share {common} of their {k} nearest words."


def analogy(
    expression: str | Expression, model: "EmbeddingModel", *, expected: str, whole_words: bool = True
) -> pd.DataFrame:
    """Return the rank of an expected word for `b - a + c`, inputs kept and excluded, by 3CosAdd (Mikolov et al. 2013),
    3CosMul, Euclidean distance, and nearness to c alone (Linzen 2016) or b alone (Rogers et al. 2017)."""
    parsed = as_tree(expression)
    weights = formula_expression.coefficients(parsed) or {}
    if sorted(weights.values()) != [-1, 1, 1]:
        raise ValueError("An analogy must have the form b - a + c, such as king - man + woman.")
    (a,) = (w for w, x in weights.items() if x == -1)
    b, c = (w for w, x in weights.items() if x == 1)
    target = model.token_id(expected)
    inputs = [model.token_id(w) for w in (a, b, c)]
    result = evaluate(parsed, model)
    near_b, near_a, near_c = (similarities(model.vector(w), model)[0] for w in (b, a, c))
    scores = {
        "3CosAdd": similarities(result, model)[0],
        # Levy & Goldberg 2014, equation 4
        "3CosMul": ((near_b + 1) / 2) * ((near_c + 1) / 2) / ((near_a + 1) / 2 + 0.001),
        "euclidean": similarities(result, model, metric="euclidean")[0],
        f"nearest to {c} alone": near_c,
        f"nearest to {b} alone": near_b,
    }
    kept = (model.whole_words if whole_words else model.rankable).copy()
    kept[[target, *inputs]] = True
    without = kept.copy()
    without[inputs] = False
    rows = []
    for method, score in scores.items():
        row: dict[str, object] = {"method": method}
        for name, allowed in (("kept", kept), ("excluded", without)):
            ranked = np.where(allowed, score, -np.inf)
            row[f"top_{name}"] = model.vocabulary[int(ranked.argmax())]
            row[f"rank_{name}"] = int((ranked > score[target]).sum()) + 1 if allowed[target] else None
        rows.append(row)
    return pd.DataFrame(rows).astype({"rank_kept": "Int64", "rank_excluded": "Int64"})


def expected_word(expression: str | Expression) -> str:
    """Return the expected word of a known analogy in any order of its terms, such as queen for king - man + woman, or
    of the three other questions with its words; "" for other formulas.

    >>> expected_word("woman + king - man"), expected_word("doctor - man + woman")
    ('queen', '')
    """
    weights = formula_expression.coefficients(as_tree(expression)) or {}
    return _expected_words().get(frozenset((word.lower(), weight) for word, weight in weights.items()), "")


@cache
def _expected_words() -> dict[frozenset[tuple[str, float]], str]:
    expected: dict[frozenset[tuple[str, float]], str] = {}
    for line in wordlists.load("analogies").itertuples():
        a, b, c, d = line.a, line.b, line.c, line.expected
        for minus, plus, answer in ((a, (b, c), d), (b, (a, d), c), (c, (d, a), b), (d, (c, b), a)):
            expected.setdefault(frozenset({(minus, -1.0), *((word, 1.0) for word in plus)}), str(answer))
    return expected


def expectation(ranks: pd.DataFrame, expected: str) -> str:
    """State the expected word's rank for a formula, and that by nearness to one word of the formula alone if either is
    at most 10.

    >>> rows = {"method": ["3CosAdd", "nearest to king alone"], "rank_kept": [2, 2], "rank_excluded": [1, 1]}
    >>> expectation(pd.DataFrame(rows), "queen").partition(". ")[2]
    'But queen is also the word nearest to king alone, so no arithmetic is needed to find it.'
    """
    formula = ranks.iloc[0]
    if pd.isna(formula["rank_excluded"]):
        return f"{expected} is one of the formula's own words, so it has no rank when these are excluded."
    alone = ranks[ranks["method"].str.endswith(" alone")]
    best = alone.loc[alone["rank_excluded"].idxmin()]
    rank, other = int(formula["rank_excluded"]), int(best["rank_excluded"])
    word = best["method"].removeprefix("nearest to ").removesuffix(" alone")
    text = f"With the formula's own words excluded, {expected} ranks {ordinal(rank)}"
    text += f" ({ordinal(int(formula['rank_kept']))} if they are kept)."
    if rank > 1:
        near = "comes close but does not find it" if rank <= _NEAR else "does not lead to this word"
        text += f" The formula {near}."
    if other == 1 and rank == 1:
        return f"{text} But {expected} is also the word nearest to {word} alone, so no arithmetic is needed to find it."
    if min(rank, other) > _NEAR:
        return text
    if other == rank:
        return f"{text} By nearness to {word} alone, it also ranks {ordinal(other)}."
    rank_alone = f"higher ({ordinal(other)})" if other < rank else ordinal(other)
    return f"{text} By nearness to {word} alone, it ranks {rank_alone}."


def vectors_of(expression: str | Expression, model: "EmbeddingModel") -> dict[str, Array]:
    """Return the vectors (d,) of a formula and of each of its words by name, the formula first."""
    parsed = as_tree(expression)
    parts = [parsed, *(formula_expression.Word(word) for word in formula_expression.words(parsed))]
    return {
        part.text if isinstance(part, formula_expression.Word) else str(part): evaluate(part, model) for part in parts
    }


def components(expression: str | Expression, model: "EmbeddingModel") -> pd.DataFrame:
    """Return all components of `vectors_of`, for each vector the largest values first."""
    rows = vectors_of(expression, model)
    orders = {name: np.argsort(-np.abs(vector), kind="stable") for name, vector in rows.items()}
    return pd.DataFrame(
        {
            "vector": np.repeat(list(rows), model.dimensions),
            "dimension": np.concatenate(list(orders.values())),
            "value": np.concatenate([rows[name][order] for name, order in orders.items()]),
        }
    )


def word_map(expression: str | Expression, model: "EmbeddingModel") -> tuple[pd.DataFrame, tuple[float, float]]:
    """Project a formula's words, its result and the nearest other word onto their first two principal components.

    Parameters
    ----------
    expression : str or Expression
        A formula over words.
    model : EmbeddingModel

    Returns
    -------
    tuple of (DataFrame, tuple of float)
        The points with the columns label, kind (word, result, nearest), x and y; and the share of the variance on each
        axis.

    Raises
    ------
    ValueError
        As `nearest` does.
    """
    from sklearn.decomposition import PCA

    parsed = as_tree(expression)
    names = list(formula_expression.words(parsed))
    near = nearest(parsed, model, k=1, inputs=False)["token"].tolist()  # none if a file has no other words
    vectors = np.stack([*(model.vector(n) for n in names), evaluate(parsed, model), *map(model.vector, near)])
    pca = PCA(2, random_state=0).fit(vectors)
    x, y = pca.transform(vectors).T
    frame = pd.DataFrame(
        {
            "label": [*names, str(parsed), *near],
            "kind": ["word"] * len(names) + ["result"] + ["nearest"] * len(near),
            "x": x,
            "y": y,
        }
    )
    first, second = pca.explained_variance_ratio_
    return frame, (float(first), float(second))
