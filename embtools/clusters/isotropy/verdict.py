"""Headlines and captions about isotropy, the tasks and the visitor's own words."""

from collections.abc import Mapping

import pandas as pd

from embtools.clusters.isotropy.overview import Overview, SpaceMeasures
from embtools.clusters.isotropy.tasks import better, interval
from embtools.messages import listed
from embtools.spaces.controls import AFTER, BEFORE, CENTRE, RANDOM
from embtools.spaces.space import CENTRED, WHITENED, ZSCORED
from embtools.statistics.decimals import decimal
from embtools.statistics.ranks import ordinal

LEVEL = 0.025  # of a one-sided sign test: that of one side of a 95% interval
_DONE = {CENTRED: "centring", ZSCORED: "z-scoring", WHITENED: "whitening"}


def finding(overviews: Mapping[str, SpaceMeasures]) -> str:
    """Headline with the mean cosine of random pairs before and after processing, and after centring alone."""
    raw = overviews[BEFORE].measures.mean_cosine
    first = f"Two random words have a cosine of {decimal(raw)} on average"
    if AFTER not in overviews:
        return f"{first}; in an isotropic space it would be 0."
    after = overviews[AFTER]
    done = after.space.says.replace(after.space.kind, _DONE.get(after.space.kind, after.space.kind), 1)
    cosine = decimal(after.measures.mean_cosine)
    text = f"{first}. After {done}, the average is {cosine}"
    if CENTRE in overviews:
        alone = decimal(overviews[CENTRE].measures.mean_cosine)
        text += f"; after centring alone, it is {'also ' if alone == cosine else ''}{alone}"
    return f"{text}."


def task_finding(overviews: Mapping[str, Overview]) -> str:
    """Sentences that say in which tasks the processed vectors beat the raw ones and every control, each of them
    clearly."""
    if AFTER not in overviews:
        return "Choose a space other than raw to see what changes."
    others = [name for name in (BEFORE, CENTRE, RANDOM) if name in overviews]
    tasks = list(overviews[AFTER].scores.table["task"])
    gained = [task for task in tasks if all(_beats(overviews[AFTER], overviews[name], task) for name in others)]
    lost = [task for task in tasks if _beats(overviews[BEFORE], overviews[AFTER], task)]
    than = "the raw ones"
    if len(others) > 1:
        than += " and all controls" if len(others) > 2 else " and the control"
    if gained:
        text = f"The processed vectors are clearly better than {than} in {_tasks(gained)}."
    else:
        text = f"There is no task in which the processed vectors are clearly better than {than}."
    return text + (f" They are clearly worse than the raw ones in {_tasks(lost)}." if lost else "")


def _tasks(names: list[str]) -> str:
    return f"{'this task' if len(names) == 1 else 'these tasks'}: {listed(names)}"


def _beats(first: Overview, second: Overview, task: str) -> bool:
    if task in first.scores.resampled:
        low, _ = interval(first.scores.resampled[task] - second.scores.resampled[task])
        return low > 0
    return better(first.scores.right[task], second.scores.right[task]) <= LEVEL


def analogy_finding(words: tuple[str, ...], table: pd.DataFrame) -> str:
    """Sentences with the ranks of an analogy's fourth word before and after processing, and without arithmetic.

    >>> table = pd.DataFrame({"space": ["raw"], "answer": ["queen"], "rank": [1], "rank_by_b": [2], "rank_by_c": [3]})
    >>> analogy_finding(("a", "b", "c", "d"), table)
    'a : b = c : d. With raw vectors, d ranks 1st (2nd by nearness to b alone, 3rd by nearness to c alone).'
    """
    a, b, c, expected = words
    shown = table[table["space"].isin([BEFORE, AFTER])]
    parts = [
        f"with {row.space} vectors, {'it' if number else expected} ranks {ordinal(row.rank)} ({ordinal(row.rank_by_b)}"
        f" by nearness to {b} alone, {ordinal(row.rank_by_c)} by nearness to {c} alone)"
        for number, row in enumerate(shown.itertuples())
    ]
    text = "; ".join(parts)
    return f"{a} : {b} = {c} : {expected}. {text[0].upper()}{text[1:]}."
