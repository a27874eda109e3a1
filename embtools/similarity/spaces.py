"""One word list in two spaces: models, layers, or static embeddings that are processed in some way."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from embtools.drawing import Displayed
from embtools.memory import remembered
from embtools.progress import Progress, part, silent
from embtools.similarity.matrix import difference_table
from embtools.similarity.random_words import ComparedList, compare_with_random_words
from embtools.similarity.verdict import PERMUTATIONS, numbers, strength
from embtools.spaces.of_model import in_space
from embtools.spaces.space import AS_IS, Space
from embtools.statistics.permutations import Mantel, mantel
from embtools.words.templates import WORD
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class NamedModel:
    """A model by its name, with its static embeddings in a space; it is loaded when it is needed."""

    name: str = "bundled"
    space: Space = AS_IS

    def open(self) -> "EmbeddingModel":
        """The model itself. Raises ValueError as `load_model` does."""
        from embtools.models.loading import load_model

        return in_space(load_model(self.name), space=self.space)


@dataclass(frozen=True)
class TwoSpaces(Displayed):
    """One list in two spaces.

    first, second  the list in each space, with the level of random words there
    test           Mantel test of the two rankings of the pairs; None if it cannot be computed
    no_test        why there is no test, or ""
    """

    first: ComparedList
    second: ComparedList
    test: Mantel | None
    no_test: str = ""

    @property
    def headline(self) -> str:
        """The correlation between the rankings of the pairs in the two spaces."""
        if self.test is None:
            return "The list in two spaces"
        return (
            f"There is {strength(self.test)} between the rankings of the pairs in the two spaces {numbers(self.test)}."
        )

    def differences(self, standardise: bool) -> pd.DataFrame:
        """All pairs in both spaces, the largest difference first: frame of `difference_table`."""
        return _differences(self, standardise=standardise)


@remembered
def _differences(spaces: TwoSpaces, *, standardise: bool) -> pd.DataFrame:
    return difference_table(spaces.first.similarity, spaces.second.similarity, standardise=standardise)


def two_spaces(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = WORD,
    other: NamedModel = NamedModel(),
    other_layer: int | None = None,
    other_template: str = WORD,
    progress: Progress = silent,
) -> TwoSpaces:
    """Compare a list of words in two spaces.

    Parameters
    ----------
    words : sequence of str
        2 to 150 words.
    model : EmbeddingModel
        The model of the first space.
    pieces : {"refuse", "mean", "first"}, default "refuse"
        How words of several tokens are read in both spaces.
    layer, template
        The vectors of the first space, as in `compare_with_random_words`.
    other : NamedModel, optional
        The model of the second space.
    other_layer, other_template
        The vectors of the second space.
    progress : callable, optional

    Returns
    -------
    TwoSpaces

    Raises
    ------
    ValueError
        As `similarity_matrix` does in one of the spaces, and as `load_model` does for the second model.
    """
    first = compare_with_random_words(
        words, model, pieces=pieces, layer=layer, template=template, progress=part(progress, 0, 0.5)
    )
    second = compare_with_random_words(
        words,
        other.open(),
        pieces=pieces,
        layer=other_layer,
        template=other_template,
        progress=part(progress, 0.5, 0.5),
    )
    try:
        test = mantel(first.similarity.values, second.similarity.values, permutations=PERMUTATIONS)
    except ValueError as error:
        return TwoSpaces(first, second, None, str(error))
    return TwoSpaces(first, second, test)
