"""How fluent a fixed text stays for BERT while directions are added to a layer: its pseudo-log-likelihood per token."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.chance import generator
from embtools.limits import check_layer, enough
from embtools.mask_filling.likelihood import sentence, target_logs, token_masks
from embtools.messages import counted
from embtools.models.patching import with_rows
from embtools.progress import Progress, silent
from embtools.statistics.decimals import decimal
from embtools.statistics.intervals import draws
from embtools.vectors import Array, check_finite

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SENTENCES = 20
"""Fewer make the percentile bootstrap too narrow: with 6, its 95% intervals cover a mean in 86% of cases."""
BREAK = 1.0
"""Fluency breaks where the pseudo-log-likelihood falls by more than this, in nats per token."""
ROUNDS = 1_000
THIS, RANDOM = "this direction", "shuffled groups"  # directions between shuffled groups have a number as well
ADDED, SUBTRACTED = "added", "subtracted"


@dataclass(frozen=True)
class Fluency:
    """The pseudo-log-likelihood of a fixed text over the strength of a direction, and where it breaks.

    sentences, tokens  the size of the text; each of its tokens is masked once
    draws              number of directions between shuffled groups
    unchanged          its pseudo-log-likelihood without a direction, in nats per token
    curve              strength, fluency (its change, in nats per token) with its 95% interval over the sentences
                       (fluency_low, fluency_high), random_fluency, random_fluency_lowest, random_fluency_highest: the
                       mean, lowest and highest change with directions between shuffled groups of the same length
    breaks             direction ("this direction", "shuffled groups 1" …), side ("added" or "subtracted"), breaks_at
                       (the smallest strength at which the text has lost more than BREAK, without its sign), and its 95%
                       interval (breaks_low, breaks_high); nan: beyond the largest strength
    """

    sentences: int
    tokens: int
    draws: int
    unchanged: float
    curve: pd.DataFrame
    breaks: pd.DataFrame

    @property
    def finding(self) -> str:
        """Where fluency breaks, for the direction and for those between shuffled groups."""
        most = self.curve["strength"].abs().max()
        rows = self.breaks.set_index(["direction", "side"])
        own = [_where(rows.loc[(THIS, side)], most) for side in (ADDED, SUBTRACTED)]
        random = self.breaks[self.breaks["direction"] != THIS]
        others = [random.loc[random["side"] == side, "breaks_at"].to_numpy() for side in (ADDED, SUBTRACTED)]
        return (
            f"Without steering, a fixed text of {self.sentences} built-in sentences ({self.tokens} tokens) has a"
            f" pseudo-log-likelihood of {decimal(self.unchanged)} nats per token. Fluency breaks at the smallest"
            f" strength at which this falls by more than {BREAK:g} nat per token. If the direction is added, {own[0]}."
            f" If it is subtracted, {own[1]}. Of {counted(self.draws, 'direction')} between shuffled groups,"
            f" {_how_many(others[0], ADDED, most)}, and {_how_many(others[1], SUBTRACTED, most)}. The intervals"
            " are computed over the sentences."
        )


def fixed_text() -> tuple[str, ...]:
    """Return the sentences of the fixed text: the shortest built-in cloze sentences, with their first answer.

    >>> fixed_text()[0]
    'Apples grow on trees.'
    """
    rows = wordlists.load("neutral_sentences")
    texts = [
        str(text).replace("[MASK]", str(answers).split("|")[0])
        for text, answers in zip(rows["sentence"], rows["answer"], strict=True)
    ]
    return tuple(sorted(texts, key=lambda text: len(text.split()))[:SENTENCES])


def token_likelihoods(
    text: str, model: "EmbeddingModel", *, added: Array, layer: int, progress: Progress = silent
) -> Array:
    """Return the log probability (m, c) of each of m tokens, masked and predicted from the others, in nats."""
    check_layer(layer, model.layers)
    check_finite(added)
    read = sentence(text, model)
    masked = token_masks(read, model, positions=np.flatnonzero(read.words >= 0).tolist())
    change = np.zeros((len(added), len(read.ids), model.dimensions), np.float32)
    change[:, 1:-1] = added[:, None]
    every = model.encode(model.matrix[np.stack([each.ids for each in masked])])[layer]
    rows = []
    for done, (each, states) in enumerate(zip(masked, every, strict=True), 1):
        last = with_rows(states + change, model, layer=layer, positions=each.positions)[:, 0]
        rows.append(target_logs(last, model, targets=each.targets * len(last)))
        progress(done / len(masked))
    return np.array(rows, np.float64)


def fluency(
    model: "EmbeddingModel",
    *,
    axes: Array,
    strengths: Sequence[float],
    layer: int,
    seed: int = 0,
    progress: Progress = silent,
) -> Fluency:
    """Measure how much the pseudo-log-likelihood of the fixed text (Salazar et al. 2020, "Masked Language Model
    Scoring") falls when strength × direction is added to all tokens but [CLS] and [SEP]; intervals resample sentences.
    """
    enough(axes, "directions", least=2)
    texts, added = fixed_text(), np.multiply.outer(np.array(strengths), axes)  # (s, 1 + r, d)
    sums, counts = [], []
    for done, text in enumerate(texts, 1):
        logs = token_likelihoods(text, model, added=added.reshape(-1, axes.shape[1]), layer=layer)
        sums.append(logs.sum(axis=0).reshape(len(strengths), -1))
        counts.append(len(logs))
        progress(done / len(texts))
    totals, sizes, zero = np.array(sums), np.array(counts), list(strengths).index(0.0)
    changes = totals - totals[:, [zero]]
    means = changes.sum(axis=0) / sizes.sum()  # (s, 1 + r)
    random, breaks = means[:, 1:], []
    for number in range(len(axes)):
        resampled = _resampled(changes[:, :, number], sizes, seed)
        if number == 0:
            low, high = np.quantile(resampled, [0.025, 0.975], axis=0)
        direction = f"{RANDOM} {number}" if number else THIS
        for side in (ADDED, SUBTRACTED):
            at = first_break(means[None, :, number], strengths, side)[0]
            every = np.sort(first_break(resampled, strengths, side))
            ends = every[int(0.025 * ROUNDS)], every[int(0.975 * ROUNDS) - 1]
            breaks.append((direction, side, *(float(v) if np.isfinite(v) else np.nan for v in (at, *ends))))
    curve = {
        **{"strength": list(strengths), "fluency": means[:, 0], "fluency_low": low, "fluency_high": high},
        **{"random_fluency": random.mean(axis=1), "random_fluency_lowest": random.min(axis=1)},
        "random_fluency_highest": random.max(axis=1),
    }
    return Fluency(
        len(texts),
        int(sizes.sum()),
        len(axes) - 1,
        float(totals[:, zero, 0].sum() / sizes.sum()),
        pd.DataFrame(curve),
        pd.DataFrame(breaks, columns=["direction", "side", "breaks_at", "breaks_low", "breaks_high"]),
    )


def first_break(changes: Array, strengths: Sequence[float], side: str) -> Array:
    """Return for each of n curves (n, s) the smallest strength above 0 ("added"), or below 0 without its sign
    ("subtracted"), with a fall of more than BREAK; inf for none.

    >>> first_break(np.array([[-2.0, -0.5, 0.0, -0.1, -1.5], [0.0] * 5]), (-2, -1, 0, 1, 2), "subtracted")
    array([ 2., inf])
    """
    sizes = np.array(strengths, float) * (1 if side == ADDED else -1)
    fallen = np.where((changes < -BREAK) & (sizes > 0), sizes, np.inf)
    return np.asarray(fallen.min(axis=1))


def _resampled(changes: Array, sizes: Array, seed: int) -> Array:
    """Return the change per token (ROUNDS, s) of resampled sentences, from the changes (n, s) of their sums."""
    weights = draws(len(sizes), ROUNDS, generator(seed))
    return np.asarray((weights @ changes) / (weights @ sizes)[:, None])


def _where(row: pd.Series, most: float) -> str:
    """Return at which strength fluency breaks, with the interval."""
    at, low, high = (float(row[name]) for name in ("breaks_at", "breaks_low", "breaks_high"))
    if np.isnan(at):
        unsure = "" if np.isnan(low) else f" (but the 95% interval begins at {low:g})"
        return f"fluency does not break up to strength {most:g}{unsure}"
    return f"fluency breaks at {at:g} (95% interval {low:g} to {f'beyond {most:g}' if np.isnan(high) else f'{high:g}'})"


def _how_many(strengths: Array, side: str, most: float) -> str:
    """Say how many controls break fluency on one side, and at which strengths; nan: they do not.

    >>> _how_many(np.array([np.nan, 2.5, 3.0]), "added", 3), _how_many(np.array([np.nan]), "subtracted", 3)
    ('2 break it at 2.5 to 3 if added', 'none breaks it up to strength 3 if subtracted')
    """
    found = strengths[np.isfinite(strengths)]
    if not len(found):
        return f"none breaks it up to strength {most:g} if {side}"
    low, high = found.min(), found.max()
    at = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    count = "all" if len(found) == len(strengths) > 1 else len(found)
    return f"{count} break{'s' if len(found) == 1 else ''} it at {at} if {side}"
