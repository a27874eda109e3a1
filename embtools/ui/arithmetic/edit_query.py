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
class Query:
    """One run as the fields describe it: the sentence as BERT reads it, and the edits that apply to it."""

    text: str
    change: Change = NO_CHANGE
    k: int = 5
    leave_out: tuple[str, ...] = ()
    hide_offensive: bool = False
    temperature: float = 1.0
    draws: int = 5


@dataclass(frozen=True)
class ParsedInput:
    """A run, and how the fields were interpreted.

    masked_word  the word that was masked because the sentence had no mask, or ""
    not_applied  edits whose word is not in the sentence
    editable     words of the sentence to which those edits could be applied
    positions    position → word, if an edited word is in the sentence more than once
    """

    query: Query
    masked_word: str
    not_applied: tuple[Equation, ...]
    editable: tuple[str, ...]
    positions: tuple[tuple[int, str], ...]


DEFAULT = Query(FIRST_TEXT, Change.of((FIRST_EDIT,)))


def typed(model: str) -> tuple[str, tuple[str, ...]]:
    """Return the sentence and the edits of the fields, spelled for a model."""
    text = typed_input.normalise_masks(TEXT.value)
    return text, fields.lines(spelling.text(EDITS, model, beside=text))


def first_example(model: str) -> tuple[str, tuple[str, ...]]:
    """Return the sentence and the edits of the first example, spelled for a model."""
    return FIRST_TEXT, (spelling.quietly(FIRST_EDIT, model, FIRST_TEXT),)


def first_query(model: str) -> Query:
    """Return the run of the first example, spelled for a model."""
    text, edits = first_example(model)
    return Query(text, Change.of(edits))


def read(text: str, lines: tuple[str, ...], scope: Any, *, model: Any) -> ParsedInput:
    """Read and check a sentence with edits; raises ValueError for what cannot be read or computed."""
    whole, word = typed_input.mask_last_word(text)
    tokens = model.tokenize(whole)
    mask_positions(tokens, model)  # before the edits, so that errors in the sentence are reported first
    change = Change.of(lines, scope)
    applied, not_applied = typed_input.applicable(change.edits, model, text=whole, scope=scope)
    change = replace(change, edits=applied)
    targets = {model.vocabulary[target] for target in edits.resolve(change, model).vectors}
    occurrences = tokens[tokens["token"].isin(targets)]
    several = len(occurrences) > len(targets)
    positions = zip(occurrences["position"], occurrences["token"], strict=True) if several else ()
    editable = _editable(tokens, model) if not_applied else ()
    return ParsedInput(Query(whole, change), word, not_applied, editable, tuple(positions))


def with_settings(read: ParsedInput) -> Query:
    """Return a run with the current settings of the other fields."""
    positions = [position for position, _ in read.positions if position in POSITIONS.value]
    return replace(
        read.query,
        change=replace(
            read.query.change, strength=STRENGTH.value, positions=tuple(positions), keep_length=KEEP.value
        ),
        k=ANSWERS.value,
        leave_out=fields.words(LEAVE_OUT.value),
        hide_offensive=HIDE.value,
        temperature=TEMPERATURE.value,
        draws=DRAWS.value,
    )  # fmt: skip


def experiment(query: Query, *, model: Any, progress: Progress = silent) -> Experiment:
    """Run the edit and its controls with the settings of the page."""
    return controls.experiment(
        query.text,
        model,
        change=query.change,
        k=query.k,
        leave_out=left_out(query, model=model),
        temperature=query.temperature,
        draws=query.draws,
        progress=progress,
    )


def left_out(query: Query, *, model: Any) -> tuple[str, ...]:
    """Return the words that cannot be answers: those of the field, and offensive ones if they are hidden."""
    offensive = wordlists.load("offensive")["word"] if query.hide_offensive else ()
    return (*query.leave_out, *(word for word in offensive if word in model.ids))


def edited_words(query: Query) -> tuple[str, ...]:
    """Return the words in the edits of a run, each once."""
    edits = query.change.edits
    return tuple(dict.fromkeys(word for edit in edits for word in (edit.target, *expression.words(edit.expression))))


def description(query: Query) -> str:
    """Return the sentence and the edits of a run as one line of text."""
    return "  ·  ".join([query.text[:120], *map(str, query.change.edits)])


def _editable(tokens: pd.DataFrame, model: Any) -> tuple[str, ...]:
    """Return words of a sentence that are one token, the rarest first (the vocabulary is ordered by frequency)."""
    whole = tokens[~tokens["word"].duplicated(keep=False)]
    ids = {i for i in whole["id"] if model.whole_words[i] and len(model.vocabulary[i]) > 2}
    return tuple(model.vocabulary[i] for i in sorted(ids, reverse=True)[:MOST_WORDS])
