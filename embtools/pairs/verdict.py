"""What a pair and its controls say, in a sentence."""

from embtools.pairs.following import AGAIN, RANDOM, SWAPPED, TOPIC, Following
from embtools.statistics.reporting import LEVEL, control_p, p_value

LUCK = LEVEL
SAME = 0.05
"""A swapped pair whose probability is at most this much lower is about as likely."""


def finding(result: Following) -> str:
    """How likely the pair is, and the first control that could explain it; else that none does.

    The random sentences, and those on the same topic, decide by a test: p is the share of sentences, the second one of
    the pair among them, that are at least as likely to follow.
    """
    claim = f"BERT gives {percent(result.probability)} that the second sentence follows the first"
    if result.probability < 0.5:
        return f"{claim}: more likely it does not. {_random(result)}".strip()
    if result.of(RANDOM) is None:
        return f"{claim}. No random sentence is short enough to compare with, so this may be chance."
    beaten = []
    for control, drawn in ((RANDOM, "random sentences"), (TOPIC, f"sentences about {result.topic}")):
        row = result.of(control)
        if row is None:
            continue
        count, pairs = int(row["as_likely"]), int(row["pairs"])
        p = control_p(count, pairs)
        if p >= LEVEL and count:
            what = "so this may be chance" if control == RANDOM else "so the topic alone may explain it"
            are = "is" if count == 1 else "are"
            return f"{claim}, but {count} of {pairs} {drawn} {are} at least as likely ({p_value(p)}), {what}."
        if p >= LEVEL:
            return f"{claim}, but only {pairs} {drawn} fit behind the first: too few to rule out chance ({p_value(p)})."
        beaten.append(f"{pairs - count} of {pairs} {drawn}" if count else f"any of {pairs} {drawn}")
    swapped = result.of(SWAPPED)
    if swapped is None:
        return f"{claim}: more than {' and '.join(beaten)}."
    share = percent(swapped["probability"])
    if swapped["probability"] >= result.probability - SAME:
        return f"{claim}. Swapped, this pair gets {share}: here the order makes little difference."
    return f"{claim}: more than {' and '.join(beaten)}, and more than in swapped order ({share})."


def _random(result: Following) -> str:
    row = result.of(RANDOM)
    return "" if row is None else f"Random sentences get {percent(row['probability'])} on average."


def again(result: Following) -> str:
    """What the first sentence in place of the second gets: a text that repeats itself is no continuation.

    "" where it could not be asked.
    """
    row = result.of(AGAIN)
    return (
        "" if row is None else f"The first sentence again, which says nothing new, gets {percent(row['probability'])}."
    )


def percent(share: float) -> str:
    """A probability in per cent that is only 0 or 100 where it is.

    >>> percent(0.614), percent(0.9996), percent(0.0004)
    ('61%', 'over 99%', 'under 1%')
    """
    if 0 < share < 0.01:
        return "under 1%"
    return "over 99%" if 0.99 < share < 1 else f"{share:.0%}"
