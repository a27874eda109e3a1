"""A battery: one edit with its controls over many words, sentences and new answers."""

from typing import TYPE_CHECKING

import pandas as pd

from embtools.evidence.blocks import block_cases
from embtools.evidence.result import Battery
from embtools.mask_filling.edits import Scope, check_scope, check_strength
from embtools.mask_filling.experiments import Blocks, Cases
from embtools.progress import Progress, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_RUNS = 500_000
"""Forward passes of one call, without those of the pairs that are left out."""
BLOCK = 10
"""Pairs that are computed and stored together; work that is stopped keeps the finished blocks."""
CONDITIONS = 6
_SECONDS = 1e-11  # per token and model parameter, on one core


def battery(
    cases: Cases,
    model: "EmbeddingModel",
    *,
    scope: Scope = "input",
    strength: float = 1.0,
    controls: bool = True,
    skip: int = 0,
    progress: Progress = silent,
) -> Battery:
    """Run an edit with its controls for many pairs of words, and measure how often it changes the answer.

    The five controls are those of the Arithmetic page, each with one draw per case.

    Parameters
    ----------
    cases : Cases
        Pairs, edit and sentences.
    model : EmbeddingModel
    scope : {"input", "tied"}, default "input"
        "input" changes what BERT reads; "tied" changes its output scores too.
    strength : float, default 1.0
        0 is the original vector, 1 the result of the formula; −1 … 2.
    controls : bool, default True
        Whether the controls are run.
    skip : int, default 0
        Leave out so many of the first pairs, which were tested before.
    progress : callable, optional
        Receives 0 … 1; may raise to stop. Finished blocks of pairs are then cached.

    Returns
    -------
    Battery
        With `rates`, a frame with one row per measure and condition, and `cases`, one row per a, b, c, sentence and
        condition.

    Raises
    ------
    ValueError
        For cases, a scope or a strength that cannot be used, and for too many runs.

    References
    ----------
    Meng et al. 2022, "Locating and Editing Factual Associations in GPT", section 3.
    """
    work = blocks(cases, model, scope=scope, strength=strength, controls=controls).without(skip)
    asked, stay = cases.read()
    total = work.cases * len((*asked, *stay)) * (CONDITIONS if controls else 1)
    if total > MAX_RUNS:
        raise ValueError(
            f"This battery has {total:,} forward passes; at most {MAX_RUNS:,} are possible. Use fewer pairs, other"
            " words or sentences."
        )
    frame = pd.concat(work.run(model, progress), ignore_index=True)
    return Battery(cases.edit, asked, stay, frame, *cases.left_out(model), int(cases.seed))


def blocks(
    cases: Cases,
    model: "EmbeddingModel",
    *,
    scope: Scope = "input",
    strength: float = 1.0,
    controls: bool = True,
) -> Blocks:
    """Return the work of a battery, whose arguments and errors these are."""
    check_scope(scope, model)
    check_strength(strength)
    asked, stay = cases.read()
    how = {"scope": scope, "strength": float(strength), "controls": bool(controls), "seed": int(cases.seed)}
    return Blocks.of(block_cases, cases.plan(model).pairs, BLOCK, edit=cases.edit, asked=asked, stay=stay, **how)


def runs(cases: Cases, model: "EmbeddingModel") -> int:
    """Return the number of forward passes of a battery with its controls."""
    return cases.count(model) * len((*cases.sentences, *cases.must_stay)) * CONDITIONS


def effort(cases: Cases, model: "EmbeddingModel") -> float:
    """Return about how many seconds a battery with its controls takes on one core."""
    # The scores of all words and their softmax are computed at one position only.
    scores = 2e-8 * len(model.vocabulary) * (len(cases.sentences) + 1)
    return cases.count(model) * CONDITIONS * (cases.tokens * model.parameters * _SECONDS + scores)
