"""What the layers show of a word, in a sentence."""

import pandas as pd

from embtools.layers.sense_test import SenseTest
from embtools.layers.trajectories import Trajectories
from embtools.recipes import WORD_POOLINGS
from embtools.statistics.intervals import interval
from embtools.statistics.reporting import LEVEL, p_value

APART = 0.8
"""The AUC from which senses are called separate: Hosmer & Lemeshow 2000 call 0.8 to 0.9 excellent discrimination."""

ENOUGH = 20
"""Words from which on a bootstrap over words is believed."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def finding(moving: Trajectories, word: str) -> str:
    """Where BERT separates a word's senses, and whether that could be chance; without senses, how its cosines change.

    The test decides whether there is a separation at all. Layer 0 is no evidence: there the occurrences of a word
    differ by their position alone, and senses that separate there may separate later for the same reason.
    """
    layers = moving.layers
    known = [(int(n), float(auc)) for n, auc in zip(layers["layer"], layers["auc"], strict=True) if n and auc == auc]
    if not known or moving.test is None:
        return _drift(layers, word)
    senses = f"the {_NUMBERS[moving.senses] if moving.senses < len(_NUMBERS) else moving.senses} senses of {word}"
    zero = float(layers.loc[layers["layer"] == 0, "auc"].iloc[0])
    p = p_value(moving.test.p)
    last, last_auc = known[-1]
    best, best_auc = max(known, key=lambda layer: layer[1])
    if moving.test.p >= LEVEL:
        position = f" {_alone(moving)} already give an AUC of {zero:.2f} (layer 0)." if zero >= APART else ""
        few = " With so few occurrences no result could be clear: add sentences." * (moving.test.lowest >= LEVEL)
        highest = f"AUC {best_auc:.2f} in layer {best}"
        return f"No clear separation of {senses}: {highest} can be chance ({p}).{position}{few}"
    apart = [auc >= APART for _, auc in known]
    if not any(apart):
        return (
            f"In no layer does BERT clearly separate {senses}: AUC at most {best_auc:.2f} (layer {best}, {p}), where"
            " 0.50 is chance."
        )
    if zero >= APART:
        where, auc = (last, last_auc) if apart[-1] else (best, best_auc)
        return (
            f"T{senses[1:]} separate (AUC {auc:.2f} in layer {where}, {p}), but {_alone(moving).lower()} separate them"
            f" too ({zero:.2f} in layer 0): these sentences cannot show which it is."
        )
    if not apart[-1]:
        return (
            f"BERT separates {senses} in layer {best} (AUC {best_auc:.2f}, {p}) and mixes them again by layer {last}"
            f" ({last_auc:.2f})."
        )
    figures = f"AUC {last_auc:.2f} in layer {last} ({p})"
    if zero == zero:
        figures += f", {zero:.2f} in layer 0, {_zero(moving)}"
    since, _ = known[len(apart) - apart[::-1].index(False)] if not all(apart) else known[0]
    if since == last and len(known) > 1:
        return f"Only in the last layer does BERT separate {senses}: {figures}."
    return f"From layer {since} on, BERT separates {senses}: {figures}."


def _zero(moving: Trajectories) -> str:
    """What layer 0 is under a pooling."""
    if moving.pooling in WORD_POOLINGS:
        return "where only the position differs"
    return "where all [CLS] are equal" if moving.pooling == "sentence: cls" else "before the layers mix the words"


def _alone(moving: Trajectories) -> str:
    """What separates in layer 0 under a pooling."""
    return "Their positions alone" if moving.pooling in WORD_POOLINGS else "The words of the sentences alone"


def sense_test_caption(test: SenseTest | None) -> str:
    """How the p-value of the headline was found; "" without a test."""
    if test is None:
        return ""
    ways = f"all {test.splits:,} ways" if test.exact else f"{test.splits:,} random ways"
    reach = "reaches" if test.reached == 1 else "reach"
    own = " (the senses themselves)" if test.exact and test.reached == 1 else ""
    return (
        f"Of {ways} to split the occurrences into such groups, {test.reached:,}{own} {reach} as high an AUC in a layer"
        f" above 0 ({p_value(test.p)})."
    )


def two_models(first: pd.DataFrame, second: pd.DataFrame, names: tuple[str, str]) -> str:
    """The layer above 0 with the highest AUC in each of two models, from frames of layer and auc.

    >>> frame = pd.DataFrame({"layer": [0, 1, 2], "auc": [1.0, 1.0, 0.9]})
    >>> two_models(frame, frame.tail(1), ("A", "B"))
    'Highest AUC: A 1.00 in layer 1 of 2, B 0.90 in layer 2 of 2.'
    """
    above = [frame[(frame["layer"] > 0) & frame["auc"].notna()] for frame in (first, second)]
    if any(frame.empty for frame in above):
        return "No layer can be the best without senses and two occurrences of one."
    said = []
    for frame, every, name in zip(above, (first, second), names, strict=True):
        layer, auc = frame.loc[frame["auc"].idxmax(), ["layer", "auc"]]
        said.append(f"{name} {auc:.2f} in layer {layer:.0f} of {every['layer'].max()}")
    return f"Highest AUC: {', '.join(said)}."


def two_recipes(first: pd.DataFrame, second: pd.DataFrame, names: tuple[str, str]) -> str:
    """The recipe with the highest AUC in each of two models, from frames of recipe, pooling and auc."""
    if first["auc"].isna().all() or second["auc"].isna().all():
        return "No recipe can be the best without senses and two occurrences of one."
    said = []
    for frame, name in zip((first, second), names, strict=True):
        best = frame.loc[frame["auc"].idxmax()]
        equal = int((frame["auc"] > best["auc"] - 1e-9).sum()) - 1
        more = f", {equal} others as good" if equal > 1 else ", one other as good" if equal else ""
        said.append(f"{name}: {best['recipe']}, {best['pooling']} ({best['auc']:.2f}{more})")
    return f"Highest AUC in {'; in '.join(said)}."


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


def survey_finding(scores: pd.DataFrame, words: int) -> str:
    """The recipe with the highest mean AUC over many words, and how sure that is; scores as of `survey.stability`."""
    every, control = scores.iloc[:-1], scores.iloc[-1]
    best = every.loc[every["auc"].idxmax()]
    said = (
        f"Over {words} words, “{best['recipe']}, {best['pooling']}” has the highest mean AUC: {best['auc']:.3f}"
        f" ({control['auc']:.3f} without a model)."
    )
    if words < ENOUGH:
        return f"{said} So few words cannot show which is best: score all fifty."
    if best["low"] <= control["high"]:
        return f"{said} The two 95% intervals overlap, so it is not clearly better than no model."
    if 1 - best["best"] < LEVEL:
        return f"{said} It stays the best in {best['best']:.0%} of resamples of the words."
    return f"{said} With other words another may be best: in {1 - best['best']:.0%} of resamples one is better."


def _drift(layers: pd.DataFrame, word: str) -> str:
    """How the mean cosine of the occurrences changes; the levels of two layers are not on one scale."""
    known = layers.dropna(subset="cosine")
    if known.empty:
        return f"All occurrences of {word} are in one sentence, and so have the same sentence vector."
    first, last = known.iloc[0], known.iloc[-1]
    change = last["cosine"] - first["cosine"]
    way = "stays the same" if abs(change) < 0.005 else "falls" if change < 0 else "rises"
    return (
        f"The mean cosine between the occurrences of {word} {way}: {first['cosine']:.2f} in layer {first['layer']:.0f},"
        f" {last['cosine']:.2f} in layer {last['layer']:.0f}. To compare layers, give the occurrences senses."
    )
