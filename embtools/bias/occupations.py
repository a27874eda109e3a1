"""Scores of occupations in several sentences, compared with their projections on a direction between two groups; words
that lean towards the same group in every sentence, and a test of whether this is more than chance.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from embtools.bias import directions, likelihood, verdict
from embtools.bias.verdict import capital
from embtools.drawing import Displayed
from embtools.messages import counted, listed
from embtools.progress import Progress, silent
from embtools.statistics import permutations
from embtools.statistics.exact import binomial_test
from embtools.statistics.reporting import LEVEL, p_value
from embtools.vectors import Array
from embtools.words.templates import check_distinct

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

ENDS = 5  # words at each end of the scores
_NAMED = 3  # words of each group in a headline


@dataclass(frozen=True)
class Occupations(Displayed):
    """Scores of occupations between two groups.

    names    the groups, by their first words
    scores   frame of `likelihood.template_scores`: one row per occupation and sentence
    summary  frame of `likelihood.summary`: one row per occupation
    both     the same with two more columns from `directions.projections`: projection, the cosine minus its mean over
             the words, because the cosine of a word that leans to neither group need not be 0; and dot_product
    fit      rank correlation of projections and scores (rho, low, high, p); None for too few words
    """

    names: tuple[str, str]
    scores: pd.DataFrame
    summary: pd.DataFrame
    both: pd.DataFrame
    fit: tuple[float, float, float, float] | None = None

    @property
    def headline(self) -> str:
        """The words that lean most towards each group."""
        return headline(self.summary, *self.names)

    @property
    def one_sided(self) -> str:
        """How many words lean towards the same group in every sentence."""
        return one_sided(self.summary)

    @property
    def agreement(self) -> str:
        """Whether scores and projections rank the words in the same order; "" for too few words."""
        return "" if self.fit is None else verdict.agreement(self.fit)

    @property
    def size(self) -> float:
        """The mean absolute score in nats."""
        return float(self.summary["score"].abs().mean())

    @property
    def ends(self) -> pd.DataFrame:
        """The rows of the summary with the highest and lowest scores; all rows if there are few."""
        if len(self.summary) <= 2 * ENDS:
            return self.summary
        return pd.concat([self.summary.head(ENDS), self.summary.tail(ENDS)])


def score_occupations(
    occupations: Sequence[str],
    model: "EmbeddingModel",
    *,
    templates: Sequence[str],
    first: Sequence[str],
    second: Sequence[str],
    pairs: Sequence[tuple[str, str]] = (),
    progress: Progress = silent,
) -> Occupations:
    """Score occupations in several sentences, and project their static embeddings on a direction between two groups.

    Parameters
    ----------
    occupations : sequence of str
        Single-token words.
    model : EmbeddingModel
    templates : sequence of str
        Sentences with one {group} and one {occupation}.
    first, second : sequence of str
        The words of both groups.
    pairs : sequence of (str, str), optional
        Pairs whose first principal component is the direction; by default the direction is the difference between the
        means of both groups.
    progress : callable, optional

    Returns
    -------
    Occupations
        The scores, the projections, and the rank correlation of both.

    Raises
    ------
    ValueError
        For no or too many occupations or templates, a template without {group} and {occupation} as separate words, a
        word that is not one token, two spellings of the same word, an empty group, too many words in a group or pairs,
        groups without a difference, and too many tokens to read.
    """
    # What is listed twice counts once: a repeated sentence would look like a second one that agrees with the first.
    occupations, templates, first, second = (tuple(dict.fromkeys(x)) for x in (occupations, templates, first, second))
    axis = _axis(first, second, pairs, model)
    directions.projections(occupations, model, axis=axis)  # raises errors before the long run
    check_distinct(occupations, model)
    scores = likelihood.template_scores(
        templates, model, occupations=occupations, first=first, second=second, progress=progress
    )
    summary = likelihood.summary(scores)
    along = directions.projections(tuple(summary["occupation"]), model, axis=axis)
    fit = None
    with suppress(ValueError):  # too few words to compare their order
        fit = permutations.rank_agreement(along["cosine"], summary["score"])
    centred = along["cosine"] - along["cosine"].mean()
    both = summary.assign(projection=centred, dot_product=along["dot_product"])
    return Occupations((_name(first), _name(second)), scores, summary, both, fit)


def indirect_bias(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    reference: str,
    first: Sequence[str],
    second: Sequence[str],
    pairs: Sequence[tuple[str, str]] = (),
) -> pd.DataFrame:
    """The share of the words' similarity to a reference word that comes from the direction, most similar word first.

    Parameters
    ----------
    words : sequence of str
        Single-token words; the reference word is left out.
    model : EmbeddingModel
    reference : str
        The word with which all others are compared.
    first, second : sequence of str
        The words of both groups.
    pairs : sequence of (str, str), optional
        As in `score_occupations`.

    Returns
    -------
    DataFrame
        Columns: word, cosine, beta.

    Raises
    ------
    ValueError
        For no or too many words, a word that is not one token, an empty group, too many words in a group or pairs, and
        groups without a difference.
    """
    others = tuple(word for word in words if model.token_id(word) != model.token_id(reference))
    frame = directions.indirect_bias(others, model, reference=reference, axis=_axis(first, second, pairs, model))
    return frame.sort_values("cosine", ascending=False, ignore_index=True)


def _axis(
    first: Sequence[str], second: Sequence[str], pairs: Sequence[tuple[str, str]], model: "EmbeddingModel"
) -> Array:
    if not pairs:
        return directions.direction(first, second, model)
    return directions.direction([a for a, _ in pairs], [b for _, b in pairs], model, how="pca")


def _name(group: Sequence[str]) -> str:
    """The name of a group: its first words."""
    return ", ".join(group[:2]) + (" …" if len(group) > 2 else "")


def headline(summary: pd.DataFrame, first: str, second: str) -> str:
    """The words that lean most towards each group in all sentences of a `likelihood.summary`, if not by chance."""
    leaning = summary[summary["same_side"]].sort_values("score")
    ends = (
        (first, leaning[leaning["score"] < 0].head(_NAMED)),
        (second, leaning[leaning["score"] > 0].tail(_NAMED)[::-1]),
    )
    parts = [_lean(rows, name) for name, rows in ends if len(rows)]
    if not parts:
        return f"Of {counted(len(summary), 'word')}, none leans towards the same group in every sentence."
    named = f"{capital('; '.join(parts))}."
    if _sentences(summary) < 2 or more_than_chance(summary):
        return named
    if summary["same_side"].sum() > len(summary) * _chance(summary):
        return f"{named} But this can be chance ({p_value(same_side_p(summary))})."
    return f"{named} But there are no more such words than expected by chance."


def _lean(rows: pd.DataFrame, name: str) -> str:
    """The words that lean towards a group, and by how much."""
    least, most = (f"{value:.1f}" for value in (rows["score"].abs().min(), rows["score"].abs().max()))
    words, verb = listed(rows["occupation"]), "leans" if len(rows) == 1 else "lean"
    by = "less than 0.1" if most == "0.0" else least if least == most else f"{least} to {most}"
    return f"{words} {verb} towards {name} (by {by} nats)"


def one_sided(summary: pd.DataFrame) -> str:
    """The number of words that lean towards the same group in every sentence, and the number expected by chance."""
    if _sentences(summary) < 2:
        return "There is only one sentence. Add more to see whether the words lean towards the same group again."
    expected, leaning = len(summary) * _chance(summary), int(summary["same_side"].sum())
    lean = "leans" if leaning == 1 else "lean"
    return (
        f"{leaning} of {counted(len(summary), 'word')} {lean} towards the same group in every sentence;"
        f" {expected:.1f} are expected by chance ({p_value(same_side_p(summary))})."
    )


def same_side_p(summary: pd.DataFrame) -> float:
    """Two-sided exact p-value of the number of words that lean the same way in every sentence (binomial test)."""
    return binomial_test(int(summary["same_side"].sum()), len(summary), _chance(summary))


def more_than_chance(summary: pd.DataFrame) -> bool:
    """Whether clearly more words lean the same way in every sentence than expected by chance."""
    more = summary["same_side"].sum() > len(summary) * _chance(summary)
    return bool(more and same_side_p(summary) < LEVEL)


def _sentences(summary: pd.DataFrame) -> int:
    return int(summary["sentences"].min())


def _chance(summary: pd.DataFrame) -> float:
    """The probability that a word leans the same way in all sentences by chance."""
    return float(2.0 ** (1 - _sentences(summary)))  # either way with probability 1/2 in each sentence
