"""What the results of the Bias page say, in sentences: the finding, and what its control leaves of it.

All of them speak of the model and its texts, never of people.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from embtools.bias.association import Association
from embtools.bias.groups import AVERAGE, GroupAnswers
from embtools.statistics.agreement import Ranks
from embtools.statistics.reporting import LEVEL, p_value

SAME = 5e-4  # of a probability: the scopes agree where no word's differs by more
_SMALLEST = 1e-5  # of a probability: differences below this are not written out
GUESSING = 0.5  # the share of words whose side is right by guessing: both sides have the same number
_SHOWN = 4  # first answers in a headline


def first_answers(result: GroupAnswers) -> str:
    """The first answer of every group and of the average; groups with the same one together."""
    first = result.answers[result.answers["rank"] == 1]
    by_token: dict[str, list[str]] = {}
    for row in first.itertuples():
        by_token.setdefault(str(row.token), []).append("the average" if row.column == AVERAGE else str(row.column))
    if len(by_token) == 1:
        return f"{next(iter(by_token))} comes first for all of them: {', '.join(next(iter(by_token.values())))}."
    parts = [f"{listed(names)}: {token}" for token, names in by_token.items()]
    more = f"; {len(parts) - _SHOWN} more" if len(parts) > _SHOWN else ""
    return capital("; ".join(parts[:_SHOWN]) + more + ".")


def widest(result: GroupAnswers) -> str:
    """The word whose probability differs most between two groups, and how often as likely one makes it."""
    columns = result.union.set_index("token")[list(result.groups)]
    token = str((columns.max(axis=1) - columns.min(axis=1)).idxmax())
    row = columns.loc[token]
    high, low = str(row.idxmax()), str(row.idxmin())
    if row[high] == row[low]:
        return "No word's probability differs between the groups."
    return (
        f"The longest line: {token}, {times(row[high], row[low])} as likely for {high} ({row[high]:.1%}) as for {low}"
        f" ({row[low]:.1%})."
    )


@dataclass(frozen=True)
class Spread:
    """How far apart the answers are, in bits; nan where there is no average.

    farthest, nearest   the two groups that differ most, and least
    average             from the average to the group that is farthest from it
    control             from the first group mixed with unrelated words to the group that is farthest from that
    """

    farthest: float
    nearest: float
    average: float = float("nan")
    control: float = float("nan")


def spread(result: GroupAnswers) -> Spread:
    """The distances of an experiment with groups in four numbers; groups that are not averaged count only as groups."""
    table = result.distances.set_index("of")
    groups = result.groups
    between = [float(table.loc[a, b]) for n, a in enumerate(groups) for b in groups[n + 1 :]]
    if not result.formula:
        return Spread(max(between), min(between))
    averaged = [group for group in groups if group not in result.left_out]
    control = table.loc[table["kind"] == "control", averaged].to_numpy(np.float64)
    return Spread(max(between), min(between), float(table.loc[AVERAGE, averaged].max()), float(control.max()))


def averaging(found: Spread) -> str:
    """What the average shows: is it nearer to every group than groups are to each other, and would any mixture be?

    Empty without an average.

    >>> averaging(Spread(0.9, 0.4, 0.2, 0.5)).partition(" to ")[0]
    "The average's answers are nearer"
    """
    if np.isnan(found.average):
        return ""
    nearer = "nearer" if found.average < found.nearest else "not nearer"
    control = f"; the control is {found.control:.3f} from its farthest group"
    little = "" if found.average < found.control else ", so this shows little"
    return (
        f"The average's answers are {nearer} to every group than the groups are to each other: at most"
        f" {found.average:.3f} bits, against {found.nearest:.3f}{control}{little}."
    )


def scopes(gap: float) -> str:
    """Whether the scopes input and tied agree, from the largest difference of any word's probability.

    >>> scopes(0.0001)
    'Scopes input and tied: no probability differs by more than 0.010 percentage points. Here they agree.'
    >>> scopes(0.0)
    'Scopes input and tied give the same probabilities here.'
    """
    if gap == 0:
        return "Scopes input and tied give the same probabilities here."
    if gap < _SMALLEST:
        return (
            f"Scopes input and tied: no probability differs by as much as {100 * _SMALLEST:.3f} percentage points. Here"
            " they agree."
        )
    agree = "agree" if gap < SAME else "do not agree"
    return (
        f"Scopes input and tied: no probability differs by more than {100 * gap:.3f} percentage points."
        f" Here they {agree}."
    )


def swapped(words: pd.DataFrame) -> tuple[str, str]:
    """(the shared word that changed most, what all of them say together) of a sentence and its swapped version."""
    strongest = words.loc[words["change"].abs().idxmax()]
    change, total = float(strongest["change"]), float(words["change"].sum())
    if change == 0:
        return "No word changes: BERT expects the rest of both sentences alike.", ""
    sentence = "swapped" if change > 0 else "first"
    return (
        f"“{strongest['word']}” fits the {sentence} sentence better: there it is {times(math.exp(abs(change)), 1)} as"
        " likely.",
        f"All shared words together fit the {'swapped' if total > 0 else 'first'} sentence better, by"
        f" {abs(total):.2f} nats.",
    )


def two_models(what: str, found: Ranks | None) -> str:
    """Whether two models order the gaps between the groups alike. `what` names the words; None: too few in common.

    >>> two_models("occupations", Ranks(0.5, 0.001, 60))
    'Over the 60 occupations in both, the gaps go the same way: ρ = +0.50, p = 0.001.'
    """
    if found is None:
        return f"Fewer than four {what} in both: too few to compare the order of the gaps."
    order = "are in no common order" if found.p >= LEVEL else f"go {'the same' if found.rho > 0 else 'opposite'} way"
    order += "s" * (found.p < LEVEL and found.rho < 0)
    return f"Over the {found.words} {what} in both, the gaps {order}: ρ = {found.rho:+.2f}, {p_value(found.p)}."


def agreement(fit: tuple[float, float, float, float]) -> str:
    """Whether a rank correlation (rho, low, high, p) says that two measures order the words alike.

    The permutation test decides; where the bootstrap interval disagrees with it, the sentence says so.
    """
    rho, low, high, p = fit
    size = f"(ρ = {rho:.2f}, 95%: {low:.2f} to {high:.2f}, {p_value(p)})"
    if p >= LEVEL:
        more = "" if low <= 0 <= high else " The bootstrap interval excludes 0, but the permutation test does not."
        return f"The two measures do not clearly order the words alike {size}.{more}"
    alike = "much the same" if rho > 0.7 else "a similar" if rho > 0 else "the opposite"
    more = " But the bootstrap interval includes 0: with other words there may be no link." if low <= 0 <= high else ""
    return f"Both measures give {alike} order {size}.{more}"


def association(found: Association, names: Sequence[str]) -> str:
    """What an association test says of its sets x, y, a, b (by their names): the two-sided p decides.

    Where the bootstrap interval disagrees, the sentence says so: the test shuffles the target words X and Y, the
    interval also resamples the attribute words A and B.
    """
    x, y, a, b = names
    near, far = (a, b) if found.effect > 0 else (b, a)
    nearer = f"{x} lie nearer to {near} and {y} to {far}"
    low, high = (f"{value:.2f}".replace("-", "−") for value in (found.low, found.high))
    figures = f"(two-sided {p_value(found.p)})"
    outside = not found.low <= 0 <= found.high
    interval = f"the 95% interval of d ({low} to {high}), which also resamples the attribute words,"
    if found.p >= LEVEL:
        more = f" But {interval} excludes 0." if outside else ""
        return f"No clear result: {nearer}, but that could be chance {figures}.{more}"
    more = "" if outside else f" But {interval} includes 0."
    return f"{capital(nearer)} {figures}.{more}"


def battery(tests: pd.DataFrame) -> str:
    """How many of the published tests have a small two-sided p after the correction for their number."""
    made = tests["p_holm"].notna()
    clear = int((tests["p_holm"] < LEVEL).sum())
    missing = int((~made).sum())
    return f"{clear} of {int(made.sum())} have a two-sided p < {LEVEL} after Holm's correction for their number." + (
        f" The other {missing} have too few words of one piece." if missing else ""
    )


def mitigation(
    gains: pd.DataFrame, costs: pd.DataFrame, left_over: pd.DataFrame, pair: tuple[str, str]
) -> tuple[str, str]:
    """(what projecting the direction away gains and leaves, what it costs and what the control says).

    pair: the words whose answers are compared; gains from `mitigation.gain`, costs from `mitigation.cost_summary`,
    left_over from `residual.remains`.
    """
    gap = gains.set_index("method")["gap"]
    cost = costs.set_index("method").loc["project away"]
    rows = left_over.set_index("method")
    rest, control = rows.loc["project away"], rows.loc["random direction"]
    verdict = (
        "no clear cost"
        if cost["low"] <= 0 <= cost["high"]
        else "a clear cost"
        if cost["log_change"] < 0
        else "a clear gain"
    )
    still = "can still be" if rest["low"] > GUESSING else "can be"
    chance = "" if rest["low"] > GUESSING else f", no better than guessing ({GUESSING:.0%})"
    leaves = "also leaves traces" if control["low"] > GUESSING else "leaves no clear traces"
    return (
        f"With the direction projected away the answers for {pair[0]} and {pair[1]} differ by"
        f" {gap['project away']:.2f} nats (before {gap['none']:.2f}, with a random direction removed"
        f" {gap['random direction']:.2f}); {rest['accuracy']:.0%} of the words {still} sorted into their old"
        f" sides{chance}.",
        f"Elsewhere: {verdict} ({cost['log_change']:+.3f} nats, 95%: {cost['low']:+.3f} to {cost['high']:+.3f})."
        f" Removing a random direction, the control, {leaves}: {control['accuracy']:.0%} of the words that leaned along"
        " it can be sorted.",
    )


def times(high: float, low: float) -> str:
    """A ratio as people say it.

    >>> times(0.3, 0.1), times(3.0, 2.0), times(1.0, 0.0)
    ('3 times', '1.5 times', 'more than 1,000 times')
    """
    if low <= 0 or high / low > 1000:
        return "more than 1,000 times"
    return f"{high / low:.2g} times" if high / low < 9.95 else f"{high / low:,.0f} times"


def listed(words: Sequence[str]) -> str:
    """Words with commas and a last "and".

    >>> listed(["he", "she", "they"])
    'he, she and they'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def capital(text: str) -> str:
    """The text with a capital at its beginning, the rest as it is."""
    return text[:1].upper() + text[1:]
