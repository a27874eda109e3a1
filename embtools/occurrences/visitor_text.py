"""The sentences of a text that a visitor pastes: wrapped lines joined, subtitles without time codes, sentence ends."""

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from functools import partial
from html import unescape
from itertools import accumulate, pairwise

from sentencex import segment

from embtools.tables.columns import Reading

_CODE = r"(?:\d{1,3}:)?\d{1,2}:\d{2}(?:[,.]\d{1,3})?"
_TIME = re.compile(rf"^\s*{_CODE}(?:\s*(?:-->|,)\s*{_CODE}(?:\s.*)?)?\s*$")
_START = re.compile(r"\s*(?:00?:)?00?:\d{2}(?!:)")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,80}>|<\d[\d:.]*>|\{\\[^{}]{0,40}\}")
_SPOKEN_AT = re.compile(r"<\d[\d:.]*>")  # in captions that repeat the last line while the next one is spoken
_COMMENT = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")  # of WebVTT; it ends at the next empty line
_SPEAKER = re.compile(r"^(?:[-–—]\s*(?=\S)|(?=[A-Z][A-Z\d .']{0,30}:\s))")
_ITEM = re.compile(r"^\s*(?:[-*+•‣▪◦●·–—]|\(?(?:\d{1,3}|[a-zA-Z])\)|(?:\d{1,3}|[a-z])\.)\s")
_DATED = re.compile(r"^\s*(?:\[?\d{1,4}(?P<sign>[-./:])\d{1,2}(?P=sign)\d{1,4}|\[\d{1,2}:\d{2})")  # a chat or a log
_STOP = re.compile(r"[.!?…:][\"'”’»)\]]*$")
_HYPHEN = re.compile(r"(?P<before>-?)(?P<begin>[^\W_]+)[-\u00ad\u2010]$")
# A hyphen after these belongs to the word.
_PREFIXES = frozenset(
    ("self", "well", "ex", "non", "half", "all", "so", "semi", "anti", "post", "pre", "co", "mid", "vice", "cross",
     "old", "new", "long", "short", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
)  # fmt: skip
_INSIDE = frozenset(("in", "of", "the", "to", "by", "and", "a", "on", "up", "for", "at"))  # as in “son-in-law”
_AFTER = frozenset(
    ("and", "or", "to", "und", "oder", "bis", "bzw", "et", "ou", "y", "o", "e")
)  # as in “pre- and post-war”
# Of other languages, the frequent words and, with the rules for them, the ends that are none.
_FREQUENT = {
    "en": "the of and to in is was that it he for with she this",
    "de": "der die das und ist nicht ein eine mit von den dem sie war",
    "fr": "le la les et des est une dans que pas pour du il elle",
    "es": "el la los y una que del por las con es en se su",
    "it": "il la di che non per una è gli del sono in e con",
    "pt": "o os uma não que do da em com é na no as ao",
    "nl": "het een van en de niet dat op zijn is met hij zij voor",
    "ru": "и в не на что он она с как это по его к из",
}
_ORDINAL = re.compile(r"(?:^|\s)(?:de[rmns]|die|das|[ai]m|zu[mr]|vom|beim|ab|bis|und)\s\d{1,3}\.$", re.IGNORECASE)
# A sentence does not end after these before a number.
_BEFORE_NUMBER = re.compile(
    r"(?:^|[\s(])(?:approx|ca|vol|vols|no|nos|nr|temp|est|fig|figs|ch|sec|art|pt|par|p|pp|ed|avg|min|max|c)\.$",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"^# text = (.*)$", re.MULTILINE)  # in CoNLL-U
_MARKUP = re.compile(
    r"\s*(?:<\?xml|<!doctype|<[a-z][\w:.-]*(?:\s[^<>]*)?>.*</[a-z][\w:.-]*>\s*\Z)", re.IGNORECASE | re.DOTALL
)
_UNREAD = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<name>script|style|teiheader)\b.*?(?:</(?P=name)\s*>|\Z)", re.IGNORECASE | re.DOTALL
)
_INLINE = re.compile(r"</?(?:a|abbr|b|c|em|font|hi|i|mw|pc|small|span|strong|sub|sup|w)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_TAGS = re.compile(r"<[/!?]?([a-z][\w:.-]*)[^<>]*>", re.IGNORECASE)
# These divide a text also where it goes on before or after them; others only “e</x>A”, where a space is missing.
_DIVIDING = re.compile(
    "blockquote|br|caption|center|div|d[dlt]|figcaption|figure|form|h[1-6r]|label|legend|li|note|ol|option|p|pre|section"
    "|speaker|stage|summary|table|t[dhr]|ul|who"
)
_MOST_NESTED = 4  # elements of running text within each other
_ONLY_NUMBER = re.compile(r"\(?\w{1,3}[.)]")  # of a list
_LONGEST_WORD = 100  # characters
_LEAST_WIDTH = 40  # characters of the longest line of a wrapped text
_NEAR_FULL, _MOST = 0.9, 0.7  # how full a line is without room for the next word; share of such lines
_LEAST_ENDED = 0.1  # share of the lines of subtitles that end as sentences do, if sentences are marked at all
_OWN = 0.03  # share of hyphens at the ends of lines up to which they belong to words; it is below 1% in books
_BLOCK = 20_000  # characters that are segmented at once, if a line is that long, or that show the language


def is_marked_up(text: str) -> bool:
    """Return whether a text is XML, HTML or CoNLL-U."""
    return _MARKUP.match(text) is not None or _GIVEN.search(text) is not None


def visitor_sentences(text: str, *, as_written: bool = False) -> Reading[tuple[str, ...]]:
    """Return the sentences of a pasted text, and notes about how they were found: lines of wrapped paragraphs are
    joined, also at hyphens, but not those of poems and lists, subtitles (.srt, .vtt) and transcripts lose their
    numbers, time codes and tags, and XML and HTML their tags.

    >>> visitor_sentences("She lives at No. 5 in the U.S. Capitol district. He does not.").value
    ('She lives at No. 5 in the U.S. Capitol district.', 'He does not.')
    """
    text = text.lstrip("\ufeff")
    lines = text.splitlines()
    notes = []
    if as_written:
        units = lines
    elif given := _GIVEN.findall(text):
        return Reading(
            tuple(" ".join(line.split()) for line in given),
            ("The text is CoNLL-U. Its sentences are those of the lines “# text”.",),
        )
    elif _MARKUP.match(text):
        plain = _running(_INLINE.sub("", " ".join(_UNREAD.sub(" ", text).split())))
        units = unescape(_TAGS.sub("\n", plain)).splitlines()
        notes.append("The tags of the text were removed.")
    elif _is_spoken(lines):
        turns = list(_speech(lines))
        units = [line for turn in turns for line in turn]
        ended = sum(_STOP.search(line) is not None for line in units) >= _LEAST_ENDED * len(units)
        units = list(map(" ".join, turns)) if ended else units
        joined = ", and their lines joined" if ended else ""
        notes.append(f"The numbers, time codes and tags of the subtitles were removed{joined}.")
    else:
        units = list(_joined(lines))
        if len(units) < sum(bool(line.strip()) for line in lines):
            notes.append("The text is wrapped, so the lines of each paragraph were joined.")
    language = _language(text)
    return Reading(tuple(sentence for unit in units for sentence in ends(unit, language)), tuple(notes))


def _running(text: str) -> str:
    """Return a marked-up text without the tags within running text, such as those of names and of lines."""
    for _ in range(_MOST_NESTED):
        parts = _TAGS.split(text)[::2]
        inside: Counter[str] = Counter()
        for tag, before, after in zip(_TAGS.finditer(text), parts, parts[1:], strict=False):
            outside = after.strip() if tag[0][1] == "/" else before.strip() or (tag[0][-2] == "/" and after.strip())
            glued = tag[0][-2] != "/" and after[:1].isupper() and (before[-1:].islower() or before[-1:] in set(".!?:"))
            inside[tag[1].lower()] += 1 if outside and not glued else -1
        names = {name for name, more in inside.items() if more >= 0 and not _DIVIDING.fullmatch(name)}
        text = _TAGS.sub(partial(_without, names), text)
    return text


def _without(names: Container[str], tag: re.Match[str]) -> str:
    """Return a tag, or what takes its place if it has one of these names."""
    if tag[1].lower() not in names:
        return tag[0]
    return " " if (tag[0][-2] == "/" or tag[1].lower() == "img") and 'break="no"' not in tag[0] else ""


def ends(line: str, language: str = "en") -> list[str]:
    """Return the sentences of a line; they end where they would in English and in the language.

    >>> ends("The road is approx. 3 miles long. It is new.")
    ['The road is approx. 3 miles long.', 'It is new.']
    """
    result: list[str] = []
    for sentence in (found.strip() for block in _blocks(" ".join(line.split())) for found in _parts(block, language)):
        if not sentence:
            continue
        inside = result and (
            sentence[0].islower()
            or _ONLY_NUMBER.fullmatch(result[-1])
            or (sentence[0].isdigit() and _BEFORE_NUMBER.search(result[-1]))
            or (language == "de" and _ORDINAL.search(result[-1]))
        )
        if inside or not any(sign.isalnum() for sign in sentence):
            result[-1:] = [f"{result[-1]} {sentence}"] if result else [sentence]
        else:
            result.append(sentence)
    return result


def _parts(block: str, language: str) -> list[str]:
    """Return the parts of a text without other spaces than " ", with which the library breaks down."""
    found = [set(accumulate(map(len, segment(each, block)))) for each in {"en", language}]
    return [block[begin:end] for begin, end in pairwise([0, *sorted(set.intersection(*found))])]


def _language(text: str) -> str:
    """Return the language whose frequent words a text has most often."""
    counts = Counter(re.findall(r"\w+", text[:_BLOCK].lower()))
    return max(_FREQUENT, key=lambda each: sum(counts[word] for word in _FREQUENT[each].split()))


def _blocks(line: str) -> Iterator[str]:
    """Yield a line in parts that are cut between words, so that the work grows with the length only."""
    start = 0
    while len(line) - start > _BLOCK:
        cut = line.rfind(" ", start, start + _BLOCK)
        cut = cut if cut > start else start + _BLOCK
        yield line[start:cut]
        start = cut
    yield line[start:]


def _is_spoken(lines: Sequence[str]) -> bool:
    """Return whether a text is subtitles, or a transcript from the first seconds on, in which every few lines are a
    time."""
    times = [line for line in lines if _TIME.match(line)]
    begins = times and _START.match(times[0]) and 5 * len(times) >= sum(bool(line.strip()) for line in lines)
    return bool(begins) or any("-->" in line for line in times)


def _speech(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines of each speaker in subtitles who begins with a dash or a name in capital letters, else all."""
    said: list[str] = []
    begun = comment = False
    repeats = any(map(_SPOKEN_AT.search, lines))
    for before, line, following in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        named = line.strip().isdigit() or ("-->" in following and not before.strip())
        if _TIME.match(line) or (named and _TIME.match(following)) or not line.strip():
            begun, comment = begun or bool(_TIME.match(line)), False
            continue
        comment = comment or (not before.strip() and _COMMENT.match(line) is not None)
        if comment or not begun:
            continue
        plain = unescape(_TAG.sub("", line)).strip()
        if repeats and said and said[-1] == plain:
            continue
        if speaker := _SPEAKER.match(plain):
            yield said
            said, plain = [], plain[speaker.end() :]
        said.append(plain)
    yield said


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a text, those of wrapped paragraphs joined."""
    lines = [line.strip() for line in lines]
    width = max(map(len, lines), default=0)
    breaks = [  # in the middle of sentences, and not before an item of a list
        (line, following)
        for line, following in pairwise(lines)
        if line and following and not _ITEM.match(following) and not _STOP.search(line)
    ]
    if not _is_wrapped(lines, width, breaks):
        yield from lines
        return
    own = sum(_divided(line) is not None for line, _ in breaks) <= _OWN * len(breaks)
    known = frozenset(re.findall(r"[^\W_]+(?:-[^\W_]+)*", "\n".join(lines).lower()))
    paragraph: list[str] = []
    for line in lines:
        if paragraph and (not line or (_ITEM.match(line) and not _goes_on(paragraph, line, width))):
            yield "".join(paragraph)
            paragraph = []
        if paragraph:
            paragraph[-1] = _before(paragraph[-1], line, known, own=own)
        if line:
            paragraph.append(line)
    if paragraph:
        yield "".join(paragraph)


def _goes_on(paragraph: Sequence[str], line: str, width: int) -> bool:
    """Return whether a line belongs to a paragraph although it begins as an item does, such as after a dash."""
    last = paragraph[-1].strip()
    return _is_full(last, line, width) and not _STOP.search(last) and not _ITEM.match(paragraph[0])


def _is_full(line: str, following: str, width: int) -> bool:
    """Return whether a line has no room for the next word."""
    return len(line) + 1 + len(following.split()[0]) > _NEAR_FULL * width


def _before(line: str, following: str, known: Container[str], *, own: bool) -> str:
    """Return a line as it stands before the next one; a word that is divided by a hyphen becomes one word, unless the
    words of the text (`known`), its other hyphens (`own`) or the parts of the word say that the hyphen belongs to it.
    """
    hyphen, after = _divided(line), re.match(r"(?P<end>[^\W_]+)(?P<more>-?)", following)
    if not hyphen or not after:
        return f"{line} "
    begin, end = hyphen["begin"], after["end"]
    if line[-1] == "\u00ad" or f"{begin}{end}".lower() in known:
        return line[:-1]
    if end.lower() in _AFTER:
        return f"{line} "
    parts = (
        own
        or after["more"]
        or begin.lower() in _PREFIXES
        or (hyphen["before"] and begin.lower() in _INSIDE)
        or f"{begin}-{end}".lower() in known
        or not f"{begin}{end}".isalpha()
        or (end[0].isupper() and not (len(begin) > 1 and f"{begin}{end}".isupper()))
    )
    return line if parts else line[:-1]


def _divided(line: str) -> re.Match[str] | None:
    return _HYPHEN.search(line[-_LONGEST_WORD:])


def _is_wrapped(lines: Sequence[str], width: int, breaks: Sequence[tuple[str, str]]) -> bool:
    """Return whether the lines of a text end where the next word has no room, in the middle of sentences."""
    if width < _LEAST_WIDTH or not breaks or 2 * sum(bool(_DATED.match(line)) for line in lines) > len(lines):
        return False
    full = sum(_is_full(line, following, width) for line, following in breaks)
    small = sum(not following[0].isupper() or _divided(line) is not None for line, following in breaks)
    return full >= _MOST * len(breaks) and small >= len(breaks) / 2
