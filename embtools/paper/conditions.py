"""Decisions about the conditions of a claim: by exact comparison, exact test, interval, or twenty agreeing seeds.

Every function returns a `Condition` that holds, fails, or is undecided, with its evidence in plain words.
"""

from collections.abc import Sequence

from embtools.paper.measured import Condition, of_all, of_p, percent
from embtools.statistics.decimals import half_up
from embtools.statistics.exact import binomial_test, sign_test
from embtools.statistics.intervals import wilson
from embtools.statistics.reporting import control_p

LEVEL = 0.05
SEEDS = range(20)
"""If random draws are needed, a condition is decided only if all of these seeds give the same decision."""


def exact(statement: str, holds: bool, evidence: str) -> Condition:
    """Decide a condition that does not depend on chance.

    >>> exact("The top answer is france.", True, "france, 78.8%.").evidence
    'france, 78.8%. Exact comparison.'
    """
    return Condition(statement, holds, f"{evidence} Exact comparison.")


def more_often(statement: str, count: int, n: int, share: float, *, by: str = "") -> Condition:
    """Decide whether something is true more often than a share, which `by` such as "guessing" reaches, with the
    two-sided exact binomial test.

    >>> result = more_often("It finds the referent.", 16, 30, 0.5, by="guessing")
    >>> result.holds, result.evidence
    (None, '16 of 30 (53.3%; 95% interval 36 to 70%), compared with 50.0% by guessing. Exact binomial test: p = 0.856.')
    """
    p = binomial_test(count, n, share)
    holds = None if p > LEVEL else count > share * n
    other = f"{percent(share)} by {by}" if by else percent(share)
    return Condition(statement, holds, f"{of_all(count, n)}, compared with {other}. Exact binomial test: {of_p(p)}.")


def better(statement: str, wins: int, losses: int, ties: int, *, name: str, evidence: str) -> Condition:
    """Decide whether one method, `name` at the beginning of a sentence, beats another on the same items, with the
    two-sided exact sign test.

    >>> better("Vectors beat words.", 6, 1, 13, name="The ranking by vectors", evidence="18 of 20 and 13.").evidence
    '18 of 20 and 13. The ranking by vectors is better on 6 items, worse on 1 and equal on 13. Exact paired test: \
p = 0.125.'
    """
    p = sign_test(wins, losses)
    holds = None if p > LEVEL else wins > losses
    counts = f"{name} is better on {wins} items, worse on {losses} and equal on {ties}."
    return Condition(statement, holds, f"{evidence} {counts} Exact paired test: {of_p(p)}.")


def rare(statement: str, as_good: int, controls: int, *, evidence: str) -> Condition:
    """Decide whether at most 1 in 20 controls is as good as the result: yes if p is at most 0.05, no if the whole 95%
    interval of their share (Wilson) is above 5%.

    >>> for count in (0, 2, 9):
    ...     result = rare("", count, 30, evidence=f"{count} of 30 do.")
    ...     print(result.holds, result.evidence)
    True 0 of 30 do. Test against the controls: p = 0.032.
    None 2 of 30 do. This does not show whether the share is above or below 1 in 20 (95% interval 2 to 21%).
    False 9 of 30 do. This is more than 1 in 20 (95% interval 17 to 48%).
    """
    p, (low, high) = control_p(as_good, controls), wilson(as_good, controls)
    holds, interval = rarely(as_good, controls), f"95% interval {half_up(100 * low)} to {half_up(100 * high)}%"
    once = "" if interval in evidence else f" ({interval})"
    test = {
        True: f"Test against the controls: {of_p(p)}.",
        False: f"This is more than 1 in 20{once}.",
        None: f"This does not show whether the share is above or below 1 in 20{once}.",
    }
    return Condition(statement, holds, f"{evidence} {test[holds]}")


def rarely(as_good: int, controls: int) -> bool | None:
    """Decide whether at most 1 in 20 controls is as good as the result, as `rare` does.

    >>> rarely(0, 20), rarely(1, 20), rarely(6, 20)
    (True, None, False)
    """
    if control_p(as_good, controls) <= LEVEL:
        return True
    return False if wilson(as_good, controls)[0] > LEVEL else None


def below(statement: str, low: float, high: float, limit: float, *, evidence: str) -> Condition:
    """Decide whether a value is below a limit, from its 95% interval.

    >>> [below("", *ends, 0.3, evidence="").holds for ends in ((-0.1, 0.2), (0.1, 0.4), (0.35, 0.5))]
    [True, None, False]
    """
    holds = True if high < limit else False if low > limit else None
    return Condition(statement, holds, evidence)


def positive(statement: str, low: float, high: float, *, evidence: str) -> Condition:
    """Decide whether a difference is positive, from its 95% interval.

    >>> [positive("", *ends, evidence="").holds for ends in ((0.1, 0.2), (-0.1, 0.2), (-0.2, -0.1))]
    [True, None, False]
    """
    return Condition(statement, True if low > 0 else False if high < 0 else None, evidence)


def one_sided(p: float) -> bool | None:
    """Decide a one-sided permutation test: true, the opposite is true, or neither.

    >>> one_sided(0.01), one_sided(0.3), one_sided(0.98)
    (True, None, False)
    """
    return True if p <= LEVEL else False if p >= 1 - LEVEL else None


def same_for_all(statement: str, outcomes: Sequence[bool | None], *, evidence: str) -> Condition:
    """Decide a condition that needs random draws: it is undecided unless all seeds agree.

    >>> same_for_all("", [True, True, False], evidence="Range 0.4 to 0.6.").evidence
    'Range 0.4 to 0.6. The condition holds in 2 of 3 random draws and fails in 1.'
    """
    yes, no = outcomes.count(True), outcomes.count(False)
    n = len(outcomes)
    holds = True if yes == n else False if no == n else None
    if yes == n or no == n:
        counts = f"All {n} random draws agree."
    else:
        counts = f"The condition holds in {yes or 'none'} of {n} random draws and fails in {no or 'none'}."
    return Condition(statement, holds, f"{evidence} {counts}")
