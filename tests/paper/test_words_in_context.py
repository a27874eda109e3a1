"""The claims C1 to C3, on the built-in corpus."""

import re

import numpy as np
import pytest
from scipy.optimize import nnls

from embtools.layer_combinations import SUM_FOUR
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.paper import words_in_context as claims
from embtools.progress import silent
from embtools.vectors import unit


@pytest.mark.slow
def test_cold_is_nearest_to_cold(bundled) -> None:  # type: ignore[no-untyped-def]
    read = encode_corpus(built_in_corpus(), bundled, combination=SUM_FOUR)
    rows, words = unit(read.vectors.astype(np.float64)), read.table["word"].to_numpy()
    cold = np.flatnonzero(words == "cold")
    cosines = rows[cold] @ rows.T
    cosines[np.arange(len(cold)), cold] = -2
    same = int((words[cosines.argmax(axis=1)] == "cold").sum())
    assert claims.nearest(bundled, progress=silent).answer.startswith(
        f"For {same} of the {len(cold)} occurrences of cold, the nearest word is cold in another sentence."
    )


def test_every_repeated_word_is_compared_not_only_cold(bundled) -> None:  # type: ignore[no-untyped-def]
    read = encode_corpus(built_in_corpus(), bundled, combination=SUM_FOUR)
    found = claims.corpus(bundled, progress=silent)
    assert f"{len(built_in_corpus().sentences):,} sentences and {len(read.table):,} words" in found.answer
    counts = read.table["word"].value_counts()
    assert f"of {(counts > 1).sum():,} words that occur more than once" in found.conditions[1].evidence
    assert not claims._all_differ(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    assert claims._all_differ(np.array([[1.0, 0.0], [0.0, 1.0]]))


@pytest.mark.slow
def test_a_mix_is_reported_with_the_shares_of_the_published_words(bundled) -> None:  # type: ignore[no-untyped-def]
    found = claims.mixture(bundled, progress=silent)
    assert found.answer.count(";") == 2 and [f.name for f in found.figures] == [
        "first cold, of warm", "first cold, of heavy", "first cold, of hot",
    ]  # fmt: skip
    warm = found.figures[0].here
    assert f"{warm:.2f} warm" in found.answer
    mixes = [re.findall(r"0\.\d\d (\w+)", mix)[:3] for mix in found.answer.split(" (the")[0].split(";")]
    published = found.conditions[0]
    assert published.holds and all(words[0] in published.statement for words in mixes)
    assert "of 40 (" in published.evidence  # all occurrences, not three of them


def test_the_control_of_a_mix_are_its_nearest_words(bundled) -> None:  # type: ignore[no-untyped-def]
    """For the first cold, by NumPy and scipy's non-negative least squares."""
    from embtools.decomposition import targets
    from embtools.decomposition.dictionary import of_occurrences
    from embtools.decomposition.parts import decompose

    read = claims.read(bundled, progress=silent)
    atoms, target = of_occurrences(read), targets.occurrence(read, bundled, word="cold")
    parts = decompose(target, atoms)
    mix = claims._mix(target, atoms, parts)
    words = read.table["word"].to_numpy()
    cosines = unit(atoms.vectors) @ unit(target.vector[None])[0]
    allowed = atoms.allowed(target, same_word=False, same_sentence=True)
    near = [i for i in np.argsort(-cosines) if allowed[i]][: len(parts.rows)]
    assert "cold" not in words[near]
    y = target.vector.astype(np.float64)
    weights, _ = nnls(atoms.vectors[near].astype(np.float64).T, y)
    rest = y - weights @ atoms.vectors[near]
    assert abs(mix.by_nearest - (1 - rest @ rest / (y @ y))) < 1e-4
    assert mix.explained > mix.by_nearest
