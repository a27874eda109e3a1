"""Headlines and sentences for the results of the Bias page.

All of them are about the model and its texts, never about people.
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.bias.groups import AVERAGE, GroupAnswers
from embtools.messages import listed
from embtools.statistics.agreement import Ranks
from embtools.statistics.percentages import percent
from embtools.statistics.reporting import LEVEL, p_value

SAME = 5e-4  # largest difference of a probability at which the scopes still agree
_SMALLEST = 1e-5  # differences of probabilities below this are not written out
GUESSING = 0.5  # the share of words assigned correctly by guessing: both sides have the same number
_SHOWN = 4  # top answers in a headline


def top_answers(result: GroupAnswers) -> str:
    """The top answer for every group and for the average with its probability; equal answers are named together."""
    first = result.answers[result.answers["rank"] == 1]
    by_token: dict[str, list[str]] = {}
    for row in first.itertuples():
        name = "the average" if row.column == AVERAGE else str(row.column)
        by_token.setdefault(str(row.token), []).append(f"{name} ({percent(float(row.probability))})")
    if len(by_token) == 1:
        token, names = next(iter(by_token.items()))
        return f"BERT gives the same top answer, “{token}”, for {listed(names)}."
    parts = [f"“{token}” for {listed(names)}" for token, names in by_token.items()]
    if (more := len(parts) - _SHOWN) > 0:
        parts[_SHOWN:] = [f"{more} other word{'s' * (more > 1)} for the rest"]
    *most, last = parts
    if all(len(names) == 1 for names in by_token.values()):
        return f"BERT answers {', '.join(most)} and {last}."
    # With several groups for one answer, a comma alone would be ambiguous.
    return f"BERT answers {'; '.join(most)}{'; and' if len(most) > 1 else ', and'} {last}."


def widest(result: GroupAnswers) -> str:
    """The word whose probability differs most between two groups, and the ratio of these probabilities."""
    columns = result.union.set_index("token")[list(result.groups)]
    token = str((columns.max(axis=1) - columns.min(axis=1)).idxmax())
    row = columns.loc[token]
    high, low = str(row.idxmax()), str(row.idxmin())
    if row[high] == row[low]:
        return "No word's probability differs between the groups."
    return (
        f"The largest difference: “{token}” is {times(row[high], row[low])} as likely for {high} ({row[high]:.1%}) as"
        f" for {low} ({row[low]:.1%})."
    )


@dataclass(frozen=True)
class Spread:
    """Distances between answers in bits; nan if there is no average.

    farthest, nearest   distance between the two groups that differ most, and least
    average             distance from the average to the group farthest from it
    control             distance from the first group mixed with unrelated words to the group farthest from that
    """

    farthest: float
    nearest: float
    average: float = float("nan")
    control: float = float("nan")


def spread(result: GroupAnswers) -> Spread:
    """The distances between groups, average and control in four numbers."""
    table = result.distances.set_index("answers_for")
    groups = result.groups
    between = [float(table.loc[a, b]) for n, a in enumerate(groups) for b in groups[n + 1 :]]
    if not result.formula:
        return Spread(max(between), min(between))
    averaged = [group for group in groups if group not in result.left_out]
    control = table.loc[table["kind"] == "control", averaged].to_numpy(np.float64)
    return Spread(max(between), min(between), float(table.loc[AVERAGE, averaged].max()), float(control.max()))


def averaging(distances: Spread) -> str:
    """Whether the average is closer to every group than the groups are to each other, and whether the control is too.

    Empty without an average.

    >>> averaging(Spread(0.9, 0.4, 0.2, 0.5)).partition(" to ")[0]
    'The answers for the average are closer'
    """
    if np.isnan(distances.average):
        return ""
    closer = "closer" if distances.average < distances.nearest else "not closer"
    little = "" if distances.average < distances.control else ", so the average shows little"
    return (
        f"The answers for the average are {closer} to every group than the groups are to each other: they are at most"
        f" {distances.average:.3f} bits away, and the two closest groups are {distances.nearest:.3f} bits apart. The"
        f" control is up to {distances.control:.3f} bits away from the groups{little}."
    )


def scopes(gap: float) -> str:
    """Whether the scopes input and tied agree, from the largest difference of any word's probability.

    >>> scopes(0.0001)
    'The scopes “input” and “tied” agree here: no probability differs by more than 0.010 percentage points.'
    >>> scopes(0.0)
    'The scopes “input” and “tied” give the same probabilities here.'
    """
    if gap == 0:
        return "The scopes “input” and “tied” give the same probabilities here."
    if gap < _SMALLEST:
        return (
            "The scopes “input” and “tied” agree here: no probability differs by as much as"
            f" {100 * _SMALLEST:.3f} percentage points."
        )
    if gap < SAME:
        return (
            f"The scopes “input” and “tied” agree here: no probability differs by more than {100 * gap:.3f} percentage"
            " points."
        )
    return (
        f"The scopes “input” and “tied” do not agree here: probabilities differ by up to {100 * gap:.3f} percentage"
        " points."
    )


def swapped(words: pd.DataFrame) -> tuple[str, str]:
    """Two sentences on a swap: the shared word that changed most, and which sentence all shared words fit better."""
    strongest = words.loc[words["change"].abs().idxmax()]
    change, total = float(strongest["change"]), float(words["change"].sum())
    if change == 0:
        return "No word changes: BERT expects the other words equally in both sentences.", ""
    better, worse = ("swapped", "first") if change > 0 else ("first", "swapped")
    return (
        f"“{strongest['word']}” fits the {better} sentence better: it is {times(math.exp(abs(change)), 1)} as likely"
        f" there as in the {worse} one.",
        f"All shared words together fit the {'swapped' if total > 0 else 'first'} sentence better, by"
        f" {abs(total):.2f} nats.",
    )


def two_models(what: str, ranks: Ranks | None) -> str:
    """Whether two models put the gaps between the groups in the same order; None: too few words in common.

    >>> two_models("occupations", Ranks(0.5, 0.001, 60))
    'For the 60 occupations in both models, the gaps are in a similar order (ρ = +0.50, p = 0.001).'
    """
    if ranks is None:
        return f"The models share fewer than four {what}, too few to compare the order of the gaps."
    return f"For the {ranks.words} {what} in both models, the gaps are in {common_order(ranks)}."


def common_order(ranks: Ranks) -> str:
    """Whether two rankings agree, with their correlation.

    >>> common_order(Ranks(-0.5, 0.2, 9))
    'no common order (ρ = −0.50, p = 0.200)'
    """
    order = "no common order" if ranks.p >= LEVEL else "a similar order" if ranks.rho > 0 else "opposite orders"
    return f"{order} (ρ = {minus(f'{ranks.rho:+.2f}')}, {p_value(ranks.p)})"


def agreement(fit: tuple[float, float, float, float]) -> str:
    """Whether two measures rank the words in the same order, from a rank correlation (rho, low, high, p).

    The permutation test decides; if the bootstrap interval disagrees with it, the sentence says so.
    """
    rho, low, high, p = fit
    size = minus(f"(ρ = {rho:.2f}, 95% interval {low:.2f} to {high:.2f}, {p_value(p)})")
    if p >= LEVEL:
        more = " The interval, by bootstrap, excludes 0, but the permutation test finds no clear relation."
        no_order = f"The two measures do not rank the words in a clearly similar order {size}."
        return no_order if low <= 0 <= high else no_order + more
    order = "almost the same order" if rho > 0.7 else "a similar order" if rho > 0 else "opposite orders"
    more = " But the interval, by bootstrap, includes 0, so other words might show no relation."
    return f"The two measures rank the words in {order} {size}.{more if low <= 0 <= high else ''}"


def battery(tests: pd.DataFrame) -> str:
    """How many of the published tests have a small two-sided p after correction for the number of tests."""
    run = tests["p_adjusted"].notna()
    clear = int((tests["p_adjusted"] < LEVEL).sum())
    missing = int((~run).sum())
    others = "other test has" if missing == 1 else f"other {missing} tests have"
    return (
        f"{clear} of {int(run.sum())} tests have a two-sided p < {LEVEL} after Holm's correction for the number of"
        " tests." + (f" The {others} too few single-token words." if missing else "")
    )


def mitigation(
    gains: pd.DataFrame, costs: pd.DataFrame, residuals: pd.DataFrame, pair: tuple[str, str]
) -> tuple[str, str]:
    """Two sentences on “project away”: its gain and residual bias; its cost and the control.

    pair: the words whose answers are compared; gains from `mitigation.gain`, costs from `mitigation.cost_summary`,
    residuals from `residual.residual_bias`.
    """
    gap = gains.set_index("method")["gap"]
    cost = costs.set_index("method").loc["project away"]
    rows = residuals.set_index("method")
    rest, control = rows.loc["project away"], rows.loc["random direction"]
    verdict = (
        "no clear cost"
        if cost["ci_low"] <= 0 <= cost["ci_high"]
        else "a clear cost"
        if cost["log_change"] < 0
        else "a clear gain"
    )
    still = "can still be" if rest["ci_low"] > GUESSING else "can be"
    chance = "" if rest["ci_low"] > GUESSING else f", no better than guessing ({GUESSING:.0%})"
    leaves = "also leaves traces" if control["ci_low"] > GUESSING else "leaves no clear traces"
    change, low, high = (minus(f"{cost[column]:+.3f}") for column in ("log_change", "ci_low", "ci_high"))
    return (
        f"After “project away”, the answers for {pair[0]} and {pair[1]} differ by {gap['project away']:.2f} nats,"
        f" compared with {gap['none']:.2f} before and {gap['random direction']:.2f} after removing a random direction."
        f" {rest['accuracy']:.0%} of the words {still} assigned to their old side{chance}.",
        f"In sentences that mention no group, the method has {verdict} (acceptable answers change by {change} nats, 95%"
        f" interval {low} to {high}). Removing a random direction (the control) {leaves}: {control['accuracy']:.0%} of"
        " the words at its two ends can be assigned to their old side.",
    )


def times(high: float, low: float) -> str:
    """A ratio in words.

    >>> times(0.3, 0.1), times(3.0, 2.0), times(1.0, 0.0)
    ('3 times', '1.5 times', 'more than 1,000 times')
    """
    if low <= 0 or high / low > 1000:
        return "more than 1,000 times"
    return f"{high / low:.2g} times" if high / low < 9.95 else f"{high / low:,.0f} times"


def minus(text: str) -> str:
    """The text with minus signs instead of hyphens, for texts that contain only numbers and symbols.

    >>> minus("-0.10 to 0.20")
    '−0.10 to 0.20'
    """
    return text.replace("-", "−")


def capital(text: str) -> str:
    """The text with a capital first letter; the rest stays as it is."""
    return text[:1].upper() + text[1:]
