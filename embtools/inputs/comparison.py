"""A token of one or two texts at its first and its last position: its terms, other words, and the answer at a mask."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.inputs import input_terms
from embtools.inputs.input_terms import NORMED, Terms
from embtools.mask_filling.forward import mask_positions, probabilities
from embtools.memory import remembered
from embtools.messages import counted, quoted
from embtools.models.anatomy import input_parts
from embtools.models.last_states import last_states
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.vectors import cosine, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

WRITTEN, MOVED = "as written", "token moved"
ONE_SEGMENT, OTHER_SEGMENT = "all in segment 0", "all in segment 1"
REVERSED, HEAP = "positions reversed", "all at position 1"
_ANSWERS = 5
_AT_ONCE = 4_096  # tokens of the vocabulary whose inputs are computed together: 30 MB


@dataclass(frozen=True)
class Comparison:
    """A token at its first and its last position.

    tokens   frame of `input_terms.first_values`: all tokens of the texts
    terms    the terms of the token at both positions
    """

    tokens: pd.DataFrame
    terms: Terms


@dataclass(frozen=True)
class OtherWords:
    """Whether a change of position has more effect than a change of word would have.

    terms     the terms of the token at both positions
    rank      of the token, if all tokens at the second position are ordered by their cosine with the first vector
    nearest   the nearest other token
    nearness  the cosine of the nearest other token
    """

    terms: Terms
    rank: int
    nearest: str
    nearness: float

    @property
    def sentence(self) -> str:
        """Which change has more effect."""
        piece, cosine = self.terms.piece, self.terms.table.set_index("term").loc[NORMED, "cosine"]
        if self.rank == 1:
            return (
                f"Changing the word would make a bigger difference. The cosine of the two vectors of “{piece}” is"
                f" {decimal(cosine)}. Any other token at the second position would have a lower cosine with the vector"
                f" at the first position (the next highest is that of “{self.nearest}”, {decimal(self.nearness)})."
            )
        count = counted(self.rank - 1, "other token")
        return (
            f"Changing the word could make a smaller difference: at the second position, {count} would be nearer than"
            f" “{piece}” (cosine {decimal(cosine)}) to the vector at the first. Nearest is “{self.nearest}”"
            f" ({decimal(self.nearness)})."
        )


@dataclass(frozen=True)
class Arrangements(Displayed):
    """How the top answer at a mask depends on positions and segments.

    frame   frame of `arranged`: the answers of every arrangement
    """

    frame: pd.DataFrame

    @property
    def headline(self) -> str:
        """The answer to the text as written, with the token moved, and with all words at one position."""
        rows = self.frame.set_index("arrangement")
        written = rows.loc[WRITTEN]
        text = f"For the text as written, BERT answers “{written['answer_1']}” ({rounded(written['probability'], 1)})."
        ways = ((MOVED, "With the token moved"), (HEAP, "With all words at position 1"))
        for way, name in ways:
            if way in rows.index:
                other = rows.loc[way]
                answers = "still answers" if other["answer_1"] == written["answer_1"] else "answers"
                text += f" {name}, it {answers} “{other['answer_1']}” ({rounded(other['probability'], 1)})."
        return text


@remembered
def compare_positions(
    texts: Sequence[str],
    model: "EmbeddingModel",
    *,
    piece: str,
    pair: bool = False,
    position: int | None = None,
    segment: int | None = None,
) -> Comparison:
    """Return the terms of a token at its first and its last position in one or two texts. Cached.

    Parameters
    ----------
    texts : sequence of str
        One or two texts.
    model : EmbeddingModel
    piece : str
        A token of the texts.
    pair : bool, default False
        Whether two texts are read as one pair; otherwise each is read alone.
    position, segment : int or None, optional
        New position and new segment id of the last occurrence.

    Returns
    -------
    Comparison
        The tokens of the texts, and the terms.

    Raises
    ------
    ValueError
        As `pieces` does, for a token that is not in the texts, and for a position or a segment id that the model does
        not have.
    """
    frame = input_terms.pieces(texts, model, pair=pair)
    result = input_terms.terms(frame, model, piece=piece, position=position, segment=segment)
    return Comparison(input_terms.first_values(frame, model), result)


def compare_words(
    texts: Sequence[str],
    model: "EmbeddingModel",
    *,
    piece: str,
    pair: bool = False,
    position: int | None = None,
    segment: int | None = None,
) -> OtherWords:
    """Return which other tokens, put at the second position, are nearer to the vector at the first than the token.

    Parameters
    ----------
    texts, model, piece, pair, position, segment
        As in `compare_positions`.

    Returns
    -------
    OtherWords
        The rank of the token itself, and the nearest other token.

    Raises
    ------
    ValueError
        As `compare_positions` does, and for a token that occurs once and is not moved.
    """
    result = compare_positions(texts, model, piece=piece, pair=pair, position=position, segment=segment).terms
    if len(result.occurrences) < 2:
        raise ValueError(f"The token {quoted(piece)} occurs once. Choose another token, or move it to a new position.")
    second = result.occurrences.iloc[1]
    cosines = np.empty(len(model.vocabulary), np.float32)
    for ids in np.array_split(np.arange(len(cosines)), len(cosines) // _AT_ONCE + 1):
        same = np.ones(len(ids), np.int64)
        made = input_parts(ids, model, segments=same * second["segment"], positions=same * second["position"]).normed
        cosines[ids] = cosine(result.vectors[0, -1], made)[0]
    own = model.ids[piece]
    rank = int((cosines > cosines[own]).sum()) + 1
    cosines[own] = -2
    best = int(cosines.argmax())
    return OtherWords(result, rank, model.vocabulary[best], float(cosines[best]))


def follow_dimension(
    texts: Sequence[str],
    model: "EmbeddingModel",
    *,
    piece: str,
    dimension: int,
    pair: bool = False,
    position: int | None = None,
    segment: int | None = None,
) -> pd.DataFrame:
    """Return how one of the d numbers is computed from the terms to the layer norm.

    Parameters
    ----------
    texts, model, piece
        As in `compare_positions`.
    dimension : int
        0 … d - 1.
    pair, position, segment
        As in `compare_positions`.

    Returns
    -------
    DataFrame
        Columns: step, value_1, and value_2 if there are two occurrences.

    Raises
    ------
    ValueError
        As `compare_positions` does, and for a dimension that the model does not have.
    """
    result = compare_positions(texts, model, piece=piece, pair=pair, position=position, segment=segment).terms
    return input_terms.steps(result, model, dimension=dimension)


def rearrange(
    texts: Sequence[str],
    model: "EmbeddingModel",
    *,
    piece: str,
    pair: bool = False,
    position: int | None = None,
    segment: int | None = None,
) -> Arrangements:
    """Return the answers at the first mask after the same words were given other positions and segments.

    Parameters
    ----------
    texts, model, piece, pair, position, segment
        As in `compare_positions`.

    Returns
    -------
    Arrangements
        The best answers of every arrangement, and how far the answers move.

    Raises
    ------
    ValueError
        As `compare_positions` does, and for a text without a mask.
    """
    result = compare_positions(texts, model, piece=piece, pair=pair, position=position, segment=segment)
    return Arrangements(arranged(result.tokens, model, result=result.terms))


def arranged(frame: pd.DataFrame, model: "EmbeddingModel", *, result: Terms) -> pd.DataFrame:
    """Return the answers at the first [MASK] with other positions and segments; if all positions are reversed or made
    equal, [CLS] and the last [SEP] keep theirs.
    """
    last = result.occurrences.iloc[-1]
    alone = (frame["position"] == 0).sum() > 1  # two texts, each with its own [CLS]
    rows = frame[frame["text"] == last["text"]] if alone else frame
    mask = mask_positions(rows, model)[0]
    t = len(rows)
    written, segments = np.arange(t), rows["segment"].to_numpy()
    ways = {WRITTEN: (written, segments)}
    if result.moved:
        own = int(last["own_position"])
        ways[MOVED] = (_replaced(written, own, last["position"]), _replaced(segments, own, last["segment"]))
    if model.has_segments:
        both = bool(segments.any())
        ways[ONE_SEGMENT if both else OTHER_SEGMENT] = (written, np.full(t, 0 if both else 1))
    inner = slice(1, t - 1)
    ways[REVERSED] = (np.concatenate([[0], written[inner][::-1], [t - 1]]), segments)
    ways[HEAP] = (np.where((written == 0) | (written == t - 1), written, 1), segments)
    positions, kinds = (np.stack(each) for each in zip(*ways.values(), strict=True))
    inputs = np.repeat(model.matrix[rows["id"].to_numpy()][None], len(ways), axis=0)
    states = last_states(inputs, model, at=[mask], segments=kinds, positions=positions)[:, 0]
    shares = probabilities(model.logits(model.transform(states)))
    best = int(shares[0].argmax())
    lines = []
    for name, share in zip(ways, shares, strict=True):
        order = top_k(share, _ANSWERS)
        words = [model.vocabulary[i] for i in order]
        lines.append((name, *words, share[order[0]], share[best], float(np.abs(share - shares[0]).sum() / 2)))
    names = [f"answer_{i}" for i in range(1, _ANSWERS + 1)]
    columns = ["arrangement", *names, "probability", "probability_as_written", "total_variation"]
    return pd.DataFrame(lines, columns=columns)


def _replaced(values: np.ndarray, at: int, value: int) -> np.ndarray:
    changed = values.copy()
    changed[at] = value
    return changed
