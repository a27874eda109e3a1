"""What a model says to a claim: its own figure, the conditions under which the claim stands, and the verdict."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from embtools import wordlists
from embtools.progress import Progress

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

STANDS, PART, NOT, CANNOT = VERDICTS = ("stands", "stands in part", "does not stand here", "cannot be told here")
PUBLISHED_MODEL = "google-bert/bert-base-uncased"
"""The model of the texts, but for "Words in context"."""


@dataclass(frozen=True)
class Check:
    """A condition under which a claim stands, as a sentence, and whether it holds."""

    says: str
    holds: bool

    def __post_init__(self) -> None:
        object.__setattr__(self, "holds", bool(self.holds))  # NumPy's own kind of bool cannot be written as JSON


@dataclass(frozen=True)
class Figure:
    """A number, 0 … 1, beside the published one: what it is of, both, and what kind of number it is."""

    name: str
    published: float
    here: float
    kind: str = "probability"


@dataclass(frozen=True)
class Measured:
    """What a model says to a claim.

    answer   its figure, as a person reads it, with n and, for a share, its 95% interval
    checks   the conditions: all hold, the claim stands; some, in part; none, not. Without any it cannot be told
    figures  the numbers that can be laid beside published ones
    """

    answer: str
    checks: tuple[Check, ...] = ()
    figures: tuple[Figure, ...] = ()

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`.

        >>> Measured("", (Check("The first answer is france.", True), Check("No control does so.", False))).verdict
        'stands in part'
        """
        if not self.checks:
            return CANNOT
        held = sum(check.holds for check in self.checks)
        return STANDS if held == len(self.checks) else PART if held else NOT


def reproduced(figures: tuple[Figure, ...]) -> Check:
    """Whether numbers are the published ones as they were printed: shares to a tenth of a per cent, cosines to 0.01.

    >>> reproduced((Figure("rome: france", 0.929, 0.92871), Figure("bank", 0.94, 0.951, "cosine"))).holds
    False
    """
    fits = (round(figure.here, 2 if figure.kind == "cosine" else 3) == figure.published for figure in figures)
    return Check("Every number is the published one, to its last digit.", all(fits))


Measure = Callable[["EmbeddingModel", Progress], Measured]
"""Raises ValueError, with the reason, where a model lacks a part or a word."""


def published(claim: str) -> dict[tuple[str, str], float]:
    """The published numbers of a claim: (item, part) → value.

    >>> published("A2")
    {('rome in france', 'france'): 0.929}
    """
    rows = wordlists.load("published").query("figure == @claim")
    return {(row.item, row.part): float(row.value) for row in rows.itertuples()}


def percent(share: float) -> str:
    """A share as the texts write it.

    >>> percent(0.929), percent(0.0004)
    ('92.9%', '0.04%')
    """
    return f"{share:.1%}" if share >= 0.001 else f"{share:.2%}"


def number(value: float, digits: int = 3) -> str:
    """A number with a true minus sign.

    >>> number(-0.7464)
    '−0.746'
    """
    return f"{value:.{digits}f}".replace("-", "−")


def of_all(count: int, n: int) -> str:
    """A count with its share and the 95% interval (Wilson).

    >>> of_all(39, 40)
    '39 of 40 (97.5%; 87 to 100%)'
    """
    from embtools.statistics.intervals import wilson

    low, high = wilson(count, n)
    return f"{count} of {n} ({percent(count / n)}; {100 * low:.0f} to {100 * high:.0f}%)"
