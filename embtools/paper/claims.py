"""The claims of the five texts, and what a model says to one or to all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from embtools import wordlists
from embtools.messages import quoted
from embtools.paper.measured import PUBLISHED_MODEL, Measure, Measured, reproduced
from embtools.progress import Progress, part, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


_SECONDS = {
    "A1": 1.2,
    "B7": 3.0,
    "B8": 0.3,
    "C1": 3.0,
    "C2": 3.5,
    "C3": 3.2,
    "C4": 3.5,
    "D4": 0.5,
    "D5": 2.1,
    "D6": 1.7,
}
_ITS_TEXTS = "AB"  # those that print numbers of PUBLISHED_MODEL
_GROWTH = 0.45  # larger matrices keep a processor busier: two models were timed


@dataclass(frozen=True)
class Claim:
    """A row of `claims.csv`: what a text claims, the figure it gives, and a note on either."""

    id: str
    text: str
    claim: str
    published: str
    note: str


@cache
def claims() -> tuple[Claim, ...]:
    """All claims in their order.

    >>> claims()[1].published
    'france, 92.9%'
    """
    return tuple(Claim(*map(str, row)) for row in wordlists.load("claims").itertuples(index=False, name=None))


def texts() -> tuple[str, ...]:
    """The short names of the five texts.

    >>> texts()[0]
    'Embedding math'
    """
    return tuple(dict.fromkeys(claim.text for claim in claims()))


def measure(name: str, model: "EmbeddingModel", *, progress: Progress = silent) -> Measured:
    """What a model says to the claim of that name, such as "A2".

    Where it lacks a part or a word, that is the answer, without a verdict. The model of the texts must also give their
    very numbers. `progress` is told 0 … 1 and may raise to
    stop. Raises ValueError for another name.
    """
    known = measures()
    if name not in known:
        raise ValueError(f"There is no claim {quoted(name)}. Choose one of: {', '.join(known)}.")
    try:
        found = known[name](model, progress)
    except ValueError as error:
        return Measured(f"This model cannot be asked. {error}")
    if model.name == PUBLISHED_MODEL and found.figures and name[0] in _ITS_TEXTS:
        return replace(found, checks=(*found.checks, reproduced(found.figures)))
    return found


@cache
def measures() -> dict[str, Measure]:
    """What measures each claim, by its id; imported when it is asked for, since that is every idea of the house."""
    from embtools.paper import embedding_math, lecture_notes, two_sentences, word_embeddings, words_in_context

    groups = (embedding_math, word_embeddings, words_in_context, lecture_notes, two_sentences)
    return {name: measure for module in groups for name, measure in module.MEASURES.items()}


def effort(name: str, model: "EmbeddingModel") -> float:
    """About how many seconds one core takes for a claim: timed on the bundled model, scaled to the size of this."""
    work = model.layers * model.dimensions**2 / (6 * 384**2)
    return _SECONDS.get(name, 0.1) * max(1.0, work**_GROWTH)


def measure_all(
    model: "EmbeddingModel",
    names: Sequence[str] = (),
    *,
    tell: Callable[[Claim, Measured], None] = lambda claim, found: None,
    progress: Progress = silent,
) -> dict[str, Measured]:
    """Several claims by name (none: all), each told as soon as it is there; otherwise as `measure`."""
    chosen = [claim for claim in claims() if not names or claim.id in names]
    found = {}
    for done, claim in enumerate(chosen):
        found[claim.id] = measure(claim.id, model, progress=part(progress, done / len(chosen), 1 / len(chosen)))
        tell(claim, found[claim.id])
    return found
