"""Overview of a space and its controls: measures, cosines of random pairs, and scores in the tasks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.clusters.isotropy.population import Population
from embtools.clusters.isotropy.tasks import Scores, scores
from embtools.limits import enough
from embtools.messages import column_name
from embtools.progress import Progress, part, silent
from embtools.spaces.measures import Measures, directions_table, measure, random_cosines
from embtools.spaces.space import RAW, Space


@dataclass(frozen=True, eq=False)
class SpaceMeasures:
    """Measures of a space and the cosines (p,) of random pairs."""

    space: Space
    measures: Measures
    cosines: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Overview(SpaceMeasures):
    """Measures of a space, and its scores in the tasks (see `tasks.scores`)."""

    scores: Scores


def measured(source: Population, space: Space, *, progress: Progress = silent) -> SpaceMeasures:
    """Measures of a space; the raw mean cosine of a folder is computed from all its rows."""
    progress(0.0)
    fitted = source.fit(space, part(progress, 0, 0.6))
    rows = fitted.apply(source.vectors)
    progress(0.6)
    measures = measure(rows, known=fitted.moments(source.known))
    progress(0.9)
    if source.every is not None and space.kind == RAW:
        measures = replace(measures, mean_cosine=source.every.mean_cosine)
    return SpaceMeasures(space, measures, random_cosines(rows))


def task_scores(source: Population, space: Space, *, progress: Progress = silent) -> Scores:
    """Scores of a population in the tasks, in one space."""
    progress(0.0)
    fitted = source.fit(space, part(progress, 0, 0.4))
    progress(0.4)
    return scores(source, fitted.apply(source.vectors))


def measures_table(overviews: Mapping[str, SpaceMeasures]) -> pd.DataFrame:
    """Measures of several spaces: measure, and one column per space."""
    enough(overviews, "spaces")
    rows = {
        "mean cosine of random pairs": [one.measures.mean_cosine for one in overviews.values()],
        "partition-function measure": [one.measures.partition for one in overviews.values()],
        "IsoScore": [one.measures.isoscore for one in overviews.values()],
        "share of variance of the first component": [
            one.measures.variances[0] / one.measures.variances.sum() for one in overviews.values()
        ],
        "share of the three strongest dimensions": [_strongest(one.measures) for one in overviews.values()],
    }
    frame = pd.DataFrame(list(rows.values()), columns=list(map(column_name, overviews)))
    frame.insert(0, "measure", list(rows))
    return frame


def scores_table(overviews: Mapping[str, Overview]) -> pd.DataFrame:
    """Scores of several spaces, one row per task and space: task, space, score, low, high, n, chance."""
    enough(overviews, "spaces")
    frames = [one.scores.table.assign(space=name) for name, one in overviews.items()]
    return pd.concat(frames, ignore_index=True)[["task", "space", "score", "low", "high", "n", "chance"]]


def directions(overviews: Mapping[str, SpaceMeasures]) -> pd.DataFrame:
    """Principal components of several spaces, one row per component and space: space, component, share, cumulative."""
    enough(overviews, "spaces")
    tables = [directions_table(one.measures).assign(space=name) for name, one in overviews.items()]
    return pd.concat(tables, ignore_index=True)[["space", "component", "share", "cumulative"]]


def _strongest(measures: Measures) -> float:
    """Share of the three largest contributions in the sum of all contributions, as absolute values."""
    sizes = np.sort(np.abs(measures.contributions))[::-1]
    return float(sizes[:3].sum() / sizes.sum()) if sizes.sum() else 0.0
