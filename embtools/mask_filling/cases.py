"""The input of a battery: pairs of words, an edit and sentences with placeholders, read and checked; and for one case,
the tokens of its sentence and the vector that replaces its word.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.formula import expression
from embtools.formula.expression import Expression
from embtools.formula.parser import parse_equation
from embtools.limits import enough, several, whole
from embtools.mask_filling.controls import by_id
from embtools.mask_filling.edits import Change, Patch, moved
from embtools.mask_filling.pairs import checked_pairs
from embtools.mask_filling.relations import RelationPairs
from embtools.mask_filling.typed_input import normalise_masks
from embtools.messages import quoted
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

A, B, C = "{a}", "{b}", "{c}"
MAX_SENTENCES = 5
SEVERAL, SAME, TWICE, ALONE = REASONS = (
    "a word is not a single token", "both words are the same token", "an earlier pair has the same tokens",
    "every other second word is a right answer too",
)  # fmt: skip
"""Why a pair cannot be tested."""
_PLACEHOLDERS = (A, B, C)


@dataclass(frozen=True)
class Pair:
    """A pair of words that are single tokens, with their ids, and the other words c that replace b."""

    a: str
    b: str
    a_id: int
    b_id: int
    others: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Plan:
    """Pairs with the words that replace b, and the pairs that are left out: (a, b, one of `REASONS`)."""

    pairs: tuple[Pair, ...]
    excluded: tuple[tuple[str, str, str], ...]

    @property
    def cases(self) -> int:
        """The number of (a, b, c)."""
        return sum(len(pair.others) for pair in self.pairs)


def read_edit(edit: str) -> Expression:
    """Read the formula that becomes the new vector of {a}, from an edit such as "{a} = {a} - {b} + {c}".

    >>> str(read_edit("{a} = {a} - {b} + {c}"))
    '"{a}" - "{b}" + "{c}"'
    """
    if "=" not in edit:
        raise ValueError(f"An edit needs {A}, '=' and an expression, such as {A} = {A} - {B} + {C}.")
    text = edit
    for placeholder in _PLACEHOLDERS:
        text = text.replace(f'"{placeholder}"', placeholder).replace(placeholder, f'"{placeholder}"')
    equation = parse_equation(text)
    words = expression.words(equation.expression)
    if equation.target != A:
        raise ValueError("The edit must change {a}. Write {a} = …, such as {a} = {a} - {b} + {c}.")
    if C not in words:
        raise ValueError("The edit does not contain {c}, the word that should become the answer. Add it.")
    _no_other_placeholder(words)
    return equation.expression


def known_edit(edit: str, model: "EmbeddingModel") -> Expression:
    """Read an edit such as "{a} = {a} - {b} + {c}", and check its other words."""
    formula = read_edit(edit)
    for word in expression.words(formula):
        if word not in _PLACEHOLDERS:
            model.token_id(word)
    return formula


def same_as_writing(edit: str) -> str:
    """Say that an edit such as "{a} = {c}" is the same as writing another word; "" for any other text.

    >>> same_as_writing("{a} = {a} - {a} + {c}")
    'This edit is the same as writing {c} instead of {a}, so no control makes only a part of it.'
    """
    try:
        weights = expression.coefficients(read_edit(edit)) or {}
    except ValueError:
        return ""
    used = {word: weight for word, weight in weights.items() if weight}
    if list(used.values()) != [1]:
        return ""
    return f"This edit is the same as writing {next(iter(used))} instead of {A}, so no control makes only a part of it."


def read_sentences(sentences: Sequence[str], *, least: int = 1) -> tuple[str, ...]:
    """Return sentences with {a} and one [MASK] each; other spellings of the mask are replaced."""
    read = tuple(normalise_masks(sentence.strip()) for sentence in several(sentences, "sentences"))
    enough(read, "sentences", least=least)
    if len(read) > MAX_SENTENCES:
        raise ValueError(f"There are {len(read)} sentences; at most {MAX_SENTENCES} of a kind are used. Remove some.")
    if len(set(read)) < len(read):
        raise ValueError("A sentence is given twice. Remove one of them.")
    for sentence in read:
        if A not in sentence:
            raise ValueError(f"The sentence {quoted(sentence, 80)} has no {{a}}. Write {{a}} where the word belongs.")
        if sentence.count("[MASK]") != 1:
            raise ValueError(f"The sentence {quoted(sentence, 80)} needs exactly one [MASK].")
        if B in sentence or C in sentence:
            raise ValueError(f"The sentence {quoted(sentence, 80)} contains {{b}} or {{c}}. Only {{a}} is possible.")
    return read


def plan(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]]",
    model: "EmbeddingModel",
    *,
    others: int | None = None,
    first: int | None = None,
    seed: int = 0,
) -> Plan:
    """Choose for each pair (a, b) the words c that replace b, all or `others` drawn ones; `first` limits the pairs."""
    for number, name in ((others, "other words"), (first, "pairs")):
        if number is not None and not whole(number, 1):
            raise ValueError(f"{number} {name} are not possible. Choose a whole number, at least 1.")
    known, excluded = _known(pairs, model)
    answers: dict[int, set[int]] = {}
    names: dict[int, str] = {}
    for a_id, b_id, _, b in known:
        answers.setdefault(a_id, set()).add(b_id)
        names.setdefault(b_id, b)
    if len(names) < 2:
        raise ValueError(
            "This model needs at least two different second words that are single tokens, but your"
            f" pairs have only {len(names)}."
        )
    # A word has one spelling, the first one of its token.
    found, spellings = [], {a_id: a for a_id, _, a, _ in reversed(known)}
    rng = generator(seed)
    for a_id, b_id, a, b in known:
        possible = [i for i in names if i not in answers[a_id] and i != a_id]
        order = rng.permutation(len(possible)) if others is not None else range(len(possible))
        chosen = [possible[int(i)] for i in order][: others or None]
        if chosen:
            found.append(Pair(spellings[a_id], names[b_id], a_id, b_id, tuple((names[i], i) for i in chosen)))
        else:
            excluded.append((a, b, ALONE))
    # Limited last, so that the words c stay the same; the pairs of a built-in relation are in random order already.
    if first is not None and not isinstance(pairs, RelationPairs):
        found = [found[i] for i in generator(seed, len(found)).permutation(len(found))]
    return Plan(tuple(found[:first]), tuple(excluded))


def _known(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]]", model: "EmbeddingModel"
) -> tuple[list[tuple[int, int, str, str]], list[tuple[str, str, str]]]:
    """Return the pairs of two single tokens as (id of a, id of b, a, b), and the others with the reason."""
    known: dict[tuple[int, int], tuple[int, int, str, str]] = {}
    excluded: list[tuple[str, str, str]] = []
    for a, b in checked_pairs(pairs):
        first, second = (_id(word, model) for word in (a, b))
        if first is None or second is None:
            excluded.append((a, b, SEVERAL))
        elif first == second:
            excluded.append((a, b, SAME))
        elif (first, second) in known:
            excluded.append((a, b, TWICE))
        else:
            known[first, second] = first, second, a, b
    return list(known.values()), excluded


def filled(template: str, a: str) -> str:
    """Return a sentence with the word in the place of {a}.

    >>> filled("{a} is the capital of [MASK].", "Rome")
    'Rome is the capital of [MASK].'
    """
    return template.replace(A, a)


def filled_edit(formula: Expression, a: str, b: str, c: str) -> str:
    """Return the edit of one case as it can be typed.

    >>> filled_edit(read_edit("{a} = {a} - {b} + {c}"), "Rome", "Italy", "France")
    'Rome = Rome - Italy + France'
    """
    return str(expression.Equation(a, _replaced(formula, {A: a, B: b, C: c})))


def _replaced(formula: Expression, words: dict[str, str]) -> Expression:
    if isinstance(formula, expression.Word):
        return expression.Word(words.get(formula.text, formula.text))
    if isinstance(formula, expression.Call):
        return expression.Call(formula.name, tuple(_replaced(part, words) for part in formula.arguments))
    return formula


def _id(word: str, model: "EmbeddingModel") -> int | None:
    try:
        found = model.token_id(word)
    except ValueError:
        return None
    return None if model.vocabulary[found] in model.special else found


def _no_other_placeholder(words: Iterable[str]) -> None:
    for word in words:
        if ("{" in word or "}" in word) and word not in _PLACEHOLDERS:
            raise ValueError(f"There is no placeholder {quoted(word)}. Use {{a}}, {{b}} and {{c}}.")


def case_tokens(pair: Pair, model: "EmbeddingModel", *, template: str) -> tuple[Array, tuple[int]]:
    """Return the tokens (t,) of a sentence about a word, and the position of its mask; ValueError if it is part of
    another word in the sentence.
    """
    text = filled(template, pair.a)
    ids = model.tokenize(text)["id"].to_numpy()
    if pair.a_id not in ids:
        raise ValueError(f"In “{text}”, “{pair.a}” is not a word of its own. Write spaces around {{a}}.")
    return ids, (int(np.flatnonzero(ids == model.mask_id)[0]),)


def case_patch(
    pair: Pair, model: "EmbeddingModel", *, formula: Expression, c_id: int, change: Change
) -> tuple[Patch, dict[int, dict[int, float]] | None]:
    """Return the patch of one case, and the weights of the words in its formula by id; None if it has a function."""
    places = {A: pair.a_id, B: pair.b_id, C: c_id}
    ids = {word: places[word] if word in places else model.token_id(word) for word in expression.words(formula)}
    original = model.matrix[pair.a_id]
    value = expression.value(formula, lambda word: model.matrix[ids[word]].astype(np.float64))
    vector = moved(original, value - original, change)
    weights = expression.coefficients(formula)
    sums = None if weights is None else {pair.a_id: by_id((ids[word], weight) for word, weight in weights.items())}
    return Patch({pair.a_id: vector}, (), change.scope == "tied"), sums
