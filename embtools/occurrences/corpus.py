"""A corpus of sentences with optional sense labels: the built-in corpus, or a text given by a visitor."""

import csv
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from io import StringIO
from typing import ClassVar

from embtools import wordlists
from embtools.layer_combinations import SUM_FOUR
from embtools.memory import remembered
from embtools.models import text_reader
from embtools.occurrences.visitor_text import visitor_sentences

MAX_CHARACTERS = 1_000_000
"""The largest number of characters of a text; 50,000 words have fewer."""

# Possessive quantifiers prevent backtracking, because a visitor's text may consist of dots, quotes or spaces only.
_END = re.compile(r"(?<![.!?…])(?P<stop>[.!?…]++)(?P<quote>[\"'”’)\]]*+)\s++(?=[^a-z])")
_SHORT = re.compile(r"(?:^|[\s(\"'“‘])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|cf|Fig|fig|p|pp)\.$")
_LONGEST_SHORT = 8  # characters: more than any abbreviation has, including the character before it


@dataclass(frozen=True, repr=False)
class Corpus:
    """Sentences, and for each of them a word and its sense ("", "" if none is labelled).

    A corpus is hashable, so results can be cached by its content. `made_by` is the Python that makes it, if it is
    shorter than the sentences. `notes` say what was done to the text. The other
    attributes are those of `opened.AnyCorpus`.
    """

    sentences: tuple[str, ...]
    senses: tuple[tuple[str, str], ...] = ()
    made_by: str = field(default="", compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)
    where: ClassVar[str] = "the text"
    means: ClassVar[str] = "all tokens of a sentence"
    combination: ClassVar[str] = SUM_FOUR
    any_layers: ClassVar[bool] = True
    any_model: ClassVar[bool] = True
    any_space: ClassVar[bool] = True
    is_encoded: ClassVar[bool] = False
    lists_all: ClassVar[bool] = True
    labels_senses: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not self.senses:
            object.__setattr__(self, "senses", (("", ""),) * len(self.sentences))
        if len(self.senses) != len(self.sentences):
            raise ValueError(
                f"There are {len(self.sentences)} sentences but {len(self.senses)} senses. Give one sense per sentence."
            )

    def __repr__(self) -> str:
        return f"<Corpus: {len(self.sentences):,} sentences, {hash(self) & 0xFFFFFFFF:08x}>"

    @property
    def code(self) -> str:
        """The corpus as Python.

        >>> Corpus(("A bank.",)).code
        "Corpus(('A bank.',))"
        """
        labels = f", {self.senses!r}" if any(word for word, _ in self.senses) else ""
        return self.made_by or f"Corpus({self.sentences!r}{labels})"

    @property
    def imports(self) -> tuple[str, ...]:
        """The line that imports what `code` calls."""
        return (f"from {type(self).__module__} import {self.code.partition('(')[0]}",)

    def contains(self, word: str) -> bool:
        """Whether a sentence contains a word, ignoring case and accents.

        >>> Corpus(("A bank.",)).contains("Bank")
        True
        """
        return bool(self.having(word).sentences)

    def having(self, word: str) -> "Corpus":
        """The sentences that contain a word, ignoring case and accents, as a corpus, which may be empty.

        >>> Corpus(("A bank.", "Banks.", "The Bank fell.")).having("bank").sentences
        ('A bank.', 'The Bank fell.')
        """
        found = re.compile(rf"(?<!\w){re.escape(_bare(word.strip()))}(?!\w)")
        return self.part([n for n, sentence in enumerate(self.sentences) if found.search(_bare(sentence))])

    def part(self, numbers: Sequence[int]) -> "Corpus":
        """The sentences with these numbers (from 0), in this order, as a corpus."""
        return Corpus(tuple(self.sentences[n] for n in numbers), tuple(self.senses[n] for n in numbers))


def _bare(text: str) -> str:
    """A text in lower case without accents."""
    if text.isascii():
        return text.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


@cache
def built_in_corpus() -> Corpus:
    """The built-in corpus of 1,004 sentences: those of `senses.csv` with labelled senses, and those of `corpus.csv`.

    >>> built_in_corpus().having("bank").senses[:2]
    (('bank', 'money'), ('bank', 'money'))
    """
    labelled, plain = wordlists.load("senses"), wordlists.load("corpus")
    senses = tuple(zip(labelled["word"], labelled["sense"], strict=True))
    return Corpus((*labelled["sentence"], *plain["sentence"]), (*senses, *[("", "")] * len(plain)), "built_in_corpus()")


@remembered
def read_corpus(text: str, *, as_written: bool = False) -> Corpus:
    """A text, or a CSV table of sentences, as a corpus. Repeated sentences count once.

    A line of a text may contain several sentences. Unless `as_written`, the lines of wrapped paragraphs are joined, and
    subtitles lose their time codes and tags (`visitor_text.visitor_sentences`).

    A CSV table needs a first line that names a column "sentence". The optional columns "word" and "sense" label the
    sense of a word. Raises ValueError for a text that is empty, too long or not a text.
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"The text has {len(text):,} characters; at most {MAX_CHARACTERS:,} are allowed. Use a part of it."
        )
    if "\0" in text:
        raise ValueError("This is not a text: it contains bytes that texts do not have. Use plain text (UTF-8) or CSV.")
    table = _table(text)
    notes: tuple[str, ...] = ()
    if table is None:
        read = visitor_sentences(text, as_written=as_written)
        rows, notes = [(piece, "", "") for sentence in read.sentences for piece in _pieces(sentence)], read.notes
    else:
        rows = [
            (part, line["word"].lower(), line["sense"])
            for line in table
            for part in _pieces(" ".join(line["sentence"].split()))
        ]
    labels: dict[str, tuple[str, str]] = {}
    for sentence, word, sense in rows:
        labels.setdefault(sentence, (word, sense) if word and sense else ("", ""))
    if not labels:
        raise ValueError("There is no sentence in the text. Paste a text, or choose the built-in corpus.")
    option = ", as_written=True" if as_written else ""
    return Corpus(tuple(labels), tuple(labels.values()), f"read_corpus({text!r}{option})", notes)


def decoded(data: bytes) -> str:
    """The text of an uploaded file. Raises ValueError for a file that is too long or not UTF-8 text.

    >>> decoded("\\ufeffÉtude".encode())
    'Étude'
    """
    if len(data) > 4 * MAX_CHARACTERS:
        raise ValueError(
            f"The file has {len(data) / 1e6:.0f} MB; at most {4 * MAX_CHARACTERS / 1e6:.0f} MB are allowed."
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("This file is not UTF-8 text. Save it as plain text or CSV in UTF-8.") from None
    if "\0" in text:
        raise ValueError("This file is not a text: it contains bytes that texts do not have. Use plain text or CSV.")
    return text


def split_sentences(line: str, *, longest: int = 0) -> list[str]:
    """The sentences of a line of an encoded folder, whose files must stay the same; for others see `visitor_text`.

    Sentences longer than `longest` (0: the model's limit) are cut between words.

    A sentence ends at a full stop that is followed by a space and no lower-case letter, but not after "Dr." or an
    initial.

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
    longest = longest or text_reader.MAX_CHARACTERS
    while len(sentence) > longest:
        cut = sentence.rfind(" ", 1, longest)
        cut = longest if cut < 0 else cut
        pieces.append(sentence[:cut])
        sentence = sentence[cut:].strip()
    return [*pieces, sentence] if any(c.isalnum() for c in sentence) else pieces


def _table(text: str) -> list[dict[str, str]] | None:
    """The rows of a table (sentence, word, sense); None unless the first line names a column "sentence"."""
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
        raise ValueError(
            f"The table cannot be read: {error}. Put texts that contain a comma or a quotation mark in quotation marks."
        ) from None
