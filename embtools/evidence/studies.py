"""Studies: sentences of the articles that are usually shown by one example, measured over full lists."""

from typing import TYPE_CHECKING

from embtools.chance import checked_seed
from embtools.evidence import study_of_averages, study_of_colours, study_of_ties
from embtools.evidence.study_result import Study
from embtools.messages import quoted
from embtools.progress import Progress, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

STUDIES = {"ties": study_of_ties.ties, "averages": study_of_averages.averages, "colours": study_of_colours.colour_uses}
"""The functions of the studies by key."""
TITLES = {
    "ties": "Capitals and countries, countries and continents",
    "averages": "Averages of gendered words",
    "colours": "Colour words by use and by appearance",
}
CLAIMS = {"A3": "ties", "A6": "averages", "A4": "colours"}
"""The claims on the Paper page to which the studies belong."""


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
        Receives 0 … 1; may raise to stop.

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
    if name not in STUDIES:
        raise ValueError(f"There is no study {quoted(name)}. Choose one of: {', '.join(STUDIES)}.")
    return STUDIES[name](model, seed=int(seed), progress=progress)
