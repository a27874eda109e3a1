"""P-values: their level, their format in sentences, and the p-value of a comparison with controls."""

import math
from collections.abc import Mapping

from embtools.messages import listed
from embtools.statistics.decimals import half_up

LEVEL = 0.05
"""A result is called clear if its p-value is below this level."""


FEW = 20
"""With fewer different words than this, the intervals that resample them are only a rough guide."""


def few(counts: Mapping[str, int]) -> str:
    """Say that intervals are only a rough guide if there are few different units of a kind (by its plural); otherwise
    "".

    >>> few({"words a": 10, "words c": 40})
    'There are only 10 different words a, so the intervals are only a rough guide.'
    >>> few({"words a": 1, "words c": 9})
    'There is only 1 word a and 9 different words c, so the intervals are only a rough guide.'
    >>> few({"words a": 20})
    ''
    """
    small = {name: count for name, count in counts.items() if count < FEW}
    if not small:
        return ""
    named = listed(_different(count, name) for name, count in small.items())
    verb = "is" if next(iter(small.values())) == 1 else "are"
    return f"There {verb} only {named}, so the intervals are only a rough guide."


def _different(count: int, name: str) -> str:
    first, _, rest = name.partition(" ")
    return f"1 {first.removesuffix('s')} {rest}".strip() if count == 1 else f"{count} different {name}"


def p_value(p: float, draws: int | None = None, *, what: str = "shuffles") -> str:
    """Format a p-value for a sentence; the smallest one that the number of random draws allows is called so, and one
    just below the level is not rounded up to it.

    >>> p_value(0.0312), p_value(0.0001), p_value(1 / 201, 200), p_value(0.0496)
    ('p = 0.031', 'p < 0.001', 'p ≤ 0.005, the smallest possible with 200 shuffles', 'p < 0.05')
    >>> p_value(1 / 21, 20, what="random heads"), p_value(2 / 21, 20)
    ('p ≤ 0.048, the smallest possible with 20 random heads', 'p = 0.095')
    """
    if draws is not None and p <= 1 / (draws + 1) * (1 + 1e-9):
        smallest, what = 1 / (draws + 1), what.removesuffix("s") if draws == 1 else what
        digits = 3 if smallest >= 0.0005 else 1 - math.floor(math.log10(smallest))
        return f"p ≤ {half_up(smallest, digits).normalize():f}, the smallest possible with {draws:,} {what}"
    if p < 0.001:
        return "p < 0.001"
    rounded = float(half_up(p, 3))
    return f"p < {LEVEL}" if p < LEVEL <= rounded else f"p = {rounded:.3f}"


def control_p(reached: int, controls: int) -> float:
    """The p-value of a result that `reached` of the random controls equal or exceed; the result counts among them, so p
    is never 0 (Phipson & Smyth 2010, doi:10.2202/1544-6115.1585).

    >>> control_p(0, 19), control_p(4, 4)
    (0.05, 1.0)
    """
    if not 0 <= reached <= controls:
        raise ValueError(f"{reached} of {controls} controls cannot reach a result. Give a count from 0 to {controls}.")
    return (1 + reached) / (1 + controls)
