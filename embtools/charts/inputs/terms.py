"""The terms of a token at two positions as strips: which of them differ, and by how much."""

import pandas as pd
import plotly.graph_objects as go

from embtools.charts.inputs.strips import Group, strips
from embtools.inputs.terms import NORMED, SEGMENT, SUM, TOKEN, Terms

_SIGNS = {TOKEN: "", SUM: "= ", NORMED: "→ "}


def terms(found: Terms, table: pd.DataFrame) -> go.Figure:
    """Draw each term at both positions, and the difference. table: from `terms.differences`."""
    groups = []
    for i, row in enumerate(table.itertuples()):
        name = str(row.term)
        vectors = found.vectors[:, i]
        labels = tuple(_label(found, number) for number in range(len(vectors)))
        title = f"{_SIGNS.get(name, '+ ')}{'layer norm (enters the encoder)' if name == NORMED else name}"
        if len(vectors) == 1:
            title += f" · length {row.length_1:.2f}"
            groups.append(Group(title, labels, vectors, _scale(name)))
            continue
        title += " · no difference" if row.same else f" · cosine {row.cosine:.2f}, distance {row.distance:.2f}"
        shown = [*vectors] if row.same else [*vectors, vectors[0] - vectors[1]]
        groups.append(Group(title, (*labels, "difference")[: len(shown)], pd.DataFrame(shown).to_numpy(), _scale(name)))
    return strips(groups)


def alt(found: Terms, table: pd.DataFrame) -> str:
    """Return the alt text of the strips."""
    text = f"The {len(found.names)} vectors of {found.piece} as strips of {found.vectors.shape[-1]} numbers."
    if len(found.occurrences) == 1:
        return text
    same = [str(name) for name in table["term"][table["same"]]]
    other = [f"{row.term} (cosine {row.cosine:.2f})" for row in table[~table["same"]].itertuples()]
    return f"{text} The same at both positions: {', '.join(same) or 'none'}. Different: {', '.join(other) or 'none'}."


def _label(found: Terms, number: int) -> str:
    row = found.occurrences.iloc[number]
    where = (
        f"at {row['position']}" if found.occurrences["text"].eq(1).all() else f"text {row['text']} at {row['position']}"
    )
    return f"{where}, s{row['segment']}" if SEGMENT in found.names and found.occurrences["segment"].any() else where


def _scale(name: str) -> str:
    return NORMED if name == NORMED else SUM
