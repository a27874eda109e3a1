"""What the Inputs page found, in a sentence."""

import pandas as pd

from embtools.inputs.lookup import WayBack
from embtools.inputs.masking import ALONE, KEPT, MASKED, RANDOM, Check
from embtools.inputs.places import HEAP, MOVED, WRITTEN
from embtools.inputs.positions import Positions
from embtools.inputs.terms import NORMED, POSITION, SEGMENT, Others, Terms, differences

_ALIKE = 0.1  # of a cosine: less is called no difference


def finding(found: Terms) -> str:
    """Whether a piece enters the encoder as one vector or as two, and which terms make the difference."""
    piece = f"“{found.piece}”"
    if len(found.places) == 1:
        return f"{piece} enters the encoder as a sum: what it is, and where it stands (position {_at(found, 0)})."
    table = differences(found).set_index("term")
    if table.loc[NORMED, "same"]:
        if found.moved:
            return f"Put at position {_at(found, 1)}, {piece} is the same vector: its place had made the difference."
        return f"{piece} enters the encoder as the very same vector both times: same piece, same place."
    places = found.places
    apart = [
        f"{name} ({places[name].iloc[0]} and {places[name].iloc[1]})"
        for name in (POSITION, SEGMENT)
        if name in table.index and not table.loc[name, "same"]
    ]
    makes = "alone makes" if len(apart) == 1 else "make"
    cosine = table.loc[NORMED, "cosine"]
    said = f"its {' and '.join(apart)} {makes} the difference"
    return f"{piece} enters as two different vectors (cosine {cosine:.2f}): {said}."


def yardstick(found: Terms, others: Others) -> str:
    """Whether the change of place is larger than a change of word would be."""
    cosine = differences(found).set_index("term").loc[NORMED, "cosine"]
    if others.rank == 1:
        return (
            f"A change of word would do more: of all pieces at the second place, “{found.piece}” is still the nearest"
            f" to the first (cosine {cosine:.2f}; next, “{others.nearest}”, {others.cosine:.2f})."
        )
    return (
        f"As much as a change of word: at the second place {others.rank - 1:,} other pieces would be nearer to the"
        f" first, “{others.nearest}” most (cosine {others.cosine:.2f}, its own {cosine:.2f})."
    )


def places(table: pd.DataFrame) -> str:
    """What a guess owes to the places. table: of `places.guesses`."""
    rows = table.set_index("places")
    written = rows.loc[WRITTEN]
    text = f"As written: “{written['answer_1']}”, {written['probability']:.1%}."
    for way, name in ((MOVED, "With the piece moved"), (HEAP, "Without any order")):
        if way in rows.index:
            other = rows.loc[way]
            stays = "still" if other["answer_1"] == written["answer_1"] else "now"
            text += f" {name} {stays} “{other['answer_1']}”, {other['probability']:.1%}."
    return text


def way_back(word: str, place: int, count: int, back: WayBack) -> str:
    """One row, used twice."""
    return (
        f"“{word}” is row {place:,} of {count:,}, read on the way in; on the way out the same row gives it"
        f" {back.probability:.1%} (number {back.rank:,})."
    )


def entries(found: pd.DataFrame, count: int, what: str) -> str:
    """Which entries of the vocabulary are shown; `what` says how they were looked for ("match *ing")."""
    number = f"{len(found):,}" if len(found) else "None"
    return f"{number} of {count:,} pieces {what}."


def masking(drawn: pd.DataFrame) -> str:
    """What the rule did to a text this time, and how well the hidden was guessed. drawn: of `masking.draw`."""
    asked = drawn[drawn["treatment"] != ALONE]
    counts = asked["treatment"].value_counts()
    named = {MASKED: "hidden", RANDOM: "exchanged", KEPT: "left standing"}
    said = [f"{counts[key]} {name}" for key, name in named.items() if key in counts]
    right = int((asked["guess"] == asked["token"]).sum())
    pieces = f"{len(asked)} of {len(drawn) - 2} pieces must be guessed this time ({', '.join(said)})"
    return f"{pieces}: BERT gets {right} right."


def check(found: Check, draws: int) -> str:
    """Whether many draws keep to the rule."""
    chance = found.treatments[found.treatments["treatment"] != ALONE]
    out = chance[(chance["share"] < chance["low"]) | (chance["share"] > chance["high"])]["treatment"].tolist()
    within = f"outside what 95 of 100 such counts show: {', '.join(out)}" if out else "all within what chance allows"
    total = chance["count"].sum()
    counts = zip(chance["treatment"], chance["count"], strict=True)
    shares = ", ".join(f"{count / total:.1%} {name}" for name, count in counts)
    return f"In {draws:,} draws {found.asked} of {found.n} pieces each time; of these {shares}: {within}."


def positions(found: Positions) -> str:
    """Whether BERT has learnt that positions have an order."""
    near = found.apart["cosine"].iloc[0]
    figures = f"mean cosine {near:.2f} next to each other, {found.mean:.2f} over all pairs"
    if near > found.mean + _ALIKE:
        return f"Neighbouring positions are alike: {figures}. Nobody told BERT their order."
    return f"Neighbouring positions are no more alike than others: {figures}."


def _at(found: Terms, place: int) -> int:
    return int(found.places["position"].iloc[place])
