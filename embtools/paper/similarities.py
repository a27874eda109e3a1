"""The claims B6 to B8 of "Understanding BERT — Word Embeddings": similar words, layers, and answers to questions."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.layers import published as figures
from embtools.layers import survey
from embtools.layers.senses import pair_cosines
from embtools.pairs import questions
from embtools.paper.conditions import LEVEL, better, exact, more_often
from embtools.paper.measured import (
    PUBLISHED_MODEL,
    Condition,
    Figure,
    Measure,
    Measured,
    number,
    of_all,
    of_p,
)
from embtools.paper.word_embeddings import SENTENCE, bank
from embtools.progress import Progress
from embtools.recipes import CONCAT_FOUR, SECOND_TO_LAST, SENTENCE_POOLINGS, SUM_FOUR
from embtools.statistics.exact import sign_test
from embtools.statistics.ranks import ranks

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_POOLING, _FIRST = "mean of pieces", "first piece"
_EQUAL = 1e-9  # of two scores


def banks(model: "EmbeddingModel", progress: Progress) -> Measured:
    """B6: three times bank in one sentence, with segment id 1 as in the text."""
    found = bank(model, segment=1 if model.has_segments else None)
    pairs = pair_cosines(found, SUM_FOUR, _POOLING).set_index(["first", "second"])["cosine"]
    targets = figures.bank_cosines()
    same, other = (float(pairs[pair]) for pair in targets)
    values = found.first_values[found.at(SUM_FOUR, _POOLING)]
    judged = judge_banks(same, other, values, model.has_segments, model.name == PUBLISHED_MODEL)
    names = ("bank: robber, vault", "bank: robber, river")
    compared = zip(names, targets.values(), (same, other), strict=True)
    return Measured(
        judged.answer, judged.conditions, tuple(Figure(name, target, here, "cosine") for name, target, here in compared)
    )


def judge_banks(same: float, other: float, values: np.ndarray, segments: bool, its_model: bool) -> Measured:
    """Judge B6 from two cosines and the first values (3, 5); `its_model`: whether the text used this very model."""
    conditions = [
        exact("The banks of robber and vault are more similar than those of robber and river.", same > other,
              f"Cosine {same:.2f} against {other:.2f}."),
    ]  # fmt: skip
    if its_model:
        table = figures.bank_values().set_index("occurrence").to_numpy()
        fits = values.shape == table.shape and bool(np.allclose(values, table, atol=1e-3))
        equal = int(np.isclose(values, table, atol=1e-3).sum()) if values.shape == table.shape else 0
        conditions.append(
            exact("The first five numbers of the three vectors are the published ones.", fits,
                  f"{equal} of {table.size} are equal to within 0.001.")
        )  # fmt: skip
    first = ", ".join(number(float(x), 2) for x in values[0])
    return Measured(
        f"Cosine {same:.2f} and {other:.2f}. The vector of bank in “bank vault” begins with {first}."
        + ("" if segments else " This model has no segments."),
        tuple(conditions),
    )


def layers(model: "EmbeddingModel", progress: Progress) -> Measured:
    """B7: layer combinations by how well they separate the two senses of fifty words."""
    found = survey.survey(model, progress=progress)
    means = survey.stability(found)
    named = [str(recipe) for recipe in figures.beside_recipes(means)["recipe"]]
    each = found.scores[found.scores["pooling"] == _FIRST].pivot(index="word", columns="recipe", values="auc")
    intervals = means[means["pooling"] == _FIRST].set_index("recipe")[["ci_low", "ci_high"]]
    return judge_layers(each[named], intervals.loc[named], f"layer {model.layers}")


def judge_layers(each: pd.DataFrame, intervals: pd.DataFrame, last: str) -> Measured:
    """Judge B7.

    Parameters
    ----------
    each : DataFrame
        A row for each word, a column for each layer combination that was published: AUC of separating its senses.
    intervals : DataFrame
        Index: the combinations; columns ci_low, ci_high: 95% interval of the mean AUC.
    last : str
        The name of the last layer.
    """
    means = each.mean()
    said = "; ".join(
        f"{name} {means[name]:.2f} ({low:.2f} to {high:.2f})" for name, low, high in intervals.itertuples(name=None)
    )
    return Measured(
        f"AUC of separating the senses of {len(each)} words: {said}.",
        (
            better(
                "The second-to-last layer is better than the last.",
                *_compared(each[SECOND_TO_LAST], each[last]),
                evidence=f"Mean AUC {means[SECOND_TO_LAST]:.2f} against {means[last]:.2f}.",
            ),
            _best(each, CONCAT_FOUR),
        ),
    )


def _best(each: pd.DataFrame, name: str) -> Condition:
    """Decide whether a combination beats every other one: undecided unless some other one clearly beats it."""
    others = [other for other in each.columns if other != name]
    counts = {other: _compared(each[name], each[other]) for other in others}
    tests = {other: sign_test(wins, losses) for other, (wins, losses, _) in counts.items()}
    won = [other for other, (wins, losses, _) in counts.items() if wins > losses and tests[other] <= LEVEL]
    lost = [other for other, (wins, losses, _) in counts.items() if wins < losses and tests[other] <= LEVEL]
    holds = False if lost else True if len(won) == len(others) else None
    said = "; ".join(f"{other}: {counts[other][0]} to {counts[other][1]} ({of_p(tests[other])})" for other in others)
    return Condition(
        "The concatenation of the last four layers is better than each other choice.",
        holds,
        f"Mean AUC {each[name].mean():.2f}. Words on which it is better, to words on which it is worse: {said}. Exact"
        " paired tests.",
    )


def _compared(one: pd.Series, other: pd.Series) -> tuple[int, int, int]:
    """Return on how many items the first is better, worse, and equal."""
    wins, losses = int((one > other + _EQUAL).sum()), int((one < other - _EQUAL).sum())
    return wins, losses, len(one) - wins - losses


def answers(model: "EmbeddingModel", progress: Progress) -> Measured:
    """B8: questions and their answers, compared with the words that they share."""
    known = wordlists.load("questions")
    found = questions.compare_answers(known["question"].tolist(), known["answer"].tolist(), model, progress=progress)
    cosines = found.cosines[found.recipes.index(SECOND_TO_LAST), SENTENCE_POOLINGS.index(SENTENCE)]
    return judge_answers(*(np.diag(ranks(scores)) == 1 for scores in (cosines, found.control)))


def judge_answers(vectors: np.ndarray, shared: np.ndarray) -> Measured:
    """Judge B8 from whether the right answer is first for each question: by vectors, and by shared words."""
    n, right, control = len(vectors), int(vectors.sum()), int(shared.sum())
    wins, losses = int((vectors & ~shared).sum()), int((shared & ~vectors).sum())
    return Measured(
        f"The right answer is first for {of_all(right, n)} questions; by shared words, without a model, for"
        f" {of_all(control, n)}. Guessing would find 1 of {n}.",
        (
            more_often("The right answer is first for more than half of the questions.", right, n, 0.5),
            better(
                "It is first more often than when answers are ranked by shared words, without a model.",
                wins,
                losses,
                n - wins - losses,
                evidence=f"{right} against {control} of {n} questions.",
            ),
        ),
    )


MEASURES: dict[str, Measure] = {"B6": banks, "B7": layers, "B8": answers}
