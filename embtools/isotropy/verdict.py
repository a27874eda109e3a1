"""Headlines and captions about isotropy, the tasks and the visitor's own words."""

from collections.abc import Mapping

import pandas as pd

from embtools.isotropy.overview import AFTER, BEFORE, CENTRE, RANDOM, Overview, SpaceMeasures
from embtools.isotropy.resampling import interval
from embtools.isotropy.tasks import better
from embtools.messages import first_of, listed
from embtools.spaces.space import CENTRED, WHITENED, ZSCORED
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
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
    """Sentences that say in which tasks the processed vectors beat the raw ones and every control.

    "Clearly better" requires beating each of them. If items share words, the 95% interval of the difference over the
    same resampled words must be above 0; otherwise a sign test over the same items is used (`tasks.better`, LEVEL).
    """
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


def neighbour_finding(word: str, table: pd.DataFrame) -> str:
    """Sentences with the number of a word's nearest neighbours that remain after processing, and the new ones.

    >>> neighbour_finding("rome", pd.DataFrame({"raw": ["roman", "italy"], "processed": ["italy", "paris"]}))
    'Of the 2 words nearest to rome, 1 remains after processing; paris replaces roman.'
    """
    if AFTER not in table:
        return f"The words nearest to {word} are {listed(list(table[BEFORE].head(5)))}."
    before, after = list(table[BEFORE]), list(table[AFTER])
    new, gone = [w for w in after if w not in before], [w for w in before if w not in after]
    stay = len(before) - len(gone)
    verb = "remains" if stay == 1 else "remain"
    text = f"Of the {len(before)} words nearest to {word}, {stay or 'none'} {verb} after processing"
    if not new:
        return f"{text}."
    return f"{text}; {first_of(new, 4)} {'replaces' if len(new) == 1 else 'replace'} {first_of(gone, 4)}."


def group_finding(table: pd.DataFrame) -> str:
    """Sentence with the share of comparisons in which pairs from one group are more similar, before and after.

    >>> group_finding(pd.DataFrame({"space": ["raw"], "auc": [0.9]}))
    'Two words of the same group are more similar than two words of different groups in 90% of comparisons.'
    """
    auc = table.set_index("space")["auc"]
    if auc.isna().any():
        return "To compare groups, enter at least two of them, and at least two words in one of them."
    after = f" ({rounded(auc[AFTER])} after processing)" if AFTER in auc else ""
    return (
        "Two words of the same group are more similar than two words of different groups in"
        f" {rounded(auc[BEFORE])} of comparisons{after}."
    )


def odd_finding(table: pd.DataFrame) -> str:
    """Sentence that names the odd one out before and after processing.

    >>> odd_finding(pd.DataFrame({"word": ["rome", "red"], "raw": [0.4, 0.1], "processed": [0.3, 0.0]}))
    'The odd one out is red, both with raw vectors (mean cosine 0.10) and with processed ones (0.00).'
    """
    before, low = _lowest(table, BEFORE)
    if AFTER not in table:
        return f"The odd one out is {before} (mean cosine {low})."
    after, low_after = _lowest(table, AFTER)
    if before == after:
        return (
            f"The odd one out is {before}, both with raw vectors (mean cosine {low}) and with processed ones"
            f" ({low_after})."
        )
    return (
        f"The odd one out is {before} with raw vectors (mean cosine {low}) and {after} with processed ones"
        f" ({low_after})."
    )


def _lowest(table: pd.DataFrame, space: str) -> tuple[str, str]:
    """The word with the lowest mean cosine in a space, and this cosine."""
    row = table.loc[table[space].idxmin()]
    return str(row["word"]), decimal(row[space])


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
