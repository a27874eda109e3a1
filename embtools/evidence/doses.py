"""A dose curve: how the rates of an edit depend on its strength, its scope and the layer where it is added."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from embtools.evidence.dose_result import Dose, Outcomes
from embtools.evidence.dose_runs import CONDITIONS, INPUT, TIED, DoseBlock, dose_block
from embtools.limits import enough, whole, within
from embtools.mask_filling.edits import check_strength
from embtools.mask_filling.experiments import Blocks, Cases
from embtools.progress import Progress, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

STRENGTHS = tuple(float(x) for x in np.arange(-1, 2.01, 0.25).round(2))
MAX_STRENGTHS, MAX_RUNS = 31, 200_000
BLOCK = 5
"""Pairs that are computed and stored together; work that is stopped keeps the finished blocks."""
_SECONDS = 1.5e-11  # per token and model parameter, on one core


def dose(
    cases: Cases,
    model: "EmbeddingModel",
    *,
    strengths: Sequence[float] = STRENGTHS,
    layers: Sequence[int] | None = None,
    progress: Progress = silent,
) -> Dose:
    """Run an edit at many strengths, in both scopes and after several layers, next to a random difference.

    At strength s, s times the difference that the edit makes is added to the vector of {a}. After a layer, it is added
    to the hidden state of the word, scaled as the state is to the word's input vector; only the layers above are run.

    Parameters
    ----------
    cases : Cases
        Pairs, edit and sentences.
    model : EmbeddingModel
    strengths : sequence of float, optional
        Strengths from −1 to 2; they must include 0.
    layers : sequence of int or None, optional
        The layers after which the edit is added; None takes all but the last.
    progress : callable, optional
        Receives 0 … 1; may raise to stop. Finished blocks of pairs are then cached.

    Returns
    -------
    Dose
        With `curve`, a frame with one row per place, condition, measure and strength, and `points`, the strengths at
        which the edit starts to work, changes half of the answers and does harm.

    Raises
    ------
    ValueError
        For cases, strengths or layers that cannot be used, and for too many runs.
    """
    work = blocks(cases, model, strengths=strengths, layers=layers)
    steps, places, templates = (work.arguments[0][name] for name in ("strengths", "places", "templates"))
    total = work.cases * len(templates) * len(steps) * sum(place != TIED for place in places) * len(CONDITIONS)
    if total > MAX_RUNS:
        raise ValueError(
            f"This dose curve has {total:,} forward passes; at most {MAX_RUNS:,} are possible. Use fewer pairs, new"
            " words, strengths or layers."
        )
    asked, stay = cases.read()
    outcomes = _outcomes(work.run(model, progress), len(asked))
    excluded, possible = cases.left_out(model)
    numbers = sum(len(each["pairs"]) for each in work.arguments), possible
    return Dose(cases.edit, asked, stay, steps, places, outcomes, excluded, int(cases.seed), numbers)


def blocks(
    cases: Cases,
    model: "EmbeddingModel",
    *,
    strengths: Sequence[float] = STRENGTHS,
    layers: Sequence[int] | None = None,
) -> Blocks:
    """Return the work of a dose curve, whose arguments and errors these are."""
    asked, stay = cases.read()
    how = {
        "strengths": checked_strengths(strengths),
        "places": places_of(model, layers=layers),
        "seed": int(cases.seed),
    }
    return Blocks.of(dose_block, cases.plan(model).pairs, BLOCK, edit=cases.edit, templates=(*asked, *stay), **how)


def places_of(model: "EmbeddingModel", *, layers: Sequence[int] | None = None) -> tuple[str, ...]:
    """Return where an edit can be added: at the input, at input and output, and after each of these layers."""
    chosen = range(1, model.layers) if layers is None else layers
    for layer in chosen:
        if not whole(layer, 1, model.layers - 1):
            raise ValueError(f"The edit cannot be added after layer {layer}. Choose 1 to {model.layers - 1}.")
    return (INPUT, *((TIED,) if model.tied else ()), *(f"layer {layer}" for layer in dict.fromkeys(chosen)))


def checked_strengths(strengths: Sequence[float]) -> tuple[float, ...]:
    """Return strengths in rising order, each once; they must be numbers from −1 to 2 that include 0.

    >>> checked_strengths([1, 0, 0.5])
    (0.0, 0.5, 1.0)
    """
    enough(strengths, "strengths", least=2)
    within(len(strengths), MAX_STRENGTHS, "strengths")
    found = tuple(sorted({check_strength(strength) for strength in strengths}))
    if 0.0 not in found:
        raise ValueError("The strengths must include 0, the unedited sentence. Add it.")
    return found


def effort(cases: Cases, model: "EmbeddingModel") -> float:
    """Return about how many seconds a dose curve over all layers takes on one core."""
    runs = cases.count(model) * len(CONDITIONS) * len(STRENGTHS)
    passes = 1 + sum((model.layers - layer) / model.layers for layer in range(1, model.layers))
    count = model.layers * len((*cases.sentences, *cases.must_stay))
    return runs * (passes * cases.tokens * model.parameters * _SECONDS + 2e-8 * len(model.vocabulary) * count)


def _outcomes(blocks: Sequence[DoseBlock], asked: int) -> Outcomes:
    """Return what changed in each case: for the sentences that ask, to c; for the others, from the old answer."""
    tops, before, c_ids = (
        np.concatenate([getattr(each, name) for each in blocks]) for name in ("tops", "before", "c_ids")
    )
    changed = tops == c_ids[:, None, None, None, None]
    changed[:, asked:] = tops[:, asked:] != before[:, asked:, None, None, None]
    return Outcomes(
        tuple(words for each in blocks for words in each.words),
        changed,
        before == c_ids[:, None],
        np.concatenate([each.correct for each in blocks]),
        asked,
    )
