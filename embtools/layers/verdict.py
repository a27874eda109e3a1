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
    known = layers.dropna(subset="auc").astype({"layer": int})
    if known.empty:
        return _drift(layers, word)
    group = f"the {_NUMBERS[senses] if senses < len(_NUMBERS) else senses} senses of {word}"
    apart = (known["auc"] >= APART).tolist()
    first, last, best = known.iloc[0], known.iloc[-1], known.loc[known["auc"].idxmax()]
    if not any(apart):
        return (
            f"In no layer do {group} stand clearly apart: AUC at most {best['auc']:.2f} (layer {best['layer']:.0f}),"
            " where 0.50 is chance."
        )
    if not apart[-1]:
        return (
            f"T{group[1:]} stand apart in layer {best['layer']:.0f} (AUC {best['auc']:.2f}) and mix again by layer"
            f" {last['layer']:.0f} ({last['auc']:.2f})."
        )
    figures = f"AUC {last['auc']:.2f} in layer {last['layer']:.0f}, {first['auc']:.2f} in layer {first['layer']:.0f}."
    if all(apart):
        return f"In every layer {group} stand apart: {figures}"
    since = known.iloc[len(apart) - apart[::-1].index(False)]
    if since["layer"] == last["layer"]:
        return f"Only in the last layer do {group} stand apart: {figures}"
    return f"From layer {since['layer']:.0f} on, {group} stand apart: {figures}"


def _drift(layers: pd.DataFrame, word: str) -> str:
    known = layers.dropna(subset="cosine")
    if known.empty:
        return f"All occurrences of {word} stand in one sentence: its own vector cannot tell them apart."
    first, last = known.iloc[0], known.iloc[-1]
    way = "drift apart" if last["cosine"] < first["cosine"] else "come together"
    return (
        f"The occurrences of {word} {way}: their mean cosine goes from {first['cosine']:.2f} in layer"
        f" {first['layer']:.0f} to {last['cosine']:.2f} in layer {last['layer']:.0f}."
    )
