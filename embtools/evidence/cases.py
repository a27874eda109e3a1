"""The input of a battery: pairs of words, an edit and sentences with placeholders, read and checked."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.formula import expression
from embtools.formula.expression import Expression
from embtools.formula.parser import parse_equation
from embtools.limits import enough
from embtools.mask_filling.typed_input import normalise_masks
from embtools.messages import quoted

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

Pairs = tuple[tuple[str, str], ...]
"""Pairs of words (a, b), such as (Rome, Italy)."""
A, B, C = "{a}", "{b}", "{c}"
MAX_PAIRS, MAX_SENTENCES = 1_000, 5
MAX_CHARACTERS = 40_000
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
    """Pairs with the words that replace b, and the pairs that are left out with the reason (a, b, reason)."""

    pairs: tuple[Pair, ...]
    excluded: tuple[tuple[str, str, str], ...]

    @property
    def cases(self) -> int:
        """The number of (a, b, c)."""
        return sum(len(pair.others) for pair in self.pairs)


def read_pairs(text: str) -> Pairs:
    """Read one pair per line, with a comma or a tab between the words; empty lines are ignored.

    Raises ValueError, with the number of the line, for a line that is no pair; also for a text without pairs, for too
    many pairs and for too many characters.

    >>> read_pairs("Rome, Italy\\nParis, France")
    (('Rome', 'Italy'), ('Paris', 'France'))
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"The list has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read. Shorten it.")
    lines = ((number, line.replace("\t", ",").split(",")) for number, line in enumerate(text.splitlines(), 1))
    return _checked((number, parts) for number, parts in lines if any(part.strip() for part in parts))


def from_csv(data: bytes) -> Pairs:
    """Read pairs from a CSV file with the columns `a` and `b`; other columns are ignored.

    Raises ValueError, with the number of the line, for a row that is no pair; also for a file that is no such table,
    for too many pairs and for too many bytes.

    >>> from_csv(b"a,b,year\\nRome,Italy,1871\\n")
    (('Rome', 'Italy'),)
    """
    if len(data) > 4 * MAX_CHARACTERS:
        raise ValueError(
            f"The file has {len(data):,} bytes; at most {4 * MAX_CHARACTERS:,} are read. Split it into smaller files."
        )
    try:
        table = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        names = [name.strip().lower() for name in next(table, [])]
        if not {"a", "b"} <= set(names):
            raise ValueError("The file needs a first line that names the columns: a, b.")
        at = names.index("a"), names.index("b")
        rows = [(table.line_num, [row[i] if i < len(row) else "" for i in at]) for row in table if any(row)]
    except UnicodeDecodeError:
        raise ValueError("The file is not UTF-8 text. Save it as CSV in UTF-8 and upload it again.") from None
    except csv.Error as error:
        raise ValueError(
            "The file cannot be read as CSV: a quotation mark is not closed or is misplaced. Correct it."
        ) from error
    return _checked(rows)


def write_pairs(pairs: Pairs) -> str:
    """Format pairs as the text that `read_pairs` reads.

    >>> write_pairs((("Rome", "Italy"), ("Paris", "France")))
    'Rome, Italy\\nParis, France'
    """
    return "\n".join(f"{a}, {b}" for a, b in pairs)


def _checked(rows: Iterable[tuple[int, Sequence[str]]]) -> Pairs:
    """Return the pairs, each once, of numbered rows; ValueError as `read_pairs` does."""
    found: list[tuple[str, str]] = []
    for number, parts in rows:
        words = [part.strip() for part in parts]
        if len(words) < 2 or not words[0] or not words[1]:
            raise ValueError(
                f"Line {number} is not a pair: {quoted(', '.join(words))}. Write two words, such as: Rome, Italy."
            )
        if any(sign in word for word in words[:2] for sign in ",\n\r{}") or len(words) > 2:
            raise ValueError(
                f"Line {number} has more than two words, or a comma or bracket inside a word: "
                f"{quoted(', '.join(words))}. Write two words, such as: Rome, Italy."
            )
        found.append((words[0], words[1]))
    return checked_pairs(found)


def checked_pairs(pairs: "pd.DataFrame | Sequence[tuple[str, str]]") -> Pairs:
    """Return pairs, or the columns a and b of a frame, as `Pairs`, each pair once.

    Raises ValueError for a frame without these columns, for no pair and for too many.
    """
    if isinstance(pairs, pd.DataFrame):
        if not {"a", "b"} <= set(pairs.columns):
            raise ValueError("The frame needs the columns a and b.")
        pairs = list(pairs[["a", "b"]].itertuples(index=False, name=None))
    if any(not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2 for pair in pairs):
        raise ValueError("Each pair has two words, such as ('Rome', 'Italy').")
    found = tuple(dict.fromkeys((str(a), str(b)) for a, b in pairs))
    enough(found, "pairs")
    if len(found) > MAX_PAIRS:
        raise ValueError(f"There are {len(found):,} pairs; at most {MAX_PAIRS:,} are tested at once. Split the list.")
    return found


def read_edit(edit: str) -> Expression:
    """Read the formula that becomes the new vector of {a}, from an edit such as "{a} = {a} - {b} + {c}".

    Raises ValueError if the edit does not change {a}, does not contain {c} or has another placeholder, and as
    `parse_equation` does.

    >>> str(read_edit("{a} = {a} - {b} + {c}"))
    '"{a}" - "{b}" + "{c}"'
    """
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


def read_sentences(sentences: Sequence[str], *, least: int = 1) -> tuple[str, ...]:
    """Return sentences with {a} and one [MASK] each; other spellings of the mask are replaced.

    Raises ValueError for fewer than `least` sentences or too many, and for a sentence without {a}, with another
    placeholder, or without exactly one mask.
    """
    if isinstance(sentences, str):
        raise ValueError("Give a list of sentences, not one text.")
    read = tuple(normalise_masks(sentence.strip()) for sentence in sentences)
    enough(read, "sentences", least)
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
    """Choose, for each pair (a, b), the words c that replace b: every other b, or a random draw of `others` of them.

    A word is no c for a pair if it is a second right answer for the same a, or a itself. Pairs in which a word has
    several tokens are left out. `first` limits the plan to the first pairs; their words c stay the same.

    Raises ValueError as `checked_pairs` does, for fewer than two words b that are single tokens, and for `others` or
    `first` below 1.
    """
    for number, name in ((others, "other words"), (first, "pairs")):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1):
            raise ValueError(f"{number} {name} are not possible. Choose a whole number, at least 1.")
    known: list[tuple[str, str, int, int]] = []
    excluded: list[tuple[str, str, str]] = []
    for a, b in checked_pairs(pairs):
        ids = [_id(word, model) for word in (a, b)]
        bad = [word for word, i in zip((a, b), ids, strict=True) if i is None]
        if bad:
            excluded.append((a, b, f"{quoted(bad[0])} is not a single token."))
        elif ids[0] == ids[1]:
            excluded.append((a, b, "Both words are the same token."))
        else:
            known.append((a, b, int(ids[0] or 0), int(ids[1] or 0)))
    answers: dict[int, set[int]] = {}
    names: dict[int, str] = {}
    for _, b, a_id, b_id in known:
        answers.setdefault(a_id, set()).add(b_id)
        names.setdefault(b_id, b)
    if len(names) < 2:
        raise ValueError(
            "This model needs at least two different second words that are single tokens, but your"
            f" pairs have only {len(names)}."
        )
    found = []
    rng = generator(seed)
    for a, b, a_id, b_id in known:
        possible = [i for i in names if i not in answers[a_id] and i != a_id]
        order = rng.permutation(len(possible)) if others is not None else range(len(possible))
        chosen = [possible[int(i)] for i in order][: others or None]
        found.append(Pair(a, b, a_id, b_id, tuple((names[i], i) for i in chosen)))
    return Plan(tuple(pair for pair in found if pair.others)[:first], tuple(excluded))


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
