"""The claim E1, of "Why are BERT static embeddings of the same word not the same across sentences?"."""

from typing import TYPE_CHECKING

from embtools.inputs import terms
from embtools.paper.measured import Check, Measure, Measured, number
from embtools.progress import Progress

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_ROCK = ("I found a rock.", "I only listen to rock.")


def rock(model: "EmbeddingModel", progress: Progress) -> Measured:
    """E1: rock where it stands, rock at equal positions, and I."""
    frame = terms.pieces(_ROCK, model)
    word = terms.terms(frame, "rock", model)
    moved = terms.terms(frame, "rock", model, position=int(word.places["position"].iloc[0]))
    i = terms.terms(frame, model.pieces("I")[0], model)
    apart, equal, same = (terms.differences(found).set_index("term").loc[terms.NORMED] for found in (word, moved, i))
    first = [number(x) for x in (*word.vectors[:, -1, 0], *i.vectors[:, -1, 0])]
    return Measured(
        f"First number of rock {first[0]} and {first[1]} (cosine of the vectors {apart['cosine']:.2f}), of I {first[2]}"
        f" and {first[3]}.",
        (
            Check("rock goes in as two different vectors.", not apart["same"]),
            Check("At equal positions they are the very same.", bool(equal["same"])),
            Check("I, at the same place, goes in as the same vector both times.", bool(same["same"])),
        ),
    )


MEASURES: dict[str, Measure] = {"E1": rock}
