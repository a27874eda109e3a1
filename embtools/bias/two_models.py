"""Sentences that compare the results of two models; neither model counts as right."""

from collections.abc import Mapping, Sequence

import pandas as pd

from embtools.bias import verdict
from embtools.bias.answers_by_group import GroupAnswers
from embtools.bias.likelihood import scored
from embtools.bias.methods import Methods
from embtools.bias.occupations import Occupations
from embtools.bias.verdict import common_order
from embtools.messages import counted
from embtools.statistics import agreement
from embtools.statistics.agreement import Ranks
from embtools.statistics.association import Association
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.statistics.reporting import LEVEL, p_value


def associations(first: Association, second: Association, names: Sequence[str]) -> str:
    """Whether an association test has the same result in two models, and whether they rank its words in the same order.

    The result is clear if the two-sided p is small. The order is that of the target words that both models have; it is
    left out if there are fewer than four.
    """
    a, b = names
    d_a, d_b = (decimal(test.effect, signed=True) for test in (first, second))
    both = f"d = {d_a} in {a} ({p_value(first.p)}) and {d_b} in {b} ({p_value(second.p)})"
    clear = [test.p < LEVEL for test in (first, second)]
    if all(clear):
        same = first.effect * second.effect > 0
        result = f"Both show a clear effect, in {'the same direction' if same else 'opposite directions'}"
    elif any(clear):
        result = f"Only {names[clear.index(True)]} shows a clear effect"
    else:
        result = "Neither shows a clear effect"
    return f"{result}: {both}.{_order(first.scores, second.scores)}"


def batteries(first: pd.DataFrame, second: pd.DataFrame, names: Sequence[str]) -> str:
    """How many of the published tests have the same sign in two models; frames of `PublishedTests`."""
    known = first["effect"].notna() & second["effect"].notna()
    if not known.any():
        return "No test has enough single-token words in both models."
    same = int((first["effect"] * second["effect"] > 0)[known].sum())
    clear = [(frame["p_adjusted"] < LEVEL)[known] for frame in (first, second)]
    has = "has" if same == 1 else "have"
    return (
        f"Of {counted(int(known.sum()), 'test')} that can be run on both models, {same} {has} an effect in the same"
        f" direction. The effect is clear in {counted(int(clear[0].sum()), 'test')} in {names[0]}, in"
        f" {int(clear[1].sum())} in {names[1]}, and in {int((clear[0] & clear[1]).sum())} in both."
    )


def project_away(first: Methods, second: Methods, names: Sequence[str]) -> str:
    """What “project away” does in two models: how the gap changes, and how many words can still be assigned."""
    gaps, shares, erased = [], [], []
    for result, name in zip((first, second), names, strict=True):
        gap = result.gains.set_index("method")["gap"]
        left = result.residuals.set_index("method")["accuracy"]
        gaps.append(f"from {gap['none']:.2f} to {gap['project away']:.2f} nats in {name}")
        shares.append(f"{rounded(left['project away'])} of the words in {name}")
        erased.append(rounded(left["LEACE"]))
    return (
        f"“Project away” changes the gap {gaps[0]} and {gaps[1]}. Afterwards, a classifier assigns {shares[0]} and"
        f" {shares[1]} to their old side (after LEACE, {erased[0]} and {erased[1]})."
    )


def swaps(first: pd.DataFrame, second: pd.DataFrame, names: Sequence[str] = ()) -> str:
    """Whether a swapped group changes the same words in two models; the `words` of `compare`.

    `names` are the names of the models; this sentence does not mention them.
    """
    ranks = _ranks(_changes(first), _changes(second))
    if ranks is None:
        return "The models share fewer than four words, too few to compare the order of the changes."
    return f"For the {ranks.words} words in both models, the changes are in {common_order(ranks)}."


def group_gaps(first: GroupAnswers, second: GroupAnswers, names: Sequence[str] = ()) -> str:
    """Whether two models put the words in the same order by their gaps between the groups.

    `names` are the names of the models; this sentence does not mention them.
    """
    return verdict.two_models("words", _ranks(first.gaps, second.gaps))


def occupation_gaps(first: Occupations, second: Occupations, names: Sequence[str] = ()) -> str:
    """Whether two models put the occupations in the same order by their scores.

    `names` are the names of the models; this sentence does not mention them.
    """
    return verdict.two_models("occupations", _ranks(scored(first.summary), scored(second.summary)))


def _ranks(first: Mapping[str, float], second: Mapping[str, float]) -> Ranks | None:
    try:
        return agreement.ranks(dict(first), dict(second))
    except ValueError:  # too few words in common
        return None


def _changes(words: pd.DataFrame) -> dict[str, float]:
    """The changes by word and number of its earlier occurrences: a word may occur twice in a sentence."""
    times = words.groupby("word").cumcount()
    return {f"{word} {n}": change for word, n, change in zip(words["word"], times, words["change"], strict=True)}


def _order(first: pd.DataFrame, second: pd.DataFrame) -> str:
    ranks = _ranks(*(dict(zip(f["word"], f["association"], strict=True)) for f in (first, second)))
    return f" The {ranks.words} words in both models are in {common_order(ranks)}." if ranks else ""
