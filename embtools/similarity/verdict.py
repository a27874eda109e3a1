"""Headlines and sentences that follow from the results about similarity."""

import pandas as pd

from embtools.memory import remembered
from embtools.similarity.matrix import Similarity
from embtools.statistics.permutations import Mantel, mantel
from embtools.statistics.reporting import LEVEL, control_p, p_value

SURE = LEVEL
PERMUTATIONS = 999


def colours(test: Mantel) -> str:
    """A sentence about the correlation between the cosines of colour words and how similar the colours look."""
    return f"There is {_link(test)} between how similar BERT finds colours and how similar they look {_figures(test)}."


def answers(with_cosine: Mantel, with_eye: Mantel) -> str:
    """A sentence about the correlations of the model's answers with its cosines and with the look of the colours."""
    return (
        f"BERT's answers show {_link(with_cosine)} with its own cosines, and {_link(with_eye)} with how similar the"
        " colours look."
    )


def spaces(test: Mantel) -> str:
    """A sentence about the correlation between the rankings of the pairs in two spaces."""
    return f"There is {_link(test)} between the rankings of the pairs in the two spaces {_figures(test)}."


def two_models(test: Mantel) -> str:
    """A sentence about the correlation between two models' rankings of the pairs."""
    return f"There is {_link(test)} between the two models' rankings of the pairs {_figures(test)}."


@remembered
def two_lists(first: Similarity, second: Similarity, names: tuple[str, str]) -> str:
    """A sentence about the same list in two models with these names: whether they rank its pairs in the same way.

    Both tables have the words in the same order. Mantel test with `PERMUTATIONS` shuffles.
    """
    try:
        return two_models(mantel(first.values, second.values, permutations=PERMUTATIONS))
    except ValueError:
        return f"{names[0]} and {names[1]} can be compared for four or more words."


def sheep(frame: pd.DataFrame, first: str, second: str) -> str:
    """A headline about whether `first` is more likely than `second` for the first subject, more than for the others.

    The ratio of the two probabilities is compared with that of the other subjects: p is the share of all subjects with
    a ratio at least as high. The effect is present if the first colour is more likely and p < 0.05.
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
    reach = "reaches" if above == 1 else "reach"
    compared = f"{above} of {len(others)} other subjects {reach} this ratio ({p_value(p)})"
    if p < LEVEL:
        return f"The effect is present: {times}, and {compared}."
    if control_p(0, len(others)) >= LEVEL and not above:
        return (
            f"There is a hint of the effect: {times}, and {compared}. Add subjects, because so few cannot rule out"
            " chance."
        )
    return f"There is no clear effect: {times}, but {compared}."


def guessed(frame: pd.DataFrame, guess: str, odd: str | None = None) -> str:
    """A headline about BERT's pick and a visitor's guess, and who is right if the odd one out is known."""
    pick = str(frame["word"].iloc[0])
    if odd is None:
        return f"BERT picks {pick} too." if pick == guess else f"BERT picks {pick}, and you picked {guess}."
    if guess == odd:
        return f"Right: {odd}. " + ("BERT picks it too." if pick == odd else f"BERT is wrong and picks {pick}.")
    if pick == odd:
        return f"The odd one out is {odd}, as BERT says. You picked {guess}."
    if pick == guess:
        return f"The odd one out is {odd}. You and BERT both picked {guess}."
    return f"The odd one out is {odd}. You picked {guess}, and BERT picked {pick}."


def _link(test: Mantel) -> str:
    """The strength of a rank correlation in words, by the same rule for every test."""
    if test.p >= LEVEL:
        return "no clear correlation"
    size = "weak" if abs(test.rho) < 0.3 else "moderate" if abs(test.rho) < 0.6 else "strong"
    return f"a {size} correlation" if test.rho > 0 else f"a {size} negative correlation"


def _figures(test: Mantel) -> str:
    return f"(ρ = {test.rho:+.2f}, {p_value(test.p)})".replace("-", "−")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}"
