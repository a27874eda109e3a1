"""How often the 95% intervals of rates hold the true rate, for the designs that the Evidence page offers.

A design is a number of words a, of words c, and of words c for each a. In the simulated world, words of each kind
differ in how often an edit works: the probit of a case is the sum of a word a, a word c and chance, whose standard
deviations are given. An interval should hold the true rate in at least 93% of worlds. It should hold it in at most 98%
if both kinds have 20 words or more and the rate is between 10% and 90%: one that is too wide hides what is known.

python -m benchmarks.interval_coverage [--short]
"""

import math
import sys
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from embtools.statistics.crossed import crossed_share

WORLDS = 20 if "--short" in sys.argv else 1000
DESIGNS = (
    (5, 5, 1), (5, 5, 4), (10, 10, 1), (10, 10, 5), (12, 12, 11), (20, 20, 1), (20, 20, 5), (20, 20, 19), (40, 40, 1),
    (40, 40, 3), (40, 40, 5), (40, 40, 39), (40, 6, 1), (40, 6, 3), (40, 4, 1), (40, 4, 3), (100, 100, 2),
)  # fmt: skip
"""Words a, words c, and words c for each a: the words c are the other words b, or few of them, as for continents."""
DIFFERENCES = ((0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (1.5, 0.3), (0.3, 1.5))
"""Standard deviations of the words a and of the words c; that of a single case is 1."""
RATES = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)
LEAST, MOST, MANY = 0.93, 0.98, 20


def cases(rows: int, columns: int, others: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Which cases are tested: `others` words c for each word a, at random; a word is not its own c."""
    order = rng.random((rows, columns))
    if rows == columns:
        np.fill_diagonal(order, 2.0)
    return (order.argsort(axis=1).argsort(axis=1) < others).astype(np.int64)


def coverage(
    design: tuple[int, int, int], differences: tuple[float, float], rate: float, *, worlds: int = WORLDS, seed: int = 0
) -> tuple[float, float, float]:
    """The share of worlds whose interval holds the rate, the mean width, and the mean number of words c."""
    rng, (rows, columns, _) = np.random.default_rng(seed), design
    centre = norm.ppf(rate) * math.sqrt(1 + differences[0] ** 2 + differences[1] ** 2)
    held, widths, words = 0, 0.0, 0
    for _ in range(worlds):
        trials = cases(*design, rng)
        scores = centre + differences[0] * rng.normal(size=(rows, 1)) + differences[1] * rng.normal(size=(1, columns))
        _, low, high = crossed_share((scores > rng.normal(size=trials.shape)) * trials, trials)
        held += low <= rate <= high
        widths += high - low
        words += int((trials.sum(axis=0) > 0).sum())
    return held / worlds, widths / worlds, words / worlds


def main() -> None:
    """Print one line per design and difference, with the coverage for each rate."""
    print("words a, c, c for each a; differences of a, c" + "".join(f"{rate:>7.0%}" for rate in RATES))
    outside = 0
    for design, differences in product(DESIGNS, DIFFERENCES):
        found = [coverage(design, differences, rate) for rate in RATES]
        many = min(design[0], *(words for _, _, words in found)) >= MANY
        wrong = [
            held < LEAST or (many and 0.1 <= rate <= 0.9 and held > MOST)
            for rate, (held, _, _) in zip(RATES, found, strict=True)
        ]
        outside += sum(wrong)
        marks = (f"{100 * held:6.1f}{'!' if bad else ' '}" for (held, _, _), bad in zip(found, wrong, strict=True))
        print(f"{design!s:>16} {differences!s:>12}                 " + "".join(marks), flush=True)
    print(f"{outside} of {len(DESIGNS) * len(DIFFERENCES) * len(RATES)} are outside, marked with !")


if __name__ == "__main__":
    main()
