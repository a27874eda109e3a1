"""Lists of minimal pairs: tables, BLiMP's JSON lines, CrowS-Pairs' CSV and StereoSet's JSON."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from embtools import wordlists
from embtools.doors import import_line
from embtools.limits import enough
from embtools.messages import quoted, shortened
from embtools.tables import grid
from embtools.tables.columns import (
    Chosen,
    Column,
    Reading,
    described,
    has_columns,
    records,
    text_of,
)

ACCEPTABLE, STEREOTYPE, STEREOSET = KINDS = ("acceptable", "stereotype", "stereoset")
"""What the first sentence of a pair is: acceptable, more stereotyping, or that with an unrelated third one."""
COLUMNS = {
    ACCEPTABLE: ("good", "bad", "phenomenon"),
    STEREOTYPE: ("sent_more", "sent_less", "bias_type"),
    STEREOSET: ("stereotype", "anti_stereotype", "bias_type", "unrelated", "target", "context"),
}
"""The columns of each kind as CSV. The name of the group, the third column, and the context can be missing.

A context with BLANK is one of StereoSet's intrasentence part; another one comes before the sentences (intersentence).
"""
_GROUP = ("group", "category", "field", "type", "kind")
TABLES = {
    STEREOSET: (
        Column("stereotype", ("stereotypical",)),
        Column("anti_stereotype", ("antistereotype", "anti stereotypical")),
        Column("bias_type", _GROUP, optional=True),
        Column("unrelated", ("meaningless",)),
        Column("target", ("target term",)),
        Column("context", optional=True),
    ),
    STEREOTYPE: (
        Column("sent_more", ("more", "sentence more", "stereotype", "stereotypical")),
        Column("sent_less", ("less", "sentence less", "anti stereotype", "antistereotype", "anti stereotypical")),
        Column("bias_type", _GROUP, optional=True),
    ),
    ACCEPTABLE: (
        Column("good", ("sentence_good", "good sentence", "acceptable", "grammatical", "correct")),
        Column(
            "bad", ("sentence_bad", "bad sentence", "unacceptable", "ungrammatical", "incorrect", "wrong"),
        ),
        Column("phenomenon", ("linguistics_term", "UID", *_GROUP), optional=True),
    ),
}  # fmt: skip
"""The columns of a table of each kind with other names that they have, in the order in which kinds are recognised."""
MAX_ITEMS, MAX_CHARACTERS, MAX_BYTES = 2_500, 500_000, 8_000_000
"""Limits of a list: pairs, characters as a CSV, and bytes of a file, which can have more columns."""
MAX_ROWS = 8 * MAX_ITEMS
"""The most rows that are read in all, with repeated pairs and those that cannot be used."""
MAX_GROUPS = 100
NO_GROUP = "all pairs"
_MOST_NAME = 60  # characters of a group
_HALVES = ("intrasentence", "intersentence")  # of StereoSet


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
        return {import_line(built_in)}


def built_in() -> PairList:
    """Return the pairs written for this project: agreement, reflexives, negative polarity and wh-words.

    >>> built_in().groups
    ('agreement', 'reflexives', 'negative polarity', 'wh-')
    """
    frame = wordlists.load("minimal_pairs")
    return BuiltIn(ACCEPTABLE, tuple(frame[["good", "bad", "phenomenon"]].itertuples(index=False, name=None)))


def read_pairs(source: str | bytes) -> PairList:
    """Return the pairs that `read` finds in a text or file, without the notes.

    >>> read_pairs(b"good,bad,phenomenon\\nHe is here.,He are here.,agreement\\n").rows
    (('He is here.', 'He are here.', 'agreement'),)
    """
    return read(source).value


def read(source: str | bytes, columns: Chosen | None = None) -> Reading[PairList]:
    """Read pairs from a table or JSON, told by its columns: BLiMP (Warstadt et al. 2020), CrowS-Pairs (Nangia et al.
    2020), StereoSet (Nadeem et al. 2021), or good, bad and optionally phenomenon."""
    if len(source) > MAX_BYTES:
        raise ValueError(f"The file has {len(source):,} bytes; at most {MAX_BYTES:,} are read. Split it.")
    text, notes = text_of(source)
    if not text.strip():
        raise ValueError("There are no pairs. Write good,bad,phenomenon in the first line, and one pair per line.")
    whole = grid.parsed(text) if grid.is_json(text) else None
    if isinstance(whole, Mapping) and isinstance(part := whole.get("data"), Mapping) and set(_HALVES) & set(part):
        found = _checked(STEREOSET, list(_examples([part[half] for half in _HALVES if half in part])))
    else:
        named = (kind for kind in TABLES if not columns and has_columns(text, TABLES[kind]))
        kind = next(named, ACCEPTABLE)
        table = records(text, TABLES[kind], most=MAX_ROWS, chosen=columns)
        notes += table.notes
        found = _checked(kind, [(row.where, row.cells) for row in table.value], table.notes)
    return Reading(found.value, notes + found.notes)


def write_csv(pairs: PairList) -> str:
    """Format pairs as the CSV that `read_pairs` reads.

    >>> write_csv(PairList("acceptable", (("He is.", "He are.", "verbs"),)))
    'good,bad,phenomenon\\nHe is.,He are.,verbs\\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS[pairs.kind])
    writer.writerows(pairs.rows)
    return text.getvalue()


def _examples(halves: Sequence[Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the triples of StereoSet's examples, with "" for what is missing."""
    if not all(isinstance(half, list) for half in halves):
        raise ValueError(f"The file is not a StereoSet file: “{_HALVES[0]}” or “{_HALVES[1]}” is not a list.")
    for number, example in enumerate([example for half in halves for example in half][:MAX_ROWS], 1):
        sentences = example.get("sentences") if isinstance(example, Mapping) else None
        listed = [each for each in sentences if isinstance(each, Mapping)] if isinstance(sentences, list) else []
        by_label = {str(each.get("gold_label")): each.get("sentence") for each in listed}
        about = example if isinstance(example, Mapping) else {}
        cells = (
            by_label.get("stereotype"),
            by_label.get("anti-stereotype"),
            about.get("bias_type"),
            by_label.get("unrelated"),
            about.get("target"),
            about.get("context"),
        )
        yield f"example {number:,}", tuple(" ".join(cell.split()) if isinstance(cell, str) else "" for cell in cells)


def _checked(
    kind: str, rows: Sequence[tuple[str, tuple[str, ...]]], earlier: tuple[str, ...] = ()
) -> Reading[PairList]:
    """Return the pairs of rows and notes about those that are left out; ValueError if none can be used, with the first
    note, which can be an earlier one about the table."""
    found: list[tuple[str, ...]] = []
    known: set[tuple[str, ...]] = set()
    wrong: list[tuple[str, str]] = []
    characters = more = 0
    for where, cells in rows:
        row = (*cells[:2], cells[2][:_MOST_NAME].strip() or NO_GROUP, *cells[3:])
        size = sum(map(len, row))
        if problem := _problem(kind, row, known):
            shown = f" ({quoted(row[0] or row[1], 40)})" if row[0] or row[1] else ""
            wrong.append((f"{where}{shown}", problem))
        elif more or len(found) == MAX_ITEMS or characters + size > MAX_CHARACTERS:
            more += 1
        else:
            characters += size
            known.add(row)
            found.append(row)
    notes = described(wrong)
    if more:
        notes += (f"Only the first {len(found):,} of {len(found) + more:,} pairs are used.",)
    if not found and (why := notes + earlier):
        raise ValueError(f"No pair can be used. Correct the pairs, or choose another file. {shortened(why[0], 250)}")
    enough(found, "pairs")
    groups = len({row[2] for row in found})
    if groups > MAX_GROUPS:
        found = [(*row[:2], NO_GROUP, *row[3:]) for row in found]
        notes += (f"The column {COLUMNS[kind][2]} has {groups:,} different names, so the pairs are not grouped.",)
    return Reading(PairList(kind, tuple(found)), notes)


def _problem(kind: str, row: tuple[str, ...], known: set[tuple[str, ...]]) -> str:
    """Return why a row cannot be used; "" if it can be used."""
    if "" in row[:5]:
        return f"{COLUMNS[kind][row.index('')]} is missing or empty"
    if row[0] == row[1]:
        return "both sentences are the same"
    return "the pair occurs before" if row in known and kind != STEREOTYPE else ""
