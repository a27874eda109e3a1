"""What a pair and its controls say, in a sentence."""

from embtools.pairs.following import AGAIN, RANDOM, SWAPPED, TOPIC, Following

LUCK = 0.05
"""The share of drawn sentences that may do as well as the pair's own: the usual level of a test."""
SAME = 0.05
"""A swapped pair whose probability is at most this much lower says that the order does not count."""


def finding(result: Following) -> str:
    """How likely the pair is, and the first control that refutes it; else that none does."""
    claim = f"BERT gives {percent(result.probability)} that the second sentence follows the first"
    if result.probability < 0.5:
        return f"{claim}: more likely it does not. {_random(result)}".strip()
    for control, drawn in ((RANDOM, "drawn at random"), (TOPIC, f"about {result.topic}")):
        row = result.of(control)
        if row is not None and row["as_likely"] > LUCK * row["pairs"]:
            what = "so that may be luck" if control == RANDOM else "so it may be the topic alone"
            return f"{claim}, but {row['as_likely']} of {row['pairs']} sentences {drawn} get as much, {what}."
    swapped = result.of(SWAPPED)
    if swapped is not None and swapped["probability"] >= result.probability - SAME:
        return f"{claim}, but swapped the two get {percent(swapped['probability'])}: the order does not count."
    return f"{claim}: more than swapped, and more than what was drawn."


def _random(result: Following) -> str:
    row = result.of(RANDOM)
    return "" if row is None else f"Sentences drawn at random get {percent(row['probability'])} on average."


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
