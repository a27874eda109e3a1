"""The terms of a token at two positions as strips: which of them differ, and by how much."""

from collections.abc import Sequence

import numpy as np

from embtools.charts.chart import Chart
from embtools.charts.inputs.strips import Group, Limits, limits_of, strips
from embtools.inputs.input_terms import NORMED, SEGMENT, SUM, TOKEN, Terms
from embtools.statistics.decimals import decimal

_SIGNS = {TOKEN: "", SUM: "= ", NORMED: "→ "}


def terms(result: Terms, limits: Limits | None = None) -> Chart:
    """Draw each term at both positions, and the difference. `limits` are the values in full colour, see `limits`."""
    return strips(_groups(result), result.numbers, _alt(result), limits=limits)


def limits(results: Sequence[Terms]) -> Limits:
    """The values in full colour, so that the strips of some results have the same colours."""
    return limits_of([_groups(found) for found in results])


def _groups(result: Terms) -> list[Group]:
    groups = []
    for i, row in enumerate(result.table.itertuples()):
        name = str(row.term)
        vectors = result.vectors[:, i]
        labels = tuple(_label(result, number) for number in range(len(vectors)))
        title = f"{_SIGNS.get(name, '+ ')}{'layer norm (enters the encoder)' if name == NORMED else name}"
        if len(vectors) == 1:
            title += f" · length {row.length_1:.2f}"
            groups.append(Group(title, labels, vectors, _scale(name)))
            continue
        title += " · no difference" if row.same else f" · cosine {decimal(row.cosine)}, distance {row.distance:.2f}"
        shown = [*vectors] if row.same else [*vectors, vectors[0] - vectors[1]]
        groups.append(Group(title, (*labels, "difference")[: len(shown)], np.stack(shown), _scale(name)))
    return groups


def _alt(result: Terms) -> str:
    text = f"The {len(result.names)} vectors of {result.piece} as strips of {result.vectors.shape[-1]} numbers."
    if len(result.occurrences) == 1:
        return text
    table = result.table
    same = [str(name) for name in table["term"][table["same"]]]
    other = [f"{row.term} (cosine {decimal(row.cosine)})" for row in table[~table["same"]].itertuples()]
    return f"{text} The same at both positions: {', '.join(same) or 'none'}. Different: {', '.join(other) or 'none'}."


def _label(result: Terms, number: int) -> str:
    row = result.occurrences.iloc[number]
    where = (
        f"at {row['position']}"
        if result.occurrences["text"].eq(1).all()
        else f"text {row['text']} at {row['position']}"
    )
    return f"{where}, s{row['segment']}" if SEGMENT in result.names and result.occurrences["segment"].any() else where


def _scale(name: str) -> str:
    return NORMED if name == NORMED else SUM
