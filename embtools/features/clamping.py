"""A learned feature set to 0, 2 or 4 times its activation in a sentence, and BERT's answers at a mask."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.drawing import Displayed
from embtools.features.learned import open_dictionary
from embtools.features.sentences import compared_answers, sentence_words
from embtools.features.uses import within_dictionary
from embtools.limits import within
from embtools.mask_filling.forward import mask_position
from embtools.mask_filling.typed_input import normalise_masks
from embtools.messages import counted
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.statistics.permutations import holm
from embtools.statistics.reporting import LEVEL, control_p, p_value
from embtools.words.templates import seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

FACTORS = 0.0, 2.0, 4.0
"""Multiples of the activation to which a feature is set."""
ORIGINAL, FEATURE, RANDOM, SUMS = "original", "feature", "random feature", "sums of features"
DRAWS, MOST_DRAWS = 200, 200
LEAST = min(FACTORS)
ANSWERS = 5


@dataclass(frozen=True, eq=False)
class Clamped(Displayed):
    """BERT's answers at a mask with a feature set to multiples of its activation, and with random features.

    text      the sentence as BERT read it
    layer     the layer
    feature   the feature, from 1
    words     the words at which it is active
    runs      run (ORIGINAL, FEATURE, RANDOM, SUMS), factor (1 for ORIGINAL and SUMS), draw (from 1; 0 otherwise),
              feature (of the run; 0 for ORIGINAL and SUMS), answer, probability (of ORIGINAL's top answer),
              same_answer, kl_bits (KL divergence from ORIGINAL's answers)
    answers   the top answers without change and for each factor: factor, rank, answer, probability
    """

    text: str
    layer: int
    feature: int
    words: tuple[str, ...]
    runs: pd.DataFrame
    answers: pd.DataFrame

    @property
    def answer(self) -> str:
        """BERT's top answer without change."""
        return str(self.runs["answer"].iloc[0])

    def p(self, factor: float) -> float:
        """The p-value of a factor among its random features, corrected for the number of factors (Holm 1979)."""
        return self._p[FACTORS.index(factor)]

    @cached_property
    def _p(self) -> tuple[float, ...]:
        found = []
        for factor in FACTORS:
            own, drawn = (self._of(run, factor)["kl_bits"] for run in (FEATURE, RANDOM))
            found.append(control_p(int((drawn >= own.iloc[0]).sum()), len(drawn)))
        return tuple(float(value) for value in holm(found))

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row per factor: what the feature and random features do, with the p-value."""
        rows = []
        for factor in FACTORS:
            (own,), drawn = self._of(FEATURE, factor).to_dict("records"), self._of(RANDOM, factor)
            rows.append(
                (factor, own["answer"], own["probability"], own["kl_bits"])
                + (drawn["kl_bits"].mean(), drawn["kl_bits"].max(), drawn["same_answer"].mean(), self.p(factor))
            )
        columns = ["factor", "answer", "probability", "kl_bits", "random", "random_highest", "same_answer", "p_value"]
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def headline(self) -> str:
        """What BERT answers without the feature and with four times its activation, next to random features."""
        before = self.runs["probability"].iloc[0]
        parts = []
        for factor, how in ((0.0, "without the feature"), (4.0, "with 4 times its activation")):
            (own,) = self._of(FEATURE, factor).to_dict("records")
            parts.append(
                f"{rounded(own['probability'])} {how}"
                if own["same_answer"]
                else f"{rounded(own['probability'])} {how}, so that BERT answers “{own['answer']}”"
            )
        drawn = self._of(RANDOM, 4.0)
        changed = int((~drawn["same_answer"]).sum())
        clear = [f"{factor:.0f}" for factor in FACTORS if self.p(factor) <= LEVEL]
        doubt = "" if clear else " No change is clearly larger than with random features."
        return (
            f"The probability of “{self.answer}” is {rounded(before)}; it is {parts[0]}, and {parts[1]}."
            f" With this higher activation, {changed or 'none'} of {len(drawn)} random features"
            f" change{'s' * (changed < 2)} the top answer.{doubt}"
        )

    @cached_property
    def comparison(self) -> str:
        """The KL divergence for each factor, compared with random features, and for the sums of features."""
        sentences = []
        for row in self.summary.to_dict("records"):
            n = len(self._of(RANDOM, row["factor"]))
            if not n:
                sentences.append(
                    "With factor 0, there is nothing to compare with: no other feature is active at these words."
                )
                continue
            few = control_p(0, n) > LEVEL
            verdict = (
                "too few for a clear result"
                if few
                else "more than with random features"
                if row["p_value"] <= LEVEL
                else "not clearly more than with random features"
            )
            bits, mean, most = _distinct(row["kl_bits"], row["random"], row["random_highest"])
            which = counted(n, "random feature")
            if row["factor"] == LEAST:
                which = f"{counted(n, 'other feature')} of these words"
            sentences.append(
                f"With factor {row['factor']:.0f}, the answers change by {bits} bits ({which}: {most} at most, {mean}"
                f" on average; {p_value(row['p_value'])}; {verdict})."
            )
        (sums,) = self.runs.loc[self.runs["run"] == SUMS].to_dict("records")
        same = "stays the same" if sums["same_answer"] else f"becomes “{sums['answer']}”"
        return (
            " ".join(sentences)
            + f" The p-values are corrected for {len(FACTORS)} tests{self._least}. If every word is replaced by the sum"
            " of its features, the answers change by"
            f" {sums['kl_bits']:.3f} bits and the top answer {same}."
        )

    @property
    def _least(self) -> str:
        """How small the corrected p-values can be, after a semicolon; "" without a random feature."""
        n = max(len(self._of(RANDOM, factor)) for factor in FACTORS)
        least = decimal(min(1.0, len(FACTORS) / (n + 1)), 3)
        return f"; with {counted(n, 'random feature')}, none can be below {least}" if n else ""

    def _of(self, run: str, factor: float) -> pd.DataFrame:
        return self.runs[(self.runs["run"] == run) & (self.runs["factor"] == factor)]


def _distinct(bits: float, mean: float, most: float) -> tuple[str, ...]:
    """Format divergences with three decimal places, or more if the first and the last would look equal but are not.

    >>> _distinct(0.164, 0.08, 0.709), _distinct(0.0032, 0.001, 0.0028)
    (('0.164', '0.080', '0.709'), ('0.0032', '0.0010', '0.0028'))
    """
    digits = next((n for n in range(3, 7) if f"{bits:.{n}f}" != f"{most:.{n}f}"), 3)
    return tuple(f"{value:.{digits}f}" for value in (bits, mean, most))


def clamp(
    text: str,
    model: "EmbeddingModel",
    *,
    dictionary: str,
    feature: int,
    mask: int = 1,
    draws: int = DRAWS,
    seed: int = 0,
) -> Clamped:
    """Set a feature to 0, 2 and 4 times its activation wherever it is active in a sentence, and compare the answers.

    Only this feature changes: (factor − 1) × activation × direction is added to the word's vector after the layer, so
    what the dictionary does not explain stays. For factors above 1, random features get the same activations at the
    same words. Their directions are as long, so the vectors move as far. For factor 0, the controls are other features
    that are active at these words, each set to 0 there: a feature that is not active cannot be removed.

    Parameters
    ----------
    text : str
        A sentence with a mask.
    model : EmbeddingModel
    dictionary : str
        The name of a learned dictionary of the model, such as "layer 3".
    feature : int
        1 … n.
    mask : int, default 1
        Number of the mask that is read.
    draws : int, default 200
        Number of random features, at most all others; for factor 0, of those that are active.
    seed : int, default 0
        Seed of the random features.

    Returns
    -------
    Clamped

    Raises
    ------
    ValueError
        For a dictionary or a feature that does not exist, a feature that is not active in the sentence, a dictionary of
        the last layer, after which a mask no longer attends to the words, a sentence without a word, a mask that does
        not exist, and draws out of range.
    """
    opened = open_dictionary(dictionary, model)
    within_dictionary(feature, len(opened))
    within(draws, MOST_DRAWS, "random features")
    if opened.layer >= model.layers:
        raise ValueError("After the last layer, a mask no longer attends to other words. Choose an earlier layer.")
    read = sentence_words(normalise_masks(text, gaps=False), model, layer=opened.layer)
    position = mask_position(model.tokenize(read.text), model, mask=mask)
    codes = opened.codes(read.vectors)
    activations = np.where(codes.features == feature - 1, codes.activations, 0).sum(1)
    if not activations.any():
        raise ValueError(f"Feature {feature} is not active in this sentence. Choose one that is.")
    random, at = generator(seed), activations > 0
    others = random.choice(len(opened) - 1, min(draws, len(opened) - 1), replace=False)
    others += others >= feature - 1
    active = np.setdiff1d(codes.features[at][codes.activations[at] > 0], [feature - 1])
    there = random.choice(active, min(draws, len(active)), replace=False)
    plan = [(FEATURE, factor, 0, feature - 1) for factor in FACTORS]
    for factor in FACTORS:
        drawn = there if factor == LEAST else others
        plan += [(RANDOM, factor, n, int(one)) for n, one in enumerate(drawn, 1)]
    states = [read.states]
    for _, factor, _, one in plan:
        own = np.where((codes.features == one) & at[:, None], codes.activations, 0).sum(1)
        by = (factor - 1) * (own if factor == LEAST else activations)
        states.append(read.moved(by[:, None] * opened.directions[one]))
    states.append(read.moved(opened.reconstruct(codes) - read.vectors))
    frame, answers = compared_answers(np.array(states), model, layer=opened.layer, position=position, most=ANSWERS)
    named = [(ORIGINAL, 1.0, 0, 0), *((run, factor, n, one + 1) for run, factor, n, one in plan), (SUMS, 1.0, 0, 0)]
    runs = pd.concat([pd.DataFrame(named, columns=["run", "factor", "draw", "feature"]), frame], axis=1)
    tops = [
        top.assign(factor=factor, rank=range(1, len(top) + 1))
        for factor, top in zip((1.0, *FACTORS), answers[: 1 + len(FACTORS)], strict=True)
    ]
    words = tuple(word for word, value in zip(read.words, activations, strict=True) if value > 0)
    table = pd.concat(tops, ignore_index=True)[["factor", "rank", "answer", "probability"]]
    return Clamped(read.text, opened.layer, feature, words, runs, table)


def effort(text: str, model: "EmbeddingModel", *, draws: int = DRAWS) -> float:
    """Return about how many seconds `clamp` takes."""
    return seconds(len(model.tokenize(normalise_masks(text, gaps=False))) * (2 + len(FACTORS) * (1 + draws)), model)
