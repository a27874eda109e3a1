"""An edit as it is typed: read for its sentence, run with its controls, and described at one mask."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from embtools import wordlists
from embtools.arithmetic import controls
from embtools.arithmetic.drafts import editable
from embtools.arithmetic.edit_result import EditedAnswers
from embtools.formula.expression import Equation
from embtools.mask_filling import answers as mask_answers
from embtools.mask_filling.edits import Change, Scope, resolve
from embtools.mask_filling.forward import mask_positions
from embtools.mask_filling.typed_input import applicable, mask_last_word
from embtools.memory import remembered
from embtools.progress import Progress, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MOST_WORDS = 4  # words of a sentence to which an edit could be applied instead
_experiment = remembered(controls.experiment)  # the other masks of a sentence show the same experiment


class SentenceProblem(ValueError):
    """The sentence itself cannot be answered, whatever its edits are."""


@dataclass(frozen=True)
class TypedEdit:
    """A sentence and its edits, and how they were read.

    text         the sentence with a mask
    change       the edits that apply to it
    masks        the number of its masks
    masked_word  the word that was masked because the sentence had no mask, or ""
    not_applied  edits whose word is not in the sentence
    editable     words of the sentence to which those edits could be applied
    positions    position → word, if an edited word is in the sentence more than once
    """

    text: str
    change: Change
    masks: int
    masked_word: str
    not_applied: tuple[Equation, ...]
    editable: tuple[str, ...]
    positions: tuple[tuple[int, str], ...]


def read_edit(text: str, edits: Sequence[str], model: "EmbeddingModel", *, scope: Scope = "input") -> TypedEdit:
    """Read and check a sentence with its edits; the last word of a sentence without a mask is masked.

    Parameters
    ----------
    text : str
        A sentence.
    edits : sequence of str
        Edits such as "rome = rome - italy + france".
    model : EmbeddingModel
    scope : {"input", "tied"}, default "input"
        "input" changes what BERT reads; "tied" changes its output scores too.

    Returns
    -------
    TypedEdit
        The sentence with a mask, the edits that apply, and what can be done about the others.

    Raises
    ------
    ValueError
        SentenceProblem for a sentence that cannot be answered; else for edits that cannot be computed.
    """
    whole, word = mask_last_word(text)
    try:
        tokens = model.tokenize(whole)
        masks = len(mask_positions(tokens, model))
    except ValueError as error:
        raise SentenceProblem(str(error)) from None
    change = Change.of(edits, scope)
    applied, not_applied = applicable(change.edits, model, text=whole, scope=scope)
    change = replace(change, edits=applied)
    targets = {model.vocabulary[target] for target in resolve(change, model).vectors}
    occurrences = tokens[tokens["token"].isin(targets)]
    several = len(occurrences) > len(targets)
    positions = zip(occurrences["position"], occurrences["token"], strict=True) if several else ()
    longer = [other for other in editable(whole, model) if len(other) > 2] if not_applied else []
    offered = sorted(longer, key=lambda other: -model.ids[other])[:MOST_WORDS]  # the rarest first
    return TypedEdit(whole, change, masks, word, not_applied, tuple(offered), tuple(positions))


def edited_answers(
    text: str,
    edits: Sequence[str],
    model: "EmbeddingModel",
    *,
    scope: Scope = "input",
    strength: float = 1.0,
    positions: Sequence[int] = (),
    keep_length: bool = False,
    mask: int = 1,
    k: int = 5,
    leave_out: Sequence[str] = (),
    hide_offensive: bool = False,
    temperature: float = 1.0,
    draws: int = 5,
    progress: Progress = silent,
) -> EditedAnswers:
    """Answer a sentence before and after its edits and with their controls, and describe the result at one mask.

    Parameters
    ----------
    text : str
        A sentence; without a mask, its last word is masked.
    edits : sequence of str
        Edits such as "rome = rome - italy + france"; those whose word is not in the sentence are not applied.
    model : EmbeddingModel
    scope : {"input", "tied"}, default "input"
        "input" changes what BERT reads; "tied" changes its output scores too.
    strength : float, default 1.0
        0 is the original vector, 1 the result of the formula.
    positions : sequence of int, optional
        The occurrences to change if an edited word is in the sentence more than once; others are ignored.
    keep_length : bool, default False
        Whether an edited vector is scaled to the length of the original.
    mask : int, default 1
        Number of the mask, from 1; a number that is too high is that of the last mask.
    k : int, default 5
        Number of answers at each mask.
    leave_out : sequence of str, optional
        Words that are skipped; the others keep their probability.
    hide_offensive : bool, default False
        Whether the words of the built-in list of offensive words are skipped too.
    temperature : float, default 1.0
        Divides the scores before the softmax.
    draws : int, default 5
        Number of runs of each control that chooses words at random.
    progress : callable, optional

    Returns
    -------
    EditedAnswers
        The answers with a headline, and the comparison with the controls.

    Raises
    ------
    ValueError
        As `read_edit` does, for numbers out of range, and for a word to leave out that is not one token.
    """
    if mask < 1:
        raise ValueError(f"There is no mask {mask}. Masks are counted from 1.")
    read = read_edit(text, edits, model, scope=scope)
    chosen = tuple(position for position, _ in read.positions if position in positions)
    change = replace(read.change, strength=strength, positions=chosen, keep_length=keep_length)
    hidden = (*leave_out, *(offensive_words(model) if hide_offensive else ()))
    result = _experiment(
        read.text,
        model,
        change=change,
        k=k,
        leave_out=hidden,
        temperature=temperature,
        draws=draws,
        progress=progress,
    )
    return EditedAnswers(read.text, change, result, min(mask, read.masks), k, hidden)


def offensive_words(model: "EmbeddingModel") -> tuple[str, ...]:
    """Return the words of the built-in list of offensive words that the model knows."""
    return tuple(word for word in wordlists.load("offensive")["word"] if word in model.ids)


def hidden_answers(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change,
    k: int = 5,
    leave_out: Sequence[str] = (),
    temperature: float = 1.0,
) -> int:
    """Return how many of the k top answers after an edit are hidden as offensive words."""
    after = resolve(change, model)
    answers = mask_answers.compare(text, model, after=after, k=k, leave_out=leave_out, temperature=temperature)
    return int((answers["token"].isin(offensive_words(model)) & (answers["rank_after"] <= k)).sum())
