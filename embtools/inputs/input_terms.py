"""The terms of BERT's input: token, segment and position embedding of a token, their sum, and its layer norm."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.limits import enough, several
from embtools.mask_filling.typed_input import normalise_masks
from embtools.memory import remembered
from embtools.messages import column_name, quoted
from embtools.models.anatomy import input_parts, layer_norm
from embtools.statistics.decimals import decimal
from embtools.vectors import Array, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

TOKEN, SEGMENT, POSITION, SUM, NORMED = "token", "segment", "position", "sum", "layer norm"


@dataclass(frozen=True)
class Terms(Displayed):
    """The k terms of one token at its first and its last position (n = 1 or 2), and what they add up to.

    occurrences  n rows: text (1 or 2), position, segment, own_position and own_segment (those in the text, which differ
                 from position and segment if the token was moved)
    names        the terms in order, then the sum and its layer norm; no segment if the model has none
    vectors      (n, k, d)
    """

    piece: str
    occurrences: pd.DataFrame
    names: tuple[str, ...]
    vectors: Array

    @property
    def moved(self) -> bool:
        """Whether the last occurrence has another position or segment than in its text."""
        last = self.occurrences.iloc[-1]
        return bool(last["position"] != last["own_position"] or last["segment"] != last["own_segment"])

    @property
    def table(self) -> pd.DataFrame:
        """How much each term differs between the two occurrences (distance: Euclidean; same: all numbers are equal);
        with one occurrence, only the length of each term.
        """
        lengths = np.linalg.norm(self.vectors, axis=-1)
        if len(self.vectors) == 1:
            return pd.DataFrame({"term": self.names, "length_1": lengths[0]})
        first, second = self.vectors
        return pd.DataFrame(
            {
                "term": self.names,
                "length_1": lengths[0],
                "length_2": lengths[1],
                "distance": np.linalg.norm(first - second, axis=-1),
                "largest_difference": np.abs(first - second).max(axis=-1),
                "cosine": (unit(first) * unit(second)).sum(axis=-1),
                "same": (first == second).all(axis=-1),
            }
        )

    @property
    def numbers(self) -> pd.DataFrame:
        """Every number: one row per dimension, one column per term and occurrence ("token_1", "token_2", …)."""
        columns = {"dimension": np.arange(self.vectors.shape[-1])}
        for number, vectors in enumerate(self.vectors, 1):
            names = (column_name(f"{name} {number}") for name in self.names)
            columns |= dict(zip(names, vectors, strict=True))
        return pd.DataFrame(columns)

    @property
    def headline(self) -> str:
        """Whether the token enters the encoder as one vector or as two, and which terms make the difference."""
        token, occurrences = f"“{self.piece}”", self.occurrences
        terms = [name for name in self.names if name not in (SUM, NORMED)]
        listed = f"{', '.join(terms[:-1])} and {terms[-1]}"
        if len(occurrences) == 1:
            at = occurrences["position"].iloc[0]
            return f"{token} enters the encoder as the sum of its {listed} embeddings (position {at})."
        table = self.table.set_index("term")
        kinds = [name for name in (POSITION, SEGMENT) if name in table.index]
        if table.loc[NORMED, "same"]:
            if self.moved:
                last = occurrences.iloc[1]
                moved = [name for name in kinds if last[name] != last[f"own_{name}"]]
                to, of = (" and ".join(each) for each in ([f"{name} {last[name]}" for name in moved], moved))
                return f"Moved to {to}, {token} is the same vector both times: only its {of} made the difference."
            return f"{token} enters the encoder as the same vector both times, because its {listed} are the same."
        different = [
            f"{name} ({occurrences[name].iloc[0]} and {occurrences[name].iloc[1]})"
            for name in kinds
            if not table.loc[name, "same"]
        ]
        cosine = table.loc[NORMED, "cosine"]
        differs = f"Only its {different[0]} differs" if len(different) == 1 else f"Its {' and '.join(different)} differ"
        return f"{token} enters the encoder as two different vectors (cosine {decimal(cosine)}). {differs}."


@remembered
def pieces(texts: Sequence[str], model: "EmbeddingModel", *, pair: bool = False) -> pd.DataFrame:
    """Return the tokens of one or two texts, each read alone, or both as one pair.

    Parameters
    ----------
    texts : sequence of str
        One or two texts, in which ___ is a mask.
    model : EmbeddingModel
    pair : bool, default False
        Whether two texts are read as one pair.

    Returns
    -------
    DataFrame
        Columns: text (1 or 2), position, token, id, segment, segment_in_article (a text read alone has segment 0 in
        BERT, but 1 in the article “Understanding BERT”).

    Raises
    ------
    ValueError
        As `EmbeddingModel.tokenize` does, and for more than two texts.
    """
    read = [normalise_masks(text, gaps=False) for text in several(texts, "texts")]
    if not 1 <= len(read) <= 2:
        raise ValueError(f"There are {len(read)} texts. Write one or two.")
    if pair and len(read) == 2:
        frame = model.tokenize(*read)
        frame["text"] = np.where(frame["position"] < len(model.tokenize(read[0])), 1, 2)
        frame["segment_in_article"] = frame["segment"]
    else:
        frame = pd.concat(
            [model.tokenize(text).assign(text=number, segment_in_article=1) for number, text in enumerate(read, 1)],
            ignore_index=True,
        )
    return frame[["text", "position", "token", "id", "segment", "segment_in_article"]]


def first_values(frame: pd.DataFrame, model: "EmbeddingModel") -> pd.DataFrame:
    """Return the tokens with the first number of what enters the encoder, as the article on “rock” lists it."""
    ids, segments, positions = (frame[name].to_numpy() for name in ("id", "segment", "position"))
    return frame.assign(first_value=input_parts(ids, model, segments=segments, positions=positions).normed[:, 0])


def choices(frame: pd.DataFrame) -> list[str]:
    """Return the different tokens of the texts; those that occur more than once come first."""
    counts = frame["token"].value_counts(sort=False)
    tokens = list(dict.fromkeys(frame["token"]))
    return sorted(tokens, key=lambda token: counts[token] < 2)


def first_choice(frame: pd.DataFrame, model: "EmbeddingModel") -> str:
    """Return the token of `pieces` that is shown by default: a word at two different positions, else the last word,
    else the last token.
    """
    enough(frame, "tokens")
    words = frame[model.whole_words[frame["id"].to_numpy()]]
    rows = words if len(words) else frame
    counts = rows.groupby("token", sort=False)[["position", "segment"]].nunique().max(axis=1)
    repeated = list(counts.index[counts > 1])
    return str(repeated[-1] if repeated else rows["token"].iloc[-1])


def terms(
    frame: pd.DataFrame, model: "EmbeddingModel", *, piece: str, position: int | None = None, segment: int | None = None
) -> Terms:
    """Return the terms of a token at its first and its last occurrence, the last one optionally moved; a token that
    occurs once is compared with itself at the new position or segment, or alone if none is given.
    """
    rows = frame[frame["token"] == piece]
    if rows.empty:
        raise ValueError(f"The texts do not contain the token {quoted(piece)}. Choose one of their tokens.")
    occurrences = rows.iloc[[0, -1]][["text", "position", "segment"]].reset_index(drop=True)
    occurrences["own_position"], occurrences["own_segment"] = occurrences["position"], occurrences["segment"]
    if position is not None:
        occurrences.loc[1, "position"] = position
    if segment is not None and model.has_segments:
        occurrences.loc[1, "segment"] = segment
    if len(rows) == 1 and occurrences.iloc[0].equals(occurrences.iloc[1]):
        occurrences = occurrences.iloc[:1]
    parts = input_parts(
        np.full(len(occurrences), model.ids[piece]),
        model,
        segments=occurrences["segment"].to_numpy(),
        positions=occurrences["position"].to_numpy(),
    )
    named = {
        TOKEN: parts.token,
        SEGMENT: parts.segment,
        POSITION: parts.position,
        SUM: parts.total,
        NORMED: parts.normed,
    }
    known = {name: vectors for name, vectors in named.items() if vectors is not None}
    return Terms(piece, occurrences, tuple(known), np.stack(list(known.values()), axis=1))


def steps(result: Terms, model: "EmbeddingModel", *, dimension: int) -> pd.DataFrame:
    """Return how one of the d numbers is computed from the terms to the layer norm, in float64."""
    if not 0 <= dimension < model.dimensions:
        raise ValueError(f"This model has dimensions 0 to {model.dimensions - 1}. Choose one of them.")
    norm = layer_norm(model)
    added = [name for name in result.names if name not in (SUM, NORMED)]
    lines: dict[str, list[float]] = {}
    for vectors in result.vectors.astype(np.float64):
        values = [float(vectors[result.names.index(name), dimension]) for name in added]
        whole = vectors[: len(added)].sum(axis=0)
        mean, variance = float(whole.mean()), float(whole.var())
        weight, bias = float(norm.weight[dimension]), float(norm.bias[dimension])
        end = (sum(values) - mean) / (variance + norm.epsilon) ** 0.5 * weight + bias
        labels = [f"{'+ ' if i else ''}{name} embedding" for i, name in enumerate(added)]
        for step, value in zip(
            (*labels, "= sum", "− mean", "÷ √(variance + ε)", "× weight", "+ bias", "= layer norm"),
            (*values, sum(values), mean, (variance + norm.epsilon) ** 0.5, weight, bias, end),
            strict=True,
        ):
            lines.setdefault(step, []).append(value)
    return pd.DataFrame(
        [(step, *values) for step, values in lines.items()],
        columns=["step", *(f"value_{number}" for number in range(1, len(result.vectors) + 1))],
    )
