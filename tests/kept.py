"""The built-in texts, read once in a run: the first worker keeps their vectors in a file, from which all others copy them.

Reading a thousand sentences again, in each worker and whenever a test had emptied the cache, took most of the time of the
pages that search in them. Only the network's work is left out: what is tokenised, cached and reported stays as it is.
"""

import pickle
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from embtools.occurrences import encoding
from tests import lifeline

LEAST = 500
"""Sentences of a text that is kept: those that tests write themselves are shorter."""
STEPS = 10
"""How often a text that was kept reports its progress, so that it can be stopped too."""


def install(patch: pytest.MonkeyPatch) -> None:
    """Keep what `encode_corpus` computes, until the patch is undone."""
    if lifeline.fcntl:  # workers wait for the one that reads
        patch.setattr(encoding, "_encode", keeping(encoding._encode))


def keeping(encode: Callable[..., None]) -> Callable[..., None]:
    """The function that writes the vectors of words and sentences into arrays, which are copied if they are known."""

    def kept(rows: Sequence[Any], numbers: Sequence[int], model: Any, into: Sequence[Any], progress: Any) -> None:
        if len(numbers) < LEAST or len(numbers) < len(rows) or model.edited:
            return encode(rows, numbers, model, into, progress)
        asked = model.checksum, [combination for combination, *_ in into], [(row.ids, row.places) for row in rows]
        name = sha256(pickle.dumps(asked)).hexdigest()[:16]
        with lifeline.alone(name):
            file = lifeline.folder() / f"{name}.npz"
            if not file.exists():
                encode(rows, numbers, model, into, progress)
                np.savez(file, *(array for _, *arrays in into for array in arrays))
                return None
        with np.load(file) as found:
            for stored, array in zip(found.values(), (each for _, *arrays in into for each in arrays), strict=True):
                array[:] = stored
        for step in range(STEPS):
            progress((step + 1) / STEPS)
        return None

    return kept
