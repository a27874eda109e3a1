"""The fields of the tab for one sentence, and the run that they describe."""

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from embtools import wordlists
from embtools.arithmetic import controls
from embtools.arithmetic.controls import MAX_DRAWS, Experiment
from embtools.formula import expression
from embtools.formula.expression import Equation
from embtools.mask_filling import edits, typed_input
from embtools.mask_filling.edits import NO_CHANGE, Change
from embtools.mask_filling.forward import mask_positions
from embtools.progress import Progress, silent
from embtools.ui import fields, spelling
from embtools.ui.fields import Choice, Flag, Number, Numbers, Text

FIRST_TEXT, FIRST_EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
TEXT, EDITS = Text("arithmetic_text", FIRST_TEXT), Text("arithmetic_edits", FIRST_EDIT)
SCOPE = Choice("arithmetic_scope", "input", ("input", "tied"))
STRENGTH = Number("arithmetic_strength", 1.0, 0.0, 2.0, 0.05)
POSITIONS = Numbers("arithmetic_positions", labelled=r"(\d{1,4})$")
MASK = Number("arithmetic_mask", 1, 1, 10, 1)
KEEP, HIDE = Flag("arithmetic_keep"), Flag("arithmetic_hide")
LEAVE_OUT = Text("arithmetic_leave_out")
ANSWERS = Number("arithmetic_k", 5, 3, 20, 1)
TEMPERATURE = Number("arithmetic_temperature", 1.0, 0.2, 3.0, 0.1)
DRAWS = Number("arithmetic_draws", 5, 1, MAX_DRAWS, 1)
FIELDS = (TEXT, EDITS, SCOPE, STRENGTH, POSITIONS, MASK, KEEP, HIDE, LEAVE_OUT, ANSWERS, TEMPERATURE, DRAWS)
MOST_WORDS = 4  # words of a sentence that are offered as buttons


@dataclass(frozen=True)
class Asked:
    """One run as the fields describe it: the sentence as BERT reads it, and the edits that apply to it."""

    text: str
    change: Change = NO_CHANGE
    k: int = 5
    leave_out: tuple[str, ...] = ()
    hide_offensive: bool = False
    temperature: float = 1.0
    draws: int = 5


@dataclass(frozen=True)
class Read:
    """A run, and how the fields were interpreted.

    masked    the word that was masked because the sentence had no mask, or ""
    aside     edits that are not applied, because their word is not in the sentence
    editable  words of the sentence to which those edits could be applied
    places    position → word, if an edited word is in the sentence more than once
    """

    asked: Asked
    masked: str
    aside: tuple[Equation, ...]
    editable: tuple[str, ...]
    places: tuple[tuple[int, str], ...]


DEFAULT = Asked(FIRST_TEXT, Change.of((FIRST_EDIT,)))


def typed(model: str) -> tuple[str, tuple[str, ...]]:
    """Return the sentence and the edits of the fields, spelled for a model."""
    text = typed_input.normalise_masks(TEXT.value)
    return text, fields.lines(spelling.text(EDITS, model, beside=text))


def first(model: str) -> tuple[str, tuple[str, ...]]:
    """Return the sentence and the edits of the first example, spelled for a model."""
    return FIRST_TEXT, (spelling.quietly(FIRST_EDIT, model, FIRST_TEXT),)


def default(model: str) -> Asked:
    """Return the run of the first example, spelled for a model."""
    text, edits = first(model)
    return Asked(text, Change.of(edits))


def read(text: str, lines: tuple[str, ...], scope: Any, *, model: Any) -> Read:
    """Read and check a sentence with edits; raises ValueError for what cannot be read or computed."""
    whole, word = typed_input.mask_last_word(text)
    tokens = model.tokenize(whole)
    mask_positions(tokens, model)  # before the edits, so that errors in the sentence are reported first
    change = Change.of(lines, scope)
    kept, aside = typed_input.applicable(change.edits, whole, model, scope)
    change = replace(change, edits=kept)
    targets = {model.vocabulary[target] for target in edits.resolve(change, model).vectors}
    found = tokens[tokens["token"].isin(targets)]
    places = zip(found["position"], found["token"], strict=True) if len(found) > len(targets) else ()
    return Read(Asked(whole, change), word, aside, _editable(tokens, model) if aside else (), tuple(places))


def completed(read: Read) -> Asked:
    """Return a run with the current settings of the other fields."""
    places = [position for position, _ in read.places if position in POSITIONS.value]
    return replace(
        read.asked,
        change=replace(
            read.asked.change, strength=STRENGTH.value, positions=tuple(places), keep_length=KEEP.value
        ),
        k=ANSWERS.value,
        leave_out=fields.words(LEAVE_OUT.value),
        hide_offensive=HIDE.value,
        temperature=TEMPERATURE.value,
        draws=DRAWS.value,
    )  # fmt: skip


def experiment(asked: Asked, *, model: Any, progress: Progress = silent) -> Experiment:
    """Run the edit and its controls with the settings of the page."""
    return controls.experiment(
        asked.text,
        asked.change,
        asked.k,
        model=model,
        leave_out=left_out(asked, model=model),
        temperature=asked.temperature,
        draws=asked.draws,
        progress=progress,
    )


def left_out(asked: Asked, *, model: Any) -> tuple[str, ...]:
    """Return the words that cannot be answers: those of the field, and offensive ones if they are hidden."""
    offensive = wordlists.load("offensive")["word"] if asked.hide_offensive else ()
    return (*asked.leave_out, *(word for word in offensive if word in model.ids))


def words(asked: Asked) -> tuple[str, ...]:
    """Return the words in the edits of a run, each once."""
    edits = asked.change.edits
    return tuple(dict.fromkeys(word for edit in edits for word in (edit.target, *expression.words(edit.expression))))


def says(asked: Asked) -> str:
    """Return the sentence and the edits of a run as one line of text."""
    return "  ·  ".join([asked.text[:120], *map(str, asked.change.edits)])


def _editable(tokens: pd.DataFrame, model: Any) -> tuple[str, ...]:
    """Return words of a sentence that are one token, the rarest first (the vocabulary is ordered by frequency)."""
    whole = tokens[~tokens["word"].duplicated(keep=False)]
    ids = {i for i in whole["id"] if model.whole_words[i] and len(model.vocabulary[i]) > 2}
    return tuple(model.vocabulary[i] for i in sorted(ids, reverse=True)[:MOST_WORDS])
