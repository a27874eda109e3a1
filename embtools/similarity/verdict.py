"""What the numbers of this page say, in a sentence each: a verdict that follows the number."""

import pandas as pd

from embtools.similarity.matrix import Similarity, pair_table
from embtools.similarity.pair import Pair
from embtools.statistics.permutations import Mantel

SURE = 0.05  # a p from here on is no finding


def reading(result: Similarity) -> str:
    """The most and the least alike words of a list."""
    pairs = pair_table(result)
    column = pairs.columns[2]
    near, far = (f"{row['first']} and {row['second']}" for _, row in pairs.iloc[[0, -1]].iterrows())
    most, least = pairs[column].iloc[[0, -1]]
    if len(pairs) == 1:
        return f"{near}: {column} {most:.2f}."
    if column == "distance":
        return f"Of {len(result.words)} words, {near} lie nearest (distance {most:.2f}), {far} farthest ({least:.2f})."
    lowest = f"{least:.2f}".replace("-", "−")
    return f"Of {len(result.words)} words, BERT finds {near} most alike (cosine {most:.2f}), {far} least ({lowest})."


def pair_sentence(pair: Pair, below: float) -> str:
    """Where each word of a pair stands among the other's neighbours, and the share of random pairs that are less alike.

    `below` (0 … 1) is `share_below` of the pair's cosine.
    """
    return (
        f"More alike than {min(below, 0.999):.1%} of random pairs. To {pair.first}, {_place(pair.second, pair.rank_ab)}"
        f" of {pair.candidates:,} words; to {pair.second}, {_place(pair.first, pair.rank_ba)}."
    )


def sight(test: Mantel) -> str:
    """Whether the cosine of colour words goes with their look."""
    if test.p >= SURE:
        return "No link found: colours that look alike are not clearly more alike to BERT."
    looks = "alike" if test.rho > 0 else "unlike"
    return f"A {_size(test.rho)} link: colours that look {looks} tend to be more alike to BERT."


def answers(with_cosine: Mantel, with_eye: Mantel) -> str:
    """Whether the model's answers about colours go with its own cosines, and with the eye."""
    return f"BERT's answers {_follow(with_cosine)} its own cosines, and {_follow(with_eye)} the eye."


def spaces(test: Mantel) -> str:
    """Whether two spaces order the pairs of a list alike."""
    if test.p >= SURE:
        return "No link found: the two spaces do not clearly order the pairs alike."
    order = "alike" if test.rho > 0 else "against each other"
    return f"A {_size(test.rho)} link: the two spaces order the pairs {order}."


def two_models(test: Mantel) -> str:
    """The same of one list in two models, with the figure: their cells' rank correlation."""
    return f"{spaces(test)} Over all pairs ρ = {test.rho:+.2f}, p = {test.p:.3f} (Mantel test)."


def sheep(frame: pd.DataFrame, first: str, second: str) -> str:
    """Whether the first subject of `black_sheep` is more often `first` than `second`, and more so than the others are.

    The effect is there when the first colour is the likelier one and at most a tenth of the other subjects have as high
    a ratio; a hint when at most half have; otherwise the first colour is a frequent answer, whatever the subject.
    """
    subject, ratio = str(frame["subject"].iloc[0]), float(frame["ratio"].iloc[0])
    others = frame["ratio"].iloc[1:]
    above = int((others >= ratio).sum())
    times = f"{first} is {_times(ratio)} times as likely as {second} for {subject}"
    compared = f"{above} of {len(others)} other subjects have as high a ratio"
    if ratio <= 1:
        return f"The effect is absent here: {times}."
    if not len(others):
        return f"{times}. Whether that is the subject's doing, only other subjects can tell: add some."
    if above <= 0.1 * len(others):
        return f"The effect is there: {times}, and {compared}."
    if above <= 0.5 * len(others):
        return f"A hint of the effect: {times}, but {compared}."
    return f"{times}, but {compared}: {first} is a frequent answer here, whatever the subject."


def guessed(frame: pd.DataFrame, guess: str, odd: str | None = None) -> str:
    """Which word BERT picks, beside a guess; and who is right, where one word is known not to belong."""
    pick = str(frame["word"].iloc[0])
    if odd is None:
        return f"BERT picks {pick} too." if pick == guess else f"BERT picks {pick}, you picked {guess}."
    if guess == odd:
        return f"Right: {odd}. " + ("BERT picks it too." if pick == odd else f"BERT is wrong and picks {pick}.")
    said = f"The odd one is {odd}, as BERT says." if pick == odd else f"The odd one is {odd}."
    if pick == guess:
        return f"{said} You and BERT both picked {guess}."
    return f"{said} You picked {guess}." if pick == odd else f"{said} You picked {guess}, BERT {pick}."


def _follow(test: Mantel) -> str:
    if test.p >= SURE:
        return "do not clearly follow"
    return "follow" if test.rho > 0 else "run against"


def _place(word: str, rank: int) -> str:
    return f"{word} is the nearest" if rank == 1 else f"{word} is number {rank:,}"


def _size(rho: float) -> str:
    return "weak" if abs(rho) < 0.3 else "moderate" if abs(rho) < 0.6 else "strong"


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}" if ratio >= 0.1 else f"{ratio:.2g}"
