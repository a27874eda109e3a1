"""A formula over static embeddings: its nearest words with a headline, the rank of an expected word, its vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.arithmetic.nearest_tokens import analogy, components, expectation, nearest, vectors_of
from embtools.drawing import Displayed
from embtools.formula import expression as formula_expression
from embtools.formula.evaluation import as_tree
from embtools.formula.expression import Expression
from embtools.messages import mentioned
from embtools.neighbours import Metric
from embtools.rooms.question import MOST_CHOICES, Question, about
from embtools.statistics.decimals import decimal
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class NearestWords(Displayed):
    """The words nearest to the value of a formula.

    expression  the formula
    kept        frame of `analogy.nearest` with the formula's own words among the candidates
    left_out    the same without them
    """

    expression: str | Expression
    kept: pd.DataFrame
    left_out: pd.DataFrame

    @property
    def headline(self) -> str:
        """State the nearest word, and if it is one of the formula's own words, the nearest other word.

        >>> near = [pd.DataFrame({"rank": 1, "token": [word], "cosine": 0.8}) for word in ("king", "queen")]
        >>> print(NearestWords("king - man + woman", *near).headline)  # doctest: +NORMALIZE_WHITESPACE
        The nearest word is king (cosine 0.80), one of the formula's own words. The nearest word not in the formula is
        queen (cosine 0.80).
        """
        if self.kept["token"].iloc[0] not in self.own:
            return f"The nearest word is {_first(self.kept)}, which is not one of the formula's own words."
        which = (
            "the formula's only word" if len({*map(str.lower, self.words)}) == 1 else "one of the formula's own words"
        )
        text = f"The nearest word is {_first(self.kept)}, {which}."
        if self.left_out.empty:
            return f"{text} There are no other words."
        return f"{text} The nearest word not in the formula is {_first(self.left_out)}."

    @property
    def own(self) -> tuple[str, ...]:
        """The formula's own words among the nearest, as the vocabulary spells them."""
        return tuple(self.kept["token"][~self.kept["token"].isin(self.left_out["token"])])

    def question(self, choices: Sequence[str] = ()) -> Question:
        """Ask a class for the nearest word, if the formula's own words are kept."""
        near = (*self.kept["token"].head(3), *self.left_out["token"].head(3))
        own = sorted(dict.fromkeys(map(str, near)))[:MOST_CHOICES]
        text = "Which word is nearest to the result? The words of the formula may be the answer, too."
        first = str(self.kept["token"].iloc[0])
        return Question(text, tuple(choices or own), context=about(str(self.expression))).with_answer(first, first)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the formula, each once."""
        return formula_expression.words(as_tree(self.expression))

    @property
    def weights(self) -> dict[str, float] | None:
        """The weight of each word; None for a formula that is not a weighted sum."""
        return formula_expression.coefficients(as_tree(self.expression))


def _first(near: pd.DataFrame) -> str:
    """The first word of a frame of `analogy.nearest` with its cosine or distance."""
    return f"{mentioned(str(near['token'].iloc[0]))} ({near.columns[2]} {decimal(near.iloc[0, 2])})"


@dataclass(frozen=True)
class ExpectedRank:
    """The rank of an expected word among the words nearest to a formula.

    expected  the word
    methods   frame of `analogy.analogy`: its rank by each method
    """

    expected: str
    methods: pd.DataFrame

    @property
    def comparison(self) -> str:
        """The word's rank for the formula, and by nearness to one word alone: see `analogy.expectation`."""
        return expectation(self.methods, self.expected)


@dataclass(frozen=True)
class FormulaVectors:
    """The vectors of a formula and of its words.

    vectors  name → vector (d,), the formula first
    numbers  frame of `analogy.components`: all their components
    """

    vectors: Mapping[str, Array]
    numbers: pd.DataFrame

    @property
    def lengths(self) -> pd.DataFrame:
        """The Euclidean length of each vector: vector, length."""
        lengths = [float(np.linalg.norm(vector)) for vector in self.vectors.values()]
        return pd.DataFrame({"vector": list(self.vectors), "length": lengths})


def nearest_words(
    expression: str | Expression,
    model: "EmbeddingModel",
    *,
    k: int = 10,
    metric: Metric = "cosine",
    whole_words: bool = False,
) -> NearestWords:
    """Return the k words nearest to a formula, with its own words among the candidates and without them.

    Parameters
    ----------
    expression : str or Expression
        A formula over words, such as "king - man + woman".
    model : EmbeddingModel
    k : int, default 10
        Number of words.
    metric : {"cosine", "euclidean"}, default "cosine"
        How vectors are compared.
    whole_words : bool, default False
        Whether only whole words are listed, without parts of words such as ##ing.

    Returns
    -------
    NearestWords
        Both lists, with a headline.

    Raises
    ------
    ValueError
        As `nearest` does.
    """
    kept, left_out = (
        nearest(expression, model, k=k, inputs=inputs, metric=metric, whole_words=whole_words)
        for inputs in (True, False)
    )
    return NearestWords(expression, kept, left_out)


def expected_rank(
    expression: str | Expression, model: "EmbeddingModel", *, expected: str, whole_words: bool = True
) -> ExpectedRank:
    """Return the rank of an expected word among the words nearest to a formula, by several methods.

    Parameters
    ----------
    expression : str or Expression
        A formula of the form b - a + c, such as "king - man + woman".
    model : EmbeddingModel
    expected : str
        The word whose rank is returned, such as "queen".
    whole_words : bool, default True
        Whether only whole words are listed, without parts of words such as ##ing.

    Returns
    -------
    ExpectedRank
        The ranks, with a sentence about them.

    Raises
    ------
    ValueError
        If the formula does not have the form b - a + c or the expected word is not one token, and as `evaluate` does.
    """
    return ExpectedRank(expected, analogy(expression, model, expected=expected, whole_words=whole_words))


def formula_vectors(expression: str | Expression, model: "EmbeddingModel") -> FormulaVectors:
    """Return the vectors of a formula and of its words, with all their components.

    Parameters
    ----------
    expression : str or Expression
        A formula over words.
    model : EmbeddingModel

    Returns
    -------
    FormulaVectors
        The vectors, their components and their lengths.

    Raises
    ------
    ValueError
        As `evaluate` does.
    """
    return FormulaVectors(vectors_of(expression, model), components(expression, model))
