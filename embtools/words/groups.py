"""Named groups of words: built-in ones, and those a visitor types ("france: paris, lyon") or uploads as CSV."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from embtools import wordlists
from embtools.messages import quoted
from embtools.tables import grid
from embtools.tables.cells import separator
from embtools.tables.columns import (
    GROUP,
    WORD,
    Chosen,
    Reading,
    Record,
    described,
    has_columns,
    is_table,
    records,
    text_of,
)
from embtools.words import pasted

_ASSIGNED = re.compile(r"\A\s*+\w++\s*+=\s*+(?=\{)")
_GROUP_LINE = re.compile(r"\s*[^\s,;|:{\[\"][^,;\t|:\n]*:")  # the first line of a list of groups
MAX_WORDS = 2_000
MAX_GROUPS = 56  # the number of different pairs of colour and shape on the map
MAX_CHARACTERS = 60_000
MAX_WORD_CHARACTERS = 60
_NAMED = re.compile(r"([^:]*):|([^=:\[({]+)=\s*(?=[\[({])")
Groups = tuple[tuple[str, tuple[str, ...]], ...]
COLUMNS = (WORD, GROUP)
"""The columns of a table of groups."""

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
    """Return a built-in list as groups; the cities of Figure 1 are the first five of each country, as in the article.

    Parameters
    ----------
    name : str
        One of `PRESETS`.

    Returns
    -------
    tuple
        ((name of the group, its words), …).

    Raises
    ------
    ValueError
        For another name.

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
    """Read groups from lines such as "name: word, word" (without a colon: "words"), lists in JSON or Python
    (`pasted.words`), or a table (`read_table`); a word counts only in the first group that has it.

    >>> read_groups("france: paris, lyon")
    (('france', ('paris', 'lyon')),)
    """
    return _read(text).value


def left_out(text: str) -> tuple[str, ...]:
    """Say which words of a text `read_groups` leaves out, and why; () also for a text that it cannot read.

    >>> left_out("france: paris, lyon\\nitaly: rome, paris")
    ("Left out, because it is in 'france' already: 'paris' in 'italy'.",)
    """
    try:
        return _read(text).notes
    except ValueError:
        return ()


@lru_cache(maxsize=8)  # a page reads its list several times in each of its runs
def _read(text: str) -> Reading[Groups]:
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"The list has {len(text):,} characters; at most {MAX_CHARACTERS:,} are allowed. Shorten it.")
    if is_pasted_table(text := text.replace("：", ":")):
        return read_table(text)
    rows: list[tuple[str, str]] = []
    for name, line, rest in _lines(text):
        words = pasted.words(rest, headed=False)
        if not name:
            raise ValueError(
                f"The line {quoted(line)} has no name before the colon. Write it like france: paris, lyon."
            )
        if not words:
            raise ValueError(f"The group {quoted(name)} is empty. Write words after its colon, or delete the line.")
        rows += [(name, word) for word in words]
    kept: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    wrong: list[tuple[str, str]] = []
    for name, word in rows:
        if (first := kept.setdefault(word, name)) != name or (name, word) in seen:
            wrong.append((f"{quoted(word)} in {quoted(name)}", f"it is in {quoted(first)} already"))
        seen.add((name, word))
    return Reading(_checked([(group, word) for word, group in kept.items()]), described(wrong))


def is_pasted_table(text: str) -> bool:
    """Return whether a text is a table of groups, and not lines as `read_groups` reads them.

    >>> is_pasted_table("word;group\\nparis;france"), is_pasted_table("france: paris, lyon")
    (True, False)
    """
    if _listed(text):
        return True
    if _GROUP_LINE.match(text):  # a group whose words are those that often name columns
        return False
    if has_columns(text, COLUMNS):
        return True
    return separator(text)[0] in ("\t", "|") and ":" not in text and is_table(text, COLUMNS)


def read_table(source: str | bytes, columns: Chosen | None = None) -> Reading[Groups]:
    """Read groups from a table with a column of words and one of groups, such as CSV or JSON.

    >>> read_table(b"word;group\\nparis;france\\n").value
    (('france', ('paris',)),)
    """
    text, notes = text_of(source)
    rows = Reading(_listed(text)) if not columns and _listed(text) else None
    rows = rows or records(text, COLUMNS, most=20 * MAX_WORDS, chosen=columns)
    kept: dict[str, str] = {}
    wrong: list[tuple[str, str]] = []
    for row in rows.value:
        word, group = row.cells
        if problem := _problem(word, group, kept):
            wrong.append((f"{row.where} ({quoted(word or group, 30)})", problem))
        elif len(kept) < MAX_WORDS:
            kept[word] = group
        else:
            wrong.append((row.where, f"at most {MAX_WORDS:,} words are used"))
    notes += rows.notes + described(wrong)
    if not kept and wrong:
        raise ValueError(f"No row of the table has a word and a group. {notes[-1]}")
    return Reading(_checked([(group, word) for word, group in kept.items()]), notes)


def _listed(text: str) -> list[Record]:
    """Return the words of a JSON object with a list of words per group; none for another text."""
    value = grid.parsed(text) if text.lstrip()[:1] == "{" else None
    if not isinstance(value, Mapping) or has_columns(text, COLUMNS):
        return []
    lists = [(group, words) for group, words in value.items() if isinstance(words, list)]
    if len(lists) < len(value) or not all(isinstance(word, str) for _, words in lists for word in words):
        return []
    return [Record(f"group {group}", (" ".join(word.split()), group)) for group, words in lists for word in words]


def _problem(word: str, group: str, kept: Mapping[str, str]) -> str:
    if not (word and group):
        return "the word is missing" if group else "the group is missing"
    if set(",:") & set(group + word) or len((group + word).splitlines()) > 1:
        return "a word or a group contains a comma, a colon or a line break"
    if max(len(word), len(group)) > MAX_WORD_CHARACTERS:
        return f"it has more than {MAX_WORD_CHARACTERS} characters"
    return "the word occurs before" if word in kept else ""


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


write_words = pasted.write
"""Format words as the text that `read_words` reads."""


def _lines(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the groups of a text: name, line, and the list of words."""
    value = pasted.nested(_ASSIGNED.sub("", text))
    if isinstance(value, dict) and not any(isinstance(words, list | tuple | set | dict) for words in value.values()):
        groups = {str(name): [word for word, own in value.items() if own == name] for name in value.values()}
        if len(groups) < len(value):  # a group for each word, and not words for each group
            value = groups
    if isinstance(value, dict) and all(isinstance(words, list | tuple | set | dict | str) for words in value.values()):
        for name, words in value.items():
            listed = words if isinstance(words, str) else pasted.write(pasted.flat(words))
            yield str(name).strip(), f"{name}: {listed}", listed
        return
    lines, end = list[str](), ""
    for line in filter(None, map(str.strip, text.splitlines())):
        if lines and lines[-1][-1] in ",:" and not _NAMED.match(line):  # a group goes on in the next line
            end = "," if lines[-1][-1] == ":" else end
            lines[-1] += f" {line}{end}"
        else:
            lines.append(line)
            end = ""
    if not any(map(_NAMED.match, lines)):
        if lines:
            yield "words", text, text
        return
    for line, bare in zip(lines, pasted.unmarked(lines) if len(lines) > 1 else lines, strict=True):
        if not (named := _NAMED.match(line)) or _NAMED.match(bare):  # else a number is the name of a group
            line, named = bare, _NAMED.match(bare)
        yield ((named[1] or named[2] or "").strip(), line, line[named.end() :]) if named else ("words", line, line)


def _checked(rows: list[tuple[str, str]]) -> Groups:
    if not rows:
        raise ValueError("There are no words. Write a line such as france: paris, lyon.")
    if len(rows) > MAX_WORDS:
        raise ValueError(f"There are {len(rows):,} words; at most {MAX_WORDS:,} are allowed. Remove some.")
    if (count := len({group for group, _ in rows})) > MAX_GROUPS:
        raise ValueError(f"There are {count:,} groups; at most {MAX_GROUPS} can have different marks. Merge some.")
    for text in (text for row in rows for text in row):
        if len(text) > MAX_WORD_CHARACTERS:
            raise ValueError(
                f"{quoted(text)} has {len(text)} characters; at most {MAX_WORD_CHARACTERS} are allowed. Shorten it."
            )
    return _collect(rows)


def _collect(rows: Iterable[tuple[str, str]]) -> Groups:
    collected: dict[str, list[str]] = {}
    for group, word in rows:
        collected.setdefault(group, []).append(word)
    return tuple((group, tuple(words)) for group, words in collected.items())


def _magnitude(value: object) -> str:
    number = int(str(value))
    return "0 to 9" if number < 10 else "10 to 19" if number < 20 else "tens" if number < 100 else "100 and more"
