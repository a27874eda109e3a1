"""An effect traced over many cases of an edit: positions aligned by their role, with intervals and two controls."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.mask_filling.relations import EDIT
from embtools.models.components import layer_parts, state_after
from embtools.models.patching import Copied, with_copies, with_rows
from embtools.progress import Progress, silent
from embtools.statistics.decimals import decimal, signed
from embtools.statistics.ratios import ratio_interval
from embtools.statistics.reporting import few
from embtools.tracing.cases import CONDITIONS, EDITED, MASK, ROLES, Cases, edited_cases
from embtools.tracing.positions import NECESSITY, SUFFICIENCY, share_text
from embtools.tracing.runs import DIFFERENCE, NEAR_ZERO
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SENTENCE = "{a} is the capital of [MASK]."
REPORTED = 5  # heads


@dataclass(frozen=True)
class Average:
    """Shares of the edit's effect, as ratios of sums over all cases, with 95% intervals over the words a and c.

    cases     a, b, c, half (1: heads and layers are selected on it, 2: they are reported on it), and the effect of each
              condition in nats; the halves share no word a and no word c
    frame     condition, layer, role, sufficiency, sufficiency_ci_low, sufficiency_ci_high, necessity, necessity_ci_low,
              necessity_ci_high: all conditions are divided by the effect of the edit
    effects   condition, effect (mean, in nats), share (of the edit's effect), ci_low, ci_high
    heads     layer, head, selected (share on the first half), sufficiency, ci_low, ci_high (on the second half), for
              the heads with the largest share on the first half
    layers    layer, stays (share at the edited word after this layer), stays_ci_low, stays_ci_high, moves (by how much
              the share at the mask grows in this layer), moves_ci_low, moves_ci_high: one row, the layer that moves
              most on the first half, with its numbers on the second half; `stays` is measured before this layer
    excluded  pairs that cannot be tested: a, b, reason
    """

    cases: pd.DataFrame
    frame: pd.DataFrame
    effects: pd.DataFrame
    heads: pd.DataFrame
    layers: pd.DataFrame
    excluded: pd.DataFrame

    @cached_property
    def defined(self) -> bool:
        """Whether the mean effect of the edit is large enough to be divided into shares, in all cases and each half."""
        effects = self.cases[CONDITIONS[0]]
        means = [effects.mean(), *effects.groupby(self.cases["half"]).mean()]
        return min(map(abs, means)) >= NEAR_ZERO[DIFFERENCE] and min(means) * max(means) > 0

    @cached_property
    def headline(self) -> str:
        """How much is at the edited word before the selected layer, and how much this layer moves to the mask."""
        row, count = self.layers.iloc[0], int((self.cases["half"] == 2).sum())
        if not self.cases[CONDITIONS[0]].any():
            return f"The edit has no effect in {len(self.cases)} cases, so there is nothing to trace."
        if not self.defined:
            size = f"{signed(self._effect)} nats on average in {len(self.cases)} cases"
            if abs(self._effect) >= NEAR_ZERO[DIFFERENCE]:
                return f"The effect of the edit differs too much between the halves of the cases to be traced: {size}."
            return f"The effect of the edit is too small to be traced: {size}."
        layer = int(row["layer"])
        stays = f"{share_text(row['stays'])} of the effect ({_interval(row, 'stays_')})"
        moves = f"{share_text(row['moves'])} ({share_text(row['moves_ci_low'])} to {share_text(row['moves_ci_high'])})"
        return (
            f"In {count} cases, {stays} is at the edited word after layer {layer - 1}, and layer {layer} moves {moves}"
            " to [MASK]."
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
        """A caution if there are few words; "" otherwise."""
        return few({f"words {name}": int(self.cases[name].nunique()) for name in ("a", "c")})

    def of(self, condition: str, role: str) -> pd.DataFrame:
        """The rows of a condition and a role, by layer."""
        return self.frame[(self.frame["condition"] == condition) & (self.frame["role"] == role)]


def average(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]]",
    model: "EmbeddingModel",
    *,
    sentence: str = SENTENCE,
    edit: str = EDIT,
    count: int = 8,
    others: int = 1,
    strength: float = 1.0,
    seed: int = 0,
    progress: Progress = silent,
) -> Average:
    """Trace an edit with placeholders over many pairs of words (a, b) and other words c.

    The metric is log p(c) − log p(b). Each case is compared with a random difference of the same length and with the
    same difference added to another word of the sentence. The cases are divided into two halves that share no word a
    and no word c: the layer and the heads are selected on one half and reported on the other.

    Parameters
    ----------
    pairs : DataFrame or sequence of (str, str)
        Pairs (a, b), such as capitals with their countries; a frame has the columns a and b.
    model : EmbeddingModel
    sentence : str, default `SENTENCE`
        A sentence with {a} and one mask.
    edit : str, default `EDIT`
        An edit with placeholders, such as "{a} = {a} - {b} + {c}".
    count : int, default 8
        Number of words a, drawn at random: 4 to `MOST_PAIRS`, or all that the model knows.
    others : int, default 1
        Number of words c for each pair, drawn at random from the words b.
    strength : float, default 1.0
        Strength of the edit, −1 … 2.
    seed : int, default 0
        Seed of the draws and of the intervals.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Average
        Shares for each layer and role, the controls, and the heads on held-out cases.

    Raises
    ------
    ValueError
        For pairs, an edit or a strength that cannot be used, a sentence without {a} or a mask, numbers out of range,
        and a model that knows too few of the words.

    References
    ----------
    Zhang and Nanda 2024, "Towards Best Practices of Activation Patching in Language Models".
    """
    cases = edited_cases(
        pairs, model, sentence=sentence, edit=edit, count=count, others=others, strength=strength, seed=seed
    )
    values = cases.measured(cases.states[-1, :, cases.mask], model, runs=np.arange(cases.states.shape[1]))
    unedited, *edited = values.reshape(len(CONDITIONS) + 1, -1)
    effects = np.stack([after - unedited for after in edited], axis=1)  # (n, conditions)
    moved = _moved(cases, values, model, progress)  # (n, 2, conditions, l + 1, roles)
    by_head = _by_head(cases, unedited, model)  # (n, l, h)
    progress(1.0)
    table = cases.table.assign(**dict(zip(CONDITIONS, effects.T, strict=True)))
    words = table["a"].tolist(), table["c"].tolist()
    return Average(
        table,
        _frame(moved, effects[:, 0], words, seed),
        _effects(effects, words, seed),
        _heads(by_head, effects[:, 0], table, seed),
        _layers(moved[:, 0, 0], effects[:, 0], table, seed),
        cases.excluded,
    )


def _moved(cases: Cases, values: Array, model: "EmbeddingModel", progress: Progress) -> Array:
    """Return by how much copying each role after each layer moves the answer: (n, 2, conditions, l + 1, roles)."""
    n = len(cases.table)
    copies, kept = [], []
    for number in range(1, len(CONDITIONS) + 1):
        for into_first in (True, False):
            for positions in cases.roles[number - 1]:
                for case in range(n):
                    pair = (case, number * n + case) if into_first else (number * n + case, case)
                    if positions:
                        copies.append(Copied(*pair, positions))
                    kept.append(bool(positions))
    runs = np.array([each.into for each in copies])
    layers = []
    for layer in range(model.layers + 1):
        found = np.zeros(len(kept))  # a role without words moves nothing
        last = with_copies(cases.states, model, copies=copies, layer=layer)[:, cases.mask]
        found[kept] = cases.measured(last, model, runs=runs) - values[runs]
        layers.append(found.reshape(len(CONDITIONS), 2, len(ROLES), n))
        progress(0.8 * (layer + 1) / (model.layers + 1))
    moved = np.stack(layers)  # (l + 1, conditions, 2, roles, n)
    moved[:, :, 1] *= -1  # what the second run loses
    return moved.transpose(4, 2, 1, 0, 3)


def _by_head(cases: Cases, unedited: Array, model: "EmbeddingModel") -> Array:
    """Return by how much the edited run's output of each head at the mask moves the unedited run: (n, l, h)."""
    n, heads = len(cases.table), model.heads
    found = np.zeros((n, model.layers, heads))
    for layer in range(1, model.layers + 1):
        parts = layer_parts(cases.states[:, : 2 * n], model, layer=layer, position=cases.mask)
        changes = parts.heads[n:] - parts.heads[:n]
        attention = (parts.attention[:n, None] + changes).reshape(n * heads, -1)
        rows = np.repeat(cases.states[layer, :n], heads, axis=0)
        inputs = np.repeat(parts.inputs[:n], heads, axis=0)
        rows[:, cases.mask] = state_after(inputs, model, attention=attention, layer=layer)
        last = with_rows(rows, model, layer=layer)[:, cases.mask]
        runs = np.repeat(np.arange(n), heads)
        found[:, layer - 1] = cases.measured(last, model, runs=runs).reshape(n, heads) - unedited[:, None]
    return found


def _frame(moved: Array, effect: Array, words: tuple[list[str], list[str]], seed: int) -> pd.DataFrame:
    n, _, conditions, layers, roles = moved.shape
    ratios = ratio_interval(moved.reshape(n, -1), effect, *words, seed=seed)
    shares = np.stack(ratios).reshape(3, 2, conditions, layers, roles)
    index = pd.MultiIndex.from_product([CONDITIONS, range(layers), ROLES], names=["condition", "layer", "role"])
    columns = [f"{name}{end}" for name in (SUFFICIENCY, NECESSITY) for end in ("", "_ci_low", "_ci_high")]
    data = shares.transpose(1, 0, 2, 3, 4).reshape(6, -1)
    return pd.DataFrame(dict(zip(columns, data, strict=True)), index=index).reset_index()


def _effects(effects: Array, words: tuple[list[str], list[str]], seed: int) -> pd.DataFrame:
    shares, low, high = ratio_interval(effects, effects[:, 0], *words, seed=seed)
    return pd.DataFrame(
        {"condition": CONDITIONS, "effect": effects.mean(axis=0), "share": shares, "ci_low": low, "ci_high": high}
    )


def _heads(by_head: Array, effect: Array, table: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Return the heads with the largest share on the first half, and their share on the second."""
    n, _, heads = by_head.shape
    first, second = ((table["half"] == half).to_numpy() for half in (1, 2))
    flat = by_head.reshape(n, -1)
    total = effect[first].sum()
    selected = flat[first].sum(axis=0) / total if abs(total) > 1e-12 else np.zeros(flat.shape[1])
    best = np.argsort(-selected, kind="stable")[:REPORTED]
    shares, low, high = ratio_interval(
        flat[second][:, best],
        effect[second],
        table["a"][second].tolist(),
        table["c"][second].tolist(),
        seed=seed,
    )
    return pd.DataFrame(
        {
            "layer": best // heads + 1,
            "head": best % heads + 1,
            "selected": selected[best],
            SUFFICIENCY: shares,
            "ci_low": low,
            "ci_high": high,
        }
    )


def _layers(moved: Array, effect: Array, table: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Return the layer that moves most to the mask on the first half, with its numbers on the second half.

    moved: (n, l + 1, roles) of the edit, by copying into the unedited run.
    """
    first, second = ((table["half"] == half).to_numpy() for half in (1, 2))
    growth = np.diff(moved[:, :, ROLES.index(MASK)], axis=1)  # (n, l)
    layer = int((growth[first].sum(axis=0) * np.sign(effect[first].sum() or 1)).argmax()) + 1
    parts = np.stack([moved[:, layer - 1, ROLES.index(EDITED)], growth[:, layer - 1]], axis=1)
    ratios = ratio_interval(
        parts[second], effect[second], table["a"][second].tolist(), table["c"][second].tolist(), seed=seed
    )
    row: dict[str, object] = {"layer": layer}
    for number, name in enumerate(("stays", "moves")):
        row |= {f"{name}{end}": values[number] for end, values in zip(("", "_ci_low", "_ci_high"), ratios, strict=True)}
    return pd.DataFrame([row])


def _interval(row: pd.Series, name: str = "") -> str:
    """Format the interval of a row.

    >>> _interval(pd.Series({"ci_low": 0.971, "ci_high": 1.004}))
    '95% interval 97% to 100%'
    """
    return f"95% interval {share_text(row[f'{name}ci_low'])} to {share_text(row[f'{name}ci_high'])}"
