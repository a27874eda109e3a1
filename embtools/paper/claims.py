"""The claims of the five articles, and how one or all of them are measured in a model."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from embtools import memory, wordlists
from embtools.messages import quoted
from embtools.paper.measured import PUBLISHED_MODEL, Measure, Measured, reproduced
from embtools.progress import Progress, part, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


_SECONDS = {
    "A1": 0.2, "A2": 9.0, "A3": 3.0, "A6": 1.0, "A7": 9.0, "B7": 3.0, "B8": 0.2, "C1": 2.7, "C2": 3.2, "C3": 3.4,
    "C4": 3.1, "C5": 4.0, "D4": 2.6, "D5": 8.0, "D6": 1.4,
}  # fmt: skip
_ITS_TEXTS = "AB"  # the articles that print numbers of PUBLISHED_MODEL
_GROWTH = 0.45  # larger matrices use a processor better; estimated from two models


@dataclass(frozen=True)
class Claim:
    """A row of `claims.csv`.

    Attributes
    ----------
    id, text : str
        Such as "A2", and the short name of the article.
    claim : str
        What the article claims.
    published, model : str
        The figures it gives, and the model that it describes.
    note : str
        A remark on either.
    """

    id: str
    text: str
    claim: str
    published: str
    model: str
    note: str


@cache
def claims() -> tuple[Claim, ...]:
    """Return all claims in order.

    >>> claims()[1].published
    'france, 92.9%'
    """
    return tuple(Claim(*map(str, row)) for row in wordlists.load("claims").itertuples(index=False, name=None))


def texts() -> tuple[str, ...]:
    """Return the short names of the five articles.

    >>> texts()[0]
    'Embedding math'
    """
    return tuple(dict.fromkeys(claim.text for claim in claims()))


def measure(name: str, model: "EmbeddingModel", *, progress: Progress = silent) -> Measured:
    """Return the result of a claim, such as "A2", in a model.

    If the model lacks a part or a word, the answer gives the reason and there are no conditions. The model that the
    articles used must also reproduce their numbers.

    Parameters
    ----------
    name : str
        A claim such as "A2".
    model : EmbeddingModel
    progress : callable, optional

    Returns
    -------
    Measured
        The figures, the conditions of the claim, and the verdict.

    Raises
    ------
    ValueError
        For an unknown claim.
    """
    known = measures()
    if name not in known:
        raise ValueError(f"There is no claim {quoted(name)}. Choose one of: {', '.join(known)}.")
    many = batteries().get(name)
    try:
        result = known[name](model, progress=part(progress, 0, 0.5) if many else progress)
    except ValueError as error:
        return Measured(f"This claim cannot be tested in this model. {error}")
    if many:
        with suppress(ValueError):  # this model knows too few of the words
            result = replace(result, many=many(model, progress=part(progress, 0.5, 0.5)))
    if model.name == PUBLISHED_MODEL and result.figures and name[0] in _ITS_TEXTS:
        return replace(result, conditions=(*result.conditions, reproduced(result.figures)))
    return result


@cache
def batteries() -> dict[str, Callable[..., str]]:
    """Return the functions that say how often the edit of a claim works for many words, by id."""
    from embtools.paper import additive

    return additive.MANY


@cache
def measures() -> dict[str, Measure]:
    """Return the function that measures each claim, by id; imported late, because they need most other packages."""
    from embtools.paper import (
        additive,
        edited_words,
        embedding_math,
        features,
        lecture_notes,
        operations_on_spaces,
        pronouns,
        similarities,
        two_sentences,
        uses,
        word_embeddings,
        words_in_context,
    )

    groups = (
        embedding_math, edited_words, pronouns, additive, word_embeddings, similarities, words_in_context,
        operations_on_spaces, lecture_notes, uses, features, two_sentences,
    )  # fmt: skip
    every = {name: measure for module in groups for name, measure in module.MEASURES.items()}
    return {claim.id: every[claim.id] for claim in claims()}


def effort(names: Sequence[str], model: "EmbeddingModel") -> float:
    """Return roughly how many seconds one core needs for these claims, scaled from the bundled model to this one's
    size."""
    work = model.layers * model.dimensions**2 / (6 * 384**2)
    return sum(_SECONDS.get(name, 0.1) for name in names) * float(max(1.0, work**_GROWTH))


def measure_all(
    model: "EmbeddingModel",
    *,
    names: Sequence[str] = (),
    tell: Callable[[Claim, Measured], None] = lambda claim, result: None,
    progress: Progress = silent,
) -> dict[str, Measured]:
    """Return the results of several claims. Each is cached as soon as it is computed, so that a stop loses none.

    Parameters
    ----------
    model : EmbeddingModel
    names : sequence of str, optional
        Claims such as "A2"; all claims if empty.
    tell : callable, optional
        Receives each claim and its result when it is computed.
    progress : callable, optional

    Returns
    -------
    dict of str to Measured
        The results by id of the claim.
    """
    chosen = [claim for claim in claims() if not names or claim.id in names]
    results = {}
    for done, claim in enumerate(chosen):
        results[claim.id] = memory.call(
            measure,
            {"name": claim.id},
            checksum=model.checksum,
            model=lambda: model,
            progress=part(progress, done / len(chosen), 1 / len(chosen)),
        )
        tell(claim, results[claim.id])
    return results
