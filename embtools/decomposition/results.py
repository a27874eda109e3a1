"""A decomposition and its controls, each as one value with the sentences and tables that describe it."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from embtools.decomposition import controls, verdict
from embtools.decomposition.dictionary import Dictionary
from embtools.decomposition.parts import Parts, decompose
from embtools.decomposition.target import Target
from embtools.progress import Progress, silent


@dataclass(frozen=True, eq=False)
class Decomposition:
    """The decomposition of a vector.

    target      the vector
    parts       its parts
    near        what the same number of nearest words explains (`controls.nearest`)
    sentences   the sentences of the built-in corpus that contain the word
    count       the number of its occurrences in a folder
    coverage    a sentence that says how much of a folder was used; "" without a folder
    """

    target: Target
    parts: Parts
    near: pd.DataFrame
    sentences: tuple[str, ...] = ()
    count: int = 0
    coverage: str = ""

    @cached_property
    def headline(self) -> str:
        """The heaviest words of the mix, and what its parts and the same number of nearest words explain."""
        return verdict.finding(self.target.name, self.parts, self.near)

    @property
    def optimum(self) -> str:
        """Whether the mix is the exact optimum, or how far the objective can be above the minimum."""
        return verdict.optimum(self.parts)

    def measure(self, name: str) -> float:
        """A measure of the mix by its name in `parts.figures`."""
        return float(self.parts.figures.set_index("measure")["value"][name])


@dataclass(frozen=True, eq=False)
class Controls:
    """How much the same number of parts explains of a vector and of its controls; `frame`: see `controls.compare`."""

    frame: pd.DataFrame

    @cached_property
    def summary(self) -> pd.DataFrame:
        """The share explained, one row per kind of control."""
        return controls.summary(self.frame)

    @cached_property
    def trust(self) -> str:
        """The mix compared with chance, with the nearest words and with the mixes of other words, in three lines."""
        return verdict.trust(self.frame)


def decomposed(
    target: Target,
    dictionary: Dictionary,
    *,
    share: float,
    alpha: float | None = None,
    same_word: bool = False,
    same_sentence: bool = True,
    sentences: tuple[str, ...] = (),
    count: int = 0,
    coverage: str = "",
) -> Decomposition:
    """The decomposition of a target; what else is known about its word is passed on. Raises as `decompose` does."""
    rules = {"same_word": same_word, "same_sentence": same_sentence}
    parts = decompose(target, dictionary, share=share, alpha=alpha, **rules)
    near = controls.nearest(target, dictionary, parts, **rules)
    return Decomposition(target, parts, near, sentences, count, coverage)


def compared(
    target: Target,
    dictionary: Dictionary,
    parts: Parts,
    *,
    same_word: bool = False,
    same_sentence: bool = True,
    progress: Progress = silent,
) -> Controls:
    """The controls of a decomposition (see `controls.compare`)."""
    rules = {"same_word": same_word, "same_sentence": same_sentence}
    return Controls(controls.compare(target, dictionary, parts, **rules, progress=progress))
