"""What two models say to the same test or remedy, in a sentence each; both are named, neither is right."""

from collections.abc import Sequence

import pandas as pd

from embtools.bias.association import Association
from embtools.statistics import agreement
from embtools.statistics.reporting import LEVEL, p_value


def associations(first: Association, second: Association, names: Sequence[str]) -> str:
    """Whether an association test comes out alike in two models, by its two-sided p in each, and their words' order.

    The order is that of the target words which both have in one piece; it is left out where they are fewer than four.
    """
    a, b = names
    both = f"d = {first.effect:+.2f} in {a} ({p_value(first.p)}), {second.effect:+.2f} in {b} ({p_value(second.p)})"
    clear = [found.p < LEVEL for found in (first, second)]
    if all(clear):
        same = first.effect * second.effect > 0
        said = "Both models lean the same way" if same else "The models lean opposite ways"
    elif any(clear):
        said = f"Clear in {names[clear.index(True)]} alone"
    else:
        said = "Clear in neither model"
    return f"{said}: {both}.{_order(first.scores, second.scores)}"


def batteries(first: pd.DataFrame, second: pd.DataFrame, names: Sequence[str]) -> str:
    """How many of the published tests two models answer alike; frames of `published_tests.battery`."""
    known = first["effect"].notna() & second["effect"].notna()
    if not known.any():
        return "No test has enough words of one piece in both models."
    same = int((first["effect"] * second["effect"] > 0)[known].sum())
    clear = [(frame["p_holm"] < LEVEL)[known] for frame in (first, second)]
    return (
        f"{same} of the {int(known.sum())} tests that both can be asked point the same way; clear in {names[0]}:"
        f" {int(clear[0].sum())}, in {names[1]}: {int(clear[1].sum())}, in both: {int((clear[0] & clear[1]).sum())}."
    )


def remedies(
    first: tuple[pd.DataFrame, pd.DataFrame], second: tuple[pd.DataFrame, pd.DataFrame], names: Sequence[str]
) -> str:
    """What projecting the direction away does in two models, from (gains, left_over) of each.

    Gains as of `mitigation.gain`, left_over as of `residual.remains`.
    """
    said = []
    for (gains, left_over), name in zip((first, second), names, strict=True):
        gap = gains.set_index("method")["gap"]
        rest = left_over.set_index("method")["accuracy"]["project away"]
        said.append(f"in {name} from {gap['none']:.2f} to {gap['project away']:.2f} nats, and {rest:.0%} can be sorted")
    return f"Projecting away takes the gap {said[0]} afterwards; {said[1]}."


def swaps(first: pd.DataFrame, second: pd.DataFrame) -> str:
    """Whether a swapped group changes the same words in two models; frames of `likelihood.swapped_words`."""
    try:
        found = agreement.ranks(*(_in_their_places(frame) for frame in (first, second)))
    except ValueError:
        return "Fewer than four words in both: too few to compare the order of the changes."
    order = (
        "are in no common order" if found.p >= LEVEL else f"go {'the same way' if found.rho > 0 else 'opposite ways'}"
    )
    return f"Over the {found.words} words in both, the changes {order}: ρ = {found.rho:+.2f}, {p_value(found.p)}."


def _in_their_places(words: pd.DataFrame) -> dict[str, float]:
    """The changes by word and by how often it has stood before: a word may stand twice in a sentence."""
    times = words.groupby("word").cumcount()
    return {f"{word} {n}": change for word, n, change in zip(words["word"], times, words["change"], strict=True)}


def _order(first: pd.DataFrame, second: pd.DataFrame) -> str:
    try:
        found = agreement.ranks(*(dict(zip(f["word"], f["association"], strict=True)) for f in (first, second)))
    except ValueError:
        return ""
    way = "no common order" if found.p >= LEVEL else "the same order" if found.rho > 0 else "the opposite order"
    return f" Their {found.words} words in both stand in {way}: ρ = {found.rho:+.2f}, {p_value(found.p)}."
