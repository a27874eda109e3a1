"""Tables of an effect over many cases: shares with intervals, and heads that are selected on one half."""

import numpy as np
import pandas as pd

from embtools.statistics.ratios import ratio_interval
from embtools.tracing.case_blocks import Moved
from embtools.tracing.cases import CONDITIONS, EDITED, MASK, ROLES
from embtools.tracing.components import PARTS
from embtools.tracing.knockout import ALL_LAYERS, KNOCKOUT
from embtools.tracing.positions import NECESSITY, SUFFICIENCY
from embtools.vectors import Array

REPORTED = 5  # heads
BLOCKED = "attention blocked"
"""In `of_layer`, what is lost without attention from the mask to the edited word."""
_ENDS = "", "_low", "_high"


def tables(moved: Moved, cases: pd.DataFrame, *, seed: int = 0) -> dict[str, pd.DataFrame]:
    """Return the frames of `Average` by name, from what is moved in each case (a, b, c, half).

    All numbers are ratios of sums: what is moved, divided by the effects of the edit.
    """
    every = _Shares(moved.effects[:, 0], cases, seed)
    first, second = (_Shares(moved.effects[:, 0], cases, seed, half) for half in (1, 2))
    best = _best_heads(moved.heads[:, 0], first)
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


def _best_heads(heads: Array, first: _Shares) -> Array:
    """Return the numbers (k,) of the heads with the largest shares on the first half, of heads (n, l, h)."""
    return np.argsort(-first.plain(heads.reshape(len(heads), -1)), kind="stable")[:REPORTED]


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
    """Return the shares of values (n, conditions, layers, parts) by condition and layer, and by part if there are any.

    Without parts, the last layer stands for all layers together.
    """
    layers = [str(number) for number in range(1, values.shape[2] + 1)]
    keys = {"condition": CONDITIONS, "layer": layers if parts else [*layers[:-1], ALL_LAYERS], "component": parts}
    named = {name: part for name, part in keys.items() if len(part)}
    index = pd.MultiIndex.from_product(list(named.values()), names=list(named))
    shares = (each.ravel() for each in every.of(values))
    data = dict(zip((column, "low", "high"), shares, strict=True))
    return pd.DataFrame(data, index=index).reset_index()


def _layers(copied: Array, every: _Shares) -> pd.DataFrame:
    """Return the layer that moves most to the mask, with its numbers.

    copied: (n, l + 1, roles) of the edit, by copying into the unedited run.
    """
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
