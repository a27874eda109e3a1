"""Which head does a task best: chosen on one half of some sentences, measured on the other half."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.chance import checked_seed
from embtools.drawing import Displayed
from embtools.limits import enough
from embtools.messages import quoted
from embtools.models.attention import attention
from embtools.progress import Progress, silent
from embtools.statistics import intervals
from embtools.statistics.exact import binomial_test
from embtools.statistics.percentages import interval_text, rounded
from embtools.vectors import Array
from embtools.words.occurrences import positions

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

NEXT, PREVIOUS, SEP, SAME, REFERENT = TASKS = ("next token", "previous token", "[SEP]", "same word", "referent of it")
SENTENCES = 60
"""Sentences for each task; every second one is held out."""
GUESSING = {REFERENT: 0.5}
"""The share of hits expected from guessing, for tasks with two answers to choose from."""
LEVEL = 0.05  # of a p-value
_OFFSETS = range(-12, 13)
_DOES = {
    NEXT: "attends to the next token",
    PREVIOUS: "attends to the previous token",
    SEP: "attends to [SEP]",
    SAME: "attends to the same word elsewhere",
    REFERENT: "gives the referent of “it” more attention than the other noun",
}


@dataclass(frozen=True)
class Case:
    """A sentence of a task: which tokens should attend to which; positions count from [CLS], which is 0.

    pairs   for each pair: (positions of the attending word, positions of the word that it should attend to)
    other   positions of the other noun, for the referent of it
    """

    text: str
    pairs: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    other: tuple[int, ...] = ()


@dataclass(frozen=True)
class Scores(Displayed):
    """How well each of n = l · h heads does the tasks.

    heads    task, layer, head, selection (share of hits on the selection half), held_out (the same on the held-out
             half), share (of the attention, held out)
    best     one row for each task: task, layer, head, selection, held_out with its 95% interval (low, high),
             random (mean of all heads, held out) with its interval (random_low, random_high), best_other (highest
             share of the other heads, held out), distance (the best fixed distance, chosen on the selection half),
             fixed_distance (its share of hits, held out), chance (the share of hits expected from guessing; nan if the
             task is not a choice between two), p_value (two-sided, against guessing; nan likewise)
    lines    a row for each sentence and task: task, sentence, half ("selection" or "held out"), hits (share of hits of
             the chosen head)
    """

    heads: pd.DataFrame
    best: pd.DataFrame
    lines: pd.DataFrame

    def headline(self, task: str = REFERENT) -> str:
        """How well the chosen head does a task on held-out sentences, compared with chance."""
        return finding(self.best, task)

    def head(self, task: str) -> str:
        """The name of the chosen head of a task, such as "4.2"."""
        row = self.best.set_index("task").loc[task]
        return f"{row['layer']:.0f}.{row['head']:.0f}"

    def heads_of(self, task: str) -> pd.DataFrame:
        """The rows of a task in `heads`."""
        return self.heads[self.heads["task"] == task].reset_index(drop=True)

    def sentences(self, task: str) -> pd.DataFrame:
        """The rows of a task in `lines`, without the column of the task."""
        return self.lines[self.lines["task"] == task].drop(columns="task").reset_index(drop=True)


def cases(task: str, model: "EmbeddingModel", *, sentences: int = SENTENCES) -> list[Case]:
    """Return the built-in sentences of a task; ValueError if the model does not know a word of them."""
    if task in (NEXT, PREVIOUS, SEP):
        corpus = wordlists.load("corpus")["sentence"]
        chosen = corpus.iloc[:: len(corpus) // SENTENCES].head(sentences)
        return [_in_line(text, task, len(model.tokenize(text))) for text in chosen]
    if task == SAME:
        rows = wordlists.load("repeated").head(sentences)
        both = [_occurrences(text, word, model) for text, word in zip(rows["sentence"], rows["word"], strict=True)]
        return [Case(text, ((a, b), (b, a))) for text, (a, b) in zip(rows["sentence"], both, strict=True)]
    if task == REFERENT:
        made = []
        for row in wordlists.load("referents").head(sentences).itertuples():
            text = str(row.sentence)
            it, right, wrong = (_occurrences(text, str(word), model)[0] for word in ("it", row.referent, row.other))
            made.append(Case(text, ((it, right),), wrong))
        return made
    raise ValueError(f"There is no task {quoted(task)}. Choose one of: {', '.join(TASKS)}.")


def scores(
    model: "EmbeddingModel", *, sentences: int = SENTENCES, seed: int = 0, progress: Progress = silent
) -> Scores:
    """Return how well every head does every task.

    A hit: the right token gets more attention than any other, not counting the attending token itself, and [CLS] and
    [SEP] unless [SEP] is the task (Clark et al. 2019, section 4.2). For the referent of it: the referent gets more
    attention than the other noun, so guessing would be right half of the time.

    Parameters
    ----------
    model : EmbeddingModel
    sentences : int, optional
        Number of sentences for each task.
    seed : int, default 0
    progress : callable, optional

    Returns
    -------
    Scores
        Shares of hits (0 … 1) by task and head, on two halves of the sentences.

    Raises
    ------
    ValueError
        For too few or too many sentences, and if the model does not know a word of the built-in sentences.
    """
    checked_seed(seed)
    if not 4 <= sentences <= SENTENCES:
        raise ValueError(f"The number of sentences is {sentences}. Choose 4 to {SENTENCES}.")
    cases_by_task = {task: cases(task, model, sentences=sentences) for task in TASKS}
    texts = list(dict.fromkeys(case.text for task in TASKS for case in cases_by_task[task]))
    number = {text: i for i, text in enumerate(texts)}
    hits = {task: np.zeros((sentences, model.layers * model.heads)) for task in TASKS}
    given = {task: np.zeros_like(hits[task]) for task in TASKS}
    cases_of: dict[int, list[tuple[str, int, Case]]] = {}
    for task in TASKS:
        for row, case in enumerate(cases_by_task[task]):
            cases_of.setdefault(number[case.text], []).append((task, row, case))
    for done, (text, states) in enumerate(model.hidden_states_many(texts)):
        progress(done / len(texts))
        weights = attention(states, model).reshape(model.layers * model.heads, states.shape[1], -1)
        for task, row, case in cases_of[text]:
            hits[task][row], given[task][row] = score(weights, case, special=task == SEP)
    names = pd.DataFrame(
        {
            "layer": np.repeat(np.arange(1, model.layers + 1), model.heads),
            "head": np.tile(np.arange(1, model.heads + 1), model.layers),
        }
    )
    tables, best, line_tables = [], [], []
    for task in TASKS:
        first, second = hits[task][::2], hits[task][1::2]
        table = names.assign(selection=first.mean(0), held_out=second.mean(0), share=given[task][1::2].mean(0))
        table.insert(0, "task", task)
        tables.append(table)
        # Among heads with the same share of hits, the one that gives the target most attention on the selection half.
        winner = int(np.lexsort((given[task][::2].mean(0), first.mean(0)))[-1])
        row = table.iloc[winner][["task", "layer", "head", "selection", "held_out"]].to_dict()
        row["low"], row["high"] = interval(second[:, winner], seed=seed)
        lines, columns = np.indices(second.shape)
        row["random"], row["random_low"], row["random_high"] = intervals.interval(
            second.ravel(), lines.ravel().tolist(), columns.ravel().tolist(), seed=seed
        )
        row["best_other"] = float(np.delete(second.mean(0), winner).max(initial=0.0))
        row["distance"], row["fixed_distance"] = fixed_distance(cases_by_task[task][::2], cases_by_task[task][1::2])
        row["chance"] = GUESSING.get(task, np.nan)
        right = round(float(second[:, winner].sum()))
        row["p_value"] = binomial_test(right, len(second), GUESSING[task]) if task in GUESSING else np.nan
        best.append(row)
        halves = np.where(np.arange(sentences) % 2, "held out", "selection")
        texts_of = [case.text for case in cases_by_task[task]]
        line_tables.append(
            pd.DataFrame({"task": task, "sentence": texts_of, "half": halves, "hits": hits[task][:, winner]})
        )
    every, by_sentence = (pd.concat(parts, ignore_index=True) for parts in (tables, line_tables))
    return Scores(every, pd.DataFrame(best), by_sentence)


def score(weights: Array, case: Case, *, special: bool = False) -> tuple[Array, Array]:
    """Return the share of hits and the share of the attention, each (n,), from weights (n, t, t) on a sentence, with or
    without [CLS] (the first token) and [SEP] (the last one) as possible targets.
    """
    n, t, _ = weights.shape
    hit, share = np.zeros(n), np.zeros(n)
    for source, target in case.pairs:
        rows = weights[:, list(source)].mean(1)
        given = rows[:, list(target)].sum(1)
        share += given
        if case.other:
            hit += given > rows[:, list(case.other)].sum(1)
            continue
        allowed = np.ones(t, bool)
        allowed[list(source)] = False
        if not special:
            allowed[[0, t - 1]] = False
        hit += np.isin(np.where(allowed, rows, -1).argmax(1), target)
    count = max(1, len(case.pairs))
    return hit / count, share / count


def fixed_distance(choosing: Sequence[Case], held_out: Sequence[Case]) -> tuple[int, float]:
    """Return the best fixed distance on some sentences and its share of hits on others, the control without a model;
    with two nouns it picks the noun nearer to it (Clark et al. 2019, table 1).

    >>> fixed_distance([Case("", (((1,), (3,)),))], [Case("", (((2,), (4,)),)), Case("", (((2,), (1,)),))])
    (2, 0.5)
    """
    enough(choosing, "sentences to choose with")
    enough(held_out, "held-out sentences")

    def hits(case: Case, source: int, target: tuple[int, ...], offset: int) -> bool:
        position = source + offset
        if case.other:
            return min(abs(position - i) for i in target) < min(abs(position - i) for i in case.other)
        return position in target

    def rate(cases: Sequence[Case], offset: int) -> float:
        return float(
            np.mean(
                [np.mean([hits(case, source[0], target, offset) for source, target in case.pairs]) for case in cases]
            )
        )

    best = max((offset for offset in _OFFSETS if offset), key=lambda offset: rate(choosing, offset))
    return best, rate(held_out, best)


def interval(values: Array, *, seed: int = 0) -> tuple[float, float]:
    """Return the 95% interval of the mean of shares (n,): Wilson's if all are 0 or 1, else that of `mean_interval`."""
    if np.isin(values, (0, 1)).all():
        return intervals.wilson(int(values.sum()), len(values))
    found = intervals.mean_interval(values, seed=seed)
    return found.low, found.high


def clear(row: pd.Series) -> bool:
    """Return whether the chosen head of a task is better than guessing, or than all heads are on average."""
    if np.isnan(row["chance"]):
        return bool(row["low"] > row["random_high"])
    return bool(row["p_value"] <= LEVEL and row["held_out"] > row["chance"])


def finding(best: pd.DataFrame, task: str) -> str:
    """Return the headline: how well the chosen head does a task on held-out sentences, compared with chance."""
    row = best.set_index("task").loc[task]
    head, does = f"{row['layer']:.0f}.{row['head']:.0f}", _DOES[task]
    unit, of = ("of new sentences", "in") if task == REFERENT else ("of the words in new sentences", "for")
    within = "" if np.isnan(row["low"]) else f" ({interval_text(row['low'], row['high'])})"
    share = f"{of} {rounded(row['held_out'])} {unit}{within}"
    if np.isnan(row["chance"]):
        chance = (
            f"A random head does so {of} {rounded(row['random'])} on average, the strongest other one {of}"
            f" {rounded(row['best_other'])}"
        )
    else:
        chance = f"Guessing would be right {of} {rounded(row['chance'])}"
    if not clear(row):
        return f"No head reliably {does}. The best one, {head}, does so {share}. {chance}."
    fixed = f", and a rule with a fixed distance {of} {rounded(row['fixed_distance'])}."
    if row["fixed_distance"] >= row["low"]:
        better = "better" if row["fixed_distance"] > row["high"] else "equally well"
        fixed = f". A rule with a fixed distance does {better} ({rounded(row['fixed_distance'])})."
    return f"Head {head} {does} {share}. {chance}{fixed}"


def _in_line(text: str, task: str, t: int) -> Case:
    """Return the case of a task about positions: each token paired with its neighbour, or with [SEP]."""
    words = range(1, t - 1)
    if task == SEP:
        return Case(text, tuple(((i,), (t - 1,)) for i in words))
    step = 1 if task == NEXT else -1
    return Case(text, tuple(((i,), (i + step,)) for i in words if i + step in words))


def _occurrences(text: str, word: str, model: "EmbeddingModel") -> list[tuple[int, ...]]:
    """Return the positions of each occurrence of a word; ValueError if this model tokenises the word differently."""
    pieces = model.pieces(word)
    result = positions(model.tokenize(text)["token"].tolist(), pieces)
    if not result or "[UNK]" in pieces:
        raise ValueError(f"This model cannot find {quoted(word)} in the built-in sentences. Choose an English model.")
    return result
