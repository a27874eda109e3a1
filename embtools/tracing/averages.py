"""An effect traced over many cases of an edit: positions aligned by their role, with intervals and two controls."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.mask_filling.relations import EDIT
from embtools.memory import known
from embtools.messages import counted, shortened
from embtools.progress import Progress, part, silent
from embtools.rooms.question import MOST_CONTEXT, Question, how_large
from embtools.statistics.decimals import decimal, half_up, signed
from embtools.statistics.reporting import few
from embtools.tracing.average_tables import tables
from embtools.tracing.case_blocks import BLOCK, joined, moved_in
from embtools.tracing.cases import CONDITIONS, RANDOM, edited_cases
from embtools.tracing.positions import share_text
from embtools.tracing.runs import DIFFERENCE, NEAR_ZERO

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SENTENCE = "{a} is the capital of [MASK]."
LEAST_CASES = 4
"""Of both halves together, for shares with intervals."""


@dataclass(frozen=True)
class Average:
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


def average(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]]",
    model: "EmbeddingModel",
    *,
    sentence: str = SENTENCE,
    edit: str = EDIT,
    count: int = 8,
    others: int = 1,
    strength: float = 1.0,
    first: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> Average:
    """Trace an edit with placeholders over many pairs of words (a, b) and other words c.

    The metric is log p(c) − log p(b). Each case is compared with a random difference of the same length and with the
    same difference added to another word of the sentence. The cases are divided into two halves that share no word a
    and no word c: the heads are selected on one half and reported on the other.

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
    first : int or None, optional
        Trace only the first cases, at least `LEAST_CASES`; None traces all.
    seed : int, default 0
        Seed of the draws and of the intervals.
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
    cases = edited_cases(
        pairs, model, sentence=sentence, edit=edit, count=count, others=others, strength=strength, seed=seed
    )
    planned = len(cases.table)
    count = planned if first is None else first
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or not LEAST_CASES <= count <= planned:
        raise ValueError(f"The first {count} cases cannot be traced. Choose {LEAST_CASES} to {planned}.")
    blocks, starts = [], range(0, count, BLOCK)
    for done, start in enumerate(starts):
        report = part(progress, done / len(starts), 1 / len(starts))
        blocks.append(moved_in(cases.part(start, min(start + BLOCK, count)), model, progress=report))
    moved, table = joined(blocks), cases.table.iloc[:count]
    table = table.assign(**dict(zip(CONDITIONS, moved.effects.T, strict=True)))
    return Average(cases=table, **tables(moved, table, seed=seed), excluded=cases.excluded, planned=planned)


def finished_cases(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]]",
    model: "EmbeddingModel",
    *,
    sentence: str = SENTENCE,
    edit: str = EDIT,
    count: int = 8,
    others: int = 1,
    strength: float = 1.0,
    first: int | None = None,
    seed: int = 0,
) -> int:
    """Return how many of the first cases of an average are in the cache, after it was stopped.

    `average` with this number as `first` traces no case again. The parameters and errors are those of `average`.
    """
    cases = edited_cases(
        pairs, model, sentence=sentence, edit=edit, count=count, others=others, strength=strength, seed=seed
    )
    end, done = len(cases.table) if first is None else first, 0
    while done < end and known(moved_in, {"cases": cases.part(done, min(done + BLOCK, end))}, checksum=model.checksum):
        done = min(done + BLOCK, end)
    return done


def _interval(row: pd.Series, name: str = "") -> str:
    """Format the interval of a row.

    >>> _interval(pd.Series({"low": 0.971, "high": 1.004}))
    '95% interval 97% to 100%'
    """
    return f"95% interval {share_text(row[f'{name}low'])} to {share_text(row[f'{name}high'])}"
