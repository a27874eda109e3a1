"""Lists of minimal pairs: BLiMP's JSONL, CrowS-Pairs' CSV, StereoSet's JSON and a plain CSV, checked by line."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from embtools import wordlists
from embtools.limits import enough
from embtools.messages import listed, quoted

ACCEPTABLE, STEREOTYPE, STEREOSET = KINDS = ("acceptable", "stereotype", "stereoset")
"""What the first sentence of a pair is: acceptable, more stereotyping, or that with an unrelated third one."""
COLUMNS = {
    ACCEPTABLE: ("good", "bad", "phenomenon"),
    STEREOTYPE: ("sent_more", "sent_less", "bias_type"),
    STEREOSET: ("stereotype", "anti_stereotype", "bias_type", "unrelated", "target", "context"),
}
"""The columns of each kind as CSV. The name of the group, the third column, and the context can be missing.

A context with BLANK is one of StereoSet's intrasentence part, another one comes before the sentences (intersentence).
"""
MAX_ITEMS, MAX_CHARACTERS, MAX_BYTES = 2_500, 500_000, 8_000_000
"""Limits of a list: pairs, characters as a CSV, and bytes of a file, which can have more columns."""
MAX_ROWS = 8 * MAX_ITEMS
"""The most rows that are read in all, with empty rows, repeated pairs and those that cannot be used."""
MAX_GROUPS = 100
NO_GROUP = "all pairs"
_MOST_NAME = 60  # characters of a group
_NAMED = 5  # pairs that cannot be used are named up to this number
_COLUMNS = 1_000  # columns of a CSV among which those of a list are looked for
T = TypeVar("T")


@dataclass(frozen=True)
class PairList:
    """Pairs of one kind: the rows have the columns of COLUMNS."""

    kind: str
    rows: tuple[tuple[str, ...], ...]

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups, such as phenomena, in their order."""
        return tuple(dict.fromkeys(row[2] for row in self.rows))


class BuiltIn(PairList):
    """The pairs of the word list; copied code does not list them."""

    code = "built_in()"

    @property
    def imports(self) -> set[str]:
        """The line that the code needs."""
        return {f"from {built_in.__module__} import built_in"}


def built_in() -> PairList:
    """Return the pairs written for this project: agreement, reflexives, negative polarity and wh-words.

    >>> built_in().groups
    ('agreement', 'reflexives', 'negative polarity', 'wh-')
    """
    frame = wordlists.load("minimal_pairs")
    return BuiltIn(ACCEPTABLE, tuple(frame[["good", "bad", "phenomenon"]].itertuples(index=False, name=None)))


def read_pairs(data: bytes) -> PairList:
    """Read a file in one of the four formats, which is recognised by its content.

    BLiMP (Warstadt et al. 2020): one JSON object per line, with sentence_good, sentence_bad and linguistics_term or
    UID. CrowS-Pairs (Nangia et al. 2020): a CSV with sent_more, sent_less, bias_type. StereoSet (Nadeem et al. 2021): a
    JSON object with an intrasentence and an intersentence part. Plain: a CSV with good, bad and perhaps phenomenon.

    Raises ValueError for a file that is none of these, with the number of the line or example for one that is
    incomplete; also for too many bytes, characters, pairs or groups.

    >>> read_pairs(b"good,bad,phenomenon\\nHe is here.,He are here.,agreement\\n").rows
    (('He is here.', 'He are here.', 'agreement'),)
    """
    if len(data) > MAX_BYTES:
        raise ValueError(f"The file has {len(data):,} bytes; at most {MAX_BYTES:,} are read. Split it.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("The file is not UTF-8 text. Save it in UTF-8 and upload it again.") from None
    found = _from_json(text) if text.lstrip()[:1] in ("{", "[") else read_csv(text)
    _check_characters(sum(len(cell) for row in found.rows for cell in row))
    return found


def read_csv(text: str) -> PairList:
    """Read pairs from a text in CSV whose first line names the columns; ValueError as `read_pairs` raises it."""
    try:
        head = text.partition("\n")[0]
        separator = ";" if ";" in head and "," not in head else ","
        table = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=separator)
        names = [name.strip().lower() for name in next(table, [])[:_COLUMNS]]
        kind = next((kind for kind, columns in COLUMNS.items() if set(_needed(columns)) <= set(names)), "")
        if not text.strip():
            raise ValueError("There are no pairs. Write good,bad,phenomenon in the first line, and one pair per line.")
        if not kind:
            raise ValueError(
                "The first line does not name the columns. Write good,bad,phenomenon; or upload a file from BLiMP,"
                " CrowS-Pairs or StereoSet."
            )
        at = {name: names.index(name) for name in COLUMNS[kind] if name in names}
        rows = (
            (f"line {table.line_num}", {name: cells[i] for name, i in at.items() if i < len(cells)})
            for cells in _first(table)
            if any(cell.strip() for cell in cells)
        )
        return _checked(kind, rows)
    except csv.Error as error:
        reason = "a cell is too long" if "limit" in str(error) else "a quotation mark is misplaced or not closed"
        raise ValueError(f"The text cannot be read as CSV: {reason}. Correct it.") from error


def write_csv(pairs: PairList) -> str:
    """Format pairs as the CSV that `read_csv` reads.

    >>> write_csv(PairList("acceptable", (("He is.", "He are.", "verbs"),)))
    'good,bad,phenomenon\\nHe is.,He are.,verbs\\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS[pairs.kind])
    writer.writerows(pairs.rows)
    return text.getvalue()


def _needed(columns: Sequence[str]) -> list[str]:
    """Return the columns that a CSV must have: all except the group and the context."""
    return [name for n, name in enumerate(columns) if n not in (2, 5)]


def _first(rows: Iterable[T]) -> Iterator[T]:
    """Yield the rows of a file; ValueError after MAX_ROWS, so that a large file is not read to its end."""
    for number, row in enumerate(rows):
        if number == MAX_ROWS:
            raise ValueError(
                f"The list has more than {MAX_ROWS:,} rows, with empty rows and repeated pairs; no more are read. Split"
                " it."
            )
        yield row


def _from_json(text: str) -> PairList:
    """Return the pairs of BLiMP's JSONL or StereoSet's JSON."""
    try:
        whole = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        whole = None
    if isinstance(whole, Mapping) and "sentence_good" not in whole:
        return _checked(STEREOSET, _examples(whole))
    return _checked(ACCEPTABLE, _lines(text))


def _lines(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the pairs of BLiMP's JSONL, one at a time."""
    for number, line in enumerate(_first(io.StringIO(text, newline=None)), 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (json.JSONDecodeError, RecursionError):
            item = None
        if not isinstance(item, Mapping):
            raise ValueError(
                f"Line {number} is no JSON object. In BLiMP's format, each line is one, with sentence_good and"
                " sentence_bad."
            )
        group = item.get("linguistics_term") or item.get("UID") or ""
        cells = {"good": item.get("sentence_good"), "bad": item.get("sentence_bad"), "phenomenon": group}
        yield f"line {number}", cells


def _examples(whole: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the triples of StereoSet's examples, one at a time."""
    part = whole.get("data")
    halves = [part.get(name) for name in ("intrasentence", "intersentence")] if isinstance(part, Mapping) else []
    examples = [example for half in halves if isinstance(half, list) for example in half]
    if not any(isinstance(half, list) for half in halves):
        raise ValueError(
            "The file is no StereoSet file: it has no list “intrasentence” in “data”. For BLiMP, write one JSON object"
            " per line."
        )
    for number, example in enumerate(_first(examples), 1):
        sentences = example.get("sentences") if isinstance(example, Mapping) else None
        if not isinstance(sentences, list) or not all(isinstance(each, Mapping) for each in sentences):
            raise ValueError(f"Example {number} of the file has no list of sentences.")
        by_label = {str(each.get("gold_label")): each.get("sentence") for each in sentences}
        cells = {
            "stereotype": by_label.get("stereotype"),
            "anti_stereotype": by_label.get("anti-stereotype"),
            "bias_type": example.get("bias_type"),
            "unrelated": by_label.get("unrelated"),
            "target": example.get("target"),
            "context": example.get("context"),
        }
        yield f"example {number}", cells


def _checked(kind: str, rows: Iterable[tuple[str, Mapping[str, Any]]]) -> PairList:
    """Return the pairs of named rows, each once except in CrowS-Pairs; ValueError as `read_pairs` does."""
    found: list[tuple[str, ...]] = []
    known: set[tuple[str, ...]] = set()
    bad, named, advice = 0, [], ""
    for where, cells in rows:
        row = _row(kind, cells)
        if problem := _problem(kind, row):
            bad, advice = bad + 1, problem[1]
            named += [f"in {where}, {problem[0]}"] if bad <= _NAMED else []
            continue
        if row in known and kind != STEREOTYPE:  # CrowS-Pairs counts a repeated row
            continue
        known.add(row)
        found.append(row)
        if len(found) > MAX_ITEMS:
            raise ValueError(f"There are more than {MAX_ITEMS:,} pairs; no more are read. Split the list.")
    if bad == 1:
        raise ValueError(f"I{named[0][1:]}. {advice}")
    if bad:
        named += [f"{bad - _NAMED:,} more"] if bad > _NAMED else []
        raise ValueError(f"{bad:,} pairs cannot be used: {listed(named)}. Correct them, or remove these pairs.")
    pairs = PairList(kind, tuple(found))
    enough(pairs.rows, "pairs")
    if len(pairs.groups) > MAX_GROUPS:
        raise ValueError(
            f"There are {len(pairs.groups):,} groups; at most {MAX_GROUPS} are compared. Use fewer names in the column"
            f" {COLUMNS[kind][2]}."
        )
    return pairs


def _row(kind: str, cells: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the texts of a row in the order of its columns; "" for what is missing."""
    values = (cells.get(name) for name in COLUMNS[kind])
    texts = [" ".join(value.split()) if isinstance(value, str) else "" for value in values]
    texts[2] = texts[2][:_MOST_NAME].strip() or NO_GROUP
    return tuple(texts)


def _problem(kind: str, row: tuple[str, ...]) -> tuple[str, str] | None:
    """Return why a row cannot be used and what to do; None if it can be used."""
    if "" in row[:5]:
        return f"{COLUMNS[kind][row.index('')]} is missing or empty", "Add it, or remove the pair."
    if row[0] == row[1]:
        return f"both sentences are the same: {quoted(row[0], 80)}", "Change one of them."
    return None


def _check_characters(count: int) -> None:
    if count > MAX_CHARACTERS:
        raise ValueError(f"The list has {count:,} characters; at most {MAX_CHARACTERS:,} are read. Split it.")
