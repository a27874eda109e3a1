"""A dose curve: how the rates of an edit depend on its strength, its scope and the layer where it is added."""

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from embtools.chance import checked_seed
from embtools.evidence.dose_result import Dose, Outcomes
from embtools.evidence.dose_runs import CONDITIONS, INPUT, TIED, DoseBlock, dose_block
from embtools.limits import enough, within
from embtools.mask_filling.cases import Plan, known_edit, plan, read_sentences
from embtools.mask_filling.relations import pairs_of
from embtools.memory import known
from embtools.progress import Progress, part, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

STRENGTHS = tuple(float(x) for x in np.arange(-1, 2.01, 0.25).round(2))
MAX_STRENGTHS, MAX_RUNS = 31, 200_000
BLOCK = 5
"""Pairs that are computed and stored together; work that is stopped keeps the finished blocks."""
_SECONDS = 1.5e-11  # per token and model parameter, on one core


def dose(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]] | str",
    model: "EmbeddingModel",
    *,
    edit: str,
    sentences: Sequence[str],
    must_stay: Sequence[str] = (),
    others: int | None = None,
    strengths: Sequence[float] = STRENGTHS,
    layers: Sequence[int] | None = None,
    first: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> Dose:
    """Run an edit at many strengths, in both scopes and after several layers, next to a random difference.

    At strength s, s times the difference that the edit makes is added to the vector of {a}. After a layer, it is added
    to the hidden state of the word, scaled as the state is to the word's input vector; only the layers above are run.

    Parameters
    ----------
    pairs : DataFrame or sequence of (str, str) or str
        Pairs (a, b), or the key of a built-in relation, such as "capital".
    model : EmbeddingModel
    edit : str
        An edit with placeholders, such as "{a} = {a} - {b} + {c}".
    sentences : sequence of str
        Sentences with {a} and one [MASK] for b. The first measures efficacy, the others paraphrase.
    must_stay : sequence of str, optional
        Sentences with {a} and one [MASK] whose answer should not change: they measure specificity.
    others : int or None, optional
        Number of words c for each pair, drawn at random; None takes all.
    strengths : sequence of float, optional
        Strengths from −1 to 2; they must include 0.
    layers : sequence of int or None, optional
        The layers after which the edit is added; None takes all but the last.
    first : int or None, optional
        Number of pairs, with the same words c: the first ones of a built-in relation, which are in random order, and
        of other lists a random draw. None uses all.
    seed : int, default 0
        Seed of the draws and of the intervals.
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
        For pairs, an edit, sentences, strengths or layers that cannot be used, and for too many runs.
    """
    given = _blocks(pairs, model, edit, sentences, must_stay, others, strengths, layers, first, seed)
    planned, asked, stay, queries = given
    steps, places = queries[0]["strengths"], queries[0]["places"]
    total = _runs(planned, len(asked) + len(stay), len(steps), places)
    if total > MAX_RUNS:
        raise ValueError(
            f"This dose curve has {total:,} forward passes; at most {MAX_RUNS:,} are possible. Use fewer pairs, new"
            " words, strengths or layers."
        )
    blocks: list[DoseBlock] = []
    for number, query in enumerate(queries):
        report = part(progress, number / len(queries), 1 / len(queries))
        blocks.append(dose_block(model=model, progress=report, **query))
        progress((number + 1) / len(queries))
    excluded = pd.DataFrame(planned.excluded, columns=["a", "b", "reason"])
    numbers = len(planned.pairs), len(plan(pairs_of(pairs), model, others=1).pairs)
    return Dose(edit, asked, stay, steps, places, _outcomes(blocks, len(asked)), excluded, int(seed), numbers)


def finished_pairs(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]] | str",
    model: "EmbeddingModel",
    *,
    edit: str,
    sentences: Sequence[str],
    must_stay: Sequence[str] = (),
    others: int | None = None,
    strengths: Sequence[float] = STRENGTHS,
    layers: Sequence[int] | None = None,
    first: int | None = None,
    seed: int = 0,
) -> int:
    """Return how many of the first pairs of a dose curve are in the cache, after it was stopped.

    `dose` with this number as `first` needs no forward pass. The parameters and errors are those of `dose`.
    """
    queries = _blocks(pairs, model, edit, sentences, must_stay, others, strengths, layers, first, seed)[3]
    finished = takewhile(lambda query: known(dose_block, query, checksum=model.checksum), queries)
    return sum(len(query["pairs"]) for query in finished)


def _blocks(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]] | str",
    model: "EmbeddingModel",
    edit: str,
    sentences: Sequence[str],
    must_stay: Sequence[str],
    others: int | None,
    strengths: Sequence[float],
    layers: Sequence[int] | None,
    first: int | None,
    seed: int,
) -> tuple[Plan, tuple[str, ...], tuple[str, ...], list[dict[str, Any]]]:
    """Check the arguments of `dose`; return its plan, its sentences, and the arguments of each block."""
    checked_seed(seed)
    known_edit(edit, model)
    asked, stay = read_sentences(sentences), read_sentences(must_stay, least=0)
    if both := set(asked) & set(stay):
        raise ValueError(f"The sentence “{min(both)}” is in both lists. Remove it from one.")
    steps, places = checked_strengths(strengths), places_of(model, layers=layers)
    listed = pairs_of(pairs)
    planned = plan(listed, model, others=others, first=len(listed) if first is None else first, seed=seed)
    shared = {"edit": edit, "templates": (*asked, *stay), "strengths": steps, "places": places, "seed": int(seed)}
    starts = range(0, len(planned.pairs), BLOCK)
    return planned, asked, stay, [{"pairs": planned.pairs[i : i + BLOCK], **shared} for i in starts]


def places_of(model: "EmbeddingModel", *, layers: Sequence[int] | None = None) -> tuple[str, ...]:
    """Return where an edit can be added: at the input, at input and output, and after each of these layers."""
    chosen = range(1, model.layers) if layers is None else layers
    for layer in chosen:
        if isinstance(layer, bool) or not isinstance(layer, int | np.integer) or not 1 <= layer < model.layers:
            raise ValueError(f"The edit cannot be added after layer {layer}. Choose 1 to {model.layers - 1}.")
    return (INPUT, *((TIED,) if model.tied else ()), *(f"layer {layer}" for layer in dict.fromkeys(chosen)))


def checked_strengths(strengths: Sequence[float]) -> tuple[float, ...]:
    """Return strengths in rising order, each once.

    Raises ValueError for strengths that are no numbers from −1 to 2, for none or too many, and if 0 is missing.

    >>> checked_strengths([1, 0, 0.5])
    (0.0, 0.5, 1.0)
    """
    enough(strengths, "strengths", least=2)
    within(len(strengths), MAX_STRENGTHS, "strengths")
    for strength in strengths:
        if isinstance(strength, bool) or not isinstance(strength, int | float | np.number) or not -1 <= strength <= 2:
            raise ValueError(f"The strength is {strength}; choose −1 to 2.")  # also for nan
    found = tuple(sorted({float(strength) for strength in strengths}))
    if 0.0 not in found:
        raise ValueError("The strengths must include 0, the unedited sentence. Add it.")
    return found


def effort(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]] | str",
    model: "EmbeddingModel",
    *,
    sentences: Sequence[str],
    must_stay: Sequence[str] = (),
    others: int | None = None,
    first: int | None = None,
) -> float:
    """Return about how many seconds a dose curve over all layers takes on one core."""
    tokens = sum(3 + len(sentence) / 4 for sentence in (*sentences, *must_stay))
    cases = plan(pairs_of(pairs), model, others=others, first=first).cases * len(CONDITIONS) * len(STRENGTHS)
    passes = 1 + sum((model.layers - layer) / model.layers for layer in range(1, model.layers))
    count = model.layers * (len(sentences) + len(must_stay))
    return cases * (passes * tokens * model.parameters * _SECONDS + 2e-8 * len(model.vocabulary) * count)


def _runs(planned: Plan, sentences: int, strengths: int, places: Sequence[str]) -> int:
    forward = sum(place != TIED for place in places)
    return planned.cases * sentences * strengths * forward * len(CONDITIONS)


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
