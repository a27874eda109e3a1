"""Where an effect is: the states of one position and layer copied from one run into the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.messages import listed
from embtools.models.patching import Copied, with_copies
from embtools.progress import Progress, silent
from embtools.rooms.question import Question
from embtools.statistics.decimals import decimal, signed
from embtools.tracing.runs import UNITS, Metric, Runs, measured, two_runs
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SUFFICIENCY, NECESSITY = "sufficiency", "necessity"
MAIN = 0.5
"""A position holds the effect if its share is at least this large."""
BEGUN, DONE = 0.25, 0.75
"""The effect moves to the mask in the layers in which its share there grows from less than the first to the second."""


@dataclass(frozen=True)
class Trace(Displayed):
    """The effect of copying each word's state after each layer.

    runs    the two runs
    frame   layer (0 is the embedding output), position (of the first token of the word), token (the word), sufficiency
            and necessity (shares of the effect; nan if it is near zero), sufficiency_difference and
            necessity_difference (the same before they are divided by the effect)
    window  the number of consecutive layers after which states were copied
    """

    runs: Runs
    frame: pd.DataFrame
    window: int = 1

    def grid(self, column: str) -> Array:
        """A column of the frame as (l + 1, words)."""
        return self.frame[column].to_numpy(np.float64).reshape(-1, len(self.runs.words))

    @property
    def arrives(self) -> int:
        """The layer in which the share at the mask grows most: of those copied together, the last is the new one."""
        at_mask = self.grid(SUFFICIENCY)[:, self.runs.mask_index]
        return min(int(np.diff(at_mask).argmax()) + self.window, len(at_mask) - 1)

    @cached_property
    def headline(self) -> str:
        """Through which layer the effect stays at the changed word, and which layers move it to the mask."""
        runs = self.runs
        if runs.unchanged:
            return f"{runs.unchanged}, so the effect is 0 {UNITS[runs.metric]}."
        what = "the edit" if runs.edited else "the changed word" if len(runs.changed) == 1 else "the changed words"
        if not runs.defined:
            return f"The effect of {what} is too small to be traced: {signed(runs.effect)} {UNITS[runs.metric]}."
        shares = self.grid(SUFFICIENCY)
        if (early := shares[0, runs.mask_index]) >= BEGUN:
            return (
                f"With {self.window} layers copied together, [MASK] has {share_text(early)} of the effect of {what}"
                " already at layer 0, so the map does not show which layer moves it there. Copy fewer layers together."
            )
        source = list(runs.changed)
        most = [int(row.argmax()) if row.max() >= MAIN else -1 for row in shares]
        stays = next((layer for layer, holder in enumerate(most) if holder not in source), len(most)) - 1
        name = listed(dict.fromkeys(f"“{runs.words[holder]}”" for holder in most[: stays + 1]), last="or")
        _, last, moved = self._moved
        if stays < 0:
            return f"No single word holds the effect of {what} at layer 0; {moved}."
        held = share_text(min(shares[layer].max() for layer in range(stays + 1)))
        start = f"Up to layer {stays}, the effect of {what} stays at {name} (at least {held})"
        if not stays:
            start = f"In layer 0, the effect of {what} is at {name} ({held})"
        between = dict.fromkeys(
            runs.words[h] for h in most[stays + 1 : last] if h not in (-1, runs.mask_index, *source)
        )
        via = f", via {listed(f'“{word}”' for word in between)}" if between else ""
        return f"{start}; {moved}{via}."

    def question(self, choices: Sequence[str] = (), *, edits: Sequence[str] = ()) -> Question:
        """Ask a class which layer brings the effect to the mask; raises ValueError for an effect near zero."""
        self.runs.check()
        ranges = _layers(int(self.frame["layer"].max()))
        picked = next(label for label, layers in ranges.items() if self.arrives in layers)
        text = "Which layer brings the change to the gap?"
        asked = Question(text, tuple(choices or ranges), context=self.runs.about(edits))
        return asked.with_answer(f"layer {self.arrives}", picked)

    @property
    def _moved(self) -> tuple[int, int, str]:
        """The first and the last row in which the effect is moved to the mask, and a sentence about their layers."""
        at_mask, later = self.grid(SUFFICIENCY)[:, self.runs.mask_index], self.window - 1
        most = self.arrives - later
        first = min(most, int((at_mask >= BEGUN).argmax()))
        last = max(most, len(at_mask) - next((n for n, s in enumerate(at_mask[::-1]) if s < DONE), len(at_mask)))
        grows = f"{share_text(at_mask[most - 1])} to {share_text(at_mask[most])}"
        if first == last:
            return first, last, f"layer {self.arrives} moves it to [MASK] ({grows})"
        layers = f"layers {first + later} to {last + later}"
        return first, last, f"{layers} move it to [MASK], mostly layer {self.arrives} ({grows})"


def trace_positions(
    text: str,
    model: "EmbeddingModel",
    *,
    edits: Sequence[str] = (),
    second_text: str | None = None,
    answers: Sequence[str] | None = None,
    metric: Metric = "difference",
    strength: float = 1.0,
    mask: int = 1,
    window: int = 1,
    progress: Progress = silent,
) -> Trace:
    """Measure how much of an effect each word carries after each layer, by activation patching (Vig et al. 2020).

    Sufficiency: the share of the effect that appears if a word's state is copied from the second run into the first.
    Necessity: the share that is lost if its state is copied from the first run into the second. The tokens of a word
    are copied together. Copying after a layer runs only the layers above it.

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    edits, second_text, answers, metric, strength, mask
        As in `two_runs`.
    window : int, default 1
        A word's state is copied after this number of consecutive layers, from each layer on.
    progress : callable, optional

    Returns
    -------
    Trace
        Shares for each layer and word.

    Raises
    ------
    ValueError
        As `two_runs` does, and for a window out of range.

    References
    ----------
    Vig et al. 2020, "Investigating Gender Bias in Language Models Using Causal Mediation Analysis".
    Zhang and Nanda 2024, "Towards Best Practices of Activation Patching in Language Models".
    """
    runs = two_runs(
        text, model, edits=edits, second_text=second_text, answers=answers, metric=metric, strength=strength, mask=mask
    )
    copies = [Copied(into, source, group) for into, source in ((0, 1), (1, 0)) for group in runs.groups]
    rows = []
    for layer in range(model.layers + 1):
        last = with_copies(runs.states, model, copies=copies, layer=layer, window=window)
        moved = measured(last[:, runs.mask], model, runs=runs).reshape(2, -1)
        differences = np.stack([moved[0] - runs.values[0], runs.values[1] - moved[1]])
        shares = differences / runs.effect if runs.defined else np.full_like(differences, np.nan)
        for number, (word, group) in enumerate(zip(runs.words, runs.groups, strict=True)):
            rows.append((layer, group[0], word, *shares[:, number], *differences[:, number]))
        progress((layer + 1) / (model.layers + 1))
    columns = [f"{name}{end}" for end in ("", "_difference") for name in (SUFFICIENCY, NECESSITY)]
    return Trace(runs, pd.DataFrame(rows, columns=["layer", "position", "token", *columns]), window)


def trace(
    text: str,
    model: "EmbeddingModel",
    *,
    edits: Sequence[str] = (),
    second_text: str | None = None,
    answers: Sequence[str] | None = None,
    metric: Metric = "difference",
    window: int = 1,
) -> pd.DataFrame:
    """Return how much of an effect each word carries after each layer, by activation patching.

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    edits : sequence of str, optional
        Edits of the second run, such as "rome = rome - italy + france".
    second_text : str or None, optional
        Another text of equal length, for the second run, instead of edits.
    answers : sequence of str or None, optional
        Two words, for the first run and for the second; by default the top answers.
    metric : {"difference", "log probability", "probability"}, default "difference"
        What is traced: the log probability of the second answer minus that of the first one, or the (log) probability
        of the second answer alone.
    window : int, default 1
        A word's state is copied after this number of consecutive layers, from each layer on.

    Returns
    -------
    DataFrame
        Columns: layer (0 is the embedding output), position, token (a word; its tokens are copied together),
        sufficiency (the share of the effect that appears if the word's state is copied from the second run into the
        first), necessity (the share that is lost if it is copied from the first run into the second),
        sufficiency_difference and necessity_difference (in units of the metric). Shares are nan if the effect is near
        zero.

    Raises
    ------
    ValueError
        For texts of unequal length, both edits and a second text or neither, and answers that are not two words.

    References
    ----------
    Zhang and Nanda 2024, "Towards Best Practices of Activation Patching in Language Models".
    """
    return trace_positions(
        text, model, edits=edits, second_text=second_text, answers=answers, metric=metric, window=window
    ).frame


def share_text(value: float) -> str:
    """Format a share of an effect, which can be below 0% or above 100%.

    >>> share_text(0.984), share_text(-0.2), share_text(12.79)
    ('98%', '−20%', '1,279%')
    """
    return f"{decimal(100 * value, 0)}%"


def _layers(count: int) -> dict[str, range]:
    """Return ranges of the layers from 1 to `count` by their labels.

    >>> list(_layers(6)), list(_layers(2))
    (['layers 1 and 2', 'layers 3 and 4', 'layers 5 and 6'], ['layer 1', 'layer 2'])
    >>> list(_layers(12))
    ['layers 1 to 3', 'layers 4 to 6', 'layers 7 to 9', 'layers 10 to 12']
    """
    size = 1 if count <= 4 else 2 if count <= 8 else -(-count // 4)
    ranges = [range(first, min(first + size, count + 1)) for first in range(1, count + 1, size)]
    return {_label(each): each for each in ranges}


def _label(layers: range) -> str:
    first, last = layers[0], layers[-1]
    if first == last:
        return f"layer {first}"
    return f"layers {first} {'and' if last == first + 1 else 'to'} {last}"
