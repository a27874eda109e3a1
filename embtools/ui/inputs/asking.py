"""The fields for one word at two positions, and the comparison that they define."""

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
    """The tokens of the texts, the same with first numbers, the tokens to choose from, and the default choice."""

    frame: pd.DataFrame
    listing: pd.DataFrame
    choices: list[str]
    choice: str


@dataclass(frozen=True)
class Compared:
    """The comparison of a token at two positions, with its tables and texts."""

    terms: Terms
    table: pd.DataFrame
    numbers: pd.DataFrame
    finding: str
    alt: str


def texts(first: str, second: str) -> tuple[str, ...]:
    """Return one text, or two if there is a second one."""
    return (first, second) if second.strip() else (first,)


def read(first: str, second: str, reading: str, *, model: Any) -> Read:
    """Return the tokens of the texts."""
    frame = terms.pieces(texts(first, second), model, pair=reading == PAIR)
    return Read(frame, terms.first_values(frame, model), terms.choices(frame), terms.first_choice(frame, model))


def compared(first: str, second: str, reading: str, piece: str, position: int, segment: int, *, model: Any) -> Compared:
    """Return the comparison of a token at two positions, the last one moved unless position and segment are -1."""
    frame = terms.pieces(texts(first, second), model, pair=reading == PAIR)
    found = terms.terms(
        frame,
        model,
        piece=piece,
        position=None if position == OWN else position,
        segment=None if segment == OWN else segment,
    )
    table = terms.differences(found)
    return Compared(found, table, terms.numbers(found), verdict.finding(found), charts.alt(found, table))


def code(first: str, second: str, reading: str, piece: str, position: int, segment: int) -> list[str]:
    """Return Python code that computes `frame`, `found` and `table`."""
    pair = ", pair=True" if reading == PAIR else ""
    put = "".join(f", {name}={value}" for name, value in (("position", position), ("segment", segment)) if value != OWN)
    return [
        f"frame = terms.pieces({texts(first, second)!r}, model{pair})",
        f"found = terms.terms(frame, model, piece={piece!r}{put})",
        "table = terms.differences(found)",
        "print(verdict.finding(found), table, terms.numbers(found), sep='\\n')",
    ]
