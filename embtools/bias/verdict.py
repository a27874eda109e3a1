"""Headlines and sentences for the results of the Bias page.

All of them are about the model and its texts, never about people.
"""

import math

import pandas as pd

from embtools.messages import counted
from embtools.statistics.agreement import Ranks
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.statistics.reporting import LEVEL, p_value

_NOTICED = 0.001  # nats, or a tenth of a percent
GUESSING = 0.5  # the share of words assigned correctly by guessing: both sides have the same number


def swapped(words: pd.DataFrame) -> tuple[str, str]:
    """Two sentences on a swap: the shared word that changed most, and which sentence all shared words fit better."""
    strongest = words.loc[words["change"].abs().idxmax()]
    change, total = float(strongest["change"]), float(words["change"].sum())
    if abs(change) < _NOTICED:
        return "No word changes noticeably: BERT expects the other words equally in both sentences.", ""
    better, worse = ("swapped", "first") if change > 0 else ("first", "swapped")
    together = f"the {'swapped' if total > 0 else 'first'} sentence better, by {decimal(abs(total))} nats."
    return (
        f"“{strongest['word']}” fits the {better} sentence better: it is {times(math.exp(abs(change)))} as likely"
        f" there as in the {worse} one.",
        "All shared words together fit " + ("both sentences equally well." if decimal(total) == "0.00" else together),
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
    return f"{order} (ρ = {decimal(ranks.rho, signed=True)}, {p_value(ranks.p)})"


def agreement(fit: tuple[float, float, float, float]) -> str:
    """Whether two measures rank the words in the same order, from a rank correlation (rho, low, high, p); p decides."""
    rho, low, high, p = fit
    size = f"(ρ = {decimal(rho)}, 95% interval {decimal(low)} to {decimal(high)}, {p_value(p)})"
    if p >= LEVEL:
        more = " The interval, by bootstrap, excludes 0, but the permutation test finds no clear relation."
        no_order = f"The two measures do not rank the words in a clearly similar order {size}."
        return no_order if low <= 0 <= high else no_order + more
    close = "the same order" if rho >= 0.995 else "almost the same order"  # 0.995 is shown as 1.00
    order = close if rho > 0.7 else "a similar order" if rho > 0 else "opposite orders"
    more = " But the interval, by bootstrap, includes 0, so other words might show no relation."
    return f"The two measures rank the words in {order} {size}.{more if low <= 0 <= high else ''}"


def battery(tests: pd.DataFrame) -> str:
    """How many of the published tests have a small two-sided p after correction for the number of tests."""
    clear, run = int((tests["p_adjusted"] < LEVEL).sum()), int(tests["p_adjusted"].notna().sum())
    if not run:
        return "No test has enough single-token words."
    missing, has = len(tests) - run, "has" if 1 in (clear, run) else "have"
    others = "other test has" if missing == 1 else f"other {missing} tests have"
    return (
        f"{clear} of {counted(run, 'test')} {has} a two-sided p < {LEVEL} after Holm's correction for the number of"
        " tests." + (f" The {others} too few single-token words." if missing else "")
    )


def mitigation(
    gains: pd.DataFrame, costs: pd.DataFrame, residuals: pd.DataFrame, pair: tuple[str, str]
) -> tuple[str, str]:
    """Two sentences on “project away”: its gain for a pair of words and residual bias; its cost and the control."""
    gap = gains.set_index("method")["gap"]
    by_method = costs.set_index("method")
    cost, random = by_method.loc["project away"], float(by_method.loc["random direction", "log_change"])
    rows = residuals.set_index("method")
    rest, control = rows.loc["project away"], rows.loc["random direction"]
    clear = bool(cost["low"] > 0 or cost["high"] < 0)  # without an interval, nothing is clear
    verdict = "no clear cost" if not clear else "a clear cost" if cost["log_change"] < 0 else "a clear gain"
    # A control with the same effect means that the effect is not due to what was changed.
    unspecific = clear and random / cost["log_change"] >= 1
    same = ", so this is not due to the direction that was removed" if unspecific else ""
    still = "can still be" if rest["low"] > GUESSING else "can be"
    chance = "" if rest["low"] > GUESSING else f", no better than guessing ({rounded(GUESSING)})"
    leaves = "also leaves traces" if control["low"] > GUESSING else "leaves no clear traces"
    change, low, high = (decimal(cost[column], 3, signed=True) for column in ("log_change", "low", "high"))
    interval = "too few sentences for an interval" if math.isnan(cost["low"]) else f"95% interval {low} to {high}"
    return (
        f"After “project away”, the answers for {pair[0]} and {pair[1]} differ by {gap['project away']:.2f} nats,"
        f" compared with {gap['none']:.2f} before, and with {gap['random direction']:.2f} if a random direction is"
        " removed instead."
        f" {rounded(rest['accuracy'])} of the words {still} assigned to their old side{chance}.",
        f"In sentences that mention no group, “project away” has {verdict} (the log probability of acceptable"
        f" answers changes by {change} nats, {interval}). Removing a random direction (the control)"
        f" changes it by {decimal(random, 3, signed=True)} nats{same}. This control {leaves}:"
        f" {rounded(control['accuracy'])} of the words"
        " at the two ends of its direction can be assigned to their old side.",
    )


def erasers(residuals: pd.DataFrame) -> str:
    """What LEACE guarantees and what it does not, with the numbers of INLP and of the controls."""
    rows = residuals.set_index("method")
    loss = {method: f"{value:.2f}" for method, value in rows["loss_fitted"].items()}
    leace, inlp, random = (rounded(rows["accuracy"][method]) for method in ("LEACE", "INLP", "random directions"))
    return (
        "After LEACE, no linear classifier can do better on the words of the pairs than a constant answer: the best one"
        f" has a loss of {loss['LEACE']} bits, and a constant answer 1 bit. After INLP the loss is {loss['INLP']} bits,"
        f" after “project away” {loss['project away']}, and without mitigation {loss['none']}. For other words LEACE"
        f" guarantees nothing: {leace} of the biased words can be assigned to their old side after LEACE, {inlp} after"
        f" INLP, and {random} after removing as many random directions as INLP does."
    )


def times(ratio: float) -> str:
    """A ratio above 1 in words.

    >>> times(3.0), times(1.5), times(1.004), times(2000.0)
    ('3 times', '1.5 times', '1.004 times', 'more than 1,000 times')
    """
    if ratio > 1000:
        return "more than 1,000 times"
    if ratio < 1.05:
        return f"{ratio:.3f}".rstrip("0") + " times"
    return f"{ratio:.2g} times" if ratio < 9.95 else f"{ratio:,.0f} times"


def capital(text: str) -> str:
    """The text with a capital first letter; the rest stays as it is."""
    return text[:1].upper() + text[1:]
