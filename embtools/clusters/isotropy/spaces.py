"""A space compared with the raw vectors and its controls: the measures, and the scores in the tasks."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from embtools.clusters.isotropy import overview, verdict
from embtools.clusters.isotropy.overview import Overview, SpaceMeasures
from embtools.clusters.isotropy.population import population
from embtools.clusters.isotropy.tasks import Scores
from embtools.drawing import Displayed
from embtools.memory import remembered
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.progress import Progress, part, silent
from embtools.spaces import measures
from embtools.spaces.controls import BEFORE, with_controls
from embtools.spaces.moments import ledoit_wolf
from embtools.spaces.space import TOP, Space

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

Source = str | CorpusFolder
"""STATIC, a layer combination for the built-in corpus, or a corpus folder."""
DEFAULT = Space(TOP)


@dataclass(frozen=True, eq=False)
class MeasuredSpaces(Displayed):
    """The measures of a space and its controls, by the names of `overview.with_controls`."""

    spaces: dict[str, SpaceMeasures]

    @cached_property
    def headline(self) -> str:
        """The mean cosine of random pairs before and after processing, and after centring alone."""
        return verdict.finding(self.spaces)

    @cached_property
    def table(self) -> pd.DataFrame:
        """The frame of `overview.measures_table`."""
        return overview.measures_table(self.spaces)

    @cached_property
    def directions(self) -> pd.DataFrame:
        """The principal components of all spaces: the frame of `overview.directions`."""
        return overview.directions(self.spaces)

    @cached_property
    def dimensions(self) -> pd.DataFrame:
        """The dimensions that dominate the raw mean cosine: the frame of `measures.dimensions_table`."""
        return measures.dimensions_table(self.spaces[BEFORE].measures)


@dataclass(frozen=True, eq=False)
class ScoredSpaces(Displayed):
    """The measures and the task scores of a space and its controls."""

    spaces: dict[str, Overview]

    @cached_property
    def headline(self) -> str:
        """In which tasks the processed vectors beat the raw ones and every control."""
        return verdict.task_finding(self.spaces)

    @cached_property
    def table(self) -> pd.DataFrame:
        """The frame of `overview.scores_table`."""
        return overview.scores_table(self.spaces)


def measure_spaces(
    source: Source, model: "EmbeddingModel", *, space: Space = DEFAULT, progress: Progress = silent
) -> MeasuredSpaces:
    """Measure a space and its controls.

    Parameters
    ----------
    source : str or CorpusFolder
        "static embeddings", a layer combination for the built-in corpus, or a corpus folder.
    model : EmbeddingModel
    space : Space, default all-but-the-top
        The space that is compared with the raw vectors and with its controls.
    progress : callable, optional

    Returns
    -------
    MeasuredSpaces
        The measures of each space: "raw", "processed", "centred only" and "random directions".

    Raises
    ------
    ValueError
        For an unknown layer combination, a folder of another model, more directions to remove than the vectors have,
        and more clusters than they allow.
    """
    named = with_controls(space).items()
    return MeasuredSpaces(
        {
            name: _measured(source, model, space=one, progress=part(progress, i / len(named), 1 / len(named)))
            for i, (name, one) in enumerate(named)
        }
    )


def score_spaces(
    source: Source, model: "EmbeddingModel", *, space: Space = DEFAULT, progress: Progress = silent
) -> ScoredSpaces:
    """Score a space and its controls in the tasks, which takes longer than `measure_spaces`.

    Parameters
    ----------
    source, model, space, progress
        As in `measure_spaces`.

    Returns
    -------
    ScoredSpaces
        The measures and the scores of each space.

    Raises
    ------
    ValueError
        As `measure_spaces` does.
    """
    measured = measure_spaces(source, model, space=space, progress=part(progress, 0, 0.4)).spaces
    named = with_controls(space).items()
    scores = {
        name: _scored(source, model, space=one, progress=part(progress, 0.4 + 0.6 * i / len(named), 0.6 / len(named)))
        for i, (name, one) in enumerate(named)
    }
    return ScoredSpaces({name: Overview(**vars(one), scores=scores[name]) for name, one in measured.items()})


def shrinkage(source: Source, model: "EmbeddingModel") -> float:
    """Compute the Ledoit–Wolf shrinkage for the vectors of a source.

    Parameters
    ----------
    source, model
        As in `measure_spaces`.

    Returns
    -------
    float
        0 … 1.

    Raises
    ------
    ValueError
        For an unknown layer combination, and for a folder of another model.
    """
    vectors = population(source, model)
    return ledoit_wolf(vectors.vectors, vectors.known)


@remembered
def _measured(source: Source, model: "EmbeddingModel", *, space: Space, progress: Progress = silent) -> SpaceMeasures:
    vectors = population(source, model, progress=part(progress, 0, 0.5))
    return overview.measured(vectors, space, progress=part(progress, 0.5, 0.5))


@remembered
def _scored(source: Source, model: "EmbeddingModel", *, space: Space, progress: Progress = silent) -> Scores:
    vectors = population(source, model, progress=part(progress, 0, 0.5))
    return overview.task_scores(vectors, space, progress=part(progress, 0.5, 0.5))
