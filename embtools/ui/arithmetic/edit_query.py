"""The fields of the tab for one sentence, and the queries that they describe."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from embtools.arithmetic.edit import TypedEdit, edited_answers, read_edit
from embtools.arithmetic.edit_result import EditedAnswers
from embtools.mask_filling import typed_input
from embtools.mask_filling.controls import MAX_DRAWS
from embtools.mask_filling.edits import Change
from embtools.ui import captions, carried, fields, recorded, running, spelling
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Flag, Number, Numbers, Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model

FIRST_TEXT, FIRST_EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
TEXT, EDITS = Text("arithmetic_text", FIRST_TEXT), Text("arithmetic_edits", FIRST_EDIT)
SCOPE = Choice("arithmetic_scope", "input", ("input", "tied"))
STRENGTH = Number("arithmetic_strength", 1.0, 0.0, 2.0, 0.05)
POSITIONS = Numbers("arithmetic_positions")
MASK = Number("arithmetic_mask", 1, 1, 10, 1)
KEEP, HIDE = Flag("arithmetic_keep"), Flag("arithmetic_hide")
LEAVE_OUT = Text("arithmetic_leave_out")
ANSWERS = Number("arithmetic_k", 5, 3, 20, 1)
TEMPERATURE = Number("arithmetic_temperature", 1.0, 0.2, 3.0, 0.1)
DRAWS = Number("arithmetic_draws", 5, 1, MAX_DRAWS, 1)
CAPTION: tuple[captions.Part, ...] = (
    TEXT,
    EDITS,
    captions.Setting("scope", SCOPE),
    captions.Setting("strength", STRENGTH),
    captions.changed("edited tokens", POSITIONS),
    captions.changed("mask", MASK),
    captions.changed("edited word keeps its length", KEEP),
    captions.changed("without offensive words", HIDE),
    captions.changed("left out", LEAVE_OUT),
    captions.changed("temperature", TEMPERATURE),
    captions.changed("draws per control", DRAWS),
)
Answers = Sequence[Answer[EditedAnswers]]
FIELDS = (TEXT, EDITS, SCOPE, STRENGTH, POSITIONS, MASK, KEEP, HIDE, LEAVE_OUT, ANSWERS, TEMPERATURE, DRAWS)


def typed(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the sentence and the edits of the fields, spelled for a model."""
    text = typed_input.normalise_masks(TEXT.value)
    return text, fields.lines(spelling.text(EDITS, name, context=text))


def first_example(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the sentence and the edits of the first example, spelled for a model."""
    return FIRST_TEXT, (spelling.quietly(FIRST_EDIT, name, FIRST_TEXT),)


def first_reading(model: Model) -> Call:
    """Return the query that reads the first example."""
    text, edits = first_example(model.name)
    return Call(read_edit, text=text, edits=edits)


def first_answers(model: Model) -> Call:
    """Return the query that answers the first example."""
    text, edits = first_example(model.name)
    return Call(edited_answers, text=text, edits=edits)


def reading(model: Model) -> Call:
    """Return the query that reads the sentence and the edits of the fields."""
    text, edits = typed(model.name)
    return Call(read_edit, text=text, edits=edits, scope=SCOPE.value)


def answers(model: Model, read: Answer[TypedEdit]) -> Call:
    """Return the query that answers the sentence, with all settings; if the fields have an error, the last good one."""
    query = read.query if read.stale else reading(model)
    return Call(
        edited_answers,
        text=query["text"],
        edits=query["edits"],
        scope=query["scope"],
        strength=float(STRENGTH.value),
        positions=tuple(POSITIONS.value),
        keep_length=bool(KEEP.value),
        mask=min(int(MASK.value), read.value.masks),
        k=int(ANSWERS.value),
        leave_out=fields.words(LEAVE_OUT.value),
        hide_offensive=bool(HIDE.value),
        temperature=float(TEMPERATURE.value),
        draws=int(DRAWS.value),
    )


def change(read: TypedEdit) -> Change:
    """Return the edits that apply to the sentence, with the settings of the fields."""
    among = dict(read.positions)
    return replace(
        read.change,
        strength=float(STRENGTH.value),
        positions=tuple(position for position in POSITIONS.value if position in among),
        keep_length=bool(KEEP.value),
    )


def carry() -> None:
    """Draw the button that carries all edits, with scope, strength and length, to other pages."""
    fields_of = ((carried.SCOPE, SCOPE), (carried.STRENGTH, STRENGTH), (carried.KEEP, KEEP))
    carried.button(fields.lines(EDITS.value), {own.key: field.value for own, field in fields_of})


class _Named(tuple[str, ...]):
    """Words that the copied Python takes from a variable, because their list is long and can contain insults."""

    code: str


def left_out(answer: Answer[EditedAnswers]) -> tuple[str, ...]:
    """Return the words that cannot be answers, for a further query about these answers."""
    if not answer.query["hide_offensive"]:
        return answer.value.left_out
    words = _Named(answer.value.left_out)
    words.code = f"{'' if answer.model.name == recorded.current().model else 'other_'}answers.left_out"
    return words


def ask(name: str, answers: Answers, query: Callable[[Answer[EditedAnswers]], Call], **named: Any) -> Any:
    """Ask a further query about the answers of each model, as `running.ask` does."""
    of_model = {answer.model: answer for answer in answers}
    return running.ask(name, lambda model: query(of_model[model]), tuple(of_model), **named)


def at_mask(function: Callable[..., Any], answer: Answer[EditedAnswers], **arguments: Any) -> Call:
    """Return a query about the sentence, the edit and the mask of an answer, at its temperature."""
    result, temperature = answer.value, answer.query["temperature"]
    return Call(
        function, text=result.text, change=result.change, mask=result.mask, temperature=temperature, **arguments
    )
