"""One piece in two places: the three vectors that are added up for it, their sum, and its layer norm."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.limits import enough
from embtools.messages import quoted
from embtools.models.anatomy import input_parts, layer_norm
from embtools.vectors import Array, cosine, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

TOKEN, SEGMENT, POSITION, SUM, NORMED = "token", "segment", "position", "sum", "layer norm"
_AT_ONCE = 4_096  # pieces of the vocabulary whose inputs are made together: 30 MB


@dataclass(frozen=True)
class Terms:
    """The k terms of one piece at n places (1 or 2), and what they add up to.

    places    n rows: text (1 or 2), position, segment, stood (its position in the text, which may be another one)
    names     what is added up, in order, then the sum and its layer norm; no segment where the model has none
    vectors   (n, k, d)
    """

    piece: str
    places: pd.DataFrame
    names: tuple[str, ...]
    vectors: Array

    @property
    def moved(self) -> bool:
        """Whether the last place is not the one at which the piece stands in its text."""
        last = self.places.iloc[-1]
        return bool(last["position"] != last["stood"] or last["segment"] != last["belongs"])


def pieces(texts: Sequence[str], model: "EmbeddingModel", *, pair: bool = False) -> pd.DataFrame:
    """The pieces of one or two texts, each read alone, or both as one pair.

    Columns: text (1 or 2), position, token, id, segment, as_in_text (the segment of a text read alone is 0 in BERT;
    “Understanding BERT” gives it 1). Raises ValueError as `EmbeddingModel.tokenize` does, and for more than two texts.
    """
    if not 1 <= len(texts) <= 2:
        raise ValueError(f"There are {len(texts)} texts. Write one or two.")
    if pair and len(texts) == 2:
        frame = model.tokenize(*texts)
        frame["text"] = np.where(frame["position"] < len(model.tokenize(texts[0])), 1, 2)
        frame["as_in_text"] = frame["segment"]
    else:
        frame = pd.concat(
            [model.tokenize(text).assign(text=number, as_in_text=1) for number, text in enumerate(texts, 1)],
            ignore_index=True,
        )
    return frame[["text", "position", "token", "id", "segment", "as_in_text"]]


def first_values(frame: pd.DataFrame, model: "EmbeddingModel") -> pd.DataFrame:
    """The pieces with the first number of what enters the encoder for each: the listing that began the question.

    frame: of `pieces`; the column `first_value` is added.
    """
    ids, segments, positions = (frame[name].to_numpy() for name in ("id", "segment", "position"))
    return frame.assign(first_value=input_parts(ids, model, segments, positions).normed[:, 0])


def choices(frame: pd.DataFrame) -> list[str]:
    """The different pieces of the texts: those that stand there twice or more come first."""
    counts = frame["token"].value_counts(sort=False)
    tokens = list(dict.fromkeys(frame["token"]))
    return sorted(tokens, key=lambda token: counts[token] < 2)


def first_choice(frame: pd.DataFrame, model: "EmbeddingModel") -> str:
    """The piece to begin with: a word that stands in two different places, otherwise the last word, or the last piece.

    frame: of `pieces`.
    """
    enough(frame, "pieces")
    words = frame[model.whole_words[frame["id"].to_numpy()]]
    rows = words if len(words) else frame
    places = rows.groupby("token", sort=False)[["position", "segment"]].nunique().max(axis=1)
    often = list(places.index[places > 1])
    return str(often[-1] if often else rows["token"].iloc[-1])


def terms(
    frame: pd.DataFrame,
    piece: str,
    model: "EmbeddingModel",
    *,
    position: int | None = None,
    segment: int | None = None,
) -> Terms:
    """The terms of a piece where it stands first and where it stands last; that last one at another place on request.

    A piece that stands there once is compared with itself at the other place, or alone where none is named.
    frame: of `pieces`. Raises ValueError for a piece that is not there, and for a place that the model does not have.
    """
    rows = frame[frame["token"] == piece]
    if rows.empty:
        raise ValueError(f"{quoted(piece)} is none of the pieces of these texts. Choose one that is.")
    places = rows.iloc[[0, -1]][["text", "position", "segment"]].reset_index(drop=True)
    places["stood"], places["belongs"] = places["position"], places["segment"]
    if position is not None:
        places.loc[1, "position"] = position
    if segment is not None and model.has_segments:
        places.loc[1, "segment"] = segment
    if len(rows) == 1 and places.iloc[0].equals(places.iloc[1]):
        places = places.iloc[:1]
    parts = input_parts(
        np.full(len(places), model.ids[piece]), model, places["segment"].to_numpy(), places["position"].to_numpy()
    )
    named = {
        TOKEN: parts.token,
        SEGMENT: parts.segment,
        POSITION: parts.position,
        SUM: parts.total,
        NORMED: parts.normed,
    }
    known = {name: vectors for name, vectors in named.items() if vectors is not None}
    return Terms(piece, places, tuple(known), np.stack(list(known.values()), axis=1))


def differences(found: Terms) -> pd.DataFrame:
    """Term by term, how far the two places differ.

    Columns: term, length_1, length_2, distance (Euclidean), largest (of the d differences), cosine, same (every number
    equal). With one place only term and length_1.
    """
    lengths = np.linalg.norm(found.vectors, axis=-1)
    if len(found.vectors) == 1:
        return pd.DataFrame({"term": found.names, "length_1": lengths[0]})
    first, second = found.vectors
    return pd.DataFrame(
        {
            "term": found.names,
            "length_1": lengths[0],
            "length_2": lengths[1],
            "distance": np.linalg.norm(first - second, axis=-1),
            "largest": np.abs(first - second).max(axis=-1),
            "cosine": (unit(first) * unit(second)).sum(axis=-1),
            "same": (first == second).all(axis=-1),
        }
    )


def numbers(found: Terms) -> pd.DataFrame:
    """Every number: a row a dimension, a column a term and place ("token 1", "token 2", …)."""
    columns = {"dimension": np.arange(found.vectors.shape[-1])}
    for place, vectors in enumerate(found.vectors, 1):
        columns |= {f"{name} {place}": vector for name, vector in zip(found.names, vectors, strict=True)}
    return pd.DataFrame(columns)


def steps(found: Terms, dimension: int, model: "EmbeddingModel") -> pd.DataFrame:
    """One of the d numbers (0 … d - 1) step by step, from the terms to the layer norm, in float64.

    Columns: step, value_1, and value_2 where there are two places. Mean and variance are those of the d numbers of the
    sum. Raises ValueError for a dimension that the model does not have.
    """
    if not 0 <= dimension < model.dimensions:
        raise ValueError(f"This model has dimensions 0 to {model.dimensions - 1}. Choose one of them.")
    norm = layer_norm(model)
    added = [name for name in found.names if name not in (SUM, NORMED)]
    lines: dict[str, list[float]] = {}
    for vectors in found.vectors.astype(np.float64):
        values = [float(vectors[found.names.index(name), dimension]) for name in added]
        whole = vectors[: len(added)].sum(axis=0)
        mean, variance = float(whole.mean()), float(whole.var())
        weight, bias = float(norm.weight[dimension]), float(norm.bias[dimension])
        end = (sum(values) - mean) / (variance + norm.epsilon) ** 0.5 * weight + bias
        said = [f"{'+ ' if i else ''}{name} embedding" for i, name in enumerate(added)]
        for step, value in zip(
            (*said, "= sum", "− mean", "÷ √(variance + ε)", "× weight", "+ bias", "= layer norm"),
            (*values, sum(values), mean, (variance + norm.epsilon) ** 0.5, weight, bias, end),
            strict=True,
        ):
            lines.setdefault(step, []).append(value)
    return pd.DataFrame(
        [(step, *values) for step, values in lines.items()],
        columns=["step", *(f"value_{place}" for place in range(1, len(found.vectors) + 1))],
    )


@dataclass(frozen=True)
class Others:
    """How near the first vector lies to what every piece of the vocabulary would be at the second place.

    rank      of the piece itself among all v: 1 is the nearest, by cosine
    nearest   the nearest other piece, with its cosine
    """

    rank: int
    nearest: str
    cosine: float


def others(found: Terms, model: "EmbeddingModel") -> Others:
    """The yardstick for a change of place: is it larger than a change of word? Two places are needed."""
    place = found.places.iloc[1]
    count = len(model.vocabulary)
    cosines = np.empty(count, np.float32)
    for start in range(0, count, _AT_ONCE):
        ids = np.arange(start, min(start + _AT_ONCE, count))
        same = np.ones(len(ids), np.int64)
        made = input_parts(ids, model, same * place["segment"], same * place["position"]).normed
        cosines[ids] = cosine(found.vectors[0, -1], made)[0]
    own = model.ids[found.piece]
    rank = int((cosines > cosines[own]).sum()) + 1
    cosines[own] = -2
    best = int(cosines.argmax())
    return Others(rank, model.vocabulary[best], float(cosines[best]))
