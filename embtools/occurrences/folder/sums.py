"""Sums over all vectors of a corpus, which give the exact mean, covariance and mean cosine; sums of parts add up."""

from dataclasses import dataclass
from io import BytesIO

import numpy as np

from embtools.spaces.moments import Moments
from embtools.vectors import Array, unit

_ROWS = 8_192  # rows that are converted to float64 at a time


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over n vectors x with d dimensions, in float64.

    total    (d,) sum of x
    units    (d,) sum of x / |x|
    squares  (d, d) sum of x xᵀ
    """

    n: int
    total: Array
    units: Array
    squares: Array

    @classmethod
    def of(cls, vectors: Array) -> "Sums":
        """The sums over vectors (n, d)."""
        found = cls.none(vectors.shape[1])
        for begin in range(0, len(vectors), _ROWS):
            x = vectors[begin : begin + _ROWS].astype(np.float64)
            found += cls(len(x), x.sum(0), unit(x).sum(0), x.T @ x)
        return found

    @classmethod
    def none(cls, d: int) -> "Sums":
        """The sums over no vectors."""
        return cls(0, np.zeros(d), np.zeros(d), np.zeros((d, d)))

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(self.n + other.n, self.total + other.total, self.units + other.units, self.squares + other.squares)

    def moments(self) -> Moments:
        """Mean and covariance of all the vectors. Raises ValueError for fewer than two."""
        if self.n < 2:
            raise ValueError("A covariance needs at least two vectors. Encode a longer text.")
        mean = self.total / self.n
        return Moments(self.n, mean, self.squares / self.n - np.outer(mean, mean))

    @property
    def mean_cosine(self) -> float:
        """The mean cosine over all pairs of two different vectors: (|Σx̂|² − n) / (n (n − 1)); NaN for fewer than two.

        >>> round(Sums.of(np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])).mean_cosine, 3)
        -0.333
        """
        if self.n < 2:
            return float("nan")
        return float((self.units @ self.units - self.n) / (self.n * (self.n - 1)))

    def saved(self) -> bytes:
        """The sums as an .npz file: n, total, units, squares."""
        file = BytesIO()
        np.savez(file, n=self.n, total=self.total, units=self.units, squares=self.squares)
        return file.getvalue()

    @classmethod
    def load(cls, data: bytes) -> "Sums":
        """The sums stored by `saved`."""
        with np.load(BytesIO(data), allow_pickle=False) as file:
            return cls(int(file["n"]), file["total"], file["units"], file["squares"])
