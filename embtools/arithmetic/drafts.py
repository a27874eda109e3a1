"""Suggested edits: built from three words, or completed from a formula without a left side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from embtools.formula import expression
from embtools.formula.expression import Equation, Word
from embtools.formula.parser import parse, parse_equation
from embtools.mask_filling.answers import fill_mask
from embtools.mask_filling.controls import named, replaced, sentence_of
from embtools.mask_filling.edits import Change
from embtools.mask_filling.typed_input import mask_last_word
from embtools.neighbours import neighbours

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SUGGESTIONS = 8


@dataclass(frozen=True)
class EditOptions:
    """What an edit of a sentence can be built from.

    words        the words that can be changed
    first        the one that is selected at first: the rarest
    to_subtract  suggestions of words to subtract
    """

    words: tuple[str, ...]
    first: str
    to_subtract: tuple[str, ...]


def edit_options(text: str, model: "EmbeddingModel") -> EditOptions:
    """Return what an edit of a sentence can be built from; without a mask, the last word is masked."""
    masked, _ = mask_last_word(text)
    words = editable(masked, model)
    return EditOptions(words, rarest(words, model) if words else "", to_subtract(masked, model))


def built(word: str, less: Sequence[str], more: Sequence[str]) -> str:
    """Return the text of the edit that subtracts some words from a word and adds others; "" if nothing changes.

    >>> built("amazon", ["river"], ["company"])
    'amazon = amazon - river + company'
    """
    terms = [*(f" - {Word(other)}" for other in less), *(f" + {Word(other)}" for other in more)]
    return f"{Word(word)} = {Word(word)}{''.join(terms)}" if word and terms else ""


def same_as_writing(line: str, model: "EmbeddingModel") -> str:
    """State that an edit only writes another word, or leaves its word as it is; "" if it does more or is unreadable."""
    try:
        change = Change.of([line])
        return sentence_of(named(replaced(change, model), model), change)
    except ValueError:  # its error is shown when it is used
        return ""


def merged(lines: Sequence[str], model: "EmbeddingModel", *, line: str, text: str) -> tuple[str, ...]:
    """Add an edit to others; edits of the same word, and of words that are not in the text, are dropped."""
    target, present = parse_equation(line).target.lower(), {word.lower() for word in editable(text, model)}
    remaining = []
    for other in lines:
        try:
            changed = parse_equation(other).target.lower()
        except ValueError:  # is kept, so that the visitor sees its error
            changed = ""
        if changed == "" or (changed != target and changed in present):
            remaining.append(other)
    return (*remaining, line)


def editable(text: str, model: "EmbeddingModel") -> tuple[str, ...]:
    """Return the words of a text that are one token, in order, each once."""
    tokens = model.tokenize(text)
    whole = tokens[~tokens["word"].duplicated(keep=False)]
    return tuple(dict.fromkeys(model.vocabulary[i] for i in whole["id"] if model.whole_words[i]))


def rarest(words: Sequence[str], model: "EmbeddingModel") -> str:
    """Return the rarest token, usually the subject of the sentence (the vocabulary is ordered by frequency)."""
    return max(words, key=lambda word: model.ids[word])


def to_subtract(text: str, model: "EmbeddingModel") -> tuple[str, ...]:
    """Suggest words to subtract: the top answers at the first mask without an edit."""
    answers = fill_mask(text, model, k=SUGGESTIONS)
    if "mask" in answers:
        answers = answers[answers["mask"] == 1]
    return tuple(word for word in answers["token"] if model.whole_words[model.ids[word]])


def to_add(less: str, model: "EmbeddingModel") -> tuple[str, ...]:
    """Suggest words to add: the words nearest to the subtracted one; none if it is not one token."""
    try:
        model.token_id(less)
    except ValueError:
        return ()
    near = neighbours(model.vector(less)[None], model, k=SUGGESTIONS, whole_words=True, leave_out=[less])[0]
    return tuple(near["token"])


def completed(line: str, model: "EmbeddingModel", *, text: str) -> tuple[str, ...]:
    """Return the edits that may be meant by a formula without a left side, one for each of its added words in the text,
    or else for the first; none if it cannot be read."""
    try:
        formula = parse(line)
    except ValueError:
        return ()
    weights = expression.coefficients(formula)
    words = [word for word in expression.words(formula) if weights is None or weights.get(word, 0) > 0]
    present = {word.lower() for word in editable(text, model)}
    targets = [word for word in words if word.lower() in present] or words[:1]
    return tuple(str(Equation(word, formula)) for word in targets)
