"""The fields for one token of one or two texts, and the arguments of the queries about it."""

from typing import Any

from embtools.ui.fields import Choice, Number, Text

ALONE, PAIR = "each alone", "as a pair"
TEXT, SECOND = Text("inputs_first", "I found a rock.", 5_000), Text("inputs_second", "I only listen to rock.", 5_000)
READING = Choice("inputs_reading", ALONE, {"alone": ALONE, "pair": PAIR})
PIECE = Choice("inputs_piece", "rock")
OWN = -1
"""The position or segment of a token that was not moved."""
POSITION, SEGMENT = Number("inputs_position", OWN, OWN, 4_095, 1), Number("inputs_segment", OWN, OWN, 1, 1)
FIELDS = (TEXT, SECOND, READING, PIECE, POSITION, SEGMENT)


def texts() -> dict[str, Any]:
    """Return the texts and how they are read, as arguments of a query."""
    both = (TEXT.value, SECOND.value) if SECOND.value.strip() else (TEXT.value,)
    return {"texts": both, "pair": READING.value == PAIR}


def moved() -> dict[str, Any]:
    """Return where the token was moved, as arguments of a query."""
    return {
        name: None if field.value == OWN else int(field.value)
        for name, field in (("position", POSITION), ("segment", SEGMENT))
    }
