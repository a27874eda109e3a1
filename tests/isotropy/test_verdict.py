"""The sentences follow the numbers."""

import numpy as np
import pandas as pd
import pytest

from embtools.isotropy import verdict
from embtools.isotropy.overview import AFTER, BEFORE, CENTRE, RANDOM, Overview
from embtools.isotropy.tasks import ANALOGIES, LISTS, Scores
from embtools.spaces.measures import Measures
from embtools.spaces.space import CENTRED, TOP, WHITENED, Space

BETTER = "The processed vectors are clearly better than the raw ones and all controls in "
NOT_BETTER = "There is no task in which the processed vectors are clearly better than the raw ones and all controls."


def look(space, cosine, right, auc=0.8):
    """A summary with a mean cosine, this many of 100 analogies right (the first ones), and an AUC of the lists.

    Over 400 resamples the AUC has a standard deviation of 0.02, of which all spaces share three quarters.
    """
    measures = Measures(10, cosine, 0.5, 0.5, np.ones(3), np.ones(3))
    table = pd.DataFrame({"task": [LISTS, ANALOGIES], "score": [auc, right / 100]})
    shared, own = np.random.default_rng(0).normal(size=400), np.random.default_rng(int(1e4 * auc)).normal(size=400)
    resampled = {LISTS: auc + 0.015 * shared + 0.013 * own}
    scores = Scores(table, {ANALOGIES: np.arange(100) < right}, resampled)
    return Overview(space, measures, np.zeros(3, np.float32), scores)


def looks(before=50, after=70, centre=50, random=50, aucs=(0.8, 0.8, 0.8, 0.8)):
    rows = zip((BEFORE, AFTER, CENTRE, RANDOM), (0.24, 0.001, -0.002, 0.002), (before, after, centre, random), aucs)  # noqa: B905
    return {name: look(Space(TOP), cosine, right, auc) for name, cosine, right, auc in rows}


def test_the_headline_includes_centring_alone():
    assert verdict.finding(looks()) == (
        "Two random words have a cosine of 0.24 on average. After all-but-the-top (k = 3), the average is 0.00; after"
        " centring alone, it is also 0.00."
    )
    raw = {BEFORE: look(Space(), 0.24, 50)}
    assert verdict.finding(raw).endswith("; in an isotropic space it would be 0.")
    assert "Choose a space" in verdict.task_finding(raw)
    centred = raw | {AFTER: look(Space(CENTRED), -0.02, 50)}
    assert verdict.finding(centred).endswith("After centring, the average is −0.02.")
    assert "After whitening (shrinkage 0.10), the average is 0.10." in verdict.finding(
        raw | {AFTER: look(Space(WHITENED, shrinkage=0.1), 0.1, 5)}
    )


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (looks(), BETTER + "this task: analogies."),
        (looks(after=51), NOT_BETTER),
        (looks(centre=68), NOT_BETTER),  # centring does it alone
        (looks(random=70), NOT_BETTER),  # any directions do it
        (
            looks(after=30),
            NOT_BETTER + " They are clearly worse than the raw ones in this task: analogies.",
        ),
        (looks(after=56), BETTER + "this task: analogies."),  # 6 of 6: p = 0.016
        (looks(after=55), NOT_BETTER),  # 5 of 5: p = 0.031
        (
            looks(after=50, aucs=(0.8, 0.9, 0.85, 0.8)),
            BETTER + "this task: separating lists.",
        ),
        (looks(after=50, aucs=(0.8, 0.9, 0.9, 0.8)), NOT_BETTER),
        # More than the old margin of 0.01, but not more than other words of the same lists would change it.
        (looks(after=50, aucs=(0.8, 0.825, 0.8, 0.8)), NOT_BETTER),
        (
            looks(after=50, aucs=(0.9, 0.8, 0.9, 0.9)),
            NOT_BETTER + " They are clearly worse than the raw ones in this task: separating lists.",
        ),
    ],
)
def test_clearly_better_means_better_than_every_control(seen, said):
    assert verdict.task_finding(seen) == said


def test_the_controls_are_counted():
    seen = looks()
    one = {name: seen[name] for name in (BEFORE, AFTER, RANDOM)}
    assert verdict.task_finding(one) == BETTER.replace("all controls", "the control") + "this task: analogies."
    none = {name: seen[name] for name in (BEFORE, AFTER)}
    assert verdict.task_finding(none) == BETTER.replace(" and all controls", "") + "this task: analogies."


def test_neighbours_that_all_stay_or_all_go():
    same = pd.DataFrame({"raw": ["a", "b"], "processed": ["b", "a"]})
    assert verdict.neighbour_finding("x", same) == "Of the 2 words nearest to x, 2 remain after processing."
    other = pd.DataFrame({"raw": ["a"], "processed": ["b"]})
    assert verdict.neighbour_finding("x", other) == (
        "Of the 1 words nearest to x, none remain after processing; b replaces a."
    )
    assert verdict.neighbour_finding("x", other[["raw"]]) == "The words nearest to x are a."


def test_one_group_cannot_be_compared():
    table = pd.DataFrame({"space": ["raw"], "auc": [float("nan")]})
    assert verdict.group_finding(table).startswith("To compare groups, enter at least two")
    assert (
        verdict.odd_finding(pd.DataFrame({"word": ["a", "b"], "raw": [0.1, 0.2]}))
        == "The odd one out is a (mean cosine 0.10)."
    )
    assert (
        verdict.odd_finding(pd.DataFrame({"word": ["a", "b"], "raw": [0.1, 0.2], "processed": [0.2, 0.1]}))
        == "The odd one out is a with raw vectors (mean cosine 0.10) and b with processed ones (0.10)."
    )
