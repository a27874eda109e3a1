"""The sentences of a text that a visitor pastes: wrapped lines joined, subtitles without time codes, sentence ends."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sentencex import segment

_TIME = re.compile(r"^\s*(?:\d{1,2}:)?\d{1,2}:\d{2}[,.]\d{1,3}\s*-->\s*(?:\d{1,2}:)?\d{1,2}:\d{2}[,.]\d{1,3}.*$")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,80}>|<\d[\d:.]*>|\{\\[^{}]{0,40}\}")
_COMMENT = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")  # of WebVTT; it ends at the next empty line
_SPEAKER = re.compile(r"^\s*[-–—]\s*(?=\S)")
_ITEM = re.compile(r"^\s*(?:[-*+•‣▪◦●·–—]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s")
_STOP = re.compile(r"[.!?…:][\"'”’»)\]]*$")
_HYPHEN = re.compile(r"(?P<begin>[^\W\d_]+)[-\u00ad\u2010]$")
# A hyphen after these belongs to the word.
_PREFIXES = frozenset(
    ("self", "well", "ex", "non", "half", "all", "so", "semi", "anti", "post", "pre", "co", "mid", "vice", "cross",
     "old", "new", "long", "short")
)  # fmt: skip
# A sentence does not end after these before a number.
_BEFORE_NUMBER = re.compile(
    r"(?:^|[\s(])(?:approx|ca|vol|vols|no|nos|nr|temp|est|fig|figs|ch|sec|art|pt|par|p|pp|ed|avg|min|max|c)\.$",
    re.IGNORECASE,
)
_ONLY_NUMBER = re.compile(r"\(?\w{1,3}[.)]")  # of a list
_LONGEST_WORD = 100  # characters
_LEAST_WIDTH = 40  # characters of the longest line of a wrapped text
_NEAR_FULL, _MOST = 0.9, 0.7  # how full a line is without room for the next word; share of such lines
_BLOCK = 20_000  # characters that are segmented at once, if a line is that long


@dataclass(frozen=True)
class VisitorText:
    """The sentences of a text, and what was done to find them, as sentences for the visitor."""

    sentences: tuple[str, ...]
    notes: tuple[str, ...] = ()


def visitor_sentences(text: str, *, as_written: bool = False) -> VisitorText:
    """Return the sentences of a pasted text; lines of wrapped paragraphs are joined, also at hyphens, but not those of
    poems and lists, and subtitles (.srt, .vtt) lose their numbers, time codes and tags.

    >>> visitor_sentences("She lives at No. 5 in the U.S. Capitol district. He does not.").sentences
    ('She lives at No. 5 in the U.S. Capitol district.', 'He does not.')
    """
    lines = text.lstrip("\ufeff").splitlines()
    notes = []
    if as_written:
        units = lines
    elif any(map(_TIME.match, lines)):
        units = list(_speech(lines))
        notes.append("The numbers, time codes and tags of the subtitles were removed, and their lines joined.")
    else:
        units = list(_joined(lines))
        if len(units) < sum(bool(line.strip()) for line in lines):
            notes.append("The text is wrapped, so the lines of each paragraph were joined.")
    return VisitorText(tuple(sentence for unit in units for sentence in ends(unit)), tuple(notes))


def ends(line: str) -> list[str]:
    """Return the sentences of a line.

    >>> ends("The road is approx. 3 miles long. It is new.")
    ['The road is approx. 3 miles long.', 'It is new.']
    """
    result: list[str] = []
    for part in (found for block in _blocks(line) for found in segment("en", block)):
        sentence = " ".join(part.split())
        if not sentence:
            continue
        inside = result and (
            sentence[0].islower()
            or _ONLY_NUMBER.fullmatch(result[-1])
            or (sentence[0].isdigit() and _BEFORE_NUMBER.search(result[-1]))
        )
        if inside or not any(sign.isalnum() for sign in sentence):
            result[-1:] = [f"{result[-1]} {sentence}"] if result else [sentence]
        else:
            result.append(sentence)
    return result


def _blocks(line: str) -> Iterator[str]:
    """Yield a line in parts that are cut between words, so that the work grows with the length only."""
    start = 0
    while len(line) - start > _BLOCK:
        cut = line.rfind(" ", start, start + _BLOCK)
        cut = cut if cut > start else start + _BLOCK
        yield line[start:cut]
        start = cut
    yield line[start:]


def _speech(lines: Sequence[str]) -> Iterator[str]:
    """Yield what is said in subtitles: a text for each speaker who begins with a dash, else all of it."""
    said: list[str] = []
    begun = comment = False
    for before, line, following in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        if _TIME.match(line) or _TIME.match(following) or not line.strip():
            begun, comment = begun or bool(_TIME.match(line)), False
            continue
        comment = comment or (not before.strip() and _COMMENT.match(line) is not None)
        if comment or not begun:
            continue
        plain = _TAG.sub("", line).strip()
        if dash := _SPEAKER.match(plain):
            yield " ".join(said)
            said, plain = [], plain[dash.end() :]
        said.append(plain)
    yield " ".join(said)


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a text, those of wrapped paragraphs joined."""
    if not _is_wrapped(lines):
        yield from lines
        return
    paragraph: list[str] = []
    for line in map(str.strip, lines):
        if paragraph and (not line or _ITEM.match(line)):
            yield "".join(paragraph)
            paragraph = []
        if paragraph:
            paragraph[-1] = _before(paragraph[-1], line)
        if line:
            paragraph.append(line)
    if paragraph:
        yield "".join(paragraph)


def _before(line: str, following: str) -> str:
    """Return a line as it stands before the next one; a word that is divided by a hyphen becomes one word."""
    hyphen = _divided(line)
    if hyphen and following[:1].islower():
        soft = line[-1] == "\u00ad" or hyphen["begin"].lower() not in _PREFIXES
        return line[:-1] if soft else line
    return f"{line} "


def _divided(line: str) -> re.Match[str] | None:
    return _HYPHEN.search(line[-_LONGEST_WORD:])


def _is_wrapped(lines: Sequence[str]) -> bool:
    """Return whether the lines of a text end where the next word has no room, in the middle of sentences."""
    stripped = [line.strip() for line in lines]
    width = max(map(len, stripped), default=0)
    if width < _LEAST_WIDTH:
        return False
    breaks = [
        (line, following)
        for line, following in pairwise(stripped)
        if line and following and not _ITEM.match(following) and not _STOP.search(line)
    ]
    if not breaks:
        return False
    full = sum(len(line) + 1 + len(following.split()[0]) > _NEAR_FULL * width for line, following in breaks)
    small = sum(not following[0].isupper() or _divided(line) is not None for line, following in breaks)
    return full >= _MOST * len(breaks) and small >= len(breaks) / 2
