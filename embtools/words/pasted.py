"""Lists that people type or paste: separated words, and lists in JSON, in Python, with numbers, bullets or quotes."""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from embtools.tables.decoding import plain_lines
from embtools.tables.grid import characters

_CLOSED_BY = {
    '"': '"', "'": "'", "`": "`'", "“": "”“\"", "”": "”", "„": "“”\"", "‘": "’‘'", "’": "’", "‚": "‘’'", "«": "»",
    "»": "«", "‹": "›", "›": "‹", "「": "」",
}  # fmt: skip
_PAIRS = {"[": "]", "(": ")", "{": "}"}
_SEPARATORS = ",;\n\t，；、،؛"
_SIGNS = {*_SEPARATORS, *_CLOSED_BY, *_PAIRS, *_PAIRS.values(), "\\"} - {"'", "’"}
_OPEN = re.compile(
    r"[^\S\n]*+(?:(?:[-*+•‣▪◦●○·–—]|\(?\d{1,3}[.)])[^\S\n]++)?(?:[^\S\n]*+(?:np\.str_\(|[uUbB](?=['\"])|[\[({<]))*+[^\S\n]*+(?=[\"'`“”„‘’‚«»‹›「])"
)
_CLOSE = re.compile(r"[\])}>\s]*(?:(?<=[\])}])|)\s*")
_NAME = re.compile(
    r'(?P<kept>(?<!["\\])"(?:[^"\\]++|\\.|"")*+"(?=\s*(?:[,;\n]|$)))'  # an item in quotation marks stays as it is
    r"|(?:^|(?<=[,;{\n]))[^\S\n]*+(?:(?P<mark>[\"'])[^\W\d][\w ]{0,40}(?P=mark)|[^\W\d][\w ]{0,40})\s*[:=]\s*"
    r"(?:np\.array\(|set\(|tuple\()?(?=[\[({])"
)
_ARRAY = re.compile(r"^\s*(?:np\.)?array\(|,\s*dtype=[^\n]*\)\s*$")
_BULLET = re.compile(r"(?:[-*+•‣▪◦●○·–—]\s++)(?:\[[ xX]\]\s++)?(?=.*\w)")
_NUMBER = re.compile(r"\(?(\d{1,3})[.):]\s+(?=\S)")
_INLINE = re.compile(r"(?:^|(?<=\s))\(?(\d{1,3})[.)]\s+(?=\S)")
_MOST_BARE, _MOST_QUOTED = 1_000, 300  # characters of an item that can be one in brackets, and in quotation marks
_MOST_FRAMES = 20  # brackets around a list
_HEADING = re.compile(  # such as “Flowers: aster, clover”
    r"\A\s*+(?:[-*•–]\s++)?[^\W\d_][^,;:()\n]{0,40}(?:\([^():\n]{0,40}\))?"
    r":(?:[^\S\n]*+\n\s*+|\s++(?=(?:[^:,;\n]++[,;\n]\s*+){2}[^\s,;]))(?=[^:,;\n]++[,;\n][^:]*+\Z)"
)
_DIVIDED = re.compile(r"(?<=[^\W\d_])[-\u00ad]\n\s*+(?=[a-z])")  # at the end of a line
_AND, _STOP = re.compile(r"\A(?:and|or|&)\s++(?=.)"), re.compile(r"\A[^.]*[^\W\d_][”'\"]?\.\Z")
_DESCRIBING = ("name", "title", "label", "id", "description")  # keys of texts beside a list
_SPECIAL = re.compile(r"\[(?:MASK|CLS|SEP|PAD|UNK|unused\d+)\]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)


def words(text: str, *, strict: bool = False, headed: bool = True) -> tuple[str, ...]:
    """Return the items of a list, repeated ones too: words separated by commas, semicolons, tabs or lines, also in
    quotation marks, numbered, bulleted, or in JSON or Python; `headed`: perhaps with a heading.

    >>> words("['apple', 'pear']"), words("1. apple\\n2. pear"), words("“don't”; o'clock")
    (('apple', 'pear'), ('apple', 'pear'), ("don't", "o'clock"))
    """
    value = nested(text)
    if isinstance(value, dict):
        return tuple(flat(value))
    text = _without_frame(plain_lines(text))
    text = _HEADING.sub("", text) if headed else text
    text = _DIVIDED.sub("", text) if "," in text else text
    items = list(_scanned(text, strict))
    if len(items) == 1 and not items[0][1] and (inline := _inline(items[0][0])):
        items = [(item, False) for item in inline]
    plain = iter(unmarked([item for item, quoted in items if not quoted]))
    found = [item.replace("\n", " ") if quoted else next(plain) for item, quoted in items]
    if len(items) > 1 and not items[-1][1] and set(text) & set(_SEPARATORS.replace("\n", "")):
        found[-1] = _last(found)
    return tuple(filter(None, found))


def nested(text: str) -> Any:
    """Return a text in JSON or Python as lists and dictionaries; None for another text.

    >>> nested('{"x": ["a"]}'), nested("[('he', 'she')]"), nested("he, she")
    ({'x': ['a']}, [('he', 'she')], None)
    """
    text = text.strip().rstrip(",;")
    if text[:1] not in _PAIRS or text[-1:] != _PAIRS[text[:1]]:
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            return characters(read(text))
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
    return None


def pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a list of pairs or a dictionary in JSON or Python; () for another text.

    >>> pairs('[["he", "she"]]'), pairs("{'he': 'she'}"), pairs("he=she")
    ((('he', 'she'),), (('he', 'she'),), ())
    """
    value = nested(text)
    rows = list(value.items()) if isinstance(value, dict) else value
    if not isinstance(rows, list | tuple) or not rows:
        return ()
    if not all(
        isinstance(row, list | tuple) and len(row) == 2 and all(isinstance(w, str) for w in row) for row in rows
    ):
        return ()
    return tuple((str(a).strip(), str(b).strip()) for a, b in rows)


def write(words: Iterable[str]) -> str:
    """Format words as a list that `words` reads: separated by commas, in quotation marks where that is needed.

    >>> print(write(["rome", ",", "don't"]))
    rome, ",", don't
    """
    return ", ".join(_safe(word) for word in words)


def _safe(word: str) -> str:
    """Return a word in quotation marks if `words` would read it differently without them."""
    rows = (word,), (word, "x", "x"), ("x", word)
    if _SPECIAL.fullmatch(word) or (not set(word) & _SIGNS and all(words(", ".join(row)) == row for row in rows)):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '""') + '"'


def flat(value: Any) -> Iterator[str]:
    """Yield the texts and numbers in nested lists and dictionaries."""
    if isinstance(value, list | tuple | set):
        for part in value:
            yield from flat(part)
    elif isinstance(value, dict):
        lists = [part for part in value.values() if isinstance(part, list | tuple | set | dict)]
        texts = [part for key, part in value.items() if isinstance(part, str) and str(key).lower() not in _DESCRIBING]
        yield from flat([part for part in value.values() if not lists or part in lists or part in texts])
    elif isinstance(value, str | int | float) and str(value).strip():
        yield str(value).strip()


def _without_frame(text: str) -> str:
    """Return a text without the brackets around it and the names of its lists: X = [...], "X": [...]."""
    if not any(bracket in text for bracket in _PAIRS):
        return text
    text = _ARRAY.sub(" ", _without_names(text)).strip().rstrip(",; \n")
    for _ in range(_MOST_FRAMES):
        if len(text) < 3 or text[-1] != _PAIRS.get(text[0]) or _SPECIAL.match(text):
            break
        text = _without_names(text[1:-1]).strip().rstrip(",; \n")
    return text


def _without_names(text: str) -> str:
    return _NAME.sub(lambda found: found["kept"] or " ", text)


def _scanned(text: str, strict: bool) -> Iterator[tuple[str, bool]]:
    """Yield the items of a text, and whether each was in quotation marks."""
    position = 0
    while position < len(text):
        start = _OPEN.match(text, position)
        if start and start.end() < len(text):
            closed = _quoted(text, start.end())
            if closed:
                item, position = closed
                yield item, True
                continue
            if strict and text[start.end()] == '"':
                raise ValueError("A quotation mark is not closed. Separate the words with commas.")
        end = _end(text, position)
        if item := _bare(text[position:end].strip()):
            yield item, False
        position = end + 1


def _end(text: str, position: int) -> int:
    """Return where the next separator is, or the text ends."""
    return next((n for n in range(position, len(text)) if text[n] in _SEPARATORS), len(text))


def _quoted(text: str, start: int) -> tuple[str, int] | None:
    """Return the item in the quotation marks that open here and the position after it; None if they do not close."""
    opening = text[start]
    marks, position = _CLOSED_BY[opening], start + 1
    last = min(start + _MOST_QUOTED, len(text)) if opening == '"' else _end(text, position)
    while position < last:
        sign = text[position]
        if sign == "\\" and opening in "\"'":
            position += 2
            continue
        if sign in marks:
            if sign == opening == '"' and text[position + 1 : position + 2] == '"':
                position += 2
                continue
            after = _CLOSE.match(text, position + 1)
            end = after.end() if after else position + 1
            between = text[position + 1 : end]
            if end >= len(text) or text[end] in _SEPARATORS or "\n" in between or (between and text[end] in _CLOSED_BY):
                skip = 1 if end < len(text) and text[end] in _SEPARATORS else 0
                return _unescaped(text[start + 1 : position], opening), end + skip
        position += 1
    return None


def _unescaped(item: str, opening: str) -> str:
    """Return the text of an item in quotation marks."""
    if opening == '"':
        item = item.replace('""', '"')
    if opening not in "\"'":
        return item.strip()
    kept = {"n": " ", "t": " ", "r": " "}

    def plain(escape: re.Match[str]) -> str:
        code, sign = escape.groups()
        if code:
            return chr(int(code, 16))
        return sign if sign in "\\\"'/" else kept.get(sign, escape[0])

    whole = _ESCAPE.sub(plain, item).encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # halves of emoji
    return str(characters(whole)).strip()


def _bare(item: str) -> str:
    """Return an item without the brackets of the list around it."""
    while 0 < len(item) <= _MOST_BARE and not _SPECIAL.fullmatch(item):
        inside = item
        if item[0] in _PAIRS and (item.count(_PAIRS[item[0]]) < item.count(item[0]) or item[-1] == _PAIRS[item[0]]):
            inside = inside[1:]
            if item[-1] == _PAIRS[item[0]] and item.count(item[0]) == item.count(item[-1]):
                inside = inside[:-1]
        elif item[-1] in "])}" and item.count(item[-1]) > sum(
            item.count(o) for o, c in _PAIRS.items() if c == item[-1]
        ):
            inside = inside[:-1]
        inside = inside.strip()
        if inside == item or not any(sign.isalnum() for sign in inside):
            return "" if item in ("[]", "()", "{}") else item
        item = inside
    return item


def unmarked(items: Sequence[str]) -> list[str]:
    """Return items without bullets, and without numbers if these count the items from 0 or 1.

    >>> unmarked(["1. a", "2. b"]), unmarked(["- a", "b"])
    (['a', 'b'], ['a', 'b'])
    """
    items = [_BULLET.sub("", item.strip(), count=1) if _BULLET.match(item.strip()) else item.strip() for item in items]
    marks = [_NUMBER.match(item) for item in items]
    numbers = [int(mark[1]) for mark in marks if mark]
    counted = bool(numbers) and numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    result = []
    for item, mark in zip(items, marks, strict=True):
        rest = item[mark.end() :] if mark and counted else item
        result.append(rest.strip("\"'“”„«»") if rest is not item and rest[:1] in _CLOSED_BY else rest)
    return result


def _last(items: Sequence[str]) -> str:
    """Return the last item of a list in a sentence, without “and” before it and the full stop after it."""
    item = _AND.sub("", items[-1])
    if _STOP.search(item) and not any(each.endswith(".") for each in items[:-1]):
        item = item.removesuffix("etc.").removesuffix(".")
    return item if item == items[-1] else next(iter(words(item)), "")


def _inline(item: str) -> list[str]:
    """Return the items of a list on one line, such as 1. apple 2. pear; [] if the numbers do not count."""
    marks = list(_INLINE.finditer(item))
    if len(marks) < 2 or marks[0].start() or [int(m[1]) for m in marks] != list(range(1, len(marks) + 1)):
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(item)]
    return [item[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)]
