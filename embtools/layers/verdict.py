"""What the layers found about a word, in a sentence."""

import pandas as pd

from embtools.statistics.intervals import interval

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


def two_recipes(first: pd.DataFrame, second: pd.DataFrame, names: tuple[str, str]) -> str:
    """The recipe that parts a word's senses best in each of two models, from frames of recipe, pooling and auc."""
    if first["auc"].isna().all() or second["auc"].isna().all():
        return "Without senses and two occurrences of one, no recipe can be the best."
    said = []
    for frame, name in zip((first, second), names, strict=True):
        best = frame.loc[frame["auc"].idxmax()]
        equal = int((frame["auc"] > best["auc"] - 1e-9).sum()) - 1
        more = f", {equal} others as good" if equal > 1 else ", one other as good" if equal else ""
        said.append(f"{name}: {best['recipe']}, {best['pooling']} (AUC {best['auc']:.2f}{more})")
    return f"Best in {'; in '.join(said)}."


def two_surveys(first: pd.DataFrame, second: pd.DataFrame, names: tuple[str, str]) -> str:
    """The best recipe over many words in each of two models, and whether one model's is better for the same words.

    Frames of word, recipe, pooling and auc, as of `survey.Survey.scores`. The difference has a 95% bootstrap interval
    over words. Each best was chosen for its score, so both look a little too good.
    """
    said, best = [], []
    for frame, name in zip((first, second), names, strict=True):
        table = frame.set_index(["recipe", "pooling"])
        means = table["auc"].groupby(level=[0, 1], sort=False).mean()
        recipe, pooling = chosen = means.idxmax()
        best.append(table.loc[[chosen]].set_index("word")["auc"])
        said.append(f"{name}: {recipe}, {pooling} (mean AUC {means[chosen]:.3f})")
    gap, low, high = interval((best[1] - best[0]).dropna().to_numpy(), rounds=2_000)
    if low <= 0 <= high:
        open_ = f"Which of the two is better stays open: {names[1]}'s is {gap:+.3f} (95%: {low:+.3f} to {high:+.3f})."
    else:
        open_ = (
            f"For the same {len(best[0])} words {names[1]}'s is {'higher' if gap > 0 else 'lower'} by {abs(gap):.3f}"
            f" (95%: {min(abs(low), abs(high)):.3f} to {max(abs(low), abs(high)):.3f})."
        )
    return f"Best in {'; in '.join(said)}. {open_}"


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
