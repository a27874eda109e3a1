"""Claims B6 to B8 of "Understanding BERT — Word Embeddings": similar words, layers, and answers to questions."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.layer_combinations import CONCAT_FOUR, SECOND_TO_LAST, SENTENCE_POOLINGS, SUM_FOUR
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
from embtools.statistics.decimals import decimal
from embtools.statistics.exact import sign_test
from embtools.statistics.ranks import ranks

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_POOLING, _FIRST = "mean of tokens", "first token"
_EQUAL = 1e-9  # scores that differ by less are equal


def banks(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of B6: bank three times in one sentence, with segment id 1 as in the article."""
    comparison = bank(model, segment=1 if model.has_segments else None)
    pairs = pair_cosines(comparison, SUM_FOUR, _POOLING).set_index(["first", "second"])["cosine"]
    targets = figures.bank_cosines()
    same, other = (float(pairs[pair]) for pair in targets)
    values = comparison.first_values[comparison.at(SUM_FOUR, _POOLING)]
    judged = judge_banks(same, other, values, model.has_segments, model.name == PUBLISHED_MODEL)
    names = ("bank: robber, vault", "bank: robber, river")
    compared = zip(names, targets.values(), (same, other), strict=True)
    return Measured(
        judged.answer, judged.conditions, tuple(Figure(name, target, here, "cosine") for name, target, here in compared)
    )


def judge_banks(same: float, other: float, values: np.ndarray, segments: bool, its_model: bool) -> Measured:
    """Judge B6 from two cosines and the first values (3, 5); `its_model`: whether the article used this model."""
    conditions = [
        exact("bank in “bank robber” is more similar to bank in “bank vault” than to bank in “river bank”.",
              same > other, f"The cosines are {decimal(same)} and {decimal(other)}."),
    ]  # fmt: skip
    if its_model:
        table = figures.bank_values().set_index("occurrence").to_numpy()
        fits = values.shape == table.shape and bool(np.allclose(values, table, atol=1e-3))
        equal = int(np.isclose(values, table, atol=1e-3).sum()) if values.shape == table.shape else 0
        conditions.append(
            exact("The first five numbers of each of the three vectors are the published ones.", fits,
                  f"{equal} of {table.size} numbers differ by less than 0.001.")
        )  # fmt: skip
    first = ", ".join(number(float(x), 2) for x in values[0])
    return Measured(
        f"The cosines are {decimal(same)} and {decimal(other)}. The vector of bank in “bank vault” begins with {first}."
        + ("" if segments else " This model has no segment ids."),
        tuple(conditions),
    )


def layers(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of B7: how well layer combinations separate the two senses of fifty words."""
    scored = survey.survey(model, progress=progress)
    means = survey.stability(scored)
    named = [str(combination) for combination in figures.compare_combinations(means)["combination"]]
    each = scored.scores[scored.scores["pooling"] == _FIRST].pivot(index="word", columns="combination", values="auc")
    intervals = means[means["pooling"] == _FIRST].set_index("combination")[["low", "high"]]
    return judge_layers(each[named], intervals.loc[named], f"layer {model.layers}")


def judge_layers(each: pd.DataFrame, intervals: pd.DataFrame, last: str) -> Measured:
    """Judge B7."""
    means = each.mean()
    listed = "; ".join(
        f"{name}: {means[name]:.2f} ({low:.2f} to {high:.2f})" for name, low, high in intervals.itertuples(name=None)
    )
    return Measured(
        f"The mean AUCs for separating the senses of {len(each)} words (with 95% intervals) are: {listed}.",
        (
            better(
                "The second-to-last layer is better than the last layer.",
                *_compared(each[SECOND_TO_LAST], each[last]),
                name="The second-to-last layer",
                evidence=f"The mean AUC is {means[SECOND_TO_LAST]:.2f}, compared with {means[last]:.2f}.",
            ),
            _best(each, CONCAT_FOUR),
        ),
    )


def _best(each: pd.DataFrame, name: str) -> Condition:
    """Decide whether a combination beats all others: true or false only if exact paired tests decide it."""
    others = [other for other in each.columns if other != name]
    counts = {other: _compared(each[name], each[other]) for other in others}
    tests = {other: sign_test(wins, losses) for other, (wins, losses, _) in counts.items()}
    won = [other for other, (wins, losses, _) in counts.items() if wins > losses and tests[other] <= LEVEL]
    lost = [other for other, (wins, losses, _) in counts.items() if wins < losses and tests[other] <= LEVEL]
    holds = False if lost else True if len(won) == len(others) else None
    listed = "; ".join(
        f"{other}: {counts[other][0]} better, {counts[other][1]} worse ({of_p(tests[other])})" for other in others
    )
    return Condition(
        "The concatenation of the last four layers is better than each of the other combinations.",
        holds,
        f"Its mean AUC is {each[name].mean():.2f}. Compared with each of the others, it is better or worse on this"
        f" many words: {listed}. Exact paired tests.",
    )


def _compared(one: pd.Series, other: pd.Series) -> tuple[int, int, int]:
    """Return on how many items the first is better, worse and equal."""
    wins, losses = int((one > other + _EQUAL).sum()), int((one < other - _EQUAL).sum())
    return wins, losses, len(one) - wins - losses


def answers(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of B8: answers ranked for questions by vectors and, as a control, by shared words."""
    known = wordlists.load("questions")
    compared = questions.compare_answers(known["question"].tolist(), known["answer"].tolist(), model, progress=progress)
    cosines = compared.cosines[compared.combinations.index(SECOND_TO_LAST), SENTENCE_POOLINGS.index(SENTENCE)]
    return judge_answers(*(np.diag(ranks(scores)) == 1 for scores in (cosines, compared.control)))


def judge_answers(vectors: np.ndarray, shared: np.ndarray) -> Measured:
    """Judge B8 from whether the right answer ranks 1st for each question, by vectors and by shared words."""
    n, right, control = len(vectors), int(vectors.sum()), int(shared.sum())
    wins, losses = int((vectors & ~shared).sum()), int((shared & ~vectors).sum())
    return Measured(
        f"The right answer ranks 1st for {of_all(right, n, noun='questions')}. If answers are ranked by shared"
        f" words, without a model, it does so for {of_all(control, n)}. By chance, it would rank 1st for 1 of {n}.",
        (
            more_often("The right answer ranks 1st for more than half of the questions.", right, n, 0.5),
            better(
                "It ranks 1st more often than in a ranking by shared words, without a model.",
                wins,
                losses,
                n - wins - losses,
                name="The ranking by vectors",
                evidence=f"{right} of {n} questions, compared with {control}.",
            ),
        ),
    )


MEASURES: dict[str, Measure] = {"B6": banks, "B7": layers, "B8": answers}
