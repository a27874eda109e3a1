"""A corpus: sentences, and the sense that a word has in some of them. The built-in one, or a text that was given."""

import csv
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import StringIO

from embtools import wordlists

MAX_CHARACTERS = 1_000_000
"""Of a text that is given: more than 50,000 words have."""

# Nothing in it is tried twice, however many dots, quotes or spaces follow each other: a visitor's text may be all dots.
_END = re.compile(r"(?<![.!?…])(?P<stop>[.!?…]++)(?P<quote>[\"'”’)\]]*+)\s++(?=[^a-z])")
_SHORT = re.compile(r"(?:^|[\s(\"'“‘])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|cf|Fig|fig|p|pp)\.$")
_LONGEST_SHORT = 8  # signs: more than any of these have, with the one before them


@dataclass(frozen=True, repr=False)
class Corpus:
    """Sentences, and for each of them a word and its sense there ("", "" where none is given).

    It is hashable: what is remembered about a corpus is remembered by its content.
    """

    sentences: tuple[str, ...]
    senses: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if not self.senses:
            object.__setattr__(self, "senses", (("", ""),) * len(self.sentences))
        if len(self.senses) != len(self.sentences):
            raise ValueError(f"There are {len(self.sentences)} sentences and {len(self.senses)} senses. Give one each.")

    def __repr__(self) -> str:
        return f"<Corpus: {len(self.sentences):,} sentences, {hash(self) & 0xFFFFFFFF:08x}>"

    def having(self, word: str) -> "Corpus":
        """The part whose sentences have a word, in any case and with any accent; it may be empty.

        >>> Corpus(("A bank.", "Banks.", "The Bank fell.")).having("bank").sentences
        ('A bank.', 'The Bank fell.')
        """
        found = re.compile(rf"(?<!\w){re.escape(_bare(word.strip()))}(?!\w)")
        return self.part([n for n, sentence in enumerate(self.sentences) if found.search(_bare(sentence))])

    def part(self, numbers: Sequence[int]) -> "Corpus":
        """The sentences of these numbers (from 0), in this order."""
        return Corpus(tuple(self.sentences[n] for n in numbers), tuple(self.senses[n] for n in numbers))


def _bare(text: str) -> str:
    """A text in small letters without accents."""
    if text.isascii():
        return text.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


@cache
def built_in_corpus() -> Corpus:
    """About a thousand sentences: `corpus.csv`, and the sense-labelled ones of `senses.csv`.

    >>> built_in_corpus().having("bank").senses[:2]
    (('bank', 'money'), ('bank', 'money'))
    """
    labelled, plain = wordlists.load("senses"), wordlists.load("corpus")
    senses = tuple(zip(labelled["word"], labelled["sense"], strict=True))
    return Corpus((*labelled["sentence"], *plain["sentence"]), (*senses, *[("", "")] * len(plain)))


def read_corpus(text: str) -> Corpus:
    """A text as a corpus: a line may hold several sentences. Sentences that come twice count once.

    A table with a column "sentence" (CSV with a head line) is read as one; its columns "word" and "sense", if it has
    them, say which sense a word has there. Raises ValueError for a text that is empty, too long, or no text at all.
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"The text has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read. Take a part of it."
        )
    if "\0" in text:
        raise ValueError("This is not a text: it has bytes that no text has. Give plain text (UTF-8) or CSV.")
    table = _table(text)
    if table is None:
        rows = [(sentence, "", "") for line in text.splitlines() for sentence in split_sentences(line)]
    else:
        rows = [
            (part, line["word"].lower(), line["sense"])
            for line in table
            for part in _pieces(" ".join(line["sentence"].split()))
        ]
    kept: dict[str, tuple[str, str]] = {}
    for sentence, word, sense in rows:
        kept.setdefault(sentence, (word, sense) if word and sense else ("", ""))
    if not kept:
        raise ValueError("There is no sentence in the text. Paste a text, or choose the built-in one.")
    return Corpus(tuple(kept), tuple(kept.values()))


def decoded(data: bytes) -> str:
    """The text of an uploaded file; ValueError for one that is not UTF-8 text, or too long.

    >>> decoded("\\ufeffÉtude".encode())
    'Étude'
    """
    if len(data) > 4 * MAX_CHARACTERS:
        raise ValueError(f"The file has {len(data) / 1e6:.0f} MB; at most {4 * MAX_CHARACTERS / 1e6:.0f} are read.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("This file is not UTF-8 text. Save it as plain text or CSV in UTF-8.") from None
    if "\0" in text:
        raise ValueError("This file is not a text: it has bytes that no text has. Give plain text or CSV.")
    return text


def split_sentences(line: str, longest: int = 0) -> list[str]:
    """The sentences of a line; what is longer than a model's field reads (or `longest`) is cut between words.

    By a rule of thumb: a full stop, a space, and no small letter behind it; not after "Dr." or an initial.

    >>> split_sentences('He met Dr. Low. "Why?" she asked. It rained')
    ['He met Dr. Low.', '"Why?" she asked.', 'It rained']
    """
    if longest < 0:
        raise ValueError(f"A sentence cannot have {longest} characters. Choose 1 or more, or 0 for a model's limit.")
    parts, begin = [], 0
    for end in _END.finditer(line):
        stop = end.end("stop")
        if end["quote"] or not _SHORT.search(line[max(begin, stop - _LONGEST_SHORT) : stop]):
            parts.append(line[begin : end.end()])
            begin = end.end()
    parts.append(line[begin:])
    return [piece for part in parts for piece in _pieces(" ".join(part.split()), longest)]


def _pieces(sentence: str, longest: int = 0) -> list[str]:
    pieces = []
    if not longest:
        from embtools.models.embedding_model import MAX_CHARACTERS as longest  # which brings torch

    while len(sentence) > longest:
        cut = sentence.rfind(" ", 1, longest)
        cut = longest if cut < 0 else cut
        pieces.append(sentence[:cut])
        sentence = sentence[cut:].strip()
    return [*pieces, sentence] if any(c.isalnum() for c in sentence) else pieces


def _table(text: str) -> list[dict[str, str]] | None:
    """The lines of the text as a table (sentence, word, sense), if its first line names a column "sentence"."""
    text = text.lstrip("\ufeff").lstrip()
    head = text.partition("\n")[0]
    separator = next((sign for sign in "\t;," if sign in head), ",")
    names = [name.strip().strip('"').lower() for name in head.split(separator)]
    if "sentence" not in names:
        return None
    lines = csv.DictReader(StringIO(text), names, restval="", delimiter=separator, strict=True)
    try:
        next(lines)
        return [{name: (line.get(name) or "").strip() for name in ("sentence", "word", "sense")} for line in lines]
    except csv.Error as error:
        raise ValueError(f"The table cannot be read: {error}. Put texts with a comma or a quote in quotes.") from None
