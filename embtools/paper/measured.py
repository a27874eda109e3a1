"""The result of one claim in one model: its figures, the conditions of the claim, and the verdict on it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from embtools import wordlists
from embtools.messages import counted, listed
from embtools.progress import Progress
from embtools.statistics.decimals import decimal, half_up
from embtools.statistics.percentages import rounded

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

HOLDS, PART, FAILS, CANNOT = VERDICTS = ("holds", "holds in part", "fails", "undecided")
PUBLISHED_MODEL = "google-bert/bert-base-uncased"
"""The model of the articles "BERT Embedding Math" and "Understanding BERT — Word Embeddings"."""


@dataclass(frozen=True)
class Condition:
    """A statement that must be true if a claim holds, whether it is, and how that was decided.

    Attributes
    ----------
    statement : str
        What must be true, as a sentence.
    holds : bool or None
        None if the numbers do not decide it.
    evidence : str
        The numbers, what they are compared with, and the test, in plain words.
    """

    statement: str
    holds: bool | None
    evidence: str

    def __post_init__(self) -> None:
        if self.holds is not None:  # numpy.bool cannot be written as JSON
            object.__setattr__(self, "holds", bool(self.holds))


def verdict(conditions: Sequence[Condition]) -> str:
    """Return one of `VERDICTS` for the conditions of a claim: in part if some hold and some fail, whatever the others
    are; else undecided if one of them is, or there are none.

    >>> yes, no, open = (Condition("", holds, "") for holds in (True, False, None))
    >>> verdict([yes, yes]), verdict([yes, no, open]), verdict([no, no]), verdict([yes, open])
    ('holds', 'holds in part', 'fails', 'undecided')
    """
    outcomes = {condition.holds for condition in conditions}
    if {True, False} <= outcomes:
        return PART
    if not outcomes or None in outcomes:
        return CANNOT
    return HOLDS if True in outcomes else FAILS


@dataclass(frozen=True)
class Figure:
    """A number from 0 to 1 that was also published: its name, the published value, this model's, and its kind."""

    name: str
    published: float
    here: float
    kind: str = "probability"


@dataclass(frozen=True)
class Interval:
    """A rate or a difference of rates with its 95% interval; as a text, such as "12% (95% interval 4 to 20%)"."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        low, high = (decimal(100 * end, 0) for end in (self.low, self.high))
        return f"{percent(self.value)} (95% interval {low} to {high}%)"

    @property
    def points(self) -> str:
        """A difference of rates with its 95% interval, in percentage points."""
        value, low, high = (decimal(100 * each, n) for each, n in ((self.value, 1), (self.low, 0), (self.high, 0)))
        return f"{value} points (95% interval {low} to {high})"


@dataclass(frozen=True)
class Measured:
    """The result of a claim in one model.

    Attributes
    ----------
    answer : str
        The model's figures as sentences. If the claim cannot be tested in the model: the reason.
    conditions : tuple of Condition
        The verdict follows from them alone.
    figures : tuple of Figure
        The numbers that can be compared with published ones.
    many : str
        How often the same edit works for many words, for claims about a single one.
    """

    answer: str
    conditions: tuple[Condition, ...] = ()
    figures: tuple[Figure, ...] = ()
    many: str = ""

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`."""
        return verdict(self.conditions)


def reproduced(figures: tuple[Figure, ...]) -> Condition:
    """Return the condition that all numbers equal the published ones as printed: shares to 0.1%, cosines to 0.01.

    >>> reproduced((Figure("rome: france", 0.929, 0.92871), Figure("bank", 0.94, 0.951, "cosine"))).holds
    False
    """
    digits = [2 if figure.kind == "cosine" else 3 for figure in figures]
    equal = sum(round(f.here, n) == f.published for f, n in zip(figures, digits, strict=True))
    return Condition(
        "Every number is equal to the published one, rounded as printed.",
        equal == len(figures),
        f"{equal} of {len(figures)} numbers are equal. Exact comparison.",
    )


class Measure(Protocol):
    """Returns the result of one claim; raises ValueError with the reason if the model lacks a part or a word."""

    def __call__(self, model: "EmbeddingModel", *, progress: Progress) -> Measured: ...


def published(claim: str) -> dict[tuple[str, str], float]:
    """Return the published numbers of a claim: (item, part) → value.

    >>> published("A2")
    {('rome in france', 'france'): 0.929}
    """
    rows = wordlists.load("published").query("figure == @claim")
    return {(row.item, row.part): float(row.value) for row in rows.itertuples()}


def percent(share: float) -> str:
    """Format a share as the articles do.

    >>> percent(0.929), percent(0.0004), percent(0.0)
    ('92.9%', '0.04%', '0.0%')
    """
    return rounded(share, 2) if 0 < share < 0.001 else rounded(share, 1)


def number(value: float, digits: int = 3) -> str:
    """Format a number with a true minus sign.

    >>> number(-0.7464)
    '−0.746'
    """
    return decimal(value, digits).replace(",", "")


def of_all(count: int, n: int, *, noun: str = "") -> str:
    """Format a count with its share and the 95% interval of the share (Wilson).

    >>> of_all(39, 40), of_all(39, 40, noun="questions")
    ('39 of 40 (97.5%; 95% interval 87 to 100%)', '39 of 40 questions (97.5%; 95% interval 87 to 100%)')
    """
    from embtools.statistics.intervals import wilson

    low, high = wilson(count, n)
    of = f"{count:,} of {n:,} {noun}".rstrip()
    return f"{of} ({percent(count / n)}; 95% interval {half_up(100 * low)} to {half_up(100 * high)}%)"


def occurrences(words: Sequence[str]) -> str:
    """Format the words of some occurrences: each word once, with its number of occurrences.

    >>> occurrences(["queen", "king", "queen"])
    '2 occurrences of queen and 1 occurrence of king'
    """
    return listed(f"{counted(n, 'occurrence')} of {word}" for word, n in Counter(words).items())


def of_p(p: float) -> str:
    """Format a p-value.

    >>> of_p(0.125), of_p(0.0161), of_p(1e-9)
    ('p = 0.125', 'p = 0.016', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
