"""Claims D4 and D6 of the lecture notes "BERT": next sentences, and what "it" attends to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from embtools import wordlists
from embtools.attention import tasks
from embtools.attention.reading import read, shares
from embtools.models.sentence_order import next_sentences
from embtools.pairs import batch
from embtools.pairs.next_sentence import RANDOM, with_controls
from embtools.paper.conditions import LEVEL, SEEDS, exact, more_often, rare, same_for_all
from embtools.paper.measured import Measure, Measured, of_all, percent
from embtools.progress import Progress, part
from embtools.statistics.exact import binomial_test
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_STORE = ("I went to the store.", "They were closed.")
_ANIMAL = "The animal didn't cross the street because it was too {}."
_TROPHY = "The trophy didn't fit into the suitcase because it was too {}."
_NOUNS = ((_ANIMAL, "tired", "animal", "street"), (_ANIMAL, "wide", "street", "animal"),
          (_TROPHY, "big", "trophy", "suitcase"), (_TROPHY, "small", "suitcase", "trophy"))  # fmt: skip


def next_sentence(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of D4: the pair of the notes, other second sentences for it, and forty labelled pairs."""
    first, _ = _STORE
    others = [text for text in wordlists.load("corpus")["sentence"].drop_duplicates() if text not in _STORE]
    probabilities = next_sentences(
        [_STORE, *((first, text) for text in others)], model, progress=part(progress, 0, 0.5)
    )
    drawn = [batch.built_in("random", seed=seed) for seed in SEEDS]
    every = list(dict.fromkeys((a, b) for pairs in drawn for a, b, _ in pairs))
    known = dict(zip(every, next_sentences(every, model, progress=part(progress, 0.5, 0.5)), strict=True))
    right = [sum((known[a, b] >= 0.5) == label for a, b, label in pairs) for pairs in drawn]
    runs = with_controls(*_STORE, model).runs
    page = runs.loc[runs["control"] == RANDOM, "probability"].to_numpy()
    return judge_next_sentence(float(probabilities[0]), probabilities[1:], right, len(drawn[0]), page)


def judge_next_sentence(
    own: float, others: Sequence[float] | Array, right: Sequence[int], n: int, page: Sequence[float] | Array
) -> Measured:
    """Judge D4."""
    as_good, on_page = (int((np.asarray(values) >= own).sum()) for values in (others, page))
    tests = [(count > n / 2) if binomial_test(count, n, 0.5) <= LEVEL else None for count in right]
    return Measured(
        f"The probability that the second sentence follows is {percent(own)}. Of the labelled pairs,"
        f" {of_all(right[0], n)} are classified correctly.",
        (
            exact("The second sentence is more likely to follow than not.", own >= 0.5, f"{percent(own)}."),
            rare(
                "Of the built-in sentences, at most 1 in 20 is at least as likely to follow.",
                as_good,
                len(others),
                evidence=f"On the Pairs page, {on_page} of {len(page)} random sentences"
                f" {'is' if on_page == 1 else 'are'} at least as likely; among all built-in sentences,"
                f" {of_all(as_good, len(others))} {'is' if as_good == 1 else 'are'}.",
            ),
            same_for_all(
                "More than half of forty labelled pairs are classified correctly.",
                tests,
                evidence=f"{min(right)} to {max(right)} of {n} are correct, depending on which wrong pairs are drawn"
                f" (the Pairs page shows {right[0]}). Always giving the same answer would be correct for half of them."
                " Exact binomial tests.",
            ),
        ),
    )


@dataclass(frozen=True)
class Preferred:
    """The shares of its attention that "it" gives to its referent and to the other noun, in one sentence."""

    ending: str
    referent: str
    other: str
    to_referent: float
    to_other: float

    @property
    def right(self) -> bool:
        return self.to_referent > self.to_other


def attention(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of D6: the head that prefers the referent of "it", chosen with other sentences."""
    best = tasks.scores(model, progress=progress).best.set_index("task").loc[tasks.REFERENT]
    layer, head = int(best["layer"]), int(best["head"])
    preferred = []
    for text, ending, referent, other in _NOUNS:
        reading = read(text.format(ending), model)
        given = shares(reading, model, source=["it"])[layer - 1, head - 1]
        to = [float(given[reading.words.index(word)]) for word in (referent, other)]
        preferred.append(Preferred(ending, referent, other, to[0], to[1]))
    half = tasks.SENTENCES // 2
    return judge_attention(f"{layer}.{head}", preferred[:2], preferred[2:], round(best["held_out"] * half), half)


def judge_attention(
    head: str, animal: Sequence[Preferred], trophy: Sequence[Preferred], right: int, n: int
) -> Measured:
    """Judge D6 from the sentences of the notes, two others, and how many of n held-out sentences are right."""

    def shown(row: Preferred) -> str:
        return f"{row.referent} {percent(row.to_referent)} and {row.other} {percent(row.to_other)}"

    def listed(rows: Sequence[Preferred]) -> str:
        return "; ".join(f"with “too {row.ending}”, the head gives {shown(row)} of the attention" for row in rows)

    held = sum(row.right for row in trophy)
    return Measured(
        f"Head {head} was chosen with {n} other sentences. In the sentence of the notes, {listed(animal)}. In “The"
        f" trophy didn't fit into the suitcase because it was too …”, it prefers the right noun in {held} of"
        f" {len(trophy)} versions: {listed(trophy)}.",
        (
            *(
                exact(
                    f"With “too {row.ending}”, the head gives {row.referent} more attention than {row.other}.",
                    row.right,
                    f"Head {head} gives {shown(row)}{_hardly(row)}.",
                )
                for row in animal
            ),
            more_often(
                "In sentences that were not used to choose the head, it prefers the referent of “it” to the other"
                " noun.",
                right, n, 0.5, by="guessing",
            ),
        ),
    )  # fmt: skip


def _hardly(row: Preferred) -> str:
    """Return a remark if the larger share of attention is at most 1.2 times the smaller one.

    >>> _hardly(Preferred("wide", "street", "animal", 0.013, 0.012))
    ', hardly more'
    """
    small, large = sorted((row.to_referent, row.to_other))
    return (", hardly more" if row.right else ", hardly less") if large <= 1.2 * small else ""


MEASURES: dict[str, Measure] = {"D4": next_sentence, "D6": attention}
