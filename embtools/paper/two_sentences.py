"""Claim E1 of "Why are BERT static embeddings of the same word not the same across sentences?"."""

from typing import TYPE_CHECKING

from embtools.inputs import input_terms
from embtools.paper.conditions import exact
from embtools.paper.measured import Measure, Measured, number
from embtools.progress import Progress
from embtools.statistics.decimals import decimal

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_ROCK = ("I found a rock.", "I only listen to rock.")


def rock(model: "EmbeddingModel", *, progress: Progress) -> Measured:
    """Return the result of E1: rock in two sentences, rock at the same position, and I."""
    frame = input_terms.pieces(_ROCK, model)
    word = input_terms.terms(frame, model, piece="rock")
    moved = input_terms.terms(frame, model, piece="rock", position=int(word.occurrences["position"].iloc[0]))
    i = input_terms.terms(frame, model, piece=model.pieces("I")[0])
    apart, equal, same = (each.table.set_index("term").loc[input_terms.NORMED] for each in (word, moved, i))
    first = [number(x) for x in (*word.vectors[:, -1, 0], *i.vectors[:, -1, 0])]
    return judge_rock(first, float(apart["cosine"]), (bool(apart["same"]), bool(equal["same"]), bool(same["same"])))


def judge_rock(first: list[str], cosine: float, same: tuple[bool, bool, bool]) -> Measured:
    """Judge E1."""
    rock, moved, i = same
    return Measured(
        f"The first number of rock is {first[0]} in one sentence and {first[1]} in the other (cosine of the two"
        f" vectors: {decimal(cosine)}); that of I is {first[2]} and {first[3]}.",
        (
            exact("The input of rock is a different vector in each sentence.", not rock,
                  f"The cosine of the two vectors is {decimal(cosine)}."),
            exact("At the same position, the input of rock is the same vector.", moved,
                  "The vectors are the same." if moved else "The vectors are different."),
            exact("The input of I, which is at the same position, is the same vector in both.", i,
                  f"Their first numbers are {first[2]} and {first[3]}."),
        ),
    )  # fmt: skip


MEASURES: dict[str, Measure] = {"E1": rock}
