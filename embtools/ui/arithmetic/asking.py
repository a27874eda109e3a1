"""What the Arithmetic page is asked: its fields, and the run that they stand for."""

from dataclasses import dataclass, replace
from typing import Any

from embtools import wordlists
from embtools.arithmetic.controls import MAX_DRAWS
from embtools.mask_filling import asking
from embtools.mask_filling.edits import NO_CHANGE, Change
from embtools.ui import fields
from embtools.ui.fields import Choice, Flag, Number, Numbers, Text

FIRST_TEXT, FIRST_EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
TEXT, EDITS = Text("arithmetic_text", FIRST_TEXT), Text("arithmetic_edits", FIRST_EDIT)
SCOPE = Choice("arithmetic_scope", "input", ("input", "tied"))
STRENGTH = Number("arithmetic_strength", 1.0, 0.0, 2.0, 0.05)
KEEP = Flag("arithmetic_keep")
POSITIONS = Numbers("arithmetic_positions", labelled=r"(\d{1,4})$")
LEAVE_OUT, CANDIDATES = Text("arithmetic_leave_out"), Text("arithmetic_candidates")
ANSWERS = Number("arithmetic_k", 5, 3, 20, 1)
TEMPERATURE = Number("arithmetic_temperature", 1.0, 0.2, 3.0, 0.1)
DRAWS = Number("arithmetic_draws", 5, 1, MAX_DRAWS, 1)
HIDE = Flag("arithmetic_hide")
FIELDS = (TEXT, EDITS, SCOPE, STRENGTH, KEEP, POSITIONS, LEAVE_OUT, CANDIDATES, ANSWERS, TEMPERATURE, DRAWS, HIDE)


@dataclass(frozen=True)
class Asked:
    """One run as the visitor asked for it: the sentence as BERT reads it, the change without edits set aside."""

    text: str
    change: Change = NO_CHANGE
    k: int = 5
    leave_out: tuple[str, ...] = ()
    hide_offensive: bool = False
    temperature: float = 1.0
    draws: int = 5


@dataclass(frozen=True)
class Read:
    """A run, and what was made of the fields on the way: a word that was masked, edits whose word is not there."""

    asked: Asked
    masked: str
    aside: tuple[str, ...]


DEFAULT = Asked(FIRST_TEXT, Change((FIRST_EDIT,)))


def typed() -> tuple[str, tuple[str, ...]]:
    """The sentence and the edits as they stand in their fields."""
    return asking.spelt(TEXT.value), fields.lines(EDITS.value)


def read(text: str, edits: tuple[str, ...], scope: Any, *, model: Any) -> Read:
    """What a sentence and edits ask for. Raises ValueError as `asking.applicable` does."""
    whole, word = asking.masked(text)
    kept, aside = asking.applicable(edits, whole, model, scope)
    return Read(Asked(whole, Change(kept, scope)), word, aside)


def completed(asked: Asked) -> Asked:
    """A run with the settings that the other fields hold."""
    change = replace(asked.change, strength=STRENGTH.value, positions=tuple(POSITIONS.value), keep_length=KEEP.value)
    return replace(
        asked,
        change=change,
        k=ANSWERS.value,
        leave_out=fields.words(LEAVE_OUT.value),
        hide_offensive=HIDE.value,
        temperature=TEMPERATURE.value,
        draws=DRAWS.value,
    )


def left_out(asked: Asked, *, model: Any) -> tuple[str, ...]:
    """The words that are no answers: those that were named, and the offensive ones if they are to be hidden."""
    offensive = wordlists.load("offensive")["word"] if asked.hide_offensive else ()
    return (*asked.leave_out, *(word for word in offensive if word in model.ids))
