"""The visitor's own sentences: which lines contain the word, and suggestions for the other lines."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from embtools import wordlists
from embtools.limits import several
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

_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’](?=[^\W\d_])){2,}")
_OTHERS = 4  # the largest number of other words that are suggested
_MOST_BUILT_IN = 8  # the largest number of sentences that are offered for a word
_SIMILARITY = 0.7  # difflib ratio: bank and banks, spring and sprang, colour and color


@dataclass(frozen=True)
class Skipped:
    """A line that is not compared.

    why     the reason, for the visitor
    form    a similar form of the word that occurs in the line; "" for none
    """

    line: str
    why: str
    form: str = ""


@dataclass(frozen=True)
class Reading:
    """The word that is compared, and the lines.

    word      the word that is compared, which is not always the typed word
    lines     the lines that are compared
    skipped   the lines that are not compared
    problem   why the typed word cannot be compared; "" if it can
    others    other words that occur at least twice in the lines
    """

    word: str
    lines: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    problem: str = ""
    others: tuple[str, ...] = ()


def read(word: str, model: "EmbeddingModel", *, lines: Sequence[str]) -> Reading:
    """The lines in which a word can be compared; if it does not occur twice, another word that does."""
    word, lines = word.strip(), several(lines, "sentences")
    try:
        # An apostrophe is a token: only words with the same one can be compared, the one that occurs most often.
        forms = dict.fromkeys((word, word.replace("’", "'"), word.replace("'", "’")))
        splits = {form: _split(form, lines, model) for form in forms}
        word = max(splits, key=lambda form: splits[form][2])
        usable, skipped, count = splits[word]
        problem = ""
        if count < 2:
            named = f"“{shortened(word)}”"
            problem = f"{named} occurs only once in these sentences." if count else f"No sentence contains {named}."
    except ValueError as error:
        problem = str(error)
    if not problem:
        return Reading(word, usable, skipped)
    found = [reading for other in in_common(word, lines) if (reading := _instead(other, lines, model, problem))]
    if not found:
        raise ValueError(f"{problem} A comparison needs two occurrences. Write two sentences with the same word.")
    return replace(found[0], others=tuple(other.word for other in found[1:_OTHERS]))


def _instead(word: str, lines: Sequence[str], model: "EmbeddingModel", problem: str) -> Reading | None:
    """The reading for another word than the typed one; None if it cannot be compared."""
    try:
        usable, skipped, count = _split(word, lines, model)
    except ValueError:  # a word that this model cannot read
        return None
    return Reading(word, usable, skipped, problem) if count > 1 else None


def in_common(word: str, lines: Sequence[str]) -> list[str]:
    """The words that occur at least twice in the lines, without function words, those similar to `word` first, then by
    frequency and length.

    >>> in_common("bank", ["He sprang up.", "A spring day in spring."])
    ['spring']
    """
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    typed = [w for line in lines for w in _words(split_line(line)[1])]
    parts = {w: [part for part in re.split("['’]", w) if 2 < len(part) < len(w)] for w in typed}
    counts = Counter(typed) + Counter(part for w in typed for part in parts[w])  # dog's counts as dog too
    counts.subtract({part: counts[part] for w in parts for part in parts[w] if counts[part] == counts[w]})
    often = [w for w, count in counts.items() if count > 1 and re.split("['’]", w)[0] not in ENGLISH_STOP_WORDS]
    similar = set(get_close_matches(word.strip().lower(), often, 3, _SIMILARITY))
    return sorted(often, key=lambda w: (w not in similar, -counts[w], -len(w)))[: 2 * _OTHERS]


def built_in(word: str, model: "EmbeddingModel") -> tuple[str, ...]:
    """Up to eight built-in sentences with a word, as lines; none if it does not occur twice in them.

    Sentences of `senses.csv` about this word begin with their sense.

    Parameters
    ----------
    word : str
        A word.
    model : EmbeddingModel

    Returns
    -------
    tuple of str
        The lines, as in `one_word`.
    """
    form = re.compile(rf"(?<!\w){re.escape(word.strip())}(?!\w)", re.IGNORECASE)
    found: dict[str, None] = {}
    for row in wordlists.load("senses").itertuples():
        if form.search(row.sentence):
            found[f"{row.sense} | {row.sentence}" if row.word == word.strip().lower() else row.sentence] = None
    found |= dict.fromkeys(text for text in wordlists.load("corpus")["sentence"] if form.search(text))
    return _readable(word, tuple(found), model)[:_MOST_BUILT_IN]


def starter(word: str, model: "EmbeddingModel") -> tuple[str, ...]:
    """Two sentences with a word, for the visitor to rewrite; none if the model does not find the word in them.

    Parameters
    ----------
    word : str
        A word.
    model : EmbeddingModel

    Returns
    -------
    tuple of str
        The lines, as in `one_word`.
    """
    word = word.strip()
    return _readable(word, (f"This is {word}.", f"Yesterday we talked about {word}."), model)


def _readable(word: str, lines: Sequence[str], model: "EmbeddingModel") -> tuple[str, ...]:
    """The lines in which a word can be compared; none if it does not occur twice."""
    try:
        usable, _, count = _split(word, lines, model)
    except ValueError:
        return ()
    return usable if count > 1 else ()


def rewritten(line: str, form: str, word: str) -> str:
    """The line with `form` replaced by `word`.

    >>> rewritten("money | Banks are closed.", "banks", "bank")
    'money | bank are closed.'
    """
    return re.sub(rf"(?<!\w){re.escape(form)}(?!\w)", lambda _: word, line, flags=re.IGNORECASE)


def _split(
    word: str, lines: Sequence[str], model: "EmbeddingModel"
) -> tuple[tuple[str, ...], tuple[Skipped, ...], int]:
    """The lines that can be compared, the lines that cannot, and how often the word occurs in the former."""
    pieces = pieces_of(word, model)
    usable: list[str] = []
    skipped: list[Skipped] = []
    occurrences = length = 0
    for line in lines:
        senses, sentence = split_line(line)
        form = ""
        try:
            tokens = model.tokenize(sentence)["token"].tolist()
            count = len(positions(tokens, pieces))
            if not count:
                form = next(iter(get_close_matches(word.strip().lower(), _words(sentence), 1, _SIMILARITY)), "")
                raise ValueError(f"It does not contain “{shortened(word)}” in this form.")
            if len(senses) not in (0, 1, count):
                raise ValueError(
                    f"It has {count} {'occurrence' if count == 1 else 'occurrences'} but {len(senses)} senses. Give one"
                    " sense for all occurrences, or one for each."
                )
            if len(usable) == MAX_SENTENCES:
                raise ValueError(f"At most {MAX_SENTENCES} sentences can be compared at once.")
            if occurrences + count > MAX_OCCURRENCES:
                raise ValueError(f"At most {MAX_OCCURRENCES} occurrences can be compared at once.")
            if length + len(tokens) > MAX_PIECES:
                raise ValueError(f"At most {MAX_PIECES:,} tokens can be read at once.")
        except ValueError as error:
            skipped.append(Skipped(line, str(error), form))
            continue
        usable.append(line)
        occurrences += count
        length += len(tokens)
    return tuple(usable), tuple(skipped), occurrences


def _words(sentence: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(sentence)]
