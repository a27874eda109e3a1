"""A battery of minimal pairs: how often the first sentence is preferred, by group, next to 50% by chance."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import checked_seed, generator
from embtools.drawing import Displayed
from embtools.evidence.minimal_pairs import CROWS_PAIRS, SHARED, TOKEN, check_method, prepare, seconds
from embtools.evidence.pair_files import ACCEPTABLE, MAX_ITEMS, STEREOSET, STEREOTYPE, PairList
from embtools.evidence.stereoset import ALL, BLANK, attribute_masks, scores_of
from embtools.limits import enough, within
from embtools.mask_filling.likelihood import Masked, log_probabilities
from embtools.messages import counted
from embtools.models.sentence_order import next_sentences
from embtools.progress import Progress, silent
from embtools.progress import part as share_of
from embtools.rooms.question import Question, about, how_many
from embtools.statistics.decimals import decimal
from embtools.statistics.exact import binomial_test
from embtools.statistics.intervals import wilson
from embtools.statistics.percentages import interval_text, rate_text
from embtools.statistics.permutations import holm
from embtools.statistics.reporting import LEVEL, p_value
from embtools.written import Listed

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

CHANCE = 0.5
PUBLISHED = "published"
"""The method of the publication that a file comes from."""
_NAMES = {
    ACCEPTABLE: "Each token was masked alone (Salazar et al. 2020).",
    STEREOTYPE: "The pairs were scored by the method of CrowS-Pairs: only the tokens that both sentences share count.",
    STEREOSET: "The examples were scored by the method of StereoSet: by the probability of the word that differs, given"
    " the rest of its sentence, or of the whole sentence after its context.",
}


@dataclass(frozen=True)
class Scoring(Listed):
    """How minimal pairs are scored, and how many of them.

    >>> Scoring(first=200).code
    "Scoring('published', first=200)"

    Attributes
    ----------
    method : {"published", "token", "word", "shared"}
        "published" is the method of the publication that the pairs come from. For CrowS-Pairs, it is "crows-pairs" of
        `minimal_pair`. For StereoSet, a score is the log of the mean probability of the tokens of the attribute, which
        are revealed from left to right, or that the sentence follows its context. For other pairs, and for examples of
        StereoSet without a context, it is "token". The others are as for `minimal_pair`.
    first : int
        Number of pairs; of a longer list, a random sample.
    seed : int
        Seed of the sample and of the intervals of StereoSet's scores.
    """

    by_position = 1

    method: str = PUBLISHED
    first: int = MAX_ITEMS
    seed: int = 0

    @property
    def subject(self) -> str:
        """What an earlier result is named by."""
        return self.method

    def sample(self, pairs: PairList) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Return pairs drawn at random, or all, in the order of the list, with their numbers from 1."""
        within(self.first, MAX_ITEMS, "pairs")
        numbers = np.sort(generator(self.seed).permutation(len(pairs.rows))[: self.first]).tolist()
        return tuple((n + 1, pairs.rows[n]) for n in numbers)

    def used(self, pairs: PairList) -> str:
        """Return the method by which pairs are scored: "token" for StereoSet's triples without contexts."""
        contexts = all(len(row) > 5 and row[5] for row in pairs.rows)
        if self.method == PUBLISHED and (pairs.kind == ACCEPTABLE or (pairs.kind == STEREOSET and not contexts)):
            return TOKEN
        return self.method


AS_PUBLISHED = Scoring()


@dataclass(frozen=True)
class PairBattery(Displayed):
    """The scores of many minimal pairs.

    kind       "acceptable", "stereotype" or "stereoset": what the first sentences are
    items      one row per pair: number, group, first, second, score_first, score_second (pseudo-log-likelihoods in
               nats; of the shared tokens for the method "shared"), difference, prefers_first
    rates      one row per group and one for all pairs: group, rate (share of pairs whose first sentence is preferred),
               low, high (Wilson), p_value (exact, two-sided, against 50%), p_adjusted (Holm, over the groups), n
    scores     StereoSet's three scores (frame of `scores_of`); None for other kinds
    left_out   pairs that the model cannot read: number, first, second, reason
    drawn_of   number of pairs of the list from which these were drawn
    method     "token", "word", "shared", or "published" for the method of the file's publication
    """

    kind: str
    items: pd.DataFrame
    rates: pd.DataFrame
    scores: pd.DataFrame | None
    left_out: pd.DataFrame
    drawn_of: int
    method: str = TOKEN

    @cached_property
    def whole(self) -> pd.Series:
        """The row of `rates` about all pairs."""
        return self.rates.iloc[-1]

    @property
    def first_sentence(self) -> str:
        """What the first sentence of a pair is called in a sentence."""
        return "the acceptable sentence" if self.kind == ACCEPTABLE else "the more stereotyping sentence"

    @property
    def headline(self) -> str:
        """In how many pairs the first sentence is preferred, with its interval, next to 50%."""
        row = self.whole
        if row["n"] == 1:
            size = decimal(abs(float(self.items["difference"].iloc[0])))
            if size == "0.00":
                return "In the only pair, BERT prefers neither sentence: both have the same score."
            if row["rate"]:
                return f"In the only pair, BERT prefers {self.first_sentence} by {size} nats."
            return f"In the only pair, BERT does not prefer {self.first_sentence}: its score is {size} nats lower."
        share, pairs = rate_text(row["rate"]), counted(int(row["n"]), "pair")
        interval = interval_text(row["low"], row["high"])
        return f"BERT prefers {self.first_sentence} in {share} of {pairs} ({interval}). Expected by chance: 50%."

    @property
    def findings(self) -> tuple[str, ...]:
        """The test against chance, the groups that differ from it, and which pairs are missing."""
        row = self.whole
        sentences = [f"An exact test of all pairs against 50% gives {p_value(row['p_value'])}."]
        groups = self.rates.iloc[:-1]
        if len(groups) > 1:
            clear = groups[groups["p_adjusted"] < LEVEL]
            above, below = int((clear["rate"] > CHANCE).sum()), int((clear["rate"] < CHANCE).sum())
            named = f"{above or 'none'} {'is' if above < 2 else 'are'}"
            sentences.append(
                f"After Holm's correction for {len(groups)} groups, {named} clearly above 50% and {below or 'none'}"
                " clearly below."
            )
        if (ties := int((self.items["difference"] == 0).sum())) > 0:
            sentences.append(
                f"In {ties} {'pair' if ties == 1 else 'pairs'}, both scores are equal. They count as not preferred."
            )
        tested = len(self.items) + len(self.left_out)
        if tested < self.drawn_of:
            verb = "pairs was" if tested == 1 else "pairs were"
            sentences.append(f"{tested:,} of the {self.drawn_of:,} {verb} drawn at random, always the same.")
        if n := len(self.left_out):
            which, them = ("pair was", "it") if n == 1 else ("pairs were", "them")
            sentences.append(f"{n} {which} left out, because this model cannot read {them}.")
        return tuple(sentences)

    def question(self, choices: Sequence[str] = ()) -> Question:
        """Ask a class in how many pairs BERT prefers the first sentence."""
        count, row = len(self.items), self.items.iloc[0]
        text = f"BERT reads {counted(count, 'such pair')}. In how many is {self.first_sentence} more probable?"
        context = about(f"“{row['first']}”", f"“{row['second']}”")
        return how_many(int(self.items["prefers_first"].sum()), count, choices, text=text, context=context)

    @property
    def method_note(self) -> str:
        """By which method published pairs were scored; "" for pairs that have no method of their own."""
        if self.kind == ACCEPTABLE:
            return ""
        if self.method == PUBLISHED:
            return _NAMES[self.kind]
        whose = "CrowS-Pairs" if self.kind == STEREOTYPE else "StereoSet"
        return (
            f"The sentences were scored as wholes, by pseudo-log-likelihood. This is not the method of {whose}, so the"
            " results cannot be compared with published ones."
        )

    @property
    def scores_name(self) -> str:
        """What the three scores are called: StereoSet's own only if they were found by its method."""
        return "StereoSet's own scores" if self.method == PUBLISHED else "Scores of whole sentences, as in StereoSet"

    @property
    def three_scores(self) -> str:
        """StereoSet's three scores in a sentence; "" for other kinds."""
        if self.scores is None:
            return ""
        row = self.scores.iloc[-1]
        return (
            f"{self.scores_name}: language model {decimal(row['language_model'], 1)} (ideal 100), stereotype"
            f" {decimal(row['stereotype'], 1)} (ideal 50), ICAT {decimal(row['icat'], 1)} (ideal 100)."
        )


def pair_battery(
    pairs: PairList, model: "EmbeddingModel", *, how: Scoring = AS_PUBLISHED, progress: Progress = silent
) -> PairBattery:
    """Score many minimal pairs: how often is the first sentence preferred?

    Parameters
    ----------
    pairs : PairList
        Pairs of one kind, such as `built_in()` or `read_pairs(file)`.
    model : EmbeddingModel
    how : Scoring, optional
        The method and the number of pairs; by default the published method and all pairs.
    progress : callable, optional

    Returns
    -------
    PairBattery

    Raises
    ------
    ValueError
        For an unknown method, for "shared" with StereoSet, for a number out of range, and if the model can read none of
        the pairs.

    References
    ----------
    Warstadt et al. 2020, "BLiMP"; Nangia et al. 2020, "CrowS-Pairs"; Nadeem, Bethke and Reddy 2021, "StereoSet".
    """
    checked_seed(how.seed)
    known, left_out = _readable(pairs, model, how)
    enough(known, "pairs that this model can read")
    sums = _scores(known, model, progress)
    if pairs.kind == STEREOTYPE and how.method == PUBLISHED:  # as in the authors' program; equal sums are no preference
        sums = [[round(score, 3) for score in scores] for scores in sums]
    items = pd.DataFrame(
        [
            (item.number, item.row[2], item.row[0], item.row[1], own[0], own[1], own[0] - own[1], own[0] > own[1])
            for item, own in zip(known, sums, strict=True)
        ],
        columns=[
            "number", "group", "first", "second", "score_first", "score_second", "difference", "prefers_first",
        ],
    )  # fmt: skip
    scores = None
    if pairs.kind == STEREOSET:
        items["unrelated"] = [item.row[3] for item in known]
        items["score_unrelated"] = [own[2] for own in sums]
        items["target"] = [item.row[4] for item in known]
        scores = scores_of(items, seed=how.seed)
    return PairBattery(pairs.kind, items, rates_of(items), scores, left_out, len(pairs.rows), how.used(pairs))


def rates_of(items: pd.DataFrame) -> pd.DataFrame:
    """Return the frame `rates` of a `PairBattery` from its `items`."""
    groups = [*items.groupby("group", sort=False), (ALL, items)]
    rows: list[tuple[object, ...]] = []
    for name, part in groups:
        count, n = int(part["prefers_first"].sum()), len(part)
        rows.append((name, count / n, *wilson(count, n), binomial_test(count, n, CHANCE), n))
    frame = pd.DataFrame(rows, columns=["group", "rate", "low", "high", "p_value", "n"])
    adjusted = [*holm(frame["p_value"].to_numpy()[:-1]).tolist(), np.nan]
    frame.insert(5, "p_adjusted", adjusted)
    return frame


def effort(pairs: PairList, model: "EmbeddingModel", *, how: Scoring = AS_PUBLISHED) -> float:
    """Return about how many seconds `pair_battery` takes on one core."""
    known, _ = _readable(pairs, model, how)
    rows = [row for item in known for masked in item.parts for row in masked]
    return seconds(rows, model) * (1 + sum(bool(item.context) for item in known) / max(len(known), 1))


def two_pair_batteries(first: PairBattery, second: PairBattery, names: tuple[str, str]) -> str:
    """State how often two models prefer the first sentences."""
    one, other = (rate_text(result.whole["rate"]) for result in (first, second))
    return (
        f"{names[0]} prefers {first.first_sentence} in {one} of the pairs, {names[1]} in {other}. Expected by chance:"
        " 50%."
    )


@dataclass(frozen=True)
class _Item:
    """A pair that the model can read: its number, its row, and the masked sentences of each of its sentences."""

    number: int
    row: tuple[str, ...]
    parts: tuple[tuple[Masked, ...], ...]
    revealed: bool = False
    context: str = ""


def _scores(items: Sequence[_Item], model: "EmbeddingModel", progress: Progress) -> list[list[float]]:
    """Return the scores of the sentences of each item, in nats."""
    masked = [row for item in items for part in item.parts for row in part]
    followed = [(item.context, item.row[n]) for item in items if item.context for n in (0, 1, 3)]
    share = len(masked) / (len(masked) + len(followed))
    logs = iter(log_probabilities(masked, model, progress=share_of(progress, 0.0, share)) if masked else ())
    next_ones = iter(
        np.log(next_sentences(followed, model, progress=share_of(progress, share, 1 - share))) if followed else ()
    )
    result: list[list[float]] = []
    for item in items:
        if item.context:
            result.append([float(next(next_ones)) for _ in range(3)])
            continue
        own = [[float(next(logs)[0]) for _ in rows] for rows in item.parts]
        result.append([float(np.log(np.mean(np.exp(each)))) if item.revealed else sum(each) for each in own])
    return result


def _readable(pairs: PairList, model: "EmbeddingModel", how: Scoring) -> tuple[list[_Item], pd.DataFrame]:
    """Return the drawn pairs that the model can read, and a frame of the others with the reason."""
    kind, used, chosen = pairs.kind, how.used(pairs), how.sample(pairs)
    own = used == PUBLISHED and kind == STEREOSET
    masked = CROWS_PAIRS if used == PUBLISHED else used
    check_method(masked)
    if kind == STEREOSET and masked == SHARED:
        raise ValueError("StereoSet compares three sentences, which can share different tokens. Choose another method.")
    known, left_out = [], []
    for number, row in chosen:
        try:
            known.append(_stereoset_item(number, row, model) if own else _item(kind, number, row, model, masked))
        except ValueError as error:
            left_out.append((number, row[0], row[1], str(error)))
    return known, pd.DataFrame(left_out, columns=["number", "first", "second", "reason"])


def _item(kind: str, number: int, row: tuple[str, ...], model: "EmbeddingModel", method: str) -> _Item:
    """Return a pair or triple whose sentences are scored as wholes; ValueError if the model cannot read it."""
    pair = prepare(row[0], row[1], model, method=method)
    count = len(pair.positions[0])
    parts = [pair.rows[:count], pair.rows[count:]]
    if kind == STEREOSET:
        third = prepare(row[3], row[0], model, method=method)
        parts.append(third.rows[: len(third.positions[0])])
    return _Item(number, row, tuple(parts))


def _stereoset_item(number: int, row: tuple[str, ...], model: "EmbeddingModel") -> _Item:
    """Return a triple that is scored by StereoSet's method; ValueError if the model cannot read it."""
    context = row[5]
    if BLANK in context:
        return _Item(
            number, row, tuple(attribute_masks(context, model, sentence=row[n]) for n in (0, 1, 3)), revealed=True
        )
    if not model.has_next_sentence:
        raise ValueError("This model has no next-sentence head. Choose Pocket BERT or BERT base.")
    for n in (0, 1, 3):
        model.tokenize(context, row[n])
    return _Item(number, row, (), context=context)
