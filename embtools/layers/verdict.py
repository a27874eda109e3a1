"""The headlines and captions of the Layers page, and the scores of the best layer combination that they name."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.layer_combinations import WORD_POOLINGS
from embtools.layers.senses import SenseTest
from embtools.layers.trajectories import Trajectories
from embtools.limits import enough, within
from embtools.statistics.decimals import decimal
from embtools.statistics.intervals import mean_interval
from embtools.statistics.percentages import rounded
from embtools.statistics.reporting import LEVEL
from embtools.vectors import check_finite

APART = 0.8
"""The AUC from which senses are called separate: 0.8 to 0.9 is excellent discrimination (Hosmer & Lemeshow 2000)."""

MAX_SPLITS = 10_000
ENOUGH = 20
"""The smallest number of words for which a bootstrap over words is trusted."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def finding(moving: Trajectories, word: str) -> str:
    """The headline: which layers separate a word's senses and whether that could be chance, or how its cosines change;
    layer 0 is no evidence, because the occurrences differ only in position there.
    """
    layers = moving.layers
    known = [(int(n), float(auc)) for n, auc in zip(layers["layer"], layers["auc"], strict=True) if n and auc == auc]
    if not known or moving.test is None:
        return _drift(moving, word)
    senses = f"the {_number(moving.senses)} senses of {word}"
    zero = float(layers.loc[layers["layer"] == 0, "auc"].iloc[0])
    p = moving.test.p_text
    last, last_auc = known[-1]
    best, best_auc = max(known, key=lambda layer: layer[1])
    if moving.test.p >= LEVEL:
        if best_auc > 1 - 1e-9:
            return f"{_all_apart(moving, word, best)} ({p})."
        position = f" {_alone(moving)} already give an AUC of {zero:.2f} (layer 0)." if zero >= APART else ""
        few = " With so few occurrences no result can be clear. Add sentences." * (moving.test.lowest >= LEVEL)
        highest = f"the highest AUC, {best_auc:.2f} in layer {best},"
        return f"BERT does not clearly separate {senses}: {highest} can be chance ({p}).{position}{few}"
    apart = [auc >= APART for _, auc in known]
    if not any(apart):
        return (
            f"BERT does not clearly separate {senses} in any layer: the highest AUC is {best_auc:.2f} (layer {best},"
            f" {p}), where 0.50 is chance."
        )
    if zero >= APART:
        where, auc = (last, last_auc) if apart[-1] else (best, best_auc)
        return (
            f"T{senses[1:]} separate (AUC {auc:.2f} in layer {where}, {p}), but {_alone(moving).lower()} separate them"
            f" too (AUC {zero:.2f} in layer 0). These sentences cannot show whether the context does."
        )
    if not apart[-1]:
        return (
            f"BERT separates {senses} in layer {best} (AUC {best_auc:.2f}, {p}) and mixes them again by layer {last}"
            f" (AUC {last_auc:.2f})."
        )
    figures = f"The AUC is {last_auc:.2f} in layer {last} ({p})"
    if zero == zero:
        figures += f" and {zero:.2f} in layer 0, {_zero(moving)}"
    since, _ = known[len(apart) - apart[::-1].index(False)] if not all(apart) else known[0]
    if since == last and len(known) > 1:
        return f"Only in the last layer does BERT separate {senses}. {figures}."
    return f"From layer {since} on, BERT separates {senses}. {figures}."


def _all_apart(moving: Trajectories, word: str, layer: int) -> str:
    """What a perfect separation that can be chance shows, and why it is not enough."""
    given = moving.points[moving.points["sense"] != ""]
    count = given["occurrence"].nunique()
    named = _number(count)
    apart = (
        f"All {named} occurrences of {word} are separated into its {_number(moving.senses)} senses (AUC 1.00 in layer"
        f" {layer})"
    )
    zero = float(moving.layers.loc[moving.layers["layer"] == 0, "auc"].iloc[0])
    if zero >= APART:
        apart += f", but {_alone(moving).lower()} already give an AUC of {zero:.2f} (layer 0)"
        return f"{apart}, and {named} are too few" if _too_few(moving) else f"{apart}, and it can be chance"
    if _too_few(moving):
        return f"{apart}, but {named} are too few: add sentences"
    return f"{apart}, but so are other groups of these sentences, so this can be chance"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _too_few(moving: Trajectories) -> bool:
    """Whether no result of the test could be clear."""
    return moving.test is not None and moving.test.lowest >= LEVEL


def _zero(moving: Trajectories) -> str:
    """A clause about the vectors in layer 0 for the pooling."""
    if moving.pooling in WORD_POOLINGS:
        return "where occurrences differ only in position"
    return (
        "where all [CLS] vectors are equal" if moving.pooling == "sentence: cls" else "before the layers mix the words"
    )


def _alone(moving: Trajectories) -> str:
    """What separates the senses in layer 0 for the pooling."""
    return "Their positions alone" if moving.pooling in WORD_POOLINGS else "The words of the sentences alone"


def sense_test_caption(test: SenseTest | None) -> str:
    """How the p-value of the headline was computed; "" without a test."""
    if test is None:
        return ""
    groups = "groups that are as large as the senses"
    if test.exact:
        splits = f"There are {test.splits:,} ways to split the occurrences into {groups}."
        if test.reached == 1:
            return (
                f"{splits} In the layers above 0, the highest AUC of the split by sense is higher than that of any"
                f" other split ({test.p_text})."
            )
        reached = f"{test.reached:,} of these splits, including itself"
    else:
        splits = f"The occurrences were also split at random {test.splits:,} times into {groups}."
        reached = f"{test.reached or 'none'} of these random splits"
    return (
        f"{splits} In the layers above 0, the highest AUC of the split by sense is reached or exceeded by {reached}"
        f" ({test.p_text})."
    )


def two_words(first: pd.DataFrame, second: pd.DataFrame, names: tuple[str, str]) -> str:
    """A sentence with the best layer above 0 of each of two models, from frames with columns layer and auc.

    >>> frame = pd.DataFrame({"layer": [0, 1, 2], "auc": [1.0, 1.0, 0.9]})
    >>> two_words(frame, frame.tail(1), ("A", "B"))
    'The highest AUC is 1.00 for A (layer 1 of 2) and 0.90 for B (layer 2 of 2).'
    """
    above = [frame[(frame["layer"] > 0) & frame["auc"].notna()] for frame in (first, second)]
    if any(frame.empty for frame in above):
        return "To find the best layer, give two senses or more, and at least two occurrences of one of them."
    best = []
    for frame, every, name in zip(above, (first, second), names, strict=True):
        layer, auc = frame.loc[frame["auc"].idxmax(), ["layer", "auc"]]
        best.append(f"{auc:.2f} for {name} (layer {layer:.0f} of {every['layer'].max()})")
    return f"The highest AUC is {' and '.join(best)}."


def two_combinations(first: pd.DataFrame, second: pd.DataFrame, names: tuple[str, str]) -> str:
    """A sentence with the best layer combination of each of two models, from frames of combination, pooling and auc."""
    if first["auc"].isna().all() or second["auc"].isna().all():
        return "To find the best combination, give two senses or more, and at least two occurrences of one of them."
    parts = []
    for frame, name in zip((first, second), names, strict=True):
        best = frame.loc[frame["auc"].idxmax()]
        equal = int((frame["auc"] > best["auc"] - 1e-9).sum()) - 1
        more = f"; {equal} others are equal" if equal > 1 else "; one other is equal" if equal else ""
        parts.append(f"{best['auc']:.2f} for {name} ({best['combination']}, {best['pooling']}{more})")
    return f"The highest AUC is {' and '.join(parts)}."


def held_out_auc(scores: pd.DataFrame) -> pd.Series:
    """The AUC of every word with the layer combination that is best on other words (`held_out_best`), from
    `survey.Survey.scores`.
    """
    table = scores.pivot(index="word", columns=["combination", "pooling"], values="auc").loc[scores["word"].unique()]
    table = table[pd.MultiIndex.from_frame(scores[["combination", "pooling"]].drop_duplicates())]
    return pd.Series(held_out_best(table.to_numpy()), table.index)


def held_out_best(scores: NDArray[np.floating], *, splits: int = 50, seed: int = 0) -> NDArray[np.float64]:
    """The score of each item with the option that is best on the other half in many random splits, because the highest
    of several means is partly due to chance and too high on average.

    >>> held_out_best(np.array([[1.0, 0.0], [0.0, 1.0]]))
    array([0., 0.])
    """
    values = np.asarray(scores, float)
    enough(values, "items", least=2)
    enough(values.T, "options")
    check_finite(values)
    within(splits, MAX_SPLITS, "splits")
    rng, n = generator(seed), len(values)
    total = np.zeros(n)
    for _ in range(splits):
        order = rng.permutation(n)
        halves = order[: n // 2], order[n // 2 :]
        for choosing, scored in (halves, halves[::-1]):
            total[scored] += values[scored, values[choosing].mean(axis=0).argmax()]
    return total / splits


def two_surveys(first: pd.DataFrame, second: pd.DataFrame, names: tuple[str, str]) -> str:
    """Sentences with the best layer combination of two models over many words, and whether one of them is better.

    first, second: frames of word, combination, pooling and auc. The difference on the same words has a 95% interval
    over words if there are at least 8. Each word is scored with the combination that is best on others.
    """
    parts, chosen = [], []
    for frame, name in zip((first, second), names, strict=True):
        means = frame.groupby(["combination", "pooling"], sort=False)["auc"].mean()
        combination, pooling = means.idxmax()
        chosen.append(held_out_auc(frame))
        parts.append(
            f"“{combination}, {pooling}” for {name} (mean AUC {means.max():.3f}; {chosen[-1].mean():.3f} on words not"
            " used to choose it)"
        )
    found = mean_interval((chosen[1] - chosen[0]).dropna().to_numpy(), rounds=2_000)
    gap, low, high = found.mean, found.low, found.high
    if not found.known:
        signed = [decimal(value, 3, signed=True) for value in (gap, min(found.values), max(found.values))]
        difference = (
            f"{found.units} words are too few to say which model is better: on such words the mean difference"
            f" ({names[1]} minus {names[0]}) is {signed[0]}, for single words {signed[1]} to {signed[2]}."
        )
    elif low <= 0 <= high:
        signed = [decimal(value, 3, signed=True) for value in (gap, low, high)]
        difference = (
            f"Neither is clearly better: on such words the difference ({names[1]} minus {names[0]}) is {signed[0]}, 95%"
            f" interval {signed[1]} to {signed[2]}."
        )
    else:
        difference = (
            f"On such words the AUC of {names[1]} is {'higher' if gap > 0 else 'lower'} by {abs(gap):.3f} (95% interval"
            f" {min(abs(low), abs(high)):.3f} to {max(abs(low), abs(high)):.3f})."
        )
    return f"The best combinations are {' and '.join(parts)}. {difference}"


def survey_finding(scores: pd.DataFrame, held_out: tuple[float, float, float], words: int) -> str:
    """The headline: the layer combination with the highest mean AUC of `survey.stability`, and how well the choice
    holds on other words (`held_out`: mean and interval of `held_out_auc`).
    """
    every, control = scores.iloc[:-1], scores.iloc[-1]
    best = every.loc[every["auc"].idxmax()]
    equal = int((every["auc"] > best["auc"] - 1e-9).sum()) - 1
    others = f"{equal:,} other combinations" if equal > 1 else "another combination"
    named = (
        f"“{best['combination']}, {best['pooling']}” "
        + (f"and {others} separate" if equal else "separates")
        + f" the senses of {words} words {'equally well' if equal else 'best'}"
    )
    without = f"The control, which only compares the words of the sentences, reaches {control['auc']:.3f}."
    if words < ENOUGH:
        return (
            f"{named} (mean AUC {best['auc']:.3f}). {without} With only {words} words, the survey"
            " cannot show which combination is best. Score all fifty."
        )
    mean, low, _ = held_out
    same = f"{mean:.3f}" == f"{best['auc']:.3f}"
    elsewhere = f"{'the same' if same else f'{mean:.3f}'} on words that were not used to choose it"
    highest = f"{named} (mean AUC {best['auc']:.3f}, {elsewhere}). {without}"
    if low <= control["high"]:
        return f"{highest} The combination is not clearly better: its 95% interval is not above the control's."
    if 1 - best["best"] < LEVEL:
        return highest
    return (
        f"{highest} With other words another combination may be best: this happens in"
        f" {rounded(1 - best['best'])} of resamples of the words."
    )


def _drift(moving: Trajectories, word: str) -> str:
    """How the mean cosine of the occurrences changes; cosines of two layers are not on the same scale."""
    known = moving.layers.dropna(subset="cosine")
    if known.empty:
        return f"All occurrences of {word} are in the same sentence, so they have the same sentence vector."
    first, last = known.iloc[0], known.iloc[-1]
    start, end = decimal(first["cosine"]), decimal(last["cosine"])
    changes = "stays the same:" if start == end else "falls:" if last["cosine"] < first["cosine"] else "rises:"
    return (
        f"The mean cosine between the occurrences of {word} {changes} it is {start} in layer {first['layer']:.0f} and"
        f" {end} in layer {last['layer']:.0f}. To compare layers, {_missing_senses(moving)}."
    )


def _missing_senses(moving: Trajectories) -> str:
    """What to do so that senses can be compared: an AUC needs two senses, and a pair of occurrences of one of them."""
    if not moving.senses:
        return "give senses to the occurrences"
    given = moving.points[moving.points["sense"] != ""].drop_duplicates("occurrence")
    repeated = bool(given["sense"].duplicated().any())
    if moving.senses == 1:
        if repeated:
            return "give a second sense"
        return "give two senses or more, and at least two occurrences of one of them"
    # Occurrences in the same sentence have the same sentence vector, and are not compared.
    return f"give at least two occurrences of one sense{', in different sentences' if repeated else ''}"
