"""Named groups of words: built-in ones, and those a visitor types ("france: paris, lyon") or uploads as CSV."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator

from embtools import wordlists
from embtools.messages import quoted
from embtools.words import pasted

MAX_WORDS = 2_000
MAX_GROUPS = 56  # the number of different pairs of colour and shape on the map
MAX_CHARACTERS = 60_000
MAX_WORD_CHARACTERS = 60
_NAMED = re.compile(r"([^:]*):|\s*([^=:\[({]+?)\s*=\s*(?=[\[({])")
Groups = tuple[tuple[str, tuple[str, ...]], ...]

FIGURE_1 = "cities of Figure 1"
_LISTS: dict[str, tuple[str, str, str, int | None]] = {
    # name: word list, column of the words, column of the groups, words used per group (None: all)
    FIGURE_1: ("cities", "city", "country", 5),
    "cities of 15 countries": ("cities", "city", "country", None),
    "capitals by continent": ("capitals", "capital", "continent", None),
    "animals": ("animals", "animal", "class", None),
    "professions": ("professions", "profession", "field", None),
    "sports": ("sports", "sport", "kind", None),
    "verbs by tense": ("verbs", "verb", "form", None),
    "numbers": ("numbers", "number", "value", None),
    "months": ("months", "month", "season", None),
}
PRESETS = tuple(_LISTS)


def preset(name: str) -> Groups:
    """A built-in list as groups; the cities of Figure 1 are the first five of each country, as in the article.

    Raises ValueError for a name that is not one of `PRESETS`.

    >>> preset("months")[0]
    ('winter', ('january', 'february', 'december'))
    """
    if name not in _LISTS:
        raise ValueError(f"There is no list {quoted(name)}. Choose one of: {', '.join(PRESETS)}.")
    source, word, group, first = _LISTS[name]
    frame = wordlists.load(source)
    label: Callable[[object], str] = _magnitude if source == "numbers" else str
    rows = [(label(g), w) for g, w in zip(frame[group], frame[word], strict=True)]
    return tuple((g, words[:first]) for g, words in _collect(rows))


def read_groups(text: str) -> Groups:
    """Read groups, one per line: a name, a colon, and comma-separated words. A line without a colon joins "words".

    The words can also be a list in JSON or Python, or the whole text a dictionary of such lists (`pasted.words`).

    Raises ValueError for an empty text or group, a word that occurs twice, and for groups or words that are too many or
    too long.

    >>> read_groups("france: paris, lyon")
    (('france', ('paris', 'lyon')),)
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"The list has {len(text):,} characters; at most {MAX_CHARACTERS:,} are allowed. Shorten it.")
    rows = []
    for name, line, rest in _lines(text):
        words = pasted.words(rest)
        if not name:
            raise ValueError(
                f"The line {quoted(line)} has no name before the colon. Write it like france: paris, lyon."
            )
        if not words:
            raise ValueError(f"The group {quoted(name)} is empty. Write words after its colon, or delete the line.")
        rows += [(name, word) for word in words]
    return _checked(rows)


def from_csv(data: bytes) -> Groups:
    """Read groups from a CSV file whose first line names the columns `word` and `group`, in any order.

    Raises ValueError for any other file, and as `read_groups` does.

    >>> from_csv(b"word,group\\nparis,france\\n")
    (('france', ('paris',)),)
    """
    try:
        text = data.decode("utf-8-sig")
        table = csv.DictReader(io.StringIO(text, newline=""))
        columns = [c.strip().lower() for c in table.fieldnames or ()]
        if not {"word", "group"} <= set(columns):
            raise ValueError("The file needs a first line that names the columns word and group.")
        table.fieldnames = columns
        rows = [((r["group"] or "").strip(), (r["word"] or "").strip()) for r in table]
    except UnicodeDecodeError:
        raise ValueError("The file is not UTF-8 text. Save it as CSV in UTF-8 and upload it again.") from None
    except csv.Error as error:
        raise ValueError(f"The file cannot be read as CSV ({error}). Save it again from your spreadsheet.") from None
    for number, (group, word) in enumerate(rows, start=2):
        if not (group and word):
            missing = "word" if group else "group"
            raise ValueError(f"Row {number} of the file has no {missing}. Fill it in or delete the row.")
        if set(",:") & set(group + word):
            raise ValueError(f"Row {number} of the file has a comma or a colon in a word or a group. Remove it.")
        # Any line separator, not only "\n", because the groups are written one per line and read again.
        if len((group + word).splitlines()) > 1:
            raise ValueError(f"Row {number} of the file has a line break in a word or a group. Remove it.")
    return _checked(rows)


def write_groups(groups: Groups) -> str:
    """Groups as the text that `read_groups` reads.

    >>> write_groups((("france", ("paris", "lyon")),))
    'france: paris, lyon'
    """
    return "\n".join(f"{name}: {pasted.write(words)}" for name, words in groups)


def read_words(text: str) -> tuple[str, ...]:
    """Comma-separated words, each once; a word that contains a comma is in quotation marks.

    >>> read_words('rome, ",", paris')
    ('rome', ',', 'paris')
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"The list has {len(text):,} characters; at most {MAX_CHARACTERS:,} are allowed. Shorten it.")
    return tuple(dict.fromkeys(pasted.words(text, strict=True)))


def write_words(words: Iterable[str]) -> str:
    """Words as the text that `read_words` reads.

    >>> write_words(["rome", ",", "paris"])
    'rome, ",", paris'
    """
    return pasted.write(words)


def _lines(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the groups of a text: name, line, and the list of words."""
    value = pasted.nested(text)
    if isinstance(value, dict) and all(isinstance(words, list | tuple | set) for words in value.values()):
        for name, words in value.items():
            listed = pasted.write(str(word).strip() for word in words)
            yield str(name).strip(), f"{name}: {listed}", listed
        return
    lines = [line for line in text.splitlines() if line.strip()]
    if not any(map(_NAMED.match, lines)):
        if lines:
            yield "words", text, text
        return
    for line in pasted.unmarked(lines) if len(lines) > 1 else lines:
        named = _NAMED.match(line)
        yield ((named[1] or named[2] or "").strip(), line, line[named.end() :]) if named else ("words", line, line)


def _checked(rows: list[tuple[str, str]]) -> Groups:
    if not rows:
        raise ValueError("There are no words. Write a line such as france: paris, lyon.")
    if len(rows) > MAX_WORDS:
        raise ValueError(f"There are {len(rows):,} words; at most {MAX_WORDS:,} are allowed. Remove some.")
    if (count := len({group for group, _ in rows})) > MAX_GROUPS:
        raise ValueError(f"There are {count:,} groups; at most {MAX_GROUPS} can have different marks. Merge some.")
    group_of: dict[str, str] = {}
    for group, word in rows:
        for text in (group, word):
            if len(text) > MAX_WORD_CHARACTERS:
                raise ValueError(
                    f"{quoted(text)} has {len(text)} characters; at most {MAX_WORD_CHARACTERS} are allowed. Shorten it."
                )
        if word in group_of:
            first = group_of[word]
            where = f"in {quoted(group)}" if first == group else f"in {quoted(first)} and in {quoted(group)}"
            raise ValueError(f"{quoted(word)} occurs twice, {where}. Remove one.")
        group_of[word] = group
    return _collect(rows)


def _collect(rows: Iterable[tuple[str, str]]) -> Groups:
    collected: dict[str, list[str]] = {}
    for group, word in rows:
        collected.setdefault(group, []).append(word)
    return tuple((group, tuple(words)) for group, words in collected.items())


def _magnitude(value: object) -> str:
    number = int(str(value))
    return "0 to 9" if number < 10 else "10 to 19" if number < 20 else "tens" if number < 100 else "100 and more"
