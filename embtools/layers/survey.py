"""Fifty words with two senses: which layer combination separates senses best, and the geometry of the layers."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.chance import generator
from embtools.drawing import Displayed
from embtools.layer_combinations import POOLINGS, combination_names
from embtools.layers.comparisons import under_every_combination
from embtools.layers.published import compare_combinations
from embtools.layers.senses import grid_auc
from embtools.layers.similar_layers import words_of
from embtools.layers.verdict import held_out_auc, survey_finding
from embtools.progress import Progress, silent
from embtools.statistics.geometry import anisotropy, self_similarity
from embtools.statistics.intervals import MANY, draws, mean_interval
from embtools.vectors import unit
from embtools.words.occurrences import occurrence_table, read
from embtools.words.overlap import CONTROL, shared_words

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Survey:
    """The results of one pass over the sentences of `senses.csv`.

    scores        frame: word, combination, pooling, auc
    control       frame: word, auc of the words that two sentences share, without a model
    geometry      frame: layer, self_similarity, anisotropy, adjusted (self-similarity minus anisotropy)
    words         the number of different words that the geometry is computed from
    occurrences   the number of their occurrences
    """

    scores: pd.DataFrame
    control: pd.DataFrame
    geometry: pd.DataFrame
    words: int
    occurrences: int


@dataclass(frozen=True)
class FiftyWords(Displayed):
    """A survey with the mean scores of all layer combinations.

    survey    the survey
    scores    frame of `stability`: the mean AUC of every layer combination and pooling; the last row is the control
    held_out  the mean AUC of the best combination on words not used to choose it, with its 95% interval: (mean, low,
              high), see `held_out_auc`
    seconds   measured time per word
    """

    survey: Survey
    scores: pd.DataFrame
    held_out: tuple[float, float, float]
    seconds: float

    @property
    def headline(self) -> str:
        """The layer combination with the highest mean AUC, and how certain that is."""
        return survey_finding(self.scores, self.held_out, self.count)

    @property
    def count(self) -> int:
        """The number of words with two senses."""
        return int(self.by_word["word"].nunique())

    @property
    def best(self) -> pd.Series:
        """The row of `scores` with the highest mean AUC, the first on ties, without that of the control."""
        every = self.scores.iloc[:-1]
        return every.loc[every["auc"].idxmax()]

    @property
    def equal(self) -> pd.DataFrame:
        """The rows of `scores` whose mean AUC equals the highest one, without the row of `best`."""
        every, highest = self.scores.iloc[:-1], self.best
        return every[(every["auc"] > highest["auc"] - 1e-9) & (every.index != highest.name)]

    @property
    def by_word(self) -> pd.DataFrame:
        """The AUC of every word with every layer combination and pooling: word, combination, pooling, auc."""
        return self.survey.scores

    @property
    def hardest(self) -> pd.DataFrame:
        """The rows of `by_word` for the best combination, the lowest AUC first."""
        highest = self.best
        own = (self.by_word["combination"] == highest["combination"]) & (self.by_word["pooling"] == highest["pooling"])
        return self.by_word[own].sort_values("auc", ignore_index=True)

    @property
    def published(self) -> pd.DataFrame:
        """Published and own scores of layer combinations; see `compare_combinations` for the columns."""
        return compare_combinations(self.scores.iloc[:-1])


def fifty_words(model: "EmbeddingModel", *, words: int = 50, progress: Progress = silent) -> FiftyWords:
    """Score every layer combination on the words of `senses.csv`, with the uncertainty of the mean scores.

    Parameters
    ----------
    model : EmbeddingModel
    words : int, default 50
        The number of words, from the first; at least two.
    progress : callable, optional

    Returns
    -------
    FiftyWords
        The survey, and the mean scores with their intervals.

    Raises
    ------
    ValueError
        For fewer than two words, and for a model that cannot read the sentences.
    """
    if words < 2:
        raise ValueError(f"The number of words is {words}. Choose at least 2.")
    ends: list[float] = []

    def report(done: float) -> None:
        ends.append(time.perf_counter())  # from the end of the first word, because it includes imports
        progress(done)

    result = survey(model, words=words, progress=report)
    held_out = mean_interval(held_out_auc(result.scores).to_numpy(), rounds=2_000)
    pace = (ends[-1] - ends[0]) / (len(ends) - 1)
    return FiftyWords(result, stability(result), (held_out.mean, held_out.low, held_out.high), pace)


def survey(model: "EmbeddingModel", *, words: int | None = None, progress: Progress = silent) -> Survey:
    """Score every layer combination on the words of `senses.csv`, and measure the geometry of the layers."""
    senses = wordlists.load("senses")
    senses = senses[senses["word"].isin(senses["word"].unique()[:words])]
    groups = [(str(word), group) for word, group in senses.groupby("word", sort=False)]
    combinations = combination_names(model.layers)
    # All hidden states of 400 sentences would take 0.2 GB, so only the sum of the unit vectors of each word is stored.
    keys = [key for text in senses["sentence"] for _, key, _ in words_of(model.tokenize(text))]
    numbers, names = pd.factorize(np.array(keys, object))
    sums = np.zeros((len(names), model.layers + 1, model.dimensions), np.float32)
    scores, control, first = [], [], 0
    for done, (word, group) in enumerate(groups, 1):
        sentences, labels = group["sentence"].tolist(), group["sense"].tolist()
        frames, found = read(sentences, model, word=word)
        states = dict(model.hidden_states_many(sentences))
        occurrences = occurrence_table(frames, found, [(label,) for label in labels])
        grid = grid_auc(under_every_combination(states, occurrences)[0], labels)
        scores += [
            (word, combination, pooling, float(grid[i, j]))
            for i, combination in enumerate(combinations)
            for j, pooling in enumerate(POOLINGS)
        ]
        control.append((word, float(grid_auc(shared_words(sentences)[None, None], labels)[0, 0])))
        vectors = np.stack(
            [states[i][:, at].mean(axis=1) for i, frame in enumerate(frames) for _, _, at in words_of(frame)]
        )  # (words, l + 1, d)
        np.add.at(sums, numbers[first : first + len(vectors)], unit(vectors))
        first += len(vectors)
        progress(done / len(groups))
    same, base = (measure(sums, np.bincount(numbers)) for measure in (self_similarity, anisotropy))
    return Survey(
        pd.DataFrame(scores, columns=["word", "combination", "pooling", "auc"]),
        pd.DataFrame(control, columns=["word", "auc"]),
        pd.DataFrame({"layer": range(len(same)), "self_similarity": same, "anisotropy": base, "adjusted": same - base}),
        len(names),
        len(keys),
    )


def stability(result: Survey, *, resamples: int = 2_000, seed: int = 0) -> pd.DataFrame:
    """Mean AUC of every layer combination and pooling over the words, with its 95% interval over words."""
    table = result.scores.pivot(index="word", columns=["combination", "pooling"], values="auc")
    table = table[pd.MultiIndex.from_frame(result.scores[["combination", "pooling"]].drop_duplicates())]
    cells = np.column_stack([table, result.control.set_index("word").loc[table.index, "auc"]])  # (words, cells + 1)
    n = len(cells)
    means = draws(n, resamples, generator(seed)) / n @ cells  # (resamples, cells + 1)
    low, high = np.quantile(means, [0.025, 0.975], axis=0)
    if n < MANY:
        few = [mean_interval(values) for values in cells.T]
        low, high = (np.array([getattr(each, end) for each in few]) for end in ("low", "high"))
    contest = np.round(means[:, :-1], 9)
    unbeaten = (contest == contest.max(1, keepdims=True)).mean(0)
    return pd.DataFrame(
        {
            "combination": [*table.columns.get_level_values(0), CONTROL],
            "pooling": [*table.columns.get_level_values(1), "control"],
            "auc": cells.mean(0),
            "low": low,
            "high": high,
            "best": [*unbeaten, np.nan],
            "wins": (cells > 0.5).sum(0),
        }
    )
