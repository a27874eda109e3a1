"""An effect traced over many cases of an edit: positions aligned by their role, with intervals and two controls.

Shares have intervals over words, and heads are selected on one half of the cases and reported on the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.limits import whole
from embtools.mask_filling.experiments import Blocks
from embtools.messages import counted, shortened
from embtools.progress import Progress, silent
from embtools.rooms.question import MOST_CONTEXT, Question, how_large
from embtools.statistics.decimals import decimal, half_up, signed
from embtools.statistics.intervals import ratio_interval
from embtools.statistics.reporting import few
from embtools.tracing.case_blocks import BLOCK, Moved, joined, moved_in
from embtools.tracing.cases import CONDITIONS, EDITED, MASK, RANDOM, ROLES, CaseRuns, DrawnCases, edited_cases
from embtools.tracing.components import ALL_LAYERS, KNOCKOUT, PARTS
from embtools.tracing.positions import NECESSITY, SUFFICIENCY, share_text
from embtools.tracing.runs import DIFFERENCE, NEAR_ZERO
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

LEAST_CASES = 4
"""Of both halves together, for shares with intervals."""
REPORTED = 5  # heads
BLOCKED = "attention blocked"
"""In `of_layer`, what is lost without attention from the mask to the edited word."""
_ENDS = "", "_low", "_high"


@dataclass(frozen=True)
class Average(Displayed):
    """Shares of the edit's effect, as ratios of sums over all cases, with 95% intervals over the words a and c.

    cases     a, b, c, half (1: heads are selected on it, 2: they are reported on it), and the effect of each
              condition in nats; the halves share no word a and no word c
    frame     condition, layer, role, sufficiency, sufficiency_low, sufficiency_high, necessity, necessity_low,
              necessity_high: all conditions are divided by the effect of the edit
    effects   condition, effect (mean, in nats), share (of the edit's effect), low, high
    heads     layer, head, selected (share on the first half), sufficiency, low, high (on the second half), and
              knockout, knockout_low, knockout_high (what is lost on the second half if the mask cannot attend to
              the edited word in this head), for the heads with the largest share on the first half
    head_controls
              condition, layer, head, sufficiency, low, high: the same heads with each control, on the second half
    parts     condition, layer, component (attention or feed-forward), sufficiency (of its output at the mask), low,
              high
    knockouts condition, layer ("all" is all layers together), knockout (what is lost if the mask cannot attend to the
              edited word), low, high
    layers    layer, stays (share at the edited word after this layer), stays_low, stays_high, moves (by how much
              the share at the mask grows in this layer), moves_low, moves_high: one row, the layer that moves
              most, over all cases; `stays` is measured before this layer
    of_layer  layer, component, share, low, high: what both parts of this layer bring to the mask, and what is
              lost without attention from the mask to the edited word in this layer and in all, over all cases
    planned   number of cases that were drawn; `cases` has fewer if only the first ones were traced
    excluded  pairs that cannot be tested: a, b, reason
    """

    cases: pd.DataFrame
    frame: pd.DataFrame
    effects: pd.DataFrame
    heads: pd.DataFrame
    head_controls: pd.DataFrame
    parts: pd.DataFrame
    knockouts: pd.DataFrame
    layers: pd.DataFrame
    of_layer: pd.DataFrame
    excluded: pd.DataFrame
    planned: int

    @cached_property
    def defined(self) -> bool:
        """Whether the mean effect of the edit is large enough to be divided into shares, in all cases and each half."""
        effects = self.cases[CONDITIONS[0]]
        means = [effects.mean(), *effects.groupby(self.cases["half"]).mean()]
        return min(map(abs, means)) >= NEAR_ZERO[DIFFERENCE] and min(means) * max(means) > 0

    @cached_property
    def headline(self) -> str:
        """How much is at the edited word before the selected layer, and how much this layer moves to the mask."""
        row, count = self.layers.iloc[0], len(self.cases)
        if not self.cases[CONDITIONS[0]].any():
            return f"The edit has no effect in {len(self.cases)} cases, so there is nothing to trace."
        if not self.defined:
            size = f"{signed(self._effect)} nats on average in {len(self.cases)} cases"
            if abs(self._effect) >= NEAR_ZERO[DIFFERENCE]:
                return f"The effect of the edit differs too much between the halves of the cases to be traced: {size}."
            return f"The effect of the edit is too small to be traced: {size}."
        layer = int(row["layer"])
        stays = f"{share_text(row['stays'])} of the effect ({_interval(row, 'stays_')})"
        moves = f"{share_text(row['moves'])} ({share_text(row['moves_low'])} to {share_text(row['moves_high'])})"
        return (
            f"Over {counted(count, 'case')}, the edited word's state after layer {layer - 1} produces {stays}, and"
            f" layer {layer} moves {moves} to [MASK]."
        )

    @cached_property
    def controls(self) -> str:
        """How large the effects of both controls are, compared with the edit's."""
        if not self.defined:
            return "Shares of such an effect would mean little, so none are shown."
        rows = self.effects.set_index("condition")
        _, random, other = (rows.loc[name] for name in CONDITIONS)
        moved = decimal(self._effect, 1)
        return (
            f"The edit moves the answer by {moved} nats on average. A random difference of the same length"
            f" has {share_text(random['share'])} of this effect ({_interval(random)}), and the same edit of another"
            f" word has {share_text(other['share'])} ({_interval(other)})."
        )

    @cached_property
    def components(self) -> str:
        """What the parts of the selected layer bring to the mask, and what is lost without its attention."""
        if not self.defined:
            return ""
        attention, ahead, blocked, everywhere = (row for _, row in self.of_layer.iterrows())
        texts = [f"{share_text(row['share'])} ({_interval(row)})" for row in (attention, ahead, blocked, everywhere)]
        layer = attention["layer"]
        return (
            f"The attention of layer {layer} alone brings {texts[0]} of the effect to [MASK], and"
            f" its feed-forward part {texts[1]}. If [MASK] cannot attend to the edited word in layer {layer},"
            f" {texts[2]} of the effect is lost; if it cannot do so in any layer, {texts[3]}."
        )

    @property
    def partial(self) -> str:
        """How many of the drawn cases were traced, if not all were; "" otherwise."""
        count = len(self.cases)
        return f"{count} of the {self.planned} cases were traced." if count < self.planned else ""

    @property
    def _effect(self) -> float:
        return float(self.effects.set_index("condition").loc[CONDITIONS[0], "effect"])

    @property
    def left_out(self) -> str:
        """How many pairs cannot be tested, with the first ones and the reasons; "" if there are none."""
        n = len(self.excluded)
        if not n:
            return ""
        named = "; ".join(f"{row.a}–{row.b} ({row.reason.rstrip('.')})" for row in self.excluded.head(3).itertuples())
        return f"{n} {'pair' if n == 1 else 'pairs'} cannot be tested: {named}" + ("; …" if n > 3 else ".")

    @property
    def few(self) -> str:
        """A caution if there are few words in the half of the cases that is reported; "" otherwise."""
        reported = self.cases[self.cases["half"] == 2]
        caution = few({f"words {name}": int(reported[name].nunique()) for name in ("a", "c")})
        return caution and f"In the half on which the heads are reported, {caution[0].lower()}{caution[1:]}"

    def question(self, choices: Sequence[str] = (), *, sentence: str, edit: str) -> Question:
        """Ask a class how large the effect of a random change is; raises ValueError for an effect near zero."""
        if not self.defined:
            raise ValueError("The effect of this edit is too small to compare anything with it. Choose another edit.")
        share = float(self.effects.set_index("condition").loc[RANDOM, "share"])
        text = (
            "The edit moves the answer. How large is the effect of a random change of the same size, compared with that"
            " of the edit?"
        )
        context = f"{shortened(sentence, MOST_CONTEXT // 2)}\nEdit: {shortened(edit, MOST_CONTEXT // 3)}"
        return how_large(half_up(100 * share), share_text(share), choices, text=text, context=context)

    def of(self, condition: str, role: str) -> pd.DataFrame:
        """The rows of a condition and a role, by layer."""
        return self.frame[(self.frame["condition"] == condition) & (self.frame["role"] == role)]


def average(cases: DrawnCases, model: "EmbeddingModel", *, progress: Progress = silent) -> Average:
    """Trace an edit with placeholders over many pairs of words (a, b) and other words c.

    The metric is log p(c) − log p(b). Each case is compared with a random difference of the same length and with the
    same difference added to another word of the sentence. The cases are divided into two halves that share no word a
    and no word c: the heads are selected on one half and reported on the other.

    Parameters
    ----------
    cases : DrawnCases
        Pairs, edit and sentence.
    model : EmbeddingModel
    progress : callable, optional
        Receives 0 … 1; may raise to stop. Finished blocks of cases are then cached.

    Returns
    -------
    Average
        Shares for each layer and role, the controls, the parts of the layers, blocked attention, and the heads on
        held-out cases.

    Raises
    ------
    ValueError
        For pairs, an edit or a strength that cannot be used, a sentence without {a} or a mask, numbers out of range,
        and a model that knows too few of the words.

    References
    ----------
    Zhang and Nanda 2024, "Towards Best Practices of Activation Patching in Language Models". Geva et al. 2023,
    "Dissecting Recall of Factual Associations in Auto-Regressive Language Models".
    """
    runs = edited_cases(cases, model)
    work = _blocks(runs, cases.first)
    moved, table = joined(work.run(model, progress)), runs.table.iloc[: sum(work.counts)]
    table = table.assign(**dict(zip(CONDITIONS, moved.effects.T, strict=True)))
    frames = tables(moved, table, seed=cases.seed)
    return Average(cases=table, **frames, excluded=runs.excluded, planned=len(runs.table))


def blocks(cases: DrawnCases, model: "EmbeddingModel") -> Blocks:
    """Return the work of an average. Raises ValueError as `average` does."""
    return _blocks(edited_cases(cases, model), cases.first)


def _blocks(runs: CaseRuns, first: int | None) -> Blocks:
    planned = len(runs.table)
    count = planned if first is None else first
    if not whole(count, LEAST_CASES, planned):
        raise ValueError(f"The first {count} cases cannot be traced. Choose {LEAST_CASES} to {planned}.")
    parts = [runs.part(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK)]
    return Blocks(moved_in, tuple({"cases": part} for part in parts), tuple(len(part.table) for part in parts))


def tables(moved: Moved, cases: pd.DataFrame, *, seed: int = 0) -> dict[str, pd.DataFrame]:
    """Return the frames of `Average` by name, as ratios of sums: what is moved in all cases, by their effects."""
    every = _Shares(moved.effects[:, 0], cases, seed)
    first, second = (_Shares(moved.effects[:, 0], cases, seed, half) for half in (1, 2))
    heads = moved.heads[:, 0].reshape(len(moved.heads), -1)
    best = np.argsort(-first.plain(heads), kind="stable")[:REPORTED]
    layers = _layers(moved.copied[:, 0, 0], every)
    return {
        "frame": _roles(moved.copied, every),
        "effects": _effects(moved.effects, every),
        "heads": _heads(moved, best, first, second),
        "head_controls": _head_controls(moved.heads, best, second),
        "parts": _by_layer(moved.parts, SUFFICIENCY, every, PARTS),
        "knockouts": _by_layer(moved.blocked[..., None], KNOCKOUT, every),
        "layers": layers,
        "of_layer": _of_layer(moved, int(layers["layer"].iloc[0]), every),
    }


class _Shares:
    """Ratios of sums over all cases, or over those of one half."""

    def __init__(self, effect: Array, cases: pd.DataFrame, seed: int, half: int | None = None) -> None:
        self.rows = np.ones(len(cases), bool) if half is None else (cases["half"] == half).to_numpy()
        self.effect, self.seed = effect[self.rows], seed
        self.words = tuple(cases[name][self.rows].tolist() for name in ("a", "c"))

    def of(self, values: Array) -> tuple[Array, Array, Array]:
        """The shares of values (n, …) with the ends of their intervals, each (…)."""
        own = values[self.rows]
        found = ratio_interval(own.reshape(len(own), -1), self.effect, *self.words, seed=self.seed)
        low, middle, high = (each.reshape(values.shape[1:]) for each in (found[1], found[0], found[2]))
        return middle, low, high

    def plain(self, values: Array) -> Array:
        """The shares of values (n, k) without intervals; 0 if there is no effect."""
        total = self.effect.sum()
        return values[self.rows].sum(axis=0) / total if abs(total) > 1e-12 else np.zeros(values.shape[1])


def _roles(copied: Array, every: _Shares) -> pd.DataFrame:
    conditions, layers, roles = copied.shape[2:]
    shares = np.stack(every.of(copied)).reshape(3, 2, conditions, layers, roles)
    index = pd.MultiIndex.from_product([CONDITIONS, range(layers), ROLES], names=["condition", "layer", "role"])
    columns = [f"{name}{end}" for name in (SUFFICIENCY, NECESSITY) for end in _ENDS]
    data = shares.transpose(1, 0, 2, 3, 4).reshape(6, -1)
    return pd.DataFrame(dict(zip(columns, data, strict=True)), index=index).reset_index()


def _effects(effects: Array, every: _Shares) -> pd.DataFrame:
    shares, low, high = every.of(effects)
    return pd.DataFrame(
        {"condition": CONDITIONS, "effect": effects.mean(axis=0), "share": shares, "low": low, "high": high}
    )


def _heads(moved: Moved, best: Array, first: _Shares, second: _Shares) -> pd.DataFrame:
    """Return the selected heads, with their shares on both halves and what is lost without their attention."""
    n, _, heads = moved.blocked_heads.shape
    flat = moved.heads[:, 0].reshape(n, -1)[:, best]
    shares, low, high = second.of(flat)
    lost = dict(zip(_ENDS, second.of(moved.blocked_heads.reshape(n, -1)[:, best]), strict=True))
    numbers = {"layer": best // heads + 1, "head": best % heads + 1, "selected": first.plain(flat)}
    own = {SUFFICIENCY: shares, "low": low, "high": high}
    return pd.DataFrame({**numbers, **own, **{f"{KNOCKOUT}{end}": values for end, values in lost.items()}})


def _head_controls(heads: Array, best: Array, second: _Shares) -> pd.DataFrame:
    """Return the shares of the selected heads with both controls, on the second half."""
    n, _, _, count = heads.shape
    frames = []
    for number, condition in enumerate(CONDITIONS[1:], 1):
        shares, low, high = second.of(heads[:, number].reshape(n, -1)[:, best])
        numbers = {"condition": condition, "layer": best // count + 1, "head": best % count + 1}
        frames.append(pd.DataFrame({**numbers, SUFFICIENCY: shares, "low": low, "high": high}))
    return pd.concat(frames, ignore_index=True)


def _by_layer(values: Array, column: str, every: _Shares, parts: tuple[str, ...] = ()) -> pd.DataFrame:
    """Return the shares of values (n, conditions, layers, parts) by condition, layer and part; without parts, the last
    layer stands for all layers together.
    """
    layers = [str(number) for number in range(1, values.shape[2] + 1)]
    keys = {"condition": CONDITIONS, "layer": layers if parts else [*layers[:-1], ALL_LAYERS], "component": parts}
    named = {name: part for name, part in keys.items() if len(part)}
    index = pd.MultiIndex.from_product(list(named.values()), names=list(named))
    shares = (each.ravel() for each in every.of(values))
    data = dict(zip((column, "low", "high"), shares, strict=True))
    return pd.DataFrame(data, index=index).reset_index()


def _layers(copied: Array, every: _Shares) -> pd.DataFrame:
    """Return the layer that moves most to the mask, with its numbers, from copies (n, l + 1, roles) of the edit."""
    growth = np.diff(copied[:, :, ROLES.index(MASK)], axis=1)  # (n, l)
    layer = int((growth.sum(axis=0) * np.sign(every.effect.sum() or 1)).argmax()) + 1
    ratios = every.of(np.stack([copied[:, layer - 1, ROLES.index(EDITED)], growth[:, layer - 1]], axis=1))
    row: dict[str, object] = {"layer": layer}
    for number, name in enumerate(("stays", "moves")):
        row |= {f"{name}{end}": values[number] for end, values in zip(_ENDS, ratios, strict=True)}
    return pd.DataFrame([row])


def _of_layer(moved: Moved, layer: int, every: _Shares) -> pd.DataFrame:
    """Return what the parts of the selected layer bring, and what is lost without attention."""
    lost = moved.blocked[:, 0][:, [layer - 1, -1]]
    shares, low, high = every.of(np.concatenate([moved.parts[:, 0, layer - 1], lost], axis=1))
    names = {"layer": [str(layer)] * 3 + [ALL_LAYERS], "component": [*PARTS, BLOCKED, BLOCKED]}
    return pd.DataFrame({**names, "share": shares, "low": low, "high": high})


def _interval(row: pd.Series, name: str = "") -> str:
    """Format the interval of a row.

    >>> _interval(pd.Series({"low": 0.971, "high": 1.004}))
    '95% interval 97% to 100%'
    """
    return f"95% interval {share_text(row[f'{name}low'])} to {share_text(row[f'{name}high'])}"
