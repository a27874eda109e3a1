"""What a word attends to: in one head or several, compared with the unedited sentence and a control sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.attention.reading import Reading, read, rollout, shares
from embtools.mask_filling.edits import NO_CHANGE, Change
from embtools.messages import quoted
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

STRONGEST, ALL, ROLLOUT = "strongest head", "all heads", "rollout"
NOW, BEFORE, CONTROL = "share", "share_before", "share_control"
VERSUS = "share_second"
_DETERMINERS = frozenset(
    ("a", "an", "the", "my", "your", "his", "her", "its", "our", "their", "this", "that", "these", "those", "some",
     "every", "each", "no")
)  # fmt: skip


@dataclass(frozen=True)
class Readings:
    """A text that was read, and the readings it is compared with: before an edit, and of a control sentence."""

    now: Reading
    before: Reading | None = None
    control: Reading | None = None

    @property
    def others(self) -> dict[str, Reading]:
        """The readings that the first one is compared with, by column name."""
        readings = {BEFORE: self.before, CONTROL: self.control}
        return {name: reading for name, reading in readings.items() if reading is not None}


@dataclass(frozen=True)
class AttendedWords:
    """What some words attend to.

    source, target  the attending words, and the words that receive attention
    heads           what is shown: "4.2" (layer 4, head 2), "layer 4", "all heads" or "rollout"
    words           word, special ([CLS] or [SEP]), share (of the attention of the source), and a column for each other
                    reading: share_before (before the edit), share_control (in the control sentence)
    cells           layer, head, share (from source to target), the same columns, and share_second (of the words of
                    `versus`) if there is a second target
    control         the words of the control sentence in reading order; empty without a control sentence
    versus          the words of the second target, which is compared with the first in the same head
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    heads: str
    words: pd.DataFrame
    cells: pd.DataFrame
    control: tuple[str, ...] = ()
    versus: tuple[str, ...] = ()


def read_all(
    text: str,
    model: "EmbeddingModel",
    *,
    second: str | None = None,
    control: str | None = None,
    change: Change = NO_CHANGE,
) -> Readings:
    """Read a text (or pair) and the texts it is compared with. The control sentence gets the same edit as the text.

    Parameters
    ----------
    text : str
        A text.
    model : EmbeddingModel
    second : str or None, optional
        The second text of a pair.
    control : str or None, optional
        A sentence for comparison.
    change : Change, optional
        The edits, from `Change.of`.

    Returns
    -------
    Readings
        Tokens and hidden states of each text.

    Raises
    ------
    ValueError
        As `reading.read` does; if only the control sentence cannot be read, the message says so.
    """
    now = read(text, model, second=second, change=change)
    before = read(text, model, second=second) if change.edits else None
    try:
        other = read(control, model, second=second, change=change) if control else None
    except ValueError as error:
        raise ValueError(f"The control sentence cannot be read. {error}") from error
    return Readings(now, before, other)


def attend(
    readings: Readings,
    model: "EmbeddingModel",
    *,
    source: Sequence[str],
    target: Sequence[str],
    heads: str,
    versus: Sequence[str] = (),
) -> AttendedWords:
    """Return what some words attend to, and how much each head gives from them to other words.

    Parameters
    ----------
    readings : Readings
        From `read_all`.
    model : EmbeddingModel
    source : sequence of str
        The words that attend.
    target : sequence of str
        The words that are attended to.
    heads : str
        One head ("4.2": layer 4, head 2), "layer 4", "all heads", "rollout", or "strongest head": the one that gives
        most to the target, or to both targets together.
    versus : sequence of str, optional
        The words of a second target.

    Returns
    -------
    AttendedWords
        The attention (0 … 1) to each word, and to the targets by head.

    Raises
    ------
    ValueError
        For words or heads that are not there, and for a word in both targets.
    """
    now = readings.now
    if both := [word for word in target if word in versus]:
        raise ValueError(f"'{both[0]}' is in both targets. Choose different words.")
    given = shares(now, model, source=source)
    cells = _cells(now, given, target)
    if versus:
        cells[VERSUS] = _cells(now, given, versus)[NOW]
    if heads == STRONGEST:
        best = cells.loc[(cells[NOW] + cells[VERSUS] if versus else cells[NOW]).idxmax()]
        heads = f"{best['layer']:.0f}.{best['head']:.0f}"
    words = pd.DataFrame({"word": now.words, "special": now.special, NOW: _combined(now, given, source, heads, model)})
    for name, other in readings.others.items():
        there = matched(now, other)
        theirs = [there[word] for word in source if there[word]]
        if not theirs:
            continue
        divided = shares(other, model, source=theirs)
        row = dict(zip(other.words, _combined(other, divided, theirs, heads, model), strict=True))
        words[name] = [row.get(there[word], np.nan) for word in now.words]
        same = [there[word] for word in target if there[word]]
        cells[name] = _cells(other, divided, same)["share"] if same else np.nan
    control = readings.control.words if readings.control else ()
    return AttendedWords(tuple(source), tuple(target), heads, words, cells, control, tuple(versus))


def matched(one: Reading, other: Reading) -> dict[str, str]:
    """Map each word of a text to its counterpart in another text, "" if there is none.

    Words are matched by position if both texts have the same number of words, else by name.
    """
    if len(one.words) == len(other.words):
        return dict(zip(one.words, other.words, strict=True))
    return {word: word if word in other.words else "" for word in one.words}


def options(layers: int, heads: int) -> tuple[str, ...]:
    """Return all values of the argument `heads` of `attend`, for a model with these numbers of layers and heads.

    >>> options(1, 2)
    ('strongest head', 'all heads', 'rollout', 'layer 1', '1.1', '1.2')
    """
    every = range(1, layers + 1)
    single = (f"{layer}.{head}" for layer in every for head in range(1, heads + 1))
    return STRONGEST, ALL, ROLLOUT, *(f"layer {layer}" for layer in every), *single


def single_head(heads: str, layers: int, count: int) -> tuple[int, int] | None:
    """Return layer and number of a single head such as "4.2", None for several heads; ValueError for an unknown name.

    >>> single_head("4.2", 6, 12), single_head("layer 4", 6, 12)
    ((4, 2), None)
    """
    if heads not in options(layers, count):
        raise ValueError(
            f"There is no head {quoted(heads)}. Choose a layer from 1 to {layers} and a head from 1 to {count},"
            " such as '1.1'."
        )
    layer, dot, number = heads.partition(".")
    return (int(layer), int(number)) if dot else None


def head_name(heads: str) -> str:
    """Format a choice of heads for a sentence: a single head by layer and number.

    >>> head_name("4.2"), head_name("layer 4")
    ('layer 4, head 2', 'layer 4')
    """
    layer, dot, number = heads.partition(".")
    return f"layer {layer}, head {number}" if dot else heads


def default_source(reading: Reading) -> str:
    """Return the attending word if none is chosen: a pronoun, else the last word, else any token."""
    spoken = [w for w, special in zip(reading.words, reading.special, strict=True) if not special and w[0].isalpha()]
    pronouns = ("it", "he", "she", "they", "him", "her", "them", "this", "that")
    present = [pronoun for pronoun in pronouns if pronoun in spoken]
    return (present or spoken[::-1] or list(reading.words))[0]


def default_target(reading: Reading, model: "EmbeddingModel", *, source: Sequence[str]) -> str:
    """Return the target word if none is chosen: the likely word that gets most attention over all heads.

    Words before the source that follow a determiner are likely ("the dog … it"); if there are none, words of four
    letters or more. The source itself is never the target.
    """
    given = shares(reading, model, source=source).mean((0, 1))
    order = [reading.words[i] for i in np.argsort(-given)]
    framed = dict(zip(reading.words, reading.special, strict=True))
    others = [word for word in order if word not in source and not framed[word]]
    plain = [word.split(" (")[0] for word in reading.words]
    end = min(reading.words.index(word) for word in source)
    named = {reading.words[i] for i in range(1, end) if plain[i - 1] in _DETERMINERS and plain[i].isalpha()}
    content = [word for word in others if len(word.split(" (")[0]) >= 4 and word[0].isalpha()]
    return ([word for word in others if word in named] or content or others or order)[0]


def _combined(reading: Reading, given: Array, source: Sequence[str], heads: str, model: "EmbeddingModel") -> Array:
    """Return the shares (u,) of one head, or combined over several heads."""
    single = single_head(heads, model.layers, model.heads)
    if single:
        return given[single[0] - 1, single[1] - 1]
    if heads == ROLLOUT:
        return reading.to_words(rollout(reading.states, model)[reading.positions(source)].mean(0))
    return given.mean((0, 1)) if heads == ALL else given[int(heads.split()[1]) - 1].mean(0)


def _cells(reading: Reading, given: Array, target: Sequence[str]) -> pd.DataFrame:
    layers, heads, _ = given.shape
    reading.positions(target)  # raises ValueError for an unknown word
    numbers = sorted({reading.words.index(word) for word in target})
    return pd.DataFrame(
        {
            "layer": np.repeat(np.arange(1, layers + 1), heads),
            "head": np.tile(np.arange(1, heads + 1), layers),
            NOW: given[..., numbers].sum(-1).ravel(),
        }
    )
