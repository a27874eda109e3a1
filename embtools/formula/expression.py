"""The expression tree of a formula: its nodes, their value, their coefficients and their text. No parser, no model.

A tree consists of `Number`, `Word` and `Call`; an edit is an `Equation`. Parsing the `str()` of a tree gives the same
tree again.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from embtools.vectors import Array, project, reject, unit, vanishes

# A word that needs no quotes: the terminal WORD of formula.lark (a test compares the two).
PLAIN_WORD = r"(?:##)?[^\W\d_][^\W_]*(?:'[^\W\d_]+)?|##[^\W_]+|\[[A-Z]+\]"
FUNCTIONS = {
    "project": ("project(nurse, she - he)", "the part of the first vector along the second"),
    "reject": ("reject(nurse, she - he)", "the first vector without its part along the second"),
    "unit": ("unit(king)", "the vector scaled to length 1"),
    "mean": ("mean(red, green, blue)", "the average of the vectors"),
}
ARITY = {"project": (2, 2), "reject": (2, 2), "unit": (1, 1), "mean": (1, 500)}  # the parser limits the number of terms
_SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "negate": lambda a: -a,
    "project": project,
    "reject": reject,
    # Words that cancel out stay zero: a rounding error must not become a vector of length 1.
    "unit": lambda a: a * 0 if vanishes(a) else unit(a),
    "mean": lambda *values: sum(values) / len(values),
}


@dataclass(frozen=True)
class Number:
    """A plain number, such as the 2 in `(he + she) / 2`."""

    value: float

    def __str__(self) -> str:
        return np.format_float_positional(self.value, trim="-")


@dataclass(frozen=True)
class Word:
    """One word or token; the model's tokenizer decides whether capitals matter."""

    text: str

    def __str__(self) -> str:
        return self.text if re.fullmatch(PLAIN_WORD, self.text) else f'"{self.text}"'


@dataclass(frozen=True)
class Call:
    """An operation (add, subtract, multiply, divide, negate) or a named function, with its arguments."""

    name: str
    arguments: tuple["Expression", ...]

    def __str__(self) -> str:
        parts = [str(a) for a in self.arguments]
        if self.name in ARITY:
            return f"{self.name}({', '.join(parts)})"
        if self.name == "negate":
            return f"-{_bracket(self.arguments[0], parts[0], 'add subtract multiply divide')}"
        left, right = self.arguments
        if self.name in ("multiply", "divide"):
            parts[0] = _bracket(left, parts[0], "add subtract")
            parts[1] = _bracket(right, parts[1], "add subtract multiply divide")
        else:
            parts[1] = _bracket(right, parts[1], "add subtract")
        return f"{parts[0]} {_SIGNS[self.name]} {parts[1]}"


Expression = Number | Word | Call


@dataclass(frozen=True)
class Equation:
    """An edit, `target = expression`, which replaces the vector of `target` by the value of `expression`."""

    target: str
    expression: Expression

    def __str__(self) -> str:
        return f"{Word(self.target)} = {self.expression}"


def words(expression: Expression) -> tuple[str, ...]:
    """Return the words of an expression in order, each once.

    >>> words(Call("add", (Word("king"), Call("add", (Word("man"), Word("king"))))))
    ('king', 'man')
    """
    if isinstance(expression, Word):
        return (expression.text,)
    if isinstance(expression, Number):
        return ()
    return tuple(dict.fromkeys(w for a in expression.arguments for w in words(a)))


def value(expression: Expression, vector_of: Callable[[str], Array]) -> Array:
    """Return the value (d,) of an expression, with the vector of each word from `vector_of`.

    >>> value(Call("mean", (Word("a"), Word("b"))), {"a": np.array([1.0, 0]), "b": np.array([0, 1.0])}.__getitem__)
    array([0.5, 0.5])
    """
    with np.errstate(all="ignore"):
        result = _value(expression, vector_of)
    if not np.all(np.isfinite(result)):
        raise ValueError("The result is too large to be a vector. Use smaller numbers.")
    return result


def coefficients(expression: Expression) -> dict[str, float] | None:
    """Return the factor of each word if the expression is a weighted sum, else None.

    >>> coefficients(Call("subtract", (Call("divide", (Word("he"), Number(2))), Word("she"))))
    {'he': 0.5, 'she': -1.0}
    """
    weights = _linear(expression)
    return weights if isinstance(weights, dict) else None


def as_analogy(expression: Expression) -> str | None:
    """Write `b - a + c` (with the terms in any order) as "a is to b as c is to ?"; None for other expressions.

    >>> as_analogy(Call("add", (Call("subtract", (Word("king"), Word("man"))), Word("woman"))))
    'man is to king as woman is to ?'
    """
    weights = coefficients(expression) or {}
    if sorted(weights.values()) != [-1, 1, 1]:
        return None
    b, c = (Word(w) for w, x in weights.items() if x == 1)
    (a,) = (Word(w) for w, x in weights.items() if x == -1)
    return f"{a} is to {b} as {c} is to ?"


def from_coefficients(weights: Mapping[str, float]) -> Expression:
    """Return a weighted sum as an expression, without terms of weight zero.

    >>> str(from_coefficients({"rome": 1, "italy": -1, "red": 0.5}))
    'rome - italy + 0.5 * red'
    """
    result: Expression | None = None
    for word, weight in weights.items():
        if weight == 0:
            continue
        size = abs(weight)
        term: Expression = Word(word) if size == 1 else Call("multiply", (Number(size), Word(word)))
        if result is None:
            result = term if weight > 0 else Call("negate", (term,))
        else:
            result = Call("add" if weight > 0 else "subtract", (result, term))
    if result is None:
        raise ValueError("All terms cancel out. Add a word that does not cancel out.")
    return result


def _value(expression: Expression, vector_of: Callable[[str], Array]) -> Any:
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Word):
        return vector_of(expression.text)
    values = [_value(a, vector_of) for a in expression.arguments]
    return _OPERATIONS[expression.name](*values)


def _linear(expression: Expression) -> dict[str, float] | float | None:
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Word):
        return {expression.text: 1.0}
    if expression.name in ("project", "reject", "unit"):
        return None
    parts = [_linear(a) for a in expression.arguments]
    if any(p is None for p in parts):
        return None
    if not any(isinstance(p, dict) for p in parts):
        return float(_OPERATIONS[expression.name](*parts))
    if expression.name in ("multiply", "divide"):
        left, right = parts
        if isinstance(left, dict):
            factor = right if expression.name == "multiply" else 1 / right  # type: ignore[operator]
            return {w: x * factor for w, x in left.items()}  # type: ignore[operator]
        return {w: x * left for w, x in right.items()}  # type: ignore[operator,union-attr]
    scale = 1 / len(parts) if expression.name == "mean" else 1
    signs = {"subtract": [1, -1], "negate": [-1]}.get(expression.name, [scale] * len(parts))
    total: dict[str, float] = {}
    for part, sign in zip(parts, signs, strict=True):
        for word, x in part.items():  # type: ignore[union-attr]
            total[word] = total.get(word, 0.0) + sign * x
    return total


def _bracket(node: Expression, text: str, names: str) -> str:
    return f"({text})" if isinstance(node, Call) and node.name in names.split() else text
