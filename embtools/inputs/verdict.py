"""The headlines of the Inputs page."""

import pandas as pd

from embtools.inputs.arrangements import HEAP, MOVED, WRITTEN
from embtools.inputs.terms import NORMED, POSITION, SEGMENT, SUM, Others, Terms, differences


def finding(found: Terms) -> str:
    """Return whether a token enters the encoder as one vector or as two, and which terms make the difference."""
    token, occurrences = f"“{found.piece}”", found.occurrences
    terms = [name for name in found.names if name not in (SUM, NORMED)]
    listed = f"{', '.join(terms[:-1])} and {terms[-1]}"
    if len(occurrences) == 1:
        at = occurrences["position"].iloc[0]
        return f"{token} enters the encoder as the sum of its {listed} embeddings (position {at})."
    table = differences(found).set_index("term")
    kinds = [name for name in (POSITION, SEGMENT) if name in table.index]
    if table.loc[NORMED, "same"]:
        if found.moved:
            last = occurrences.iloc[1]
            moved = [name for name in kinds if last[name] != last[f"own_{name}"]]
            to, of = (" and ".join(each) for each in ([f"{name} {last[name]}" for name in moved], moved))
            return f"Moved to {to}, {token} is the same vector both times: only its {of} made the difference."
        return f"{token} enters the encoder as the same vector both times, because its {listed} are the same."
    different = [
        f"{name} ({occurrences[name].iloc[0]} and {occurrences[name].iloc[1]})"
        for name in kinds
        if not table.loc[name, "same"]
    ]
    cosine = table.loc[NORMED, "cosine"]
    differs = f"Only its {different[0]} differs" if len(different) == 1 else f"Its {' and '.join(different)} differ"
    return f"{token} enters the encoder as two different vectors (cosine {cosine:.2f}). {differs}."


def yardstick(found: Terms, others: Others) -> str:
    """Return whether the change of position has more effect than a change of word would have."""
    cosine = differences(found).set_index("term").loc[NORMED, "cosine"]
    if others.rank == 1:
        return (
            "Changing the word would make a bigger difference: of all tokens put at the second position,"
            f" “{found.piece}” is still nearest to the vector at the first (cosine {cosine:.2f}; next"
            f" “{others.nearest}”, {others.cosine:.2f})."
        )
    count = f"{others.rank - 1:,} other token{'s' * (others.rank > 2)}"
    return (
        f"Changing the word could make a smaller difference: at the second position, {count} would be nearer than"
        f" “{found.piece}” (cosine {cosine:.2f}) to the vector at the first. Nearest is “{others.nearest}”"
        f" ({others.cosine:.2f})."
    )


def arrangements(table: pd.DataFrame) -> str:
    """Return how the top answer depends on positions and segments. table: from `arrangements.answers`."""
    rows = table.set_index("arrangement")
    written = rows.loc[WRITTEN]
    text = f"For the text as written, BERT answers “{written['answer_1']}” ({written['probability']:.1%})."
    for way, name in ((MOVED, "With the token moved"), (HEAP, "With all words at position 1")):
        if way in rows.index:
            other = rows.loc[way]
            answers = "still answers" if other["answer_1"] == written["answer_1"] else "answers"
            text += f" {name}, it {answers} “{other['answer_1']}” ({other['probability']:.1%})."
    return text
