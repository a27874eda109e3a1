"""The claims of "Operations on contextual word embeddings", on the built-in corpus."""

import re

import numpy as np

from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.paper import words_in_context as claims
from embtools.progress import silent
from embtools.recipes import SUM_FOUR
from embtools.vectors import unit


def test_cold_is_nearest_to_cold_and_queen_to_the_formula(bundled) -> None:  # type: ignore[no-untyped-def]
    read = encode_corpus(built_in_corpus(), SUM_FOUR, bundled)
    rows, words = unit(read.vectors.astype(np.float64)), read.table["word"].to_numpy()
    cold = np.flatnonzero(words == "cold")
    cosines = rows[cold] @ rows.T
    cosines[np.arange(len(cold)), cold] = -2
    same = int((words[cosines.argmax(axis=1)] == "cold").sum())
    assert claims.nearest(bundled, silent).answer.startswith(f"cold is nearest for {same} of {len(cold)} ")
    king, man, woman = (
        read.vectors[np.flatnonzero(words == w)[0]].astype(np.float64) for w in ("king", "man", "woman")
    )
    best = words[np.argsort(-(rows @ (king - man + woman)))[:5]]
    assert claims.king(bundled, silent).answer.startswith(", ".join(best))
    found = claims.corpus(bundled, silent)
    assert f"{len(built_in_corpus().sentences):,} sentences, {len(words):,} words" in found.answer


def test_a_mix_is_told_with_what_the_published_words_get(bundled) -> None:  # type: ignore[no-untyped-def]
    found = claims.mixture(bundled, silent)
    assert found.answer.count(";") == 2 and [f.name for f in found.figures] == [
        "first cold, of warm", "first cold, of heavy", "first cold, of hot",
    ]  # fmt: skip
    warm = found.figures[0].here
    assert f"{warm:.2f} warm" in found.answer
    told = [re.findall(r"0\.\d\d (\w+)", mix)[:3] for mix in found.answer.split(" (the")[0].split(";")]
    published, differ, better = (check.holds for check in found.checks)
    assert published == all(words[0] in found.checks[0].says for words in told)
    assert differ == (len({frozenset(words) for words in told}) == 3) and better


def test_the_shape_of_the_space_before_and_after(bundled) -> None:  # type: ignore[no-untyped-def]
    found = claims.isotropy(bundled, silent)
    read = encode_corpus(built_in_corpus(), SUM_FOUR, bundled).vectors
    raw, centred = [], []
    for rows in (bundled.matrix[bundled.rankable].astype(np.float64), read.astype(np.float64)):
        for some, kept in ((rows, raw), (rows - rows.mean(0), centred)):
            units, n = unit(some), len(some)
            kept.append(f"{abs((np.square(units.sum(0)).sum() - n) / (n * (n - 1))):.2f}")
    assert f"static and in sentences: {' and '.join(raw)}; after" in found.answer
    assert f"after centring alone {' and '.join(centred)}." in found.answer
    assert all(check.holds for check in found.checks) and found.verdict == "stands"
