"""The black sheep: which of two colours is more likely for a sheep, and for other subjects."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from embtools.drawing import Displayed
from embtools.messages import counted
from embtools.similarity.answers import slot_probabilities
from embtools.similarity.matrix import MAX_WORDS
from embtools.statistics.reporting import LEVEL, control_p, p_value
from embtools.words import vectors as wordlist

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

TEMPLATE = "The {word} is [MASK]."
COLOURS = ("black", "white")
# Twenty subjects to compare with the first: with fewer, even the highest ratio has p ≥ 0.05.
_OTHERS = """
lamb cow swan snow milk coal night car thing horse dog cat house shirt wall door chair paper flower stone
"""
SUBJECTS = ("sheep", *_OTHERS.split())


@dataclass(frozen=True)
class BlackSheep(Displayed):
    """The probabilities of two colours for several subjects.

    colours  the two colours
    table    frame: subject, first and second (the probabilities of the two colours), ratio (first over second), answer
             (the model's top answer)
    """

    colours: tuple[str, str]
    table: pd.DataFrame

    @property
    def headline(self) -> str:
        """Whether the first colour is more likely than the second for the first subject, with p as the share of all
        subjects whose ratio of the two is at least as high."""
        first, second = self.colours
        subject, ratio = str(self.table["subject"].iloc[0]), float(self.table["ratio"].iloc[0])
        if ratio <= 1:
            times = (
                f"{second} is {_times(1 / ratio)} times as likely as {first}"
                if ratio < 1
                else "both are equally likely"
            )
            return f"There is no black-sheep effect here: for {subject}, {times}."
        others = self.table["ratio"].iloc[1:]
        times = f"for {subject}, {first} is {_times(ratio)} times as likely as {second}"
        if not len(others):
            return f"{times[0].upper()}{times[1:]}. Add other subjects to see whether this is special to {subject}."
        above = int((others >= ratio).sum())
        p = control_p(above, len(others))
        count = counted(len(others), "other subject")
        reach = "reaches" if 1 in (above, len(others)) else "reach"
        tested = p_value(p, len(others), what=count.partition(" ")[2])
        compared = f"{above} of {count} {reach} this ratio ({tested})"
        if p < LEVEL:
            return f"The effect is present: {times}, and {compared}."
        if control_p(0, len(others)) >= LEVEL and not above:
            return (
                f"There is a hint of the effect: {times}, and {compared}. Add subjects, because so few cannot rule out"
                " chance."
            )
        return f"There is no clear effect: {times}, but {compared}."


def black_sheep(
    subjects: Sequence[str],
    model: "EmbeddingModel",
    *,
    template: str = TEMPLATE,
    colours: tuple[str, ...] = COLOURS,
) -> BlackSheep:
    """The probabilities of two colours for a sheep, and for other subjects as controls.

    The effect is a reporting bias: people write "black sheep" because white sheep go without saying (Gordon & Van Durme
    2013; Daumé 2016).

    Parameters
    ----------
    subjects : sequence of str
        The subjects, such as "sheep". The first one is compared with the others.
    model : EmbeddingModel
    template : str, optional
        A sentence with a slot for the subject and a [MASK].
    colours : tuple of str, default ("black", "white")
        The two colours.

    Returns
    -------
    BlackSheep

    Raises
    ------
    ValueError
        For more or fewer than two colours, no or too many subjects, a word that appears twice or is not one token, and
        a template without exactly one {word} and one [MASK].
    """
    if len(colours) != 2:
        raise ValueError("Write exactly two colours, such as black, white.")
    wordlist.check(subjects, model, least=1, most=MAX_WORDS)
    wordlist.check(colours, model, least=2, most=2)
    found, best = slot_probabilities(template, model, fillers=subjects, answers=colours)
    table = pd.DataFrame(
        {
            "subject": list(subjects),
            "first": found[:, 0],
            "second": found[:, 1],
            "ratio": found[:, 0] / found[:, 1],
            "answer": best["answer"],
        }
    )
    return BlackSheep((colours[0], colours[1]), table)


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}"
