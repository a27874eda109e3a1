"""The result of a dose curve: rates by place and strength with intervals, and the strengths at which they change."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.evidence.dose_runs import CONDITIONS, INPUT, RANDOM, TIED, layer_of
from embtools.evidence.findings import excluded
from embtools.evidence.rates import EDIT, EFFICACY, MEASURES, PARAPHRASE, SPECIFICITY
from embtools.mask_filling.cases import A, Pair, filled_edit, read_edit
from embtools.messages import counted, listed, quoted
from embtools.rooms.question import Question, about
from embtools.statistics.crossed import crossed_p, crossed_resamples, crossed_share
from embtools.statistics.intervals import SOME
from embtools.statistics.percentages import percent, rate_text
from embtools.statistics.reporting import LEVEL, few
from embtools.vectors import Array

HALF, HARM = 0.5, 0.9
"""Levels: half of the answers have changed; a tenth of the answers that should stay the same have changed."""
_PARTS = 4  # ranges of strengths that a class can choose from
_AT = {INPUT: "the input", TIED: "the input and the output"}
POINTS = (
    "place", "starts", "ends", "half", "half_low", "half_high", "harm", "harm_low", "harm_high", "best", "best_rate",
)  # fmt: skip


@dataclass(frozen=True)
class Outcomes:
    """What the runs of a dose curve changed.

    words    (a, c) of each of the n cases
    changed  (n, templates, places, 2 conditions, strengths) whether the answer is c; for the sentences that should not
             change, whether it is another one
    already  (n, templates) whether the unedited answer is c: these are in no rate
    correct  (n,) whether the unedited answer to the first sentence is b
    asked    number of templates whose answer should change; they come first
    """

    words: tuple[tuple[str, str], ...]
    changed: Array
    already: Array
    correct: Array
    asked: int

    def tables(self, measure: str, place: int, condition: int) -> tuple[Array, Array]:
        """Return the successes (a, c, strengths) and the trials (a, c) of a measure."""
        rows, columns = (pd.factorize(np.array([pair[k] for pair in self.words], object)) for k in (0, 1))
        shape = len(rows[1]), len(columns[1])
        part = {EFFICACY: slice(0, 1), PARAPHRASE: slice(1, self.asked), SPECIFICITY: slice(self.asked, None)}[measure]
        counted = ~self.already[:, part]  # (n, m)
        changed = self.changed[:, part, place, condition]  # (n, m, s)
        good = (~changed if measure == SPECIFICITY else changed) & counted[:, :, None]
        totals, trials = np.zeros((*shape, changed.shape[-1])), np.zeros(shape, int)
        np.add.at(totals, (rows[0], columns[0]), good.sum(axis=1))
        np.add.at(trials, (rows[0], columns[0]), counted.sum(axis=1))
        return totals, trials


@dataclass(frozen=True)
class Dose(Displayed):
    """Rates of an edit by strength and by the place where it is added.

    edit       the edit with its placeholders
    sentences  the sentences whose answer should change; the first measures efficacy
    must_stay  the sentences whose answer should not change
    strengths  the strengths, rising
    places     "input", "input and output", and "layer 1" and so on
    outcomes   what the runs changed
    excluded   pairs that are left out: a, b, reason
    seed       seed of the draws and of the resamples
    pairs      numbers of the pairs that were tested, and of all that could be
    """

    edit: str
    sentences: tuple[str, ...]
    must_stay: tuple[str, ...]
    strengths: tuple[float, ...]
    places: tuple[str, ...]
    outcomes: Outcomes
    excluded: pd.DataFrame
    seed: int = 0
    pairs: tuple[int, int] = (0, 0)

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures for which there are sentences."""
        known = {EFFICACY: True, PARAPHRASE: len(self.sentences) > 1, SPECIFICITY: bool(self.must_stay)}
        return tuple(measure for measure in MEASURES if known[measure])

    @cached_property
    def curve(self) -> pd.DataFrame:
        """The rates (place, condition, measure, strength, rate, low, high, n) of cases whose unedited answer is not yet
        c, with 95% intervals that take the words a and c as draws from more words."""
        rows: list[tuple[object, ...]] = []
        for p, place in enumerate(self.places):
            for k, condition in enumerate(CONDITIONS):
                for measure in self.measures:
                    totals, trials = self.outcomes.tables(measure, p, k)
                    for s, strength in enumerate(self.strengths):
                        share = crossed_share(totals[:, :, s], trials)
                        rows.append((place, condition, measure, strength, *share, int(trials.sum())))
        return pd.DataFrame(rows, columns=["place", "condition", "measure", "strength", "rate", "low", "high", "n"])

    @cached_property
    def points(self) -> pd.DataFrame:
        """One row per place: the longest range of `better` (starts, ends), where half of the answers change (half) and
        a tenth of those that should not (harm; nan without them), and the best strength; inf if not reached."""
        return pd.DataFrame([(place, *self._points(p)) for p, place in enumerate(self.places)], columns=list(POINTS))

    def _points(self, place: int) -> tuple[float, ...]:
        at = np.array(self.strengths) >= 0
        strengths = np.array(self.strengths)[at]
        totals, trials = self.outcomes.tables(EFFICACY, place, 0)
        rates = _rates(totals, trials)[at]
        starts, ends = max(self.better(self.places[place]), key=len, default=np.array([np.inf]))[[0, -1]]
        kept, tested = self.outcomes.tables(SPECIFICITY, place, 0)
        half, harm = self._reached(totals, trials, HALF), self._reached(-kept, tested, -HARM)
        best = int(rates.argmax())
        return (float(starts), float(ends), *half, *harm, float(strengths[best]), float(rates[best]))

    def _reached(self, totals: Array, trials: Array, level: float) -> tuple[float, float, float]:
        """The strength at which a rate reaches a level, with its interval; nan without cases, its ends below 8."""
        at = np.array(self.strengths) >= 0
        strengths, count = np.array(self.strengths)[at], int(trials.sum())
        reached = reaches(strengths, _rates(totals, trials)[at], level) if count else np.nan
        if count < SOME:
            return reached, np.nan, np.nan
        draws = crossed_resamples(totals, trials, seed=self.seed)[:, at]
        resampled = np.sort([reaches(strengths, row, level) for row in draws])
        low, high = (resampled[min(int(q * len(resampled)), len(resampled) - 1)] for q in (0.025, 0.975))
        return reached, float(low), float(high)

    def better(self, place: str) -> list[Array]:
        """Return the ranges of strengths from 0 on at which the edit changes more answers than a random difference,
        each with p < 0.05 (`crossed_p`)."""
        totals, trials = self.outcomes.tables(EFFICACY, self.places.index(place), 0)
        other, _ = self.outcomes.tables(EFFICACY, self.places.index(place), CONDITIONS.index(RANDOM))
        clear = []
        for number, strength in enumerate(self.strengths):
            difference, p = crossed_p((totals - other)[:, :, number], trials)
            clear.append(strength >= 0 and difference > 0 and p < LEVEL)
        return _ranges(self.strengths, clear)

    def as_good(self, place: str) -> list[Array]:
        """Return the ranges of strengths from 0 on, without the best ones, that cannot be told from the best one, each
        with p ≥ 0.05 (`crossed_p`)."""
        totals, trials = self.outcomes.tables(EFFICACY, self.places.index(place), 0)
        rates = np.where(np.array(self.strengths) >= 0, _rates(totals, trials), -1.0)
        best = totals[:, :, int(rates.argmax())]
        near = [
            0 <= rate < rates.max() and crossed_p(best - totals[:, :, number], trials)[1] >= LEVEL
            for number, rate in enumerate(rates)
        ]
        return _ranges(self.strengths, near)

    @property
    def usable(self) -> int:
        """Number of cases whose unedited answer to the first sentence is not yet the new word."""
        return int((~self.outcomes.already[:, 0]).sum())

    @property
    def size(self) -> str:
        """How many cases there are, with how many words a, and from how many of all pairs."""
        words = len({a for a, _ in self.outcomes.words})
        text = f"{counted(len(self.outcomes.words), 'case')} with {counted(words, 'different word')} a"
        tested, pairs = self.pairs
        return f"{text}, from {tested} of {counted(pairs, 'pair')}, drawn at random" if tested < pairs else text

    def only(self, place: str) -> "Dose":
        """The same result at one place. Raises ValueError if the edit was not added there."""
        if place not in self.places:
            raise ValueError(f"The edit was not added at {quoted(place)}. Choose one of: {', '.join(self.places)}.")
        number = self.places.index(place)
        outcomes = replace(self.outcomes, changed=self.outcomes.changed[:, :, number : number + 1])
        return replace(self, places=(place,), outcomes=outcomes)

    def of(self, place: str, condition: str, measure: str) -> pd.DataFrame:
        """The rows of `curve` for a place, a condition and a measure."""
        rows = self.curve
        chosen = (rows["place"] == place) & (rows["condition"] == condition) & (rows["measure"] == measure)
        return rows[chosen].reset_index(drop=True)

    def at(self, place: str) -> pd.Series:
        """The row of `points` for a place."""
        return self.points.set_index("place").loc[place]

    def question(self, choices: Sequence[str] = (), *, place: str, pair: Pair) -> Question:
        """Ask a class at which strength the edit at a place changes half of the answers; `pair` is the example."""
        row, most = self.only(place).at(place), max(self.strengths)
        half, never = float(row["half"]), f"at no strength up to {most:g}"
        ends = [most * part / _PARTS for part in range(1, _PARTS + 1)]
        labels = [f"up to {ends[0]:g}", *(f"above {low:g}, up to {high:g}" for low, high in pairwise(ends))]
        picked = next((label for label, end in zip(labels, ends, strict=True) if half <= end), never)
        answer = f"at strength {half:.2f}" if picked != never else f"{never} (at most {percent(row['best_rate'])})"
        example = filled_edit(read_edit(self.edit), pair.a, pair.b, pair.others[0][0])
        where = f", added after {place}" if layer_of(place) else ""
        text = (
            "The edit is multiplied by a strength (1 is the whole edit). At which strength has the answer changed in"
            f" half of {counted(self.usable, 'case')}?"
        )
        context = about(self.sentences[0].replace(A, pair.a), f"Edit: {example}{where}")
        return Question(text, tuple(choices or (*labels, never)), context=context).with_answer(answer, picked)

    @cached_property
    def headline(self) -> str:
        """Where the edit at the input reaches half and does harm."""
        return self.sentence(INPUT)

    def sentence(self, place: str) -> str:
        """State where the edit reaches half and does harm if it is added at this place."""
        row = self.at(place)
        if np.isnan(row["half"]):
            return "In every case, the unedited answer is already the new word, so no strength can change it."
        where = f"Added after {place}" if place.startswith("layer") else f"Added at {_AT[place]}"
        if np.isinf(row["half"]):
            best = f"at most {rate_text(row['best_rate'])}, at strength {_strength(row['best'])}"
            text = f"{where}, no strength {self._tried} changes half of the answers ({best})"
        else:
            text = f"{where}, the edit changes half of the answers at strength {self._with_interval(row, 'half')}"
        if np.isnan(row["harm"]):
            return f"{text}."
        if np.isinf(row["harm"]):
            return f"{text}; fewer than a tenth of the answers that should stay the same change."
        harm = self._with_interval(row, "harm")
        return f"{text}; at strength {harm}, a tenth of the answers that should stay the same have changed."

    def start(self, place: str) -> str:
        """State at which strengths the edit is better than a random difference at this place, and which is best;
        negative ones only if they change half of the answers, and more than any other."""
        row, rates = self.at(place), self.of(place, EDIT, EFFICACY)
        reverse = rates.loc[rates["strength"] < 0, "rate"].max()  # nan without such strengths
        reversed_edit = (
            f" Negative strengths, which reverse the edit, change up to {percent(reverse)} of the answers."
            if reverse >= HALF and reverse > row["best_rate"]
            else ""
        )
        if np.isinf(row["starts"]):
            none = f"At no strength {self._tried} is the edit clearly better than a random difference of the same"
            return f"{none} length.{reversed_edit}"
        forward = rates[rates["strength"] >= 0]
        equal = [_strength(each) for each in forward.loc[forward["rate"] == row["best_rate"], "strength"]]
        best = f"strength {equal[0]}" if len(equal) == 1 else f"strengths {listed(equal)}"
        near = listed([_range(each) for each in self.as_good(place)])
        also = f", but the results at {near} cannot be told from that" if near else ""
        ranges = self.better(place)
        where = f"At strengths {listed([_range(each) for each in ranges])}"
        if len(ranges) == 1:
            where = f"{'From' if len(ranges[0]) > 1 else 'At'} strength {_range(ranges[0])}"
        return (
            f"{where}, the edit is better than a random difference of the same length (p < {LEVEL}, tested at each"
            f" strength). It works best at {best} ({percent(row['best_rate'])}){also}.{reversed_edit}"
        )

    @cached_property
    def deepest(self) -> str:
        """The last layer after which the edit still changes half of the answers at some strength."""
        rows = self.points[self.points["place"].str.startswith("layer")]
        if rows.empty:
            return ""
        reached = rows[rows["half"] < np.inf]
        if reached.empty:
            return f"After no layer does the edit change half of the answers, at any strength {self._tried}."
        last = reached["place"].iloc[-1]
        if last == rows["place"].iloc[-1]:
            return (
                f"Even if it is added after {last}, the last layer at which this is possible, the edit changes at least"
                " half of the answers at some strength."
            )
        return (
            f"The last layer after which the edit can be added and still change at least half of the answers is {last}."
        )

    @property
    def cautions(self) -> tuple[str, ...]:
        """What limits the result: pairs that are left out, cases that are in no rate, and few words."""
        words = {f"words {name}": len({pair[k] for pair in self.outcomes.words}) for k, name in enumerate("ac")}
        already = int(self.outcomes.already.sum())
        known = f"In {counted(already, 'sentence')}, the unedited answer is already the new word; no rate counts "
        known = f"{known}{'it' if already == 1 else 'them'}." if already else ""
        return tuple(filter(None, (excluded(self.excluded), known, few(words))))

    @property
    def _tried(self) -> str:
        return f"from 0 to {_strength(max(self.strengths))}"

    def _with_interval(self, row: pd.Series, name: str) -> str:
        low, high = (row[f"{name}_{end}"] for end in ("low", "high"))
        if np.isnan(low):
            return f"{row[name]:.2f} (too few cases for an interval)"
        ends = [f"above {_strength(max(self.strengths))}" if np.isinf(end) else f"{end:.2f}" for end in (low, high)]
        return f"{row[name]:.2f} (95% interval {' to '.join(ends)})"


def two_doses(first: Dose, second: Dose, place: str, names: tuple[str, str]) -> str:
    """State at which strength two models change half of the answers."""
    if not (first.usable and second.usable):
        return "For one of the models, no case is counted."
    parts = []
    for result, name in zip((first, second), names, strict=True):
        half = float(result.at(place)["half"]) if place in result.places else np.inf
        at = f"at strength {half:.2f}" if half < np.inf else f"at no strength {result._tried}"
        parts.append(f"{at} in {name}")
    return f"Half of the answers change {parts[0]} and {parts[1]}."


def _rates(totals: Array, trials: Array) -> Array:
    return totals.sum(axis=(0, 1)) / max(int(trials.sum()), 1)


def reaches(strengths: Array, curve: Array, level: float) -> float:
    """Return the first strength at which a curve reaches a level, by linear interpolation; inf if it never does.

    >>> reaches(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.4, 0.8]), 0.6)
    0.75
    """
    above = np.flatnonzero(curve >= level)
    if not len(above):
        return float("inf")
    i = int(above[0])
    if i == 0:
        return float(strengths[0])
    low, high = curve[i - 1], curve[i]
    return float(strengths[i - 1] + (strengths[i] - strengths[i - 1]) * (level - low) / (high - low))


def _ranges(strengths: Sequence[float], chosen: Sequence[bool]) -> list[Array]:
    """Return the chosen strengths, those next to each other together.

    >>> [each.tolist() for each in _ranges((0.0, 0.5, 1.0, 1.5), (True, False, True, True))]
    [[0.0], [1.0, 1.5]]
    """
    kept = np.flatnonzero(chosen)
    parts = np.split(kept, np.flatnonzero(np.diff(kept) > 1) + 1) if len(kept) else []
    return [np.array(strengths)[part] for part in parts]


def _range(strengths: Array) -> str:
    """Name a range of strengths.

    >>> _range(np.array([0.5, 0.75, 1.0])), _range(np.array([2.0]))
    ('0.5 to 1', '2')
    """
    first, last = _strength(strengths[0]), _strength(strengths[-1])
    return first if first == last else f"{first} to {last}"


def _strength(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
