"""Calibration of the top answer: whether answers with a probability of 30% are right in 30% of the cases."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.statistics.intervals import draws
from training.scoring.measures import row

BINS = 10
ROUNDS = 1000


def expected_calibration_error(
    confidence: Sequence[float] | NDArray[np.floating], right: Sequence[float] | NDArray[np.floating], bins: int = BINS
) -> float:
    """Return the expected calibration error of n answers in `bins` equally wide bins (Guo, Pleiss, Sun & Weinberger
    2017, "On Calibration of Modern Neural Networks").

    >>> expected_calibration_error([0.9, 0.9, 0.2, 0.2], [1, 1, 0, 1])
    0.2
    """
    confidence = np.asarray(confidence, float)
    return float(_errors(np.ones((1, len(confidence))), confidence, np.asarray(right, float), bins)[0])


def calibration(
    name: str, confidence: Sequence[float], right: Sequence[float], key: Sequence[object], seed: int = 0
) -> list[dict[str, object]]:
    """Return three rows of the score table for the answers called `name`: error, with an interval over the groups in
    `key`, error of a perfectly calibrated model, because chance alone makes it larger than 0, and overconfidence.
    """
    rng = generator(seed)
    trust, hits = np.asarray(confidence, float), np.asarray(right, float)
    error = expected_calibration_error(trust, hits)
    codes, groups = pd.factorize(np.asarray(key, dtype=object))
    errors = _errors(draws(len(groups), ROUNDS, rng)[:, codes].astype(float), trust, hits)
    # Resampling adds random variation, which makes each of these errors larger than the measured one. The interval is
    # therefore reflected at the measured error (the basic bootstrap).
    high, low = np.maximum(0.0, 2 * error - np.quantile(errors, [0.025, 0.975]))
    perfect = [expected_calibration_error(trust, (rng.random(len(trust)) < trust).astype(float)) for _ in range(ROUNDS)]
    line = {"n": len(trust), "unit": "share"}
    return [
        {"measure": f"calibration error: {name}", "value": error, "low": float(low), "high": float(high), **line},
        {
            "measure": f"calibration error of a perfectly calibrated model: {name}",
            "value": float(np.mean(perfect)),
            "low": float(np.quantile(perfect, 0.025)),
            "high": float(np.quantile(perfect, 0.975)),
            **line,
        },
        row(f"mean confidence minus accuracy: {name}", trust - hits, key),
    ]


def _errors(
    weights: NDArray[np.floating], confidence: NDArray[np.floating], right: NDArray[np.floating], bins: int = BINS
) -> NDArray[np.floating]:
    """Return the calibration errors (rounds,) of n answers with `weights` (rounds, n)."""
    indices = np.minimum((confidence * bins).astype(int), bins - 1)
    differences = np.zeros((len(confidence), bins))
    differences[np.arange(len(confidence)), indices] = right - confidence
    return np.abs(weights @ differences).sum(axis=1) / weights.sum(axis=1)
