"""Known answers ranked by the similarity of their sentence vectors to that of a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.drawing import Displayed
from embtools.layer_combinations import (
    SECOND_TO_LAST,
    SENTENCE_POOLINGS,
    check_combination,
    check_sentence_pooling,
    combination_names,
    combine,
    pool,
    read_states,
)
from embtools.progress import Progress, silent
from embtools.statistics.decimals import decimal
from embtools.statistics.ranks import equal_to_first, ranks
from embtools.vectors import Array, cosine
from embtools.words.overlap import CONTROL, shared_words

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_TEXTS = 100
MAX_PIECES = 3_000
_LETTERS = 120  # of an answer in a headline


@dataclass(frozen=True)
class Answers(Displayed):
    """Similarity of every question to every answer, for every layer combination and pooling.

    questions, answers  q questions and a answers
    combinations        names of the r layer combinations
    cosines             (r, 3 sentence poolings, q, a), float64
    control             (q, a) cosines by shared words, without a model
    """

    questions: tuple[str, ...]
    answers: tuple[str, ...]
    combinations: tuple[str, ...]
    cosines: Array
    control: Array

    def ranked(self, combination: str, pooling: str, question: int = 0) -> pd.DataFrame:
        """The answers to one question, best first: rank, answer, cosine, shared_words, control_rank."""
        check_combination(combination, self.combinations)
        check_sentence_pooling(pooling)
        if not 0 <= question < len(self.questions):
            raise ValueError(f"There is no question {question}. Choose 0 to {len(self.questions) - 1}.")
        scores = self.cosines[self.combinations.index(combination), SENTENCE_POOLINGS.index(pooling), question]
        order, control = np.argsort(-scores, kind="stable"), self.control[question]
        return pd.DataFrame(
            {
                "rank": np.arange(1, len(order) + 1),
                "answer": [self.answers[i] for i in order],
                "cosine": scores[order],
                "shared_words": control[order],
                "control_rank": ranks(control)[order],
            }
        )

    def headline(self, combination: str = SECOND_TO_LAST, pooling: str = SENTENCE_POOLINGS[1]) -> str:
        """The rank of the right answer to the first question, with and without the model; if it is unknown, the most
        similar answer."""
        ranking = self.ranked(combination, pooling)
        right = ranking[ranking["answer"] == right_answer(self.questions[0])]
        if right.empty:
            first = ranking.iloc[0]
            equal = equal_to_first(ranking["cosine"])
            if equal > 1:
                which = "All" if equal == len(ranking) else "The first"
                return (
                    f"{which} {equal} answers are equally similar (cosine {decimal(first['cosine'])}), so none is the"
                    " most similar one."
                )
            return f"The most similar answer is “{first['answer'][:_LETTERS]}” (cosine {decimal(first['cosine'])})."
        rank, control = right["rank"].iloc[0], right["control_rank"].iloc[0]
        return (
            f"The right answer has rank {rank} of {len(ranking)}. Based on shared words alone, its rank is {control:g}."
        )


def right_answer(question: str) -> str | None:
    """The answer to a built-in question; None for any other question.

    >>> right_answer("Why is the sky blue?")
    'Air scatters the blue part of sunlight more than the red part.'
    """
    known = wordlists.load("questions")
    return next(iter(known.loc[known["question"] == question, "answer"]), None)


def compare_answers(
    questions: Sequence[str],
    answers: Sequence[str],
    model: "EmbeddingModel",
    *,
    progress: Progress = silent,
) -> Answers:
    """Compare every question with every answer for every layer combination and sentence pooling.

    Parameters
    ----------
    questions : sequence of str
        One or more questions.
    answers : sequence of str
        Two or more answers.
    model : EmbeddingModel
    progress : callable, optional

    Returns
    -------
    Answers
        The cosines of all questions and answers.

    Raises
    ------
    ValueError
        Without a question, for fewer than two answers, for too many texts, and for a text that cannot be read.
    """
    if not questions:
        raise ValueError("There is no question. Write one.")
    if len(answers) < 2:
        raise ValueError("Ranking needs at least two answers. Write one per line.")
    texts = [*questions, *answers]
    if len(texts) > MAX_TEXTS:
        raise ValueError(
            f"There are {len(texts)} questions and answers, but at most {MAX_TEXTS} can be compared. Remove some."
        )
    total = sum(len(model.tokenize(text)) for text in texts)
    if total > MAX_PIECES:
        raise ValueError(
            f"The texts have {total:,} tokens in total, but at most {MAX_PIECES:,} can be read at once. Shorten them."
        )
    combinations = combination_names(model.layers)
    states = read_states(texts, model, progress=progress)
    q = len(questions)
    cosines = np.empty((len(combinations), len(SENTENCE_POOLINGS), q, len(answers)))
    for r, combination in enumerate(combinations):
        tokens = [combine(states[i], combination) for i in range(len(texts))]
        for p, pooling in enumerate(SENTENCE_POOLINGS):
            vectors = np.stack([pool(t, pooling) for t in tokens])
            cosines[r, p] = cosine(vectors[:q], vectors[q:])
    return Answers(tuple(questions), tuple(answers), combinations, cosines, shared_words(texts)[:q, q:])


def quality(result: Answers) -> pd.DataFrame:
    """How well each layer combination finds answer i to question i: share_first (share ranked 1st), mean_rank, mrr
    (mean of 1 / rank), with ties at their mean rank; the last row is the control without a model."""
    q, a = len(result.questions), len(result.answers)
    if q != a:
        raise ValueError(f"There are {q} questions and {a} answers; this needs one answer for each question.")
    rows = []
    cells = [
        (combination, pooling, result.cosines[i, j])
        for i, combination in enumerate(result.combinations)
        for j, pooling in enumerate(SENTENCE_POOLINGS)
    ]
    for combination, pooling, scores in [*cells, (CONTROL, "control", result.control)]:
        own = np.diag(ranks(scores))
        rows.append((combination, pooling, float((own == 1).mean()), float(own.mean()), float((1 / own).mean())))
    return pd.DataFrame(rows, columns=["combination", "pooling", "share_first", "mean_rank", "mrr"])


def built_in_quality(model: "EmbeddingModel", *, progress: Progress = silent) -> pd.DataFrame:
    """How well each layer combination finds the answers to the built-in questions.

    Parameters
    ----------
    model : EmbeddingModel
    progress : callable, optional

    Returns
    -------
    DataFrame
        Columns: combination, pooling, share_first (of the questions whose answer ranks 1st), mean_rank, mrr (mean of 1
        / rank). The last row is the control without a model.

    Raises
    ------
    ValueError
        As `compare_answers` does.
    """
    known = wordlists.load("questions")
    return quality(compare_answers(tuple(known["question"]), tuple(known["answer"]), model, progress=progress))
