"""The claim E1, of "Why are BERT static embeddings of the same word not the same across sentences?"."""

from typing import TYPE_CHECKING

from embtools.inputs import terms
from embtools.paper.conditions import exact
from embtools.paper.measured import Measure, Measured, number
from embtools.progress import Progress

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_ROCK = ("I found a rock.", "I only listen to rock.")


def rock(model: "EmbeddingModel", progress: Progress) -> Measured:
    """E1: rock in two sentences, rock at equal positions, and I."""
    frame = terms.pieces(_ROCK, model)
    word = terms.terms(frame, "rock", model)
    moved = terms.terms(frame, "rock", model, position=int(word.occurrences["position"].iloc[0]))
    i = terms.terms(frame, model.pieces("I")[0], model)
    apart, equal, same = (terms.differences(found).set_index("term").loc[terms.NORMED] for found in (word, moved, i))
    first = [number(x) for x in (*word.vectors[:, -1, 0], *i.vectors[:, -1, 0])]
    return judge_rock(first, float(apart["cosine"]), (bool(apart["same"]), bool(equal["same"]), bool(same["same"])))


def judge_rock(first: list[str], cosine: float, same: tuple[bool, bool, bool]) -> Measured:
    """Judge E1.

    Parameters
    ----------
    first : list of str
        The first number of rock in both sentences, and of I in both.
    cosine : float
        Of the two vectors of rock.
    same : tuple of bool
        Whether rock is the same vector twice, as it is and at equal positions, and whether I is.
    """
    rock, moved, i = same
    return Measured(
        f"First number of rock {first[0]} and {first[1]} (cosine of the vectors {cosine:.2f}), of I {first[2]} and"
        f" {first[3]}.",
        (
            exact("The input of rock is a different vector in each sentence.", not rock, f"Cosine {cosine:.2f}."),
            exact("At equal positions it is the same vector.", moved, "Same." if moved else "Different."),
            exact("The input of I, at the same position, is the same vector in both.", i,
                  f"First numbers {first[2]} and {first[3]}."),
        ),
    )  # fmt: skip


MEASURES: dict[str, Measure] = {"E1": rock}
