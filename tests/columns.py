"""What a page may show: columns in one spelling, from the list in docs/columns.md, and headlines with their number."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

DOCUMENT = Path(__file__).parents[1] / "docs/columns.md"

DATA = ("answers-by-group", "attention-tokens", "best-by-group", "distances-by-group", "neutral")
"""Tables whose columns are words of the visitor, groups or methods."""
_NUMBERED = re.compile(r"\d+|(dim|position|segment)_\d+")

REPLACED = {
    "agree": "same_side",
    "ci_high": "high",
    "ci_low": "low",
    "counted": "compared",
    "dot": "dot_product",
    "here": "this_model",
    "inner": "dot_product",
    "kept": "variance_kept",
    "recipe": "combination",
}
"""Columns that have another name now."""

NO_NUMBER = (
    r"^Which word does not belong\?$",
    r"^(BERT picks|The vectors pick|Right:|The odd one out is) ",
    r"^All occurrences of .* are in the same sentence, so they have the same sentence vector\.$",
    r"^Reading the rest of the text …$",
    r"so both lists contain all of them\. Only their order can be compared\.$",
    r"^The sentence could not be answered\.$",
    r"^The text contains no other word\.$",
    r" occurs only here\.$",
    r"^There is no word except the mask, so nothing can be compared\.$",
    r"^Choose a space other than raw to see what changes\.$",
    r"^To compare groups, enter at least two of them, and at least two words in one of them\.$",
    r"^To find the best (layer|combination), give two senses or more",
    r"^The models share fewer than four .*, too few to compare the order of the gaps\.$",
    r"^The mix for .* is empty: with this penalty, no word gets a positive weight\. Lower the penalty\.$",
    r"^The groups are shuffled: any pattern of groups that you still see is due to chance$",
    r"^The list in two spaces$",
    r" (enters the encoder as|is) the same vector both times",
    r"\b(BERT picks|You picked|you picked|BERT both picked) ",
    r"can be compared for four or more words\.$",
    r"^In .* and in .*, all pairs have the same (cosine|distance) to two digits\.$",
)
"""Headlines that report no measurement."""


@cache
def listed() -> frozenset[str]:
    """The columns of the list, and the endings of columns."""
    return frozenset(name for table in tables() for row in table for name in row)


def tables() -> list[list[list[str]]]:
    """The names in each row of the tables of the list: first the endings, then the columns."""
    return [
        [re.findall(r"`([^`]+)`", line.split(" |")[0]) for line in table.splitlines()]
        for table in re.findall(r"^(?:\| `.*\n)+", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def is_data(table: str) -> bool:
    """Whether the columns of the table with this name are data."""
    return table.removesuffix("-second") in DATA


def misspelt(table: str, columns: Iterable[object]) -> list[str]:
    """The columns of a table that are not in small letters with underscores, or were given another name.

    >>> misspelt("map", ["word", "Top answer", "recipe"])
    ['Top answer', 'recipe']
    """
    if is_data(table):
        return []
    names = [str(name) for name in columns if not _NUMBERED.fullmatch(str(name))]
    return [name for name in names if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name in REPLACED]


def unlisted(table: str, columns: Iterable[object]) -> list[str]:
    """The columns of a table that the list does not explain."""
    names = () if is_data(table) else map(str, columns)
    return [name for name in names if name not in listed() and not _NUMBERED.fullmatch(name)]


def has_number(headline: str) -> bool:
    """Whether a headline contains a number, or reports no measurement."""
    return bool(re.search(r"\d", headline)) or any(re.search(known, headline) for known in NO_NUMBER)
