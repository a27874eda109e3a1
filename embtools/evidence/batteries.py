"""A battery: one edit with its controls over many words, sentences and new answers."""

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from embtools.chance import checked_seed
from embtools.evidence.blocks import block_cases
from embtools.evidence.result import Battery
from embtools.mask_filling.cases import Plan, known_edit, plan, read_sentences
from embtools.mask_filling.edits import Scope, check_scope, check_strength
from embtools.mask_filling.relations import pairs_of
from embtools.memory import known
from embtools.progress import Progress, part, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_RUNS = 500_000
"""Forward passes of one call, without those of the pairs that are left out."""
BLOCK = 10
"""Pairs that are computed and stored together; work that is stopped keeps the finished blocks."""
CONDITIONS = 6
_SECONDS = 1e-11  # per token and model parameter, on one core


def battery(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]] | str",
    model: "EmbeddingModel",
    *,
    edit: str,
    sentences: Sequence[str],
    must_stay: Sequence[str] = (),
    others: int | None = None,
    scope: Scope = "input",
    strength: float = 1.0,
    controls: bool = True,
    seed: int = 0,
    first: int | None = None,
    skip: int = 0,
    progress: Progress = silent,
) -> Battery:
    """Run an edit with its controls for many pairs of words, and measure how often it changes the answer.

    Each pair (a, b) is tested with other words c: the edit should change the answer from b to c. The five controls are
    those of the Arithmetic page, each with one draw per case.

    Parameters
    ----------
    pairs : DataFrame or sequence of (str, str) or str
        Pairs (a, b), such as capitals with their countries; a frame has the columns a and b. A text is the key of a
        built-in relation, such as "capital".
    model : EmbeddingModel
    edit : str
        An edit with placeholders, such as "{a} = {a} - {b} + {c}".
    sentences : sequence of str
        Sentences with {a} and one [MASK] for b. The first measures efficacy, the others paraphrase.
    must_stay : sequence of str, optional
        Sentences with {a} and one [MASK] whose answer should not change: they measure specificity.
    others : int or None, optional
        Number of words c for each pair, drawn at random from the other words b; None takes all.
    scope : {"input", "tied"}, default "input"
        "input" changes what BERT reads; "tied" changes its output scores too.
    strength : float, default 1.0
        0 is the original vector, 1 the result of the formula; −1 … 2.
    controls : bool, default True
        Whether the controls are run.
    seed : int, default 0
        Seed of the random draws.
    first : int or None, optional
        Number of pairs, with the same words c: the first ones of a built-in relation, which are in random order, and
        of other lists a random draw. None uses all.
    skip : int, default 0
        Leave out so many of these pairs, which were tested before.
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
        For pairs, an edit, sentences, a scope or a strength that cannot be used, and for too many runs.

    References
    ----------
    Meng et al. 2022, "Locating and Editing Factual Associations in GPT", section 3.
    """
    planned, asked, stay, blocks = _blocks(
        pairs, model, edit, sentences, must_stay, others, scope, strength, controls, seed, first
    )
    if isinstance(skip, bool) or not isinstance(skip, int | np.integer) or not 0 <= skip < len(planned.pairs):
        raise ValueError(f"{skip} pairs cannot be left out. Choose 0 to {len(planned.pairs) - 1}.")
    blocks = [block | {"pairs": block["pairs"][max(skip - i * BLOCK, 0) :]} for i, block in enumerate(blocks)]
    blocks = [block for block in blocks if block["pairs"]]
    count = sum(len(pair.others) for block in blocks for pair in block["pairs"])
    total = count * len((*asked, *stay)) * (CONDITIONS if controls else 1)
    if total > MAX_RUNS:
        raise ValueError(
            f"This battery has {total:,} forward passes; at most {MAX_RUNS:,} are possible. Use fewer pairs, other"
            " words or sentences."
        )
    done, frames = 0, []
    for block in blocks:
        size = sum(len(pair.others) for pair in block["pairs"])
        report = part(progress, done / count, size / count)
        frames.append(block_cases(model=model, progress=report, **block))
        done += size
        progress(done / count)
    excluded = pd.DataFrame(planned.excluded, columns=["a", "b", "reason"])
    every = len(plan(pairs_of(pairs), model, others=1, seed=seed).pairs)
    return Battery(edit, asked, stay, pd.concat(frames, ignore_index=True), excluded, every, int(seed))


def finished_pairs(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]] | str",
    model: "EmbeddingModel",
    *,
    edit: str,
    sentences: Sequence[str],
    must_stay: Sequence[str] = (),
    others: int | None = None,
    scope: Scope = "input",
    strength: float = 1.0,
    controls: bool = True,
    seed: int = 0,
    first: int | None = None,
) -> int:
    """Return how many of the first pairs of a battery are in the cache, after it was stopped.

    `battery` with this number as `first` needs no forward pass. The parameters and errors are those of `battery`.
    """
    blocks = _blocks(pairs, model, edit, sentences, must_stay, others, scope, strength, controls, seed, first)[3]
    finished = takewhile(lambda block: known(block_cases, block, checksum=model.checksum), blocks)
    return sum(len(block["pairs"]) for block in finished)


def _blocks(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]] | str",
    model: "EmbeddingModel",
    edit: str,
    sentences: Sequence[str],
    must_stay: Sequence[str],
    others: int | None,
    scope: Scope,
    strength: float,
    controls: bool,
    seed: int,
    first: int | None,
) -> tuple[Plan, tuple[str, ...], tuple[str, ...], list[dict[str, Any]]]:
    """Check the arguments of `battery`; return its plan, its sentences, and the arguments of each block."""
    checked_seed(seed)
    check_scope(scope, model)
    check_strength(strength)
    known_edit(edit, model)
    asked, stay = read_sentences(sentences), read_sentences(must_stay, least=0)
    if both := set(asked) & set(stay):
        raise ValueError(f"The sentence “{min(both)}” is in both lists. Remove it from one.")
    listed = pairs_of(pairs)
    planned = plan(listed, model, others=others, first=len(listed) if first is None else first, seed=seed)
    shared = {
        "edit": edit, "asked": asked, "stay": stay, "scope": scope, "strength": float(strength),
        "controls": bool(controls), "seed": int(seed),
    }  # fmt: skip
    starts = range(0, len(planned.pairs), BLOCK)
    return planned, asked, stay, [{"pairs": planned.pairs[i : i + BLOCK], **shared} for i in starts]


def runs(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]] | str",
    model: "EmbeddingModel",
    *,
    sentences: int,
    others: int | None = None,
    first: int | None = None,
) -> int:
    """Return the number of forward passes of a battery with its controls."""
    return plan(pairs_of(pairs), model, others=others, first=first).cases * sentences * CONDITIONS


def effort(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]] | str",
    model: "EmbeddingModel",
    *,
    sentences: Sequence[str],
    must_stay: Sequence[str] = (),
    others: int | None = None,
    first: int | None = None,
) -> float:
    """Return about how many seconds a battery with its controls takes on one core."""
    tokens = sum(3 + len(sentence) / 4 for sentence in (*sentences, *must_stay))
    count = plan(pairs_of(pairs), model, others=others, first=first).cases * CONDITIONS
    # The scores of all words and their softmax are computed at one position only.
    return count * (tokens * model.parameters * _SECONDS + 2e-8 * len(model.vocabulary) * (len(sentences) + 1))
