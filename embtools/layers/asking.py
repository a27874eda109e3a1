"""What a visitor's own sentences ask for: those that hold the word, and what to do about the others."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from embtools import wordlists
from embtools.messages import shortened
from embtools.words.occurrences import (
    MAX_OCCURRENCES,
    MAX_PIECES,
    MAX_SENTENCES,
    pieces_of,
    positions,
    split_line,
)

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_WORD = re.compile(r"[^\W\d_]{3,}")
_OTHERS = 4  # words at most that are offered in place of one
_MOST_BUILT_IN = 8  # sentences that are offered for a word
_ALIKE = 0.7  # of difflib: bank and banks, spring and sprang, colour and color


@dataclass(frozen=True)
class Aside:
    """A line that is set aside, why, and the form of the word that stands in it ("" for none)."""

    line: str
    why: str
    form: str = ""


@dataclass(frozen=True)
class Reading:
    """The word that is compared, in which lines, and which are set aside.

    problem   why it is not the word that was asked for; "" where it is
    others    more words that occur at least twice in the lines
    """

    word: str
    lines: tuple[str, ...]
    aside: tuple[Aside, ...]
    problem: str = ""
    others: tuple[str, ...] = ()


def read(word: str, lines: Sequence[str], model: "EmbeddingModel") -> Reading:
    """The lines in which a word can be compared; where it does not occur twice, another word that does.

    Raises ValueError where no word occurs twice.
    """
    try:
        kept, aside, count = _parted(word, lines, model)
        problem = ""
        if count < 2:
            named = f"“{shortened(word)}”"
            problem = f"{named} occurs only once in these sentences." if count else f"No sentence contains {named}."
    except ValueError as error:
        problem = str(error)
    if not problem:
        return Reading(word, kept, aside)
    found = [reading for other in in_common(word, lines) if (reading := _instead(other, lines, model, problem))]
    if not found:
        raise ValueError(f"{problem} It takes two occurrences to compare: write two sentences with the same word.")
    return replace(found[0], others=tuple(other.word for other in found[1:_OTHERS]))


def _instead(word: str, lines: Sequence[str], model: "EmbeddingModel", problem: str) -> Reading | None:
    """The reading for another word than the one asked for, where that can be compared."""
    try:
        kept, aside, count = _parted(word, lines, model)
    except ValueError:  # a word that this model cannot read
        return None
    return Reading(word, kept, aside, problem) if count > 1 else None


def in_common(word: str, lines: Sequence[str]) -> list[str]:
    """The words that occur twice or more in the lines: those like `word` first, then the most frequent, the longest.

    Function words such as "the" are left out.

    >>> in_common("bank", ["He sprang up.", "A spring day in spring."])
    ['spring']
    """
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    counts = Counter(w for line in lines for w in _words(split_line(line)[1]))
    often = [w for w, count in counts.items() if count > 1 and w not in ENGLISH_STOP_WORDS]
    alike = set(get_close_matches(word.strip().lower(), often, 3, _ALIKE))
    return sorted(often, key=lambda w: (w not in alike, -counts[w], -len(w)))[: 2 * _OTHERS]


def built_in(word: str, model: "EmbeddingModel") -> tuple[str, ...]:
    """Up to eight sentences of the built-in lists with a word, as lines; none where it does not occur twice in them.

    Sentences of `senses.csv` about this word have their sense in front.
    """
    form = re.compile(rf"(?<!\w){re.escape(word.strip())}(?!\w)", re.IGNORECASE)
    found: dict[str, None] = {}
    for row in wordlists.load("senses").itertuples():
        if form.search(row.sentence):
            found[f"{row.sense} | {row.sentence}" if row.word == word.strip().lower() else row.sentence] = None
    found |= dict.fromkeys(text for text in wordlists.load("corpus")["sentence"] if form.search(text))
    return _readable(word, tuple(found), model)[:_MOST_BUILT_IN]


def starter(word: str, model: "EmbeddingModel") -> tuple[str, ...]:
    """Two sentences with a word, to be rewritten; none for a word that this model cannot find in them."""
    word = word.strip()
    return _readable(word, (f"This is {word}.", f"Yesterday we talked about {word}."), model)


def _readable(word: str, lines: Sequence[str], model: "EmbeddingModel") -> tuple[str, ...]:
    """The lines in which a word can be compared; none where it does not occur twice."""
    try:
        kept, _, count = _parted(word, lines, model)
    except ValueError:
        return ()
    return kept if count > 1 else ()


def rewritten(line: str, form: str, word: str) -> str:
    """The line with the word in place of another form of it.

    >>> rewritten("money | Banks are closed.", "banks", "bank")
    'money | bank are closed.'
    """
    return re.sub(rf"(?<!\w){re.escape(form)}(?!\w)", lambda _: word, line, flags=re.IGNORECASE)


def _parted(word: str, lines: Sequence[str], model: "EmbeddingModel") -> tuple[tuple[str, ...], tuple[Aside, ...], int]:
    """The lines that can be read together, those set aside, and how often the word occurs in the first."""
    pieces = pieces_of(word, model)
    kept: list[str] = []
    aside: list[Aside] = []
    occurrences = length = 0
    for line in lines:
        senses, sentence = split_line(line)
        form = ""
        try:
            tokens = model.tokenize(sentence)["token"].tolist()
            count = len(positions(tokens, pieces))
            if not count:
                form = next(iter(get_close_matches(word.strip().lower(), _words(sentence), 1, _ALIKE)), "")
                raise ValueError(f"It does not have “{shortened(word)}” in this form.")
            if len(senses) not in (0, 1, count):
                raise ValueError(
                    f"It has {count} occurrences and {len(senses)} senses. Give one sense for all of them, or one for"
                    " each."
                )
            if len(kept) == MAX_SENTENCES:
                raise ValueError(f"At most {MAX_SENTENCES} sentences are read at once.")
            if occurrences + count > MAX_OCCURRENCES:
                raise ValueError(f"At most {MAX_OCCURRENCES} occurrences are compared.")
            if length + len(tokens) > MAX_PIECES:
                raise ValueError(f"At most {MAX_PIECES:,} pieces are read at once.")
        except ValueError as error:
            aside.append(Aside(line, str(error), form))
            continue
        kept.append(line)
        occurrences += count
        length += len(tokens)
    return tuple(kept), tuple(aside), occurrences


def _words(sentence: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(sentence)]
