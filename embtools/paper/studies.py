"""Studies: sentences of the articles that are usually shown by one example, measured over full lists."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from embtools.chance import checked_seed
from embtools.messages import quoted
from embtools.paper.study_of_averages import averages
from embtools.paper.study_of_colours import colour_uses
from embtools.paper.study_of_ties import ties
from embtools.paper.study_result import Study
from embtools.progress import Progress, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MEASURES: dict[str, Callable[..., Study]] = {"ties": ties, "averages": averages, "colours": colour_uses}


def study(name: str, model: "EmbeddingModel", *, seed: int = 0, progress: Progress = silent) -> Study:
    """Measure a sentence of an article over its full lists.

    Parameters
    ----------
    name : str
        "ties", "averages" or "colours".
    model : EmbeddingModel
    seed : int, default 0
        Seed of draws and resamples.
    progress : callable, optional

    Returns
    -------
    Study
        The measured values with intervals, and a headline.

    Raises
    ------
    ValueError
        For an unknown study, and for a model that knows too few of the words.
    """
    checked_seed(seed)
    if name not in MEASURES:
        raise ValueError(f"There is no study {quoted(name)}. Choose one of: {', '.join(MEASURES)}.")
    return MEASURES[name](model, seed=int(seed), progress=progress)
