"""Odd values that replace a valid argument, and what is wrong with the answer to one."""

import dataclasses
import inspect
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from embtools.arithmetic import Relations
from embtools.arithmetic.edit import SentenceProblem
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.concepts import Probes
from embtools.corpus.search import Query
from embtools.evidence import Scoring
from embtools.inputs.masking import Rule
from embtools.mask_filling.edits import Change
from embtools.mask_filling.experiments import Cases
from embtools.models.unknown_words import UnknownWord
from embtools.occurrences.corpus import Corpus
from embtools.spaces.space import Space
from embtools.tables.columns import UnclearColumns
from embtools.tracing import DrawnCases
from tests.odd.world import type_of

LONGEST, REPEATED = 300, 80
"""Characters of a message, and of a part of the input that it may repeat."""
TEXT = "".join(f"word{number} " for number in range(1_200))[:10_000]
WORD = "".join(chr(ord("a") + (number * number + number // 7) % 26) for number in range(10_000))
CONTROL = "\x00\x07\x1b"
INPUTS = (View, Words, Query, Corpus, Change, Space, Rule, Cases, Probes, Relations, DrawnCases, Scoring)
"""What a visitor's settings are read into: each field gets odd values. Other classes hold results."""
BY_CODE = {"seed", "model", "progress", "names", "slot", "allowed", "merges"}
"""Parameters that get no odd values: `seed` has a test of its own, the others are written in the code that calls."""
SIZES = {"layers", "heads", "count", "treatments n", "draws n"}
"""Sizes of a model, a table or a text: no visitor types them, and no function has to cope with a million million."""
SINGLE = {"axis", "vector", "target", "direction", "shift", "variances", "linear", "start", "gram"}
"""Arrays that are one vector, or as wide as one: they are not made shorter."""
INDEXED = {
    "solved", "logits_at", "word_vectors", "held_out", "objective", "summed", "word_map", "optimal_leaf_ordering",
    "answer_gradients", "moved",
}  # fmt: skip
"""Functions in which one argument holds positions in another: both are made shorter only by a mistake in the code."""
FOREIGN = re.compile(
    r"(?-i:NaN|None\b(?! of))|\barrays?\b|sample\(s\)|\bsamples|\bshape|dtype|operand|broadcast|iterable|empty sequence"
    r"|\baxis|low >= high|expected|n_[a-z]+|out of bounds|out of range for|reduction|concatenate|\bstack\b|unpack"
    r"|zero-size|division|tensor|\bobjects?\b|invalid|divide by|overflow|codec|\bint\b|\barg\b|argument|\bindex|\bgot\b"
    r"|negative dimensions|larger sample|inconsistent|converge|allocate",
    re.IGNORECASE,
)
"""Words of numpy, scikit-learn, pandas and Python, which no message of this library has a reason to use."""


def odd_arguments(
    function: Callable[..., Any], known: dict[str, Any]
) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Each way to make the arguments odd, with what it is called: one of them, or all that can be shorter."""
    for size in (0, 1):
        kept = BY_CODE | SINGLE
        short = {name: _shortened(value, size) for name, value in known.items() if name not in kept}
        if function.__name__ not in INDEXED and any(value is not known[name] for name, value in short.items()):
            yield f"of everything {size}", lambda short=short: known | short
    for parameter in inspect.signature(function).parameters.values():
        name, value = parameter.name, known.get(parameter.name)
        if name in BY_CODE or name not in known:
            continue
        of = name if name in SIZES else f"{function.__name__} {name}"
        for odd in _odd(type_of(parameter.annotation), of, value):
            yield f"{name} = {_said(odd)}", lambda name=name, odd=odd: known | {name: odd() if callable(odd) else odd}


def fault(error: Exception, label: str) -> str:
    """What is wrong with an error that a function raised; "" if it says in plain words what is wrong."""
    message = str(error)
    if isinstance(error, RuntimeWarning) and "of everything" not in label:
        return ""  # numpy's word about a number of its own that is not finite: the result has it too
    if type(error) not in (ValueError, UnclearColumns, UnknownWord, SentenceProblem):
        return f"{type(error).__name__}: {message[:200]}"
    if len(message) > LONGEST:
        return f"{len(message)} characters: {message[:200]}"
    if found := FOREIGN.search(message):
        return f"“{found[0]}” in: {message}"
    if not all(sign.isprintable() for sign in message):
        return f"an invisible character in: {message!r}"
    if not message.endswith((".", "?")) or " " not in message:
        return f"no sentence: {message}"
    if any(text[start : start + REPEATED + 1] in message for text in (TEXT, WORD) for start in range(0, 600)):
        return f"repeats the input: {message}"
    return ""


def _odd(kind: str, name: str, value: Any) -> Iterator[Any]:
    if isinstance(value, INPUTS):
        yield from _odd_fields(value)
    elif isinstance(value, str) or kind in ("str", "str | None") or kind.startswith("Literal"):
        yield from ("", CONTROL, TEXT, WORD, WORD[:400], " \n", "\u200b", "zzqq xx")
    elif isinstance(value, tuple) and value and all(isinstance(each, str) for each in value):
        yield from ((*value[:-1], odd) for odd in ("", " ", CONTROL, "zzqq", TEXT, WORD, WORD[:400]))
        yield value * 2
    elif isinstance(value, bool):
        return
    elif kind in ("int", "int | None"):
        yield from (-99, 0, 1, 999)
        if name not in SIZES:
            yield 10**12
    elif kind in ("float", "float | None"):
        yield from (math.nan, math.inf, -1.0, 0.0)
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size:
        for number in (math.nan, math.inf):
            one = value.copy()
            one.flat[0] = number
            yield one
        yield np.full_like(value, math.nan)
        yield np.zeros_like(value)
    elif isinstance(value, bytes):
        first = value.splitlines()[0]
        yield from (
            b"",
            b"\n",
            b"\xff\xfe\x00",
            TEXT.encode(),
            first + b'\n"""' + WORD.encode(),
            first + b"\n\x00,\x07,\x1b\n",
        )


def _odd_fields(value: Any) -> Iterator[Callable[[], Any]]:
    for field in dataclasses.fields(value):
        if field.name in ("seed", "shuffled"):
            continue
        for odd in [*_odd(type_of(field.type), field.name, getattr(value, field.name))][:4]:
            yield lambda field=field, odd=odd: dataclasses.replace(value, **{field.name: odd})


def _shortened(value: Any, size: int) -> Any:
    """The first items of a value, up to a number; other values as they are."""
    if isinstance(value, pd.DataFrame):
        return value.iloc[:size]
    if isinstance(value, np.ndarray):
        square = value.ndim == 2 and value.shape[0] == value.shape[1]
        return value[:size, :size] if square else value[:size]
    if isinstance(value, dict):
        return dict([*value.items()][:size])
    if isinstance(value, tuple | list) and not isinstance(value, str) and not hasattr(value, "_fields"):
        return value[:size]
    return value


def _said(odd: Any) -> str:
    text = repr(odd.__defaults__[1]) if callable(odd) else repr(odd)
    name = f"{odd.__defaults__[0].name} " if callable(odd) else ""
    return name + (text if len(text) < 60 else text[:59] + "…")
