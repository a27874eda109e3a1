"""The claims C4 and C5, on the built-in corpus, compared with NumPy."""

import numpy as np
import pytest

from embtools.layer_combinations import SUM_FOUR
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.paper import operations_on_spaces as claims
from embtools.progress import silent
from embtools.spaces.measures import isoscore
from embtools.vectors import unit


@pytest.mark.slow
def test_queen_is_first_and_king_alone_is_the_baseline(bundled) -> None:  # type: ignore[no-untyped-def]
    """All choices by NumPy; the baseline leaves the three words out, as the formula that it is compared with does."""
    read = encode_corpus(built_in_corpus(), bundled, combination=SUM_FOUR)
    rows, words = unit(read.vectors.astype(np.float64)), read.table["word"].to_numpy()
    king, man, woman = (read.vectors[words == w].astype(np.float64) for w in ("king", "man", "woman"))
    best = words[np.argsort(-(rows @ (king[0] - man[0] + woman[0])))[:5]]
    own = np.isin(words, ["king", "man", "woman"])
    alone = words[np.where(own, -2, unit(king) @ rows.T).argmax(axis=1)] == "queen"
    to_king, to_man, to_woman = (np.ascontiguousarray((rows @ some.T).T) for some in (king, man, woman))
    kept = np.array([np.mean([words[(k - m + to_woman).argmax(axis=1)] == "queen" for m in to_man]) for k in to_king])
    found = claims.king(bundled, progress=silent)
    assert set(best) == {"queen"} and found.answer.startswith("The 5 nearest words are 5 occurrences of queen. ")
    assert (
        f"queen is the word nearest to {alone.mean():.0%} of the occurrences" in found.answer and 0 < alone.mean() < 1
    )
    assert f"The word queen ranks 1st in {kept.mean():.0%} of all " in found.answer
    assert f"{(kept > 0.5).sum()} of {len(king)} (" in found.conditions[1].evidence


@pytest.mark.slow
def test_the_shape_of_the_space_before_and_after(bundled) -> None:  # type: ignore[no-untyped-def]
    found = claims.isotropy(bundled, progress=silent)
    read = encode_corpus(built_in_corpus(), bundled, combination=SUM_FOUR).vectors
    raw, centred = [], []
    for rows in (bundled.matrix[bundled.rankable].astype(np.float64), read.astype(np.float64)):
        for some, kept in ((rows, raw), (rows - rows.mean(0), centred)):
            units, n = unit(some), len(some)
            kept.append(f"{abs((np.square(units.sum(0)).sum() - n) / (n * (n - 1))):.2f}")
    assert f"of random pairs are {' and '.join(raw)};" in found.answer
    assert f"and after centring alone they are {' and '.join(centred)}." in found.answer
    assert [c.holds for c in found.conditions] == [True, True, False, False] and found.verdict == "holds in part"


@pytest.mark.parametrize(("n", "d"), [(400, 20), (2_000, 50)])
def test_even_vectors_are_those_of_a_normal_distribution(n: int, d: int) -> None:
    """The same from n × d normal numbers, whose covariance is taken."""
    drawn = [
        isoscore(np.linalg.eigvalsh(np.cov(np.random.default_rng(seed).normal(size=(n, d)).T))[::-1])
        for seed in range(20)
    ]
    found = [claims.even(n, d, seed) for seed in range(20)]
    assert np.mean(found) == pytest.approx(np.mean(drawn), abs=3 * np.std(drawn) / np.sqrt(10))
    assert claims.even(n, d, 1) == claims.even(n, d, 1) != claims.even(n, d, 2)
