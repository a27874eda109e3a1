"""A token of one or two texts at its first and its last position: its terms, other words, and the answer at a mask."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from embtools.inputs import arrangements, input_terms
from embtools.inputs.input_terms import NORMED, Others, Terms
from embtools.memory import remembered
from embtools.messages import counted, quoted
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


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

    terms    the terms of the token at both positions
    others   the rank of the token among all tokens at the second position, and the nearest other token
    """

    terms: Terms
    others: Others

    @property
    def sentence(self) -> str:
        """Which change has more effect."""
        others, piece = self.others, self.terms.piece
        cosine = self.terms.table.set_index("term").loc[NORMED, "cosine"]
        if others.rank == 1:
            return (
                f"Changing the word would make a bigger difference. The cosine of the two vectors of “{piece}” is"
                f" {decimal(cosine)}. Any other token at the second position would have a lower cosine with the vector"
                f" at the first position (the next highest is that of “{others.nearest}”, {decimal(others.cosine)})."
            )
        count = counted(others.rank - 1, "other token")
        return (
            f"Changing the word could make a smaller difference: at the second position, {count} would be nearer than"
            f" “{piece}” (cosine {decimal(cosine)}) to the vector at the first. Nearest is “{others.nearest}”"
            f" ({decimal(others.cosine)})."
        )


@dataclass(frozen=True)
class Arrangements:
    """How the top answer at a mask depends on positions and segments.

    frame   frame of `arrangements.answers`
    """

    frame: pd.DataFrame

    @property
    def headline(self) -> str:
        """The answer to the text as written, with the token moved, and with all words at one position."""
        rows = self.frame.set_index("arrangement")
        written = rows.loc[arrangements.WRITTEN]
        text = f"For the text as written, BERT answers “{written['answer_1']}” ({rounded(written['probability'], 1)})."
        ways = ((arrangements.MOVED, "With the token moved"), (arrangements.HEAP, "With all words at position 1"))
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
    return OtherWords(result, input_terms.others(result, model))


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
    return Arrangements(arrangements.answers(result.tokens, model, result=result.terms))
