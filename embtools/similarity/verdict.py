"""What the numbers of this page say, in a sentence each: a verdict that follows the number."""

import pandas as pd

from embtools.neighbours import Metric
from embtools.similarity.matrix import Similarity, pair_table
from embtools.similarity.pair import Pair
from embtools.statistics.permutations import Mantel
from embtools.statistics.reporting import LEVEL, control_p, p_value

SURE = LEVEL


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


def random_pairs(mean: float, metric: Metric) -> str:
    """What the values of a heatmap are compared with: the mean of random pairs.

    >>> random_pairs(0.32, "cosine")
    'Two random whole words have a cosine of 0.32 on average (see the scale). Cells below that are less similar.'
    """
    if metric == "cosine":
        level = f"{mean:.2f}".replace("-", "−")
        return (
            f"Two random whole words have a cosine of {level} on average (see the scale). Cells below that are less"
            " similar."
        )
    return (
        f"Two random whole words have a distance of {mean:.2f} on average (see the scale). Cells above that are less"
        " similar."
    )


def pair_sentence(pair: Pair, below: float) -> str:
    """How many random pairs are less similar than a pair, and the rank of each word among the other's neighbours.

    `below` (0 … 1) is `share_below` of the pair's cosine. Where the two ranks differ, the last sentence says why: the
    cosine is the same from both sides, but it is compared with the other neighbours of each word.
    """
    a, b = pair.first, pair.second
    share = f"More similar than {min(below, 0.999):.1%} of random pairs."
    if below < 0.5:
        share = f"Less similar than {min(1 - below, 0.999):.1%} of random pairs."
    ranks = f"{_nearer(a, b, pair.rank_ab)} {_nearer(b, a, pair.rank_ba)} ({pair.candidates:,} words compared.)"
    if pair.rank_ab == pair.rank_ba:
        return f"{share} {ranks}"
    dense, sparse = (a, b) if pair.rank_ab > pair.rank_ba else (b, a)
    why = f"The cosine is the same from both sides, but more words are this near to {dense} than to {sparse}."
    return f"{share} {ranks} {why}"


def sight(test: Mantel) -> str:
    """Whether the cosine of colour words goes with their look."""
    return (
        f"{_capital(_link(test))} between how similar colours are to BERT and how similar they look {_figures(test)}."
    )


def answers(with_cosine: Mantel, with_eye: Mantel) -> str:
    """Whether the model's answers about colours go with its own cosines, and with the look of the colours."""
    return (
        f"BERT's answers show {_link(with_cosine)} with its own cosines and {_link(with_eye)} with the look of the"
        " colours."
    )


def spaces(test: Mantel) -> str:
    """Whether two spaces order the pairs of a list in the same way."""
    return f"{_capital(_link(test))} between the orders of the pairs in the two spaces {_figures(test)}."


def two_models(test: Mantel) -> str:
    """Whether two models order the pairs of a list in the same way."""
    return f"{_capital(_link(test))} between the two models' orders of the pairs {_figures(test)}."


def sheep(frame: pd.DataFrame, first: str, second: str) -> str:
    """Whether the first subject of `black_sheep` is `first` rather than `second`, and more so than the other subjects.

    The ratio of the two probabilities is compared with that of the other subjects: p is the share of all subjects with
    a ratio at least as high. The effect is there when the first colour is the more likely one and p < 0.05.
    """
    subject, ratio = str(frame["subject"].iloc[0]), float(frame["ratio"].iloc[0])
    if ratio <= 1:
        times = (
            f"{second} is {_times(1 / ratio)} times as likely as {first}" if ratio < 1 else "both are equally likely"
        )
        return f"The effect is absent here: for {subject}, {times}."
    others = frame["ratio"].iloc[1:]
    times = f"for {subject}, {first} is {_times(ratio)} times as likely as {second}"
    if not len(others):
        return f"{_capital(times)}. Add other subjects to see whether this is special to {subject}."
    above = int((others >= ratio).sum())
    p = control_p(above, len(others))
    compared = f"{above} of {len(others)} other subjects have as high a ratio ({p_value(p)})"
    if p < LEVEL:
        return f"The effect is there: {times}, and {compared}."
    if control_p(0, len(others)) >= LEVEL and not above:
        return f"A hint of the effect: {times}, and {compared}. Add subjects: so few cannot rule out chance."
    return f"No clear effect: {times}, but {compared}."


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


def _link(test: Mantel) -> str:
    """The strength of a rank correlation in words: the same for every test of this page."""
    if test.p >= LEVEL:
        return "no clear link"
    size = "weak" if abs(test.rho) < 0.3 else "moderate" if abs(test.rho) < 0.6 else "strong"
    return f"a {size} link" if test.rho > 0 else f"a {size} reversed link"


def _figures(test: Mantel) -> str:
    return f"(ρ = {test.rho:+.2f}, {p_value(test.p)})".replace("-", "−")


def _nearer(word: str, other: str, rank: int) -> str:
    """How many words are nearer to a word than another one."""
    if rank == 1:
        return f"For {word}, {other} is the nearest word."
    count = "one word is" if rank == 2 else f"{rank - 1:,} words are"
    return f"For {word}, {count} nearer than {other}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}"
