"""An edit over many words as a value, and work in blocks that are stored: with progress, Stop and Continue."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from embtools.chance import checked_seed
from embtools.limits import whole
from embtools.mask_filling.cases import Plan, known_edit, plan, read_sentences
from embtools.mask_filling.pairs import Pairs
from embtools.mask_filling.relations import as_value, pairs_of
from embtools.memory import known
from embtools.progress import Progress, part, silent
from embtools.written import Listed

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_TOKEN = 4  # characters


@dataclass(frozen=True)
class Cases(Listed):
    """An edit for many words: each pair (a, b) is tested with other words c, which should become the answer.

    Whether they can be used is checked by what uses them, because that depends on the model.

    >>> Cases("capital", "{a} = {c}", ("{a} is in [MASK].",), others=1).code
    "Cases('capital', '{a} = {c}', ('{a} is in [MASK].',), others=1)"

    Attributes
    ----------
    pairs : tuple of (str, str) or str
        Pairs (a, b), such as capitals with their countries; a frame with the columns a and b, or any sequence, becomes
        a tuple. A text is the key of a built-in relation, such as "capital".
    edit : str
        An edit with placeholders, such as "{a} = {a} - {b} + {c}".
    sentences : tuple of str
        Sentences with {a} and one [MASK] for b. The first measures efficacy, the others paraphrase.
    must_stay : tuple of str
        Sentences with {a} and one [MASK] whose answer should not change: they measure specificity.
    others : int or None
        Number of words c for each pair, drawn at random from the other words b; None takes all.
    first : int or None
        Number of pairs, with the same words c: the first ones of a built-in relation, which are in random order, and
        of other lists a random draw. None uses all.
    seed : int
        Seed of the draws and of the intervals.
    """

    by_position = 3

    pairs: "Pairs | str"
    edit: str
    sentences: tuple[str, ...]
    must_stay: tuple[str, ...] = ()
    others: int | None = None
    first: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "pairs", as_value(self.pairs))
        for name in ("sentences", "must_stay"):  # one text is refused when it is read
            if not isinstance(value := getattr(self, name), (str, tuple)):
                object.__setattr__(self, name, tuple(value))

    @property
    def subject(self) -> str:
        """What the cases are about: the key of their relation, or their edit."""
        return self.pairs if isinstance(self.pairs, str) else self.edit

    def read(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the sentences that ask, and those that must stay. Raises ValueError for sentences of no use."""
        asked, stay = read_sentences(self.sentences), read_sentences(self.must_stay, least=0)
        if both := set(asked) & set(stay):
            raise ValueError(f"The sentence “{min(both)}” is in both lists. Remove it from one.")
        return asked, stay

    def plan(self, model: "EmbeddingModel") -> Plan:
        """Return the pairs that a model can test, with their words c. Raises ValueError for wrong pairs and edits."""
        checked_seed(self.seed)
        known_edit(self.edit, model)
        return self._plan(model)

    def _plan(self, model: "EmbeddingModel") -> Plan:
        listed = pairs_of(self.pairs)
        first = len(listed) if self.first is None else self.first
        return plan(listed, model, others=self.others, first=first, seed=self.seed)

    def left_out(self, model: "EmbeddingModel") -> tuple[pd.DataFrame, int]:
        """Return the pairs that cannot be tested (a, b, reason), and how many of the whole list can."""
        # Pairs are left out for their words, not for the numbers `others` and `first`.
        every = plan(pairs_of(self.pairs), model, others=1, seed=self.seed)
        return pd.DataFrame(every.excluded, columns=["a", "b", "reason"]), len(every.pairs)

    def count(self, model: "EmbeddingModel") -> int:
        """Return the number of cases (a, b, c), for the time that they take."""
        return self._plan(model).cases

    @cached_property
    def tokens(self) -> float:
        """About how many tokens all sentences have."""
        return sum(3 + len(sentence) / _TOKEN for sentence in (*self.sentences, *self.must_stay))


@dataclass(frozen=True)
class Blocks:
    """Work in blocks: a function that remembers its results, its arguments for each block, and the size of each block.

    counts  the number of pairs, relations or cases of each block
    """

    function: Callable[..., Any]
    arguments: tuple[dict[str, Any], ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, function: Callable[..., Any], pairs: Sequence[Any], size: int, **shared: Any) -> "Blocks":
        """Return pairs in blocks of this size, all with the same other arguments."""
        parts = [pairs[i : i + size] for i in range(0, len(pairs), size)]
        return cls(function, tuple({"pairs": part, **shared} for part in parts), tuple(map(len, parts)))

    def finished(self, model: "EmbeddingModel") -> int:
        """Return how many of the first pairs, relations or cases are stored, after the work was stopped."""
        stored = 0
        for each, count in zip(self.arguments, self.counts, strict=True):
            if not known(self.function, each, checksum=model.checksum):
                break
            stored += count
        return stored

    def without(self, skip: int) -> "Blocks":
        """Return the work without the first pairs, which were tested before. Raises ValueError if these are all."""
        count = sum(self.counts)
        if not whole(skip, 0, count - 1):
            raise ValueError(f"{skip} pairs cannot be left out. Choose 0 to {count - 1}.")
        size = self.counts[0]
        cut = [each | {"pairs": each["pairs"][max(skip - i * size, 0) :]} for i, each in enumerate(self.arguments)]
        left = tuple(each for each in cut if each["pairs"])
        return replace(self, arguments=left, counts=tuple(len(each["pairs"]) for each in left))

    @property
    def cases(self) -> int:
        """The number of cases (a, b, c) of pairs."""
        return sum(len(pair.others) for each in self.arguments for pair in each["pairs"])

    def run(self, model: "EmbeddingModel", progress: Progress = silent) -> list[Any]:
        """Return the result of each block, stored or computed now."""
        done, total, results = 0, sum(self.counts), []
        for each, count in zip(self.arguments, self.counts, strict=True):
            report = part(progress, done / total, count / total)
            results.append(self.function(model=model, progress=report, **each))
            done += count
            if done < total:  # after the last block, nobody needs a partial result
                progress(done / total)
        return results
