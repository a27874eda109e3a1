"""Questions for a class about a trace: in which layer, through how few heads, and compared with what?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from embtools.messages import shortened
from embtools.progress import Progress, silent
from embtools.rooms.question import MOST_CONTEXT, Question
from embtools.statistics.decimals import half_up
from embtools.tracing.averages import average
from embtools.tracing.cases import RANDOM, DrawnCases
from embtools.tracing.components import trace_components
from embtools.tracing.positions import SUFFICIENCY, Trace, share_text, trace_positions
from embtools.tracing.runs import Metric, Runs

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SHARES = ("under 25%", "25% to 49%", "50% to 74%", "75% or more")


def layer_question(
    text: str,
    model: "EmbeddingModel",
    *,
    edits: Sequence[str] = (),
    second_text: str | None = None,
    answers: Sequence[str] | None = None,
    metric: Metric = "difference",
    choices: Sequence[str] = (),
) -> Question:
    """Which layer brings an effect to the mask? A question for a class."""
    traced = trace_positions(text, model, edits=edits, second_text=second_text, answers=answers, metric=metric)
    layer = arrives(traced)
    ranges = _layers(model.layers)
    picked = next(label for label, layers in ranges.items() if layer in layers)
    context = _context(traced.runs, edits, second_text)
    asked = Question("Which layer brings the change to the gap?", tuple(choices) or tuple(ranges), context=context)
    return asked.with_answer(f"layer {layer}", picked)


def head_question(
    text: str,
    model: "EmbeddingModel",
    *,
    edits: Sequence[str] = (),
    second_text: str | None = None,
    answers: Sequence[str] | None = None,
    metric: Metric = "difference",
    choices: Sequence[str] = (),
    progress: Progress = silent,
) -> Question:
    """How much of an effect does the strongest head alone bring to the mask? A question for a class."""
    result = trace_components(
        text, model, edits=edits, second_text=second_text, answers=answers, metric=metric, progress=progress
    )
    _check(result.runs)
    best = result.strongest.iloc[0]
    text = f"There are {len(result.heads)} heads. How much of the change does the strongest alone bring to the gap?"
    asked = Question(text, tuple(choices) or SHARES, context=_context(result.runs, edits, second_text))
    answer = f"{share_text(best[SUFFICIENCY])} (head {int(best['layer'])}.{int(best['head'])})"
    return asked.with_answer(answer, _share(best[SUFFICIENCY]))


def average_question(
    cases: DrawnCases, model: "EmbeddingModel", *, choices: Sequence[str] = (), progress: Progress = silent
) -> Question:
    """How large is the effect of a random change, compared with that of an edit? A question for a class."""
    result = average(cases, model, progress=progress)
    if not result.defined:
        raise ValueError("The effect of this edit is too small to compare anything with it. Choose another edit.")
    share = float(result.effects.set_index("condition").loc[RANDOM, "share"])
    asked = Question(
        "The edit moves the answer. How large is the effect of a random change of the same size, compared with that of"
        " the edit?",
        tuple(choices) or SHARES,
        context=f"{shortened(cases.sentence, MOST_CONTEXT // 2)}\nEdit: {shortened(cases.edit, MOST_CONTEXT // 3)}",
    )
    return asked.with_answer(share_text(share), _share(share))


def arrives(traced: Trace) -> int:
    """Return the layer in which the share at the mask grows most; raises ValueError for an effect near zero."""
    _check(traced.runs)
    return traced.arrives


def _check(runs: Runs) -> None:
    if not runs.defined:
        raise ValueError("This effect is too small to be traced. Choose another edit, sentence or answer.")


def _context(runs: Runs, edits: Sequence[str], second_text: str | None) -> str:
    """Return what a question is about: the sentence with a gap, and what changes in it."""
    words = [word for word in runs.words if word not in ("[CLS]", "[SEP]")]
    sentence = " ".join("____" if word == "[MASK]" else word for word in words)
    changed = [f"{runs.words[number]} → {runs.other_words[number]}" for number in runs.changed]
    change = "; ".join(changed if second_text else edits)
    kind = "Change" if second_text else "Edit"
    return f"{shortened(sentence, MOST_CONTEXT // 2)}\n{kind}: {shortened(change, MOST_CONTEXT // 3)}"


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


def _share(share: float) -> str:
    """Return the range of a share, which can be below 0% or above 100%.

    >>> _share(-0.1), _share(0.3), _share(1.2)
    ('under 25%', '25% to 49%', '75% or more')
    """
    return SHARES[int(np.clip(int(half_up(100 * share)) // 25, 0, 3))]
