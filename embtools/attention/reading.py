"""A text that was read for attention: its tokens, its words, and the hidden states that give all weights."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.limits import several
from embtools.mask_filling.edits import NO_CHANGE, Change, resolve
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.models.attention import attention
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

BEFORE, CONTROL = "share_before", "share_control"
_DETERMINERS = frozenset(
    ("a", "an", "the", "my", "your", "his", "her", "its", "our", "their", "this", "that", "these", "those", "some",
     "every", "each", "no")
)  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """One text (or pair of texts) that was read: t tokens in u words, l layers.

    tokens   position, token, id, segment, word (the number of its word here: 0 … u - 1), special ([CLS] or [SEP])
    words    the u names; repeated words are numbered: "the", "the (2)"
    states   hidden states (l + 1, t, d)
    """

    tokens: pd.DataFrame
    words: tuple[str, ...]
    states: Array

    @cached_property
    def special(self) -> Array:
        """(u,) True for the special tokens around a text: [CLS] and [SEP]."""
        return np.asarray(self.tokens.groupby("word")["special"].first().to_numpy(bool))

    def named(self, words: Sequence[str | int]) -> tuple[str, ...]:
        """Return the names of words that are given by name or by number; ValueError for a number without a word."""
        names: dict[str | int, str] = {**dict(enumerate(self.words)), **{name: name for name in self.words}}
        given = [int(word) if isinstance(word, Integral) else str(word) for word in several(words, "words")]
        if any(isinstance(word, int) and word not in names for word in given):
            raise ValueError(f"The sentence has words 0 to {len(self.words) - 1}. Choose among them.")
        return tuple(dict.fromkeys(names.get(word) or names.get(str(word).lower(), str(word)) for word in given))

    def numbers(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return the numbers of words in reading order: the same for models that name words differently."""
        return tuple(self.words.index(name) for name in names)

    def positions(self, names: Sequence[str]) -> list[int]:
        """Return the positions of the tokens of some words; ValueError for a word that is not in the text."""
        if not names:
            raise ValueError("No word is chosen. Choose a word of the sentence.")
        missing = next((name for name in names if name not in self.words), None)
        if missing is not None:
            raise ValueError(f"{quoted(missing)} is not in the sentence. Choose a word of the sentence.")
        numbers = {self.words.index(name) for name in names}
        return [int(p) for p in self.tokens.loc[self.tokens["word"].isin(numbers), "position"]]

    def to_words(self, weights: Array) -> Array:
        """Return weights (…, t) on tokens as weights (…, u) on words: those of a word's tokens are added."""
        starts = np.flatnonzero(np.diff(self.tokens["word"].to_numpy(), prepend=-1))
        return np.add.reduceat(weights, starts, axis=-1)


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


def read(text: str, model: "EmbeddingModel", *, second: str = "", change: Change = NO_CHANGE) -> Reading:
    """Read a text, or a pair of texts, with changed embeddings of some words, which must all be in it."""
    tokens = model.tokenize(text, second.strip() or None)
    patch, ids = resolve(change, model), tokens["id"].to_numpy()
    patch.check_present(ids, model)
    inputs = patch.embed(ids, model)
    states = model.encode(inputs[None], tokens["segment"].to_numpy())[:, 0]
    tokens = tokens.assign(special=tokens["word"] < 0)
    tokens["word"] = ((tokens["word"] != tokens["word"].shift()) | tokens["special"]).cumsum() - 1
    return Reading(tokens, _names(tokens), states)


@remembered
def read_all(
    text: str, model: "EmbeddingModel", *, second: str = "", control: str = "", edits: Sequence[str] = ()
) -> Readings:
    """Read a text (or pair) and the texts it is compared with; cached.

    The control sentence gets the same edits as the text.

    Parameters
    ----------
    text : str
        A text.
    model : EmbeddingModel
    second : str, optional
        The second text of a pair.
    control : str, optional
        A sentence for comparison.
    edits : sequence of str, optional
        Edits of words' embeddings, such as "animal = animal - dog + car".

    Returns
    -------
    Readings
        Tokens and hidden states of each text.

    Raises
    ------
    ValueError
        As `EmbeddingModel.tokenize` and `edited_model` do, and for an edited word that is not in a text; if only the
        control sentence cannot be read, the message says so.
    """
    change = Change.of(edits)
    now = read(text, model, second=second, change=change)
    before = read(text, model, second=second) if change.edits else None
    try:
        other = read(control, model, second=second, change=change) if control.strip() else None
    except ValueError as error:
        raise ValueError(f"The control sentence cannot be read. {error}") from error
    return Readings(now, before, other)


def shares(reading: Reading, model: "EmbeddingModel", *, source: Sequence[str]) -> Array:
    """Return how each head divides the attention of some words, on average, among all words: (l, h, u), rows that sum
    to 1 (Clark et al. 2019, section 4.1).
    """
    rows = attention(reading.states, model, rows=reading.positions(source))
    # The weights of a word's tokens are added if it receives attention, and averaged if it attends.
    return reading.to_words(rows.mean(2))


def matched(one: Reading, other: Reading) -> dict[str, str]:
    """Map each word of a text to its counterpart in another one, by position or else by name, "" if there is none."""
    if len(one.words) == len(other.words):
        return dict(zip(one.words, other.words, strict=True))
    return {word: word if word in other.words else "" for word in one.words}


def default_source(reading: Reading) -> str:
    """Return the attending word if none is chosen: a pronoun, else the last word, else any token."""
    spoken = [w for w, special in zip(reading.words, reading.special, strict=True) if not special and w[0].isalpha()]
    pronouns = ("it", "he", "she", "they", "him", "her", "them", "this", "that")
    present = [pronoun for pronoun in pronouns if pronoun in spoken]
    return (present or spoken[::-1] or list(reading.words))[0]


def default_target(reading: Reading, model: "EmbeddingModel", *, source: Sequence[str]) -> str:
    """Return the target word if none is chosen: the likely word that gets most attention over all heads."""
    given = shares(reading, model, source=source).mean((0, 1))
    order = [reading.words[i] for i in np.argsort(-given)]
    framed = dict(zip(reading.words, reading.special, strict=True))
    others = [word for word in order if word not in source and not framed[word]]
    plain = [word.split(" (")[0] for word in reading.words]
    end = min(reading.words.index(word) for word in source)
    # Words before the source that follow a determiner are likely: "the dog … it".
    named = {reading.words[i] for i in range(1, end) if plain[i - 1] in _DETERMINERS and plain[i].isalpha()}
    content = [word for word in others if len(word.split(" (")[0]) >= 4 and word[0].isalpha()]
    return ([word for word in others if word in named] or content or others or order)[0]


def _names(tokens: pd.DataFrame) -> tuple[str, ...]:
    counts: Counter[str] = Counter()
    names = []
    for _, pieces in tokens.groupby("word")["token"]:
        name = pieces.iloc[0] + "".join(piece.removeprefix("##") for piece in pieces.iloc[1:])
        counts[name] += 1
        names.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return tuple(names)
