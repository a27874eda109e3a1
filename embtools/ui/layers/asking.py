"""The fields of the tab about one word, and the comparison that they select."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from embtools import wordlists
from embtools.layers import asking, comparisons, senses
from embtools.layers.comparisons import Comparison
from embtools.progress import Progress, silent
from embtools.recipes import POOLINGS, SUM_FOUR
from embtools.ui import fields
from embtools.ui.fields import Choice, Number, Numbers, Text

NUMBERED = r"^(\d{1,2})(?!\d)"  # older links name an occurrence by its words: "1 the bank vault"


@cache
def eight_sentences(word: str) -> str:
    """The eight lines of a word of `senses.csv`, each beginning with its sense."""
    rows = wordlists.load("senses").query("word == @word")
    return "\n".join(f"{sense} | {text}" for sense, text in zip(rows["sense"], rows["sentence"], strict=True))


WORD, LINES = Text("layers_word", "bank", most=100), Text("layers_lines", eight_sentences("bank"))
POOLING, RECIPE = Choice("layers_pooling", "mean of pieces", POOLINGS), Choice("layers_recipe", SUM_FOUR)
KEEP, TOGETHER = Numbers("layers_keep", labelled=NUMBERED), Numbers("layers_first", labelled=NUMBERED)
LAYER = Number("layers_layer", -1, -1, 99, 1)  # -1: the last layer of the model
OTHER_LAYER = Number("layers_layer_second", -1, -1, 99, 1)  # of a second model, which may have another number of layers
FIRST = WORD.default, fields.lines(LINES.default)
FIELDS = (WORD, LINES, POOLING, RECIPE, KEEP, TOGETHER, LAYER, OTHER_LAYER)


@cache
def fifty() -> tuple[str, ...]:
    """The fifty words of `senses.csv`."""
    return tuple(wordlists.load("senses")["word"].unique())


def has_built_in_lines() -> bool:
    """Whether the field holds the sentences of one of the fifty words."""
    return any(LINES.value == eight_sentences(word) for word in fifty())


def built_in(word: str, *, model: Any) -> tuple[str, ...]:
    """Built-in sentences with a word."""
    return asking.built_in(word, model)


def starter(word: str, *, model: Any) -> tuple[str, ...]:
    """Two sentences with a word, for the visitor to rewrite."""
    return asking.starter(word, model)


def chosen(word: str) -> dict[str, Any]:
    """The values of all fields for one of the fifty words."""
    return {field.key: field.default for field in FIELDS} | {WORD.key: word, LINES.key: eight_sentences(word)}


@dataclass(frozen=True)
class Picked:
    """The visitor's selection: occurrences of one sense, occurrences to compare (empty: all), and the pooling."""

    together: tuple[int, ...]
    keep: tuple[int, ...]
    pooling: str


def picked(comparison: Comparison) -> Picked:
    """The current selection among the occurrences of a comparison; all of them if fewer than two are selected."""
    known = set(comparison.occurrences["occurrence"])
    keep = tuple(n for n in KEEP.value if n in known)
    return Picked(tuple(n for n in TOGETHER.value if n in known), keep if len(keep) > 1 else (), POOLING.value)


def with_senses(comparison: Comparison, together: tuple[int, ...]) -> Comparison:
    """The comparison with the selected occurrences as one sense, unless senses are written in the sentences."""
    if not together or (comparison.occurrences["sense"] != "").any():
        return comparison
    return senses.with_senses(comparison, together)


def code(
    reading: asking.Reading, comparison: Comparison, more: str = "", *, lines: str = "lines", model: str = "model"
) -> str:
    """The comparison as Python code; lines, model: the names of variables."""
    compared = f"comparisons.compare_word({lines}, {model}, word={reading.word!r}{more})"
    together = picked(comparison).together
    return (
        compared if with_senses(comparison, together) is comparison else f"senses.with_senses({compared}, {together!r})"
    )


def layer(comparison: Comparison, field: Number = LAYER) -> int:
    """The layer that the points show: the value of the field, or the last layer."""
    last = len(comparison.vectors) - 1
    return int(field.value) if 0 <= field.value <= last else last


@dataclass(frozen=True)
class Compared:
    """The word and lines that are compared, and their comparison."""

    reading: asking.Reading
    comparison: Comparison


def compared(word: str, lines: tuple[str, ...], *, model: Any, progress: Progress = silent) -> Compared:
    """The comparison of a word in some lines. Raises ValueError as `asking.read` and `comparisons.compare_word`."""
    reading = asking.read(word, model, lines=lines)
    return Compared(reading, comparisons.compare_word(reading.lines, model, word=reading.word, progress=progress))
