"""Headline and caption for a pair and its next-sentence controls."""

from embtools.pairs.next_sentence import AGAIN, RANDOM, SWAPPED, TOPIC, NextSentence
from embtools.statistics.reporting import LEVEL, control_p, p_value

SAME = 0.05
"""A swapped pair counts as about as likely if its probability is at most this much lower."""


def finding(result: NextSentence) -> str:
    """The probability of the pair, and the first control that could explain it, or that none does.

    Random sentences and sentences on the same topic are tested: p is the share of sentences, including the pair's own
    second sentence, that are at least as likely to follow.
    """
    claim = f"BERT gives a probability of {percent(result.probability)} that the second sentence follows the first"
    if result.probability < 0.5:
        return f"{claim}, so it is more likely that it does not. {_random(result)}".strip()
    if result.of(RANDOM) is None:
        return f"{claim}. No random sentence is short enough for a comparison, so this may be chance."
    beaten = []
    for control, drawn in ((RANDOM, "random sentences"), (TOPIC, f"sentences on the topic “{result.topic}”")):
        row = result.of(control)
        if row is None:
            continue
        count, pairs = int(row["at_least_as_likely"]), int(row["pairs"])
        p = control_p(count, pairs)
        if p >= LEVEL and count:
            what = "so this may be chance" if control == RANDOM else "so the topic alone may explain it"
            are = "is" if count == 1 else "are"
            return f"{claim}. But {count} of {pairs} {drawn} {are} at least as likely to follow ({p_value(p)}), {what}."
        if p >= LEVEL:
            return (
                f"{claim}. But only {pairs} {drawn} are short enough for a comparison, too few to rule out chance"
                f" ({p_value(p)})."
            )
        beaten.append(f"{pairs - count} of {pairs} {drawn}" if count else f"any of {pairs} {drawn}")
    swapped = result.of(SWAPPED)
    if swapped is None:
        return f"{claim}. This is more than for {' and '.join(beaten)}."
    share = percent(swapped["probability"])
    if swapped["probability"] >= result.probability - SAME:
        return f"{claim}. In swapped order the pair gets {share}, so the order makes little difference here."
    return f"{claim}. This is more than for {' and '.join(beaten)}, and more than in swapped order ({share})."


def _random(result: NextSentence) -> str:
    row = result.of(RANDOM)
    return (
        "" if row is None else f"Random sentences instead of the second get {percent(row['probability'])} on average."
    )


def again(result: NextSentence) -> str:
    """The probability if the first sentence is repeated as the second; "" if this could not be scored.

    A repetition is not a continuation, so a high probability shows that repeated words are enough for BERT.
    """
    row = result.of(AGAIN)
    return (
        "" if row is None else f"If the second sentence only repeats the first, it gets {percent(row['probability'])}."
    )


def percent(share: float) -> str:
    """A probability as a percentage, written as 0% or 100% only if it is exactly that.

    >>> percent(0.614), percent(0.9996), percent(0.0004)
    ('61%', 'over 99%', 'under 1%')
    """
    if 0 < share < 0.01:
        return "under 1%"
    return "over 99%" if 0.99 < share < 1 else f"{share:.0%}"
