"""What the layers found about a word, in a sentence."""

import pandas as pd

APART = 0.8
"""The AUC from which senses are called apart: Hosmer & Lemeshow 2000 call 0.8 to 0.9 excellent discrimination."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def finding(layers: pd.DataFrame, word: str, senses: int) -> str:
    """Where a word's senses stand apart, from a frame of layer, auc and cosine (the mean over all pairs).

    Without any AUC (no senses given, or no two occurrences of one) it says how the occurrences drift apart.

    >>> frame = pd.DataFrame({"layer": [0, 1, 2], "auc": [0.4, 0.9, 1.0], "cosine": [0.9, 0.6, 0.5]})
    >>> finding(frame, "bank", 2)
    'From layer 1 on, the two senses of bank stand apart: AUC 1.00 in layer 2, 0.40 in layer 0.'
    """
    known = [(int(n), float(auc)) for n, auc in zip(layers["layer"], layers["auc"], strict=True) if auc == auc]
    if not known:
        return _drift(layers, word)
    group = f"the {_NUMBERS[senses] if senses < len(_NUMBERS) else senses} senses of {word}"
    apart = [auc >= APART for _, auc in known]
    (first, first_auc), (last, last_auc) = known[0], known[-1]
    best, best_auc = max(known, key=lambda layer: layer[1])
    if not any(apart):
        return (
            f"In no layer do {group} stand clearly apart: AUC at most {best_auc:.2f} (layer {best}), where 0.50 is"
            " chance."
        )
    if not apart[-1]:
        return (
            f"T{group[1:]} stand apart in layer {best} (AUC {best_auc:.2f}) and mix again by layer {last}"
            f" ({last_auc:.2f})."
        )
    figures = f"AUC {last_auc:.2f} in layer {last}, {first_auc:.2f} in layer {first}."
    if all(apart):
        return f"In every layer, even in layer 0 without context, {group} stand apart: {figures}"
    since, _ = known[len(apart) - apart[::-1].index(False)]
    if since == last:
        return f"Only in the last layer do {group} stand apart: {figures}"
    return f"From layer {since} on, {group} stand apart: {figures}"


def two_models(first: pd.DataFrame, second: pd.DataFrame, names: tuple[str, str]) -> str:
    """The layer of each of two models that holds the senses apart best, from frames of layer and auc.

    >>> frame = pd.DataFrame({"layer": [0, 1, 2], "auc": [0.4, 1.0, 0.9]})
    >>> two_models(frame, frame.tail(1), ("A", "B"))
    'A holds the senses apart best in layer 1 of 2 (AUC 1.00), B in layer 2 of 2 (0.90).'
    """
    if first["auc"].isna().all() or second["auc"].isna().all():
        return "Without senses and two occurrences of one, no layer can be the best."
    (layer, auc), (others, value) = (frame.loc[frame["auc"].idxmax(), ["layer", "auc"]] for frame in (first, second))
    return (
        f"{names[0]} holds the senses apart best in layer {layer:.0f} of {first['layer'].max()} (AUC {auc:.2f}),"
        f" {names[1]} in layer {others:.0f} of {second['layer'].max()} ({value:.2f})."
    )


def _drift(layers: pd.DataFrame, word: str) -> str:
    known = layers.dropna(subset="cosine")
    if known.empty:
        return f"All occurrences of {word} stand in one sentence: its own vector cannot tell them apart."
    first, last = known.iloc[0], known.iloc[-1]
    change = last["cosine"] - first["cosine"]
    way = "stay as alike as they were" if abs(change) < 0.005 else "drift apart" if change < 0 else "come together"
    return (
        f"The occurrences of {word} {way}: their mean cosine goes from {first['cosine']:.2f} in layer"
        f" {first['layer']:.0f} to {last['cosine']:.2f} in layer {last['layer']:.0f}."
    )
