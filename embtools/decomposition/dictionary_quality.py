"""Sentences about the quality of a learned dictionary, next to dictionaries that were not learned."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded

LEARNED, DIRECTIONS, OCCURRENCES, RANDOM_MODEL, CHANCE = (
    "learned",
    "random directions",
    "random occurrences",
    "model with random weights",
    "random sets of words",
)
"""The rows of the quality of a dictionary. The last one has only the columns about words."""

COLUMNS = (
    "dictionary", "explained", "dead", "active", "kl_bits", "kl_mean", "same_answer", "asked",
    "different_words", "one_word", "similarity", "judged",
)  # fmt: skip
"""The columns of the quality, in order."""


def table(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the quality that the file of a dictionary stores as a frame: `COLUMNS`, as far as the file has them."""
    frame = pd.DataFrame(rows)
    return frame[[name for name in COLUMNS if name in frame]]


def fit_sentence(quality: pd.DataFrame, made: dict[str, Any]) -> str:
    """Say what the features explain of text that was held out, how many are dead or active, and how answers change."""
    rows = _rows(quality)
    if LEARNED not in rows:
        return "The file of this dictionary does not say how good it is."
    own = rows[LEARNED]
    others = [
        f"{name} with the best weights: {rounded(rows[name]['explained'])}"
        for name in (DIRECTIONS, OCCURRENCES)
        if name in rows
    ]
    if RANDOM_MODEL in rows:
        others.append(f"features learned from a model with random weights: {rounded(rows[RANDOM_MODEL]['explained'])}")
    controls = f" ({'; '.join(others)})" if others else ""
    return (
        f"On {made.get('held_out') or 0:,} held-out words, the features explain {rounded(own['explained'])} of the"
        f" variance{controls}. On average, {own['active']:.1f} features are active at a word;"
        f" {rounded(own['dead'], 1)} of all"
        " features are active at none of these words. If all words of a sentence are replaced by the sums of their"
        f" features, the answers at a mask change by {own['kl_bits']:.2f} bits and the top answer stays the same in"
        f" {rounded(own['same_answer'])} of {own['asked']:.0f} sentences; if they are replaced by the mean vector of"
        f" all words, the answers change by {own['kl_mean']:.2f} bits."
    )


def look_sentence(quality: pd.DataFrame) -> str:
    """Say how interpretable the features look, and how interpretable those of the controls do."""
    rows = _rows(quality)
    if LEARNED not in rows or pd.isna(rows[LEARNED]["different_words"]):
        return "The file of this dictionary does not say how its features look."
    own = rows[LEARNED]
    others = [
        f"{name}: {rows[name]['different_words']:.1f} words, similarity {_signed(rows[name]['similarity'])}"
        for name in (DIRECTIONS, OCCURRENCES, RANDOM_MODEL, CHANCE)
        if name in rows and not pd.isna(rows[name]["different_words"])
    ]
    return (
        f"On average, the ten strongest occurrences of a feature come from {own['different_words']:.1f} different"
        f" words, with a mean similarity of {_signed(own['similarity'])}. For comparison, {'; '.join(others)}."
    )


def _rows(quality: pd.DataFrame) -> dict[str, dict[str, Any]]:
    return {row["dictionary"]: row for row in quality.to_dict("records")}


def _signed(value: float) -> str:
    return "–" if pd.isna(value) else decimal(value)
