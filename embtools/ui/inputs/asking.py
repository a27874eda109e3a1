"""What the first tab of the Inputs page is asked: its fields, and the comparison that they stand for."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from embtools.charts.inputs import terms as charts
from embtools.inputs import terms, verdict
from embtools.inputs.terms import Terms
from embtools.ui.fields import Choice, Number, Text

ALONE, PAIR = "each alone", "as a pair"
TEXT, SECOND = Text("inputs_first", "I found a rock.", 5_000), Text("inputs_second", "I only listen to rock.", 5_000)
READING = Choice("inputs_reading", ALONE, (ALONE, PAIR))
PIECE = Choice("inputs_piece", "rock")
OWN = -1
POSITION, SEGMENT = Number("inputs_position", OWN, OWN, 4_095, 1), Number("inputs_segment", OWN, OWN, 1, 1)
FIELDS = (TEXT, SECOND, READING, PIECE, POSITION, SEGMENT)
FIRST = TEXT.default, SECOND.default, READING.default


@dataclass(frozen=True)
class Read:
    """The pieces of the texts, also with first numbers, those to choose from, and the one to begin with."""

    frame: pd.DataFrame
    listing: pd.DataFrame
    choices: list[str]
    choice: str


@dataclass(frozen=True)
class Looked:
    """What is shown of a piece."""

    terms: Terms
    table: pd.DataFrame
    numbers: pd.DataFrame
    finding: str
    alt: str


def texts(first: str, second: str) -> tuple[str, ...]:
    """One text, or two where a second one is written."""
    return (first, second) if second.strip() else (first,)


def read(first: str, second: str, reading: str, *, model: Any) -> Read:
    """The texts in pieces."""
    frame = terms.pieces(texts(first, second), model, pair=reading == PAIR)
    return Read(frame, terms.first_values(frame, model), terms.choices(frame), terms.first_choice(frame, model))


def looked(first: str, second: str, reading: str, piece: str, position: int, segment: int, *, model: Any) -> Looked:
    """A piece in two places, the last one where it was put (-1: where it stands)."""
    frame = terms.pieces(texts(first, second), model, pair=reading == PAIR)
    found = terms.terms(
        frame,
        piece,
        model,
        position=None if position == OWN else position,
        segment=None if segment == OWN else segment,
    )
    table = terms.differences(found)
    return Looked(found, table, terms.numbers(found), verdict.finding(found), charts.alt(found, table))


def code(first: str, second: str, reading: str, piece: str, position: int, segment: int) -> list[str]:
    """The same in Python; leaves `frame`, `found` and `table`."""
    pair = ", pair=True" if reading == PAIR else ""
    put = "".join(f", {name}={value}" for name, value in (("position", position), ("segment", segment)) if value != OWN)
    return [
        f"frame = terms.pieces({texts(first, second)!r}, model{pair})",
        f"found = terms.terms(frame, {piece!r}, model{put})",
        "table = terms.differences(found)",
        "print(verdict.finding(found), table, terms.numbers(found), sep='\\n')",
    ]
