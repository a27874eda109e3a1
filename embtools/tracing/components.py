"""Which part of a layer carries an effect: its heads, its attention and feed-forward outputs, and blocked attention.

Blocked attention is that of Geva et al. 2023: what is lost of an effect if a word cannot attend to the changed words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.messages import listed
from embtools.models.components import layer_parts, state_after
from embtools.models.patching import Blocked, with_blocks, with_rows
from embtools.progress import Progress, silent
from embtools.rooms.question import Question, how_large
from embtools.statistics.decimals import half_up, signed
from embtools.tracing.positions import SUFFICIENCY, share_text
from embtools.tracing.runs import UNITS, Metric, Runs, answered, measured, two_runs, with_shares
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

ATTENTION, FEED_FORWARD = PARTS = "attention", "feed-forward"
KNOCKOUT = "knockout"
ALL_LAYERS = "all"
ANSWERS = "first_answer", "second_answer"
"""The columns with the top answers of both runs without this attention; equal ones mean that nothing changes."""
NAMED = 3  # heads that the headline names
LEAST = 0.05  # share of the effect of a head that the headline names


@dataclass(frozen=True)
class Components(Displayed):
    """What the parts of each layer carry at one position, and what is lost without attention to the changed words.

    runs       the two runs
    position   the index of the word (see `Runs.words`) whose parts are copied, and whose attention is blocked
    heads      layer, head, sufficiency (share of the effect if the head's output at the position is copied from the
               second run into the first), knockout (share that is lost if the position cannot attend to the changed
               words in this head), sufficiency_difference, knockout_difference (before they are divided), first_answer
               and second_answer (the top answers of both runs without this attention)
    layers     layer, component (attention or feed-forward), sufficiency, sufficiency_difference
    knockouts  layer ("all" is all layers together), knockout, knockout_difference, first_answer and second_answer (the
               top answers of both runs without this attention)
    rest       layer, sufficiency: for the layer with the strongest head, all heads that the headline does not name,
               copied together; empty if shares are undefined or all are named
    """

    runs: Runs
    position: int
    heads: pd.DataFrame
    layers: pd.DataFrame
    knockouts: pd.DataFrame
    rest: pd.DataFrame

    @cached_property
    def strongest(self) -> pd.DataFrame:
        """The heads with the largest sufficiency, in the layer of the strongest one."""
        heads = self.heads.sort_values(f"{SUFFICIENCY}_difference", ascending=self.runs.effect < 0, kind="stable")
        return heads[heads["layer"] == heads["layer"].iloc[0]].head(NAMED)

    def question(self, choices: Sequence[str] = (), *, edits: Sequence[str] = ()) -> Question:
        """Ask a class how much of the effect the strongest head brings; raises ValueError for an effect near zero."""
        self.runs.check()
        best, count = self.strongest.iloc[0], len(self.heads)
        share, head = best[SUFFICIENCY], f"{int(best['layer'])}.{int(best['head'])}"
        text = f"There are {count} heads. How much of the change does the strongest alone bring to the gap?"
        answer, context = f"{share_text(share)} (head {head})", self.runs.about(edits)
        return how_large(half_up(100 * share), answer, choices, text=text, context=context)

    @property
    def _elsewhere(self) -> str:
        """The strongest head of another layer, if it carries enough to be named."""
        heads = self.heads[self.heads["layer"] != self.strongest["layer"].iloc[0]]
        best = heads.loc[heads[SUFFICIENCY].idxmax()] if len(heads) else None
        if best is None or best[SUFFICIENCY] < LEAST:
            return ""
        number = f"{best['layer']:.0f}.{best['head']:.0f}"
        return f" The strongest head of the other layers, {number}, carries {share_text(best[SUFFICIENCY])}."

    @cached_property
    def headline(self) -> str:
        """Which heads of which layer bring the effect to the position, and what the others carry together."""
        runs, word = self.runs, self._word
        if runs.unchanged:
            return f"{runs.unchanged}, so the effect is 0 {UNITS[runs.metric]}."
        if not runs.defined:
            return f"The effect is too small to be divided among heads: {signed(runs.effect)} {UNITS[runs.metric]}."
        best = self.strongest
        layer = int(best["layer"].iloc[0])
        if best[SUFFICIENCY].iloc[0] < LEAST:
            return (
                f"No head carries the effect at {word}: the strongest one, {layer}.{best['head'].iloc[0]}, carries"
                f" {share_text(best[SUFFICIENCY].iloc[0])}."
            )
        named = best[best[SUFFICIENCY] >= LEAST]
        several = len(named) > 1
        numbers, shares = listed(map(str, named["head"])), listed(map(share_text, named[SUFFICIENCY]))
        text = (
            f"In layer {layer}, head{'s' * several} {numbers} carr{'y' if several else 'ies'} {shares} of the effect to"
            f" {word}"
        )
        if self.rest.empty:
            return f"{text}.{self._elsewhere}"
        rest = share_text(self.rest[SUFFICIENCY].iloc[0])
        return f"{text}; the other heads of this layer, copied together, carry {rest}.{self._elsewhere}"

    @cached_property
    def blocked_headline(self) -> str:
        """How much of the effect is lost if the position cannot attend to the changed words in one head."""
        if not self.runs.defined:
            return self.headline
        heads = self.heads.sort_values(KNOCKOUT, ascending=False, kind="stable")
        best = heads.iloc[0]
        blocked = f"blocking the attention of {self._word} to {self._changed_words}"
        lost = share_text(self.knockouts[KNOCKOUT].iloc[-1])
        together = f"blocking it in all heads {'adds' if lost[0] == '−' else 'loses'} {lost.lstrip('−')}"
        if best[KNOCKOUT] < LEAST:
            most = f"at most {share_text(best[KNOCKOUT])}" if best[KNOCKOUT] >= 0 else "nothing"
            return f"B{blocked[1:]} in a single head loses {most} of the effect; {together}."
        named = heads[(heads["layer"] == best["layer"]) & (heads[KNOCKOUT] >= LEAST)].head(NAMED)
        shares = listed(
            (f"{share_text(row[KNOCKOUT])} (head {row['head']:.0f})" for _, row in named.iterrows()), last="or"
        )
        where = f"B{blocked[1:]} in one head of layer {int(best['layer'])}"
        return f"{where} loses {shares} of the effect; {together}."

    @property
    def _word(self) -> str:
        word = self.runs.words[self.position]
        return word if self.position == self.runs.mask_index else f"“{word}”"

    @property
    def _changed_words(self) -> str:
        return listed(f"“{self.runs.words[number]}”" for number in self.runs.changed)

    @cached_property
    def knockout_sentence(self) -> str:
        """Whether the answer still changes if the position cannot attend to the changed words in any layer."""
        runs, row = self.runs, self.knockouts.iloc[-1]
        if runs.unchanged:
            return ""
        start = f"If {self._word} cannot attend to {self._changed_words} in any layer,"
        answers = f"the top answer is “{row['first_answer']}”"
        if row["first_answer"] == row["second_answer"]:
            text = f"{start} {answers} in both runs"
        else:
            text = f"{start} {answers} in the first run and “{row['second_answer']}” in the second"
        if not runs.defined:
            return f"{text}."
        lost = share_text(row[KNOCKOUT])
        return f"{text} ({lost.lstrip('−')} of the effect is {'added' if lost[0] == '−' else 'lost'})."

    @cached_property
    def unchanged_heads(self) -> pd.DataFrame:
        """The heads without which the answer no longer changes; empty if it does not change with them either."""
        return _unchanged(self.heads) if self.runs.tops[0] != self.runs.tops[1] else self.heads.iloc[:0]

    @cached_property
    def single_knockouts(self) -> str:
        """Without which single layer and single head both runs have the same top answer; "" if they have it anyway."""
        if self.runs.tops[0] == self.runs.tops[1]:
            return ""
        layers = _unchanged(self.knockouts.iloc[:-1])["layer"].astype(str).tolist()
        heads = [f"{row.layer}.{row.head}" for row in self.unchanged_heads.itertuples()]
        return (
            f"If this attention is blocked in one layer at a time, {_still(layers, 'layer', len(self.knockouts) - 1)}."
            f" If it is blocked in one head at a time, {_still(heads, 'head', len(self.heads))}."
        )


def trace_components(
    text: str,
    model: "EmbeddingModel",
    *,
    edits: Sequence[str] = (),
    second_text: str | None = None,
    answers: Sequence[str] | None = None,
    metric: Metric = "difference",
    strength: float = 1.0,
    mask: int = 1,
    position: int | None = None,
    progress: Progress = silent,
) -> Components:
    """Measure what every head and layer part carries at one position, and what is lost without attention.

    Sufficiency copies an output at the position from the second run into the first; the rest of the network follows.
    Knockout blocks attention from the position to the changed words in both runs (Geva et al. 2023): the share of the
    effect that is lost. Shares of heads need not sum to 100%.

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    edits, second_text, answers, metric, strength, mask
        As in `two_runs`.
    position : int or None, optional
        A token position; by default that of the mask. The tokens of its word are copied together.
    progress : callable, optional

    Returns
    -------
    Components
        Shares of heads, of layer parts, and of blocked attention.

    Raises
    ------
    ValueError
        As `two_runs` does, and for a position that does not exist.

    References
    ----------
    Geva et al. 2023, "Dissecting Recall of Factual Associations in Auto-Regressive Language Models".
    Wang et al. 2023, "Interpretability in the Wild: a Circuit for Indirect Object Identification in GPT-2 Small".
    """
    runs = two_runs(
        text, model, edits=edits, second_text=second_text, answers=answers, metric=metric, strength=strength, mask=mask
    )
    tokens = runs.states.shape[2]
    if position is not None and not 0 <= position < tokens:
        raise ValueError(f"There is no position {position}. Choose 0 to {tokens - 1}.")
    at = runs.mask if position is None else position
    index = next(number for number, group in enumerate(runs.groups) if at in group)
    attention, ahead, lost = [], [], []
    for layer in range(1, model.layers + 1):
        rows = _changed(runs, model, layer=layer, index=index)
        last = with_rows(rows, model, layer=layer, positions=[runs.mask])[:, 0]
        copied, first, second = last[1:].reshape(3, model.heads + 1, -1)
        moved = measured(np.concatenate([copied, last[:1]]), model, runs=runs) - runs.values[0]
        attention.append(moved[:-1])
        ahead.append(moved[-1])
        lost.append(_lost(np.stack([first, second]), runs, model))
        progress(layer / (model.layers + 1))
    lost.append(_lost(_without_attention(runs, model, index=index), runs, model))
    progress(1.0)
    every, numbers = range(1, model.layers + 1), range(1, model.heads + 1)
    copied = np.stack(attention)  # (l, h + 1): each head, and all heads of a layer
    columns = [f"{name}{end}" for end in ("", "_difference") for name in (SUFFICIENCY, KNOCKOUT)]
    heads = pd.concat([frame.iloc[:-1] for frame in lost[:-1]], ignore_index=True)
    heads = heads.assign(layer=np.repeat(every, model.heads), head=np.tile(numbers, model.layers))
    heads[f"{SUFFICIENCY}_difference"] = copied[:, :-1].ravel()
    heads = with_shares(heads, runs)[["layer", "head", *columns, *ANSWERS]]
    parts = pd.DataFrame({"layer": np.repeat(every, len(PARTS)), "component": PARTS * model.layers})
    parts[f"{SUFFICIENCY}_difference"] = np.stack([copied[:, -1], ahead], axis=1).ravel()
    knockouts = pd.concat([frame.iloc[-1:] for frame in lost], ignore_index=True)
    knockouts = with_shares(knockouts.assign(layer=[*map(str, every), ALL_LAYERS]), runs)
    knockouts = knockouts[["layer", KNOCKOUT, f"{KNOCKOUT}_difference", *ANSWERS]]
    rest = _rest(heads, runs, model, index=index)
    return Components(runs, index, heads, with_shares(parts, runs), knockouts, rest)


def trace_heads(
    text: str,
    model: "EmbeddingModel",
    *,
    edits: Sequence[str] = (),
    second_text: str | None = None,
    answers: Sequence[str] | None = None,
    metric: Metric = "difference",
) -> pd.DataFrame:
    """Return how much of an effect every attention head brings to the mask, and what blocking its attention loses.

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    edits, second_text, answers, metric
        As in `trace`.

    Returns
    -------
    DataFrame
        Columns: layer, head (from 1), sufficiency (the share of the effect that appears if the head's output at the
        mask is copied from the second run into the first), knockout (the share that is lost if the mask cannot attend
        to the changed words in this head), sufficiency_difference and knockout_difference (in units of the metric),
        first_answer and second_answer (the top answers of both runs without the attention of this head).
        Shares are nan if the effect is near zero; those of all heads need not sum to 1.

    Raises
    ------
    ValueError
        For texts of unequal length, both edits and a second text or neither, and answers that are not two words.

    References
    ----------
    Wang et al. 2023, "Interpretability in the Wild: a Circuit for Indirect Object Identification in GPT-2 Small".
    """
    return trace_components(text, model, edits=edits, second_text=second_text, answers=answers, metric=metric).heads


def _unchanged(knockouts: pd.DataFrame) -> pd.DataFrame:
    """Return the rows in which both runs have the same top answer."""
    first, second = ANSWERS
    return knockouts[knockouts[first] == knockouts[second]]


def _still(without: Sequence[str], what: str, count: int) -> str:
    """Say without which layers or heads the answer no longer changes.

    >>> _still(["6.4", "6.6"], "head", 72)
    'only blocking head 6.4 or head 6.6 keeps the answer from changing'
    >>> _still([], "layer", 6)
    'the two runs still have different answers, whichever of the 6 layers it is'
    """
    if not without:
        return f"the two runs still have different answers, whichever of the {count} {what}s it is"
    if len(without) > NAMED:
        return f"the answer no longer changes for {len(without)} of the {count} {what}s"
    blocked = listed((f"{what} {each}" for each in without), last="or")
    return f"only blocking {blocked} keeps the answer from changing"


def _changed(runs: Runs, model: "EmbeddingModel", *, layer: int, index: int) -> Array:
    """Return the runs after a layer, changed at one word (3h + 4, t, d): the first one with the second one's
    feed-forward output and each and all of its heads, then both without attention to the changed words.
    """
    many = model.heads + 1  # each head, and all of them
    rows = runs.states[layer][[0] * (1 + 2 * many) + [1] * many]
    for position in runs.groups[index]:
        own, blocked = (
            layer_parts(runs.states, model, layer=layer, position=position, without=without)
            for without in ((), runs.changed_positions)
        )
        changes = np.stack([own.heads[1] - own.heads[0], *(blocked.heads - own.heads)])  # (3, h, d)
        changes = np.concatenate([changes, changes.sum(axis=1, keepdims=True)], axis=1)
        attention = own.attention[[0, 0, 1], None] + changes
        inputs = np.repeat(own.inputs[[0, 0, 1]], many, axis=0)
        rows[1:, position] = state_after(inputs, model, attention=attention.reshape(inputs.shape), layer=layer)
        rows[:1, position] = state_after(
            own.inputs[:1], model, attention=own.attention[:1], layer=layer, feed_forward=own.feed_forward[1:]
        )
    return rows


def _without_attention(runs: Runs, model: "EmbeddingModel", *, index: int) -> Array:
    """Return both runs' last states at the mask (2, 1, d), without attention to the changed words in any layer."""
    targets = runs.changed_positions
    if not targets:  # the runs are identical
        return runs.states[-1, :, [runs.mask]].transpose(1, 0, 2)
    heads = tuple((layer, head) for layer in range(1, model.layers + 1) for head in range(1, model.heads + 1))
    blocks = [Blocked(run, runs.groups[index], targets, heads) for run in (0, 1)]
    return with_blocks(runs.states, model, blocks=blocks)[:, [runs.mask]]


def _lost(states: Array, runs: Runs, model: "EmbeddingModel") -> pd.DataFrame:
    """Return how much of the effect is missing in the last states (2, s, d) of both runs, and their top answers."""
    tops, values = answered(states.reshape(-1, states.shape[-1]), model, runs=runs)
    first, second = np.split(values, 2)
    answers = dict(zip(ANSWERS, (tops[: len(first)], tops[len(first) :]), strict=True))
    return pd.DataFrame({f"{KNOCKOUT}_difference": runs.effect - (second - first), **answers})


def _rest(heads: pd.DataFrame, runs: Runs, model: "EmbeddingModel", *, index: int) -> pd.DataFrame:
    """Return the share of the heads of the strongest head's layer together, without those that the headline names."""
    columns = ["layer", SUFFICIENCY]
    if not runs.defined:
        return pd.DataFrame(columns=columns)
    layer = int(heads["layer"].iloc[int(heads[SUFFICIENCY].to_numpy().argmax())])
    own = heads[heads["layer"] == layer].sort_values(SUFFICIENCY, ascending=False, kind="stable")
    named = own.head(NAMED).loc[own[SUFFICIENCY] >= LEAST, "head"]
    others = own.loc[~own["head"].isin(named), "head"].tolist()
    if not others:
        return pd.DataFrame(columns=columns)
    rows = runs.states[layer, [0]]
    for position in runs.groups[index]:
        own = layer_parts(runs.states, model, layer=layer, position=position)
        change = (own.heads[1] - own.heads[0])[np.array(others) - 1].sum(axis=0)
        rows[:, position] = state_after(own.inputs[:1], model, attention=own.attention[:1] + change, layer=layer)
    last = with_rows(rows, model, layer=layer, positions=[runs.mask])
    share = (measured(last[:, 0], model, runs=runs) - runs.values[0]) / runs.effect
    return pd.DataFrame({"layer": [layer], SUFFICIENCY: share})
