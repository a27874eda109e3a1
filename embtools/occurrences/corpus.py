"""A corpus of sentences with optional sense labels: the built-in corpus, or a text given by a visitor."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

from embtools import wordlists
from embtools.doors import import_line
from embtools.layer_combinations import SUM_FOUR
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.models import text_reader
from embtools.occurrences.visitor_text import is_marked_up, visitor_sentences
from embtools.tables.columns import (
    SENTENCE,
    Column,
    Reading,
    are_rising,
    assigned,
    described,
    is_table,
    matched,
    plain_name,
    records,
    table_of,
    text_of,
)
from embtools.tables.decoding import decode

MAX_CHARACTERS = 1_000_000
"""The largest number of characters of a text; 50,000 words have fewer."""

RUNNING_TEXT = "running text"
"""The choice of a column for a text that is no table, although it looks like one."""
COLUMNS = (SENTENCE, Column("word", optional=True), Column("sense", optional=True))
"""The columns of a table of sentences."""
LEAST_MAPPED = 3
"""The smallest number of occurrences of a word for a map."""
_MOST_ROWS, _MOST_NAME = 100_000, 40
_SHOWN = 1_001  # rows by which the columns are counted, as for all rows

# Possessive quantifiers prevent backtracking, because a visitor's text may consist of dots, quotes or spaces only.
_END = re.compile(r"(?<![.!?…])(?P<stop>[.!?…]++)(?P<quote>[\"'”’)\]]*+)\s++(?=[^a-z])")
_SHORT = re.compile(r"(?:^|[\s(\"'“‘])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|cf|Fig|fig|p|pp)\.$")
_ALONE = re.compile("[_\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]")  # for models, a word each
_LONGEST_SHORT = 8  # characters: more than any abbreviation has, including the character before it


@dataclass(frozen=True, repr=False)
class Corpus:
    """Sentences, and for each of them a word and its sense ("", "" if none is labelled).

    A corpus is hashable, so results can be cached by its content. `made_by` is the Python that makes it, if it is
    shorter than the sentences. `notes` say what was done to a running text. The other attributes are those of
    `opened.AnyCorpus`.
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
        return (import_line(globals()[self.code.partition("(")[0]]),)

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
        found = re.compile(rf"(?<!\w){re.escape(bare(word).strip())}(?!\w)")
        return self.part([n for n, sentence in enumerate(self.sentences) if found.search(bare(sentence))])

    def part(self, numbers: Sequence[int]) -> "Corpus":
        """The sentences with these numbers (from 0), in this order, as a corpus."""
        return Corpus(tuple(self.sentences[n] for n in numbers), tuple(self.senses[n] for n in numbers))


def bare(text: str) -> str:
    """A text in lower case without accents and signs without a width, and with spaces around what is a word alone."""
    if text.isascii():
        return text.lower().replace("_", " _ ")
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")
    return _ALONE.sub(r" \g<0> ", plain)


@cache
def built_in_corpus() -> Corpus:
    """The built-in corpus of 1,004 sentences: those of `senses.csv` with labelled senses, and those of `corpus.csv`.

    >>> built_in_corpus().having("bank").senses[:2]
    (('bank', 'money'), ('bank', 'money'))
    """
    labelled, plain = wordlists.load("senses"), wordlists.load("corpus")
    senses = tuple(zip(labelled["word"], labelled["sense"], strict=True))
    return Corpus((*labelled["sentence"], *plain["sentence"]), (*senses, *[("", "")] * len(plain)), "built_in_corpus()")


def labelled_words(corpus: Corpus) -> tuple[str, ...]:
    """The words of a corpus with two senses or more, in alphabetical order.

    >>> labelled_words(Corpus(("a", "b"), (("bank", "money"), ("bank", "river"))))
    ('bank',)
    """
    senses: dict[str, set[str]] = {}
    for word, sense in corpus.senses:
        if word:
            senses.setdefault(word, set()).add(sense)
    return tuple(sorted(word for word, known in senses.items() if len(known) > 1))


@remembered
def read_corpus(text: str, *, column: str = "", as_written: bool = False) -> Corpus:
    """A text, or a table of sentences, as a corpus. Repeated sentences count once.

    A line of a text may contain several sentences. A table has a column of sentences and, optionally, the columns
    "word" and "sense", which label the sense of a word.

    Parameters
    ----------
    text : str
        Running text, or a table as CSV, TSV, JSON or JSON lines.
    column : str, optional
        The name of the column with the sentences ("column 2" if the second one has no name), or "running text" for a
        text that is not a table. Without it, a column called sentence, text or the like is used.
    as_written : bool, default False
        Whether the lines of a running text stay as they are. Otherwise those of wrapped paragraphs are joined, and
        subtitles lose their time codes and tags.

    Returns
    -------
    Corpus

    Raises
    ------
    UnclearColumns
        If the text is a table, but it is not clear which column has the sentences.
    ValueError
        For a text that is empty, too long or not a text.
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"The text has {len(text):,} characters; at most {MAX_CHARACTERS:,} are allowed. Use a part of it."
        )
    if "\0" in text:
        raise ValueError("This is not a text: it contains bytes that texts do not have. Use plain text (UTF-8) or CSV.")
    done: tuple[str, ...] = ()
    if not _is_table(text, column):
        read = visitor_sentences(text, as_written=as_written)
        rows, done = [(piece, "", "") for sentence in read.value for piece in _pieces(sentence)], read.notes
    else:
        table = _table(text, column).value
        rows = [(part, word.lower(), sense) for sentence, word, sense in table for part in _pieces(sentence)]
    labels: dict[str, tuple[str, str]] = {}
    for sentence, word, sense in rows:
        labels.setdefault(sentence, (word, sense) if word and sense else ("", ""))
    if not labels:
        raise ValueError("There is no sentence in the text. Paste a text, or choose the built-in corpus.")
    options = (f", column={column!r}" if column else "") + (", as_written=True" if as_written else "")
    return Corpus(tuple(labels), tuple(labels.values()), f"read_corpus({text!r}{options})", done)


@remembered
def notes(text: str, *, column: str = "") -> tuple[str, ...]:
    """Return notes about a text that is a table: which column is used, and what is left out; none for running text."""
    return _table(text, column).notes if _is_table(text, column) else ()


def columns_of(text: str) -> tuple[str, ...]:
    """Return different names of the columns of a text that is a table; none for running text.

    >>> columns_of("id;review\\n1;It rained.\\n2;It snowed."), columns_of("It rained, and it snowed.")
    (('id', 'review'), ())
    """
    if not _is_table(text):
        return ()
    table = table_of(text_of(text)[0], COLUMNS, most=_SHOWN)
    names = table.names or (tuple(table.rows[0][1]) if table.rows else ())
    found: dict[str, None] = {}
    for number, name in enumerate(names, 1):
        name = " ".join(name.split())[:_MOST_NAME] or f"column {number}"
        found[f"{name} ({number})" if name in found or name == RUNNING_TEXT else name] = None
    return tuple(found)


def decoded(data: bytes) -> Reading[str]:
    """Return the text of an uploaded file and notes about its encoding; ValueError for one that is too long or no text.

    >>> decoded("\\ufeffÉtude".encode()).value
    'Étude'
    """
    if len(data) > 4 * MAX_CHARACTERS:
        raise ValueError(f"The file has more than {4 * MAX_CHARACTERS / 1e6:.0f} MB. Use a part of it.")
    text, notes = decode(data)
    table = Reading(*text_of(data))  # whose comments begin as a heading of Markdown and “# text” of CoNLL-U do
    return Reading(text, notes) if is_marked_up(text) or not _is_table(table.value) else table


def split_sentences(line: str, *, longest: int = 0) -> list[str]:
    """The sentences of a line, which end at a full stop that is followed by a space and no lower-case letter, but not
    after "Dr." or an initial; those longer than `longest` (0: the model's limit) are cut between words.

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


def _is_table(text: str, column: str = "") -> bool:
    return column != RUNNING_TEXT and not is_marked_up(text) and is_table(text, COLUMNS)


def _table(text: str, column: str) -> Reading[list[tuple[str, str, str]]]:
    """Return sentence, word and sense of the rows of a table, and notes; UnclearColumns if the column is not known."""
    names = columns_of(text)
    chosen = None
    if column in names:
        at = names.index(column) + 1
        others = {plain_name(name): number for number, name in enumerate(names, 1) if number != at}
        chosen = {name: others[name] for name in ("word", "sense") if name in others} | {"sentence": at}
        chosen["header"] = int(_is_named(text, at))
    found = records(text, COLUMNS, most=_MOST_ROWS, chosen=chosen)
    used = column
    if not used and len(names) > 1:
        used = names[assigned(table_of(text_of(text)[0], COLUMNS, most=_SHOWN), COLUMNS)[0][0]]
    said = (f"The text is a table. The sentences are those of the column {quoted(used)}.",) if used else ()
    known: dict[str, tuple[str, ...]] = {}
    lost = []
    for row in found.value:
        sentence, word, sense = row.cells
        if known.setdefault(sentence, row.cells) != row.cells and word and sense:
            lost.append((row.where, "the sentence occurs before with another word or sense"))
        elif word and sense and not Corpus((sentence,)).contains(word):
            lost.append((row.where, "the word does not occur in the sentence, so its sense has no place"))
    return Reading(list(known.values()), said + found.notes + described(lost))  # type: ignore[arg-type]


def _is_named(text: str, at: int) -> bool:
    """Return whether the first row of a table has the name of this column, from 1, and not a sentence."""
    table = table_of(text_of(text)[0], COLUMNS, most=_SHOWN)
    columns = list(zip(*(cells for _, cells in table.rows), strict=True))
    first = [column[0] for column in columns]
    name = first[at - 1] if at <= len(first) else ""  # separators at the end of a line are not read as cells
    row = any(c.isdigit() and (c in below or are_rising([c, *below])) for c, *below in columns)  # its label or number
    short = not row and len(name) <= _MOST_NAME and not name.rstrip().endswith((".", "!", "?", "”", '"'))
    return not table.names and (short or name.isdigit() or matched(first, COLUMNS)[0] >= 0)
