"""The claims about words in context, their spaces, and features, on the built-in corpus, compared with scikit-learn and NumPy."""

import re

import numpy as np
import pytest
from scipy.optimize import nnls
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, normalize

from embtools.concepts import items
from embtools.layer_combinations import SUM_FOUR
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.paper import features, operations_on_spaces, reports, words_in_context
from embtools.progress import silent
from embtools.spaces.measures import isoscore
from embtools.vectors import unit

# The claims C1 to C3, on the built-in corpus


@pytest.mark.slow
def test_cold_is_nearest_to_cold(bundled) -> None:  # type: ignore[no-untyped-def]
    read = encode_corpus(built_in_corpus(), bundled, combination=SUM_FOUR)
    rows, words = unit(read.vectors.astype(np.float64)), read.table["word"].to_numpy()
    cold = np.flatnonzero(words == "cold")
    cosines = rows[cold] @ rows.T
    cosines[np.arange(len(cold)), cold] = -2
    same = int((words[cosines.argmax(axis=1)] == "cold").sum())
    assert words_in_context.nearest(bundled, progress=silent).answer.startswith(
        f"For {same} of the {len(cold)} occurrences of cold, the nearest word is cold in another sentence."
    )


def test_every_repeated_word_is_compared_not_only_cold(bundled) -> None:  # type: ignore[no-untyped-def]
    read = encode_corpus(built_in_corpus(), bundled, combination=SUM_FOUR)
    found = words_in_context.corpus(bundled, progress=silent)
    assert f"{len(built_in_corpus().sentences):,} sentences and {len(read.table):,} words" in found.answer
    marks = sum(
        not any(map(str.isalnum, s[a:b])) for s in built_in_corpus().sentences for *_, a, b in bundled.words(s)[1]
    )
    assert found.answer.endswith(f"unknown words are excluded: {marks:,}.")
    counts = read.table["word"].value_counts()
    assert f"of {(counts > 1).sum():,} words that occur more than once" in found.conditions[1].evidence
    assert not words_in_context._all_differ(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    assert words_in_context._all_differ(np.array([[1.0, 0.0], [0.0, 1.0]]))


@pytest.mark.slow
def test_a_mix_is_reported_with_the_shares_of_the_published_words(bundled) -> None:  # type: ignore[no-untyped-def]
    found = words_in_context.mixture(bundled, progress=silent)
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
    from embtools.features import targets
    from embtools.features.dictionary import of_occurrences
    from embtools.features.parts import decompose

    read = words_in_context.read(bundled, progress=silent)
    atoms, target = of_occurrences(read), targets.occurrence(read, bundled, word="cold")
    parts = decompose(target, atoms)
    mix = words_in_context._mix(target, atoms, parts)
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


# The claims C4 and C5, on the built-in corpus, compared with NumPy


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
    found = operations_on_spaces.king(bundled, progress=silent)
    assert set(best) == {"queen"} and found.answer.startswith("The 5 nearest words are 5 occurrences of queen. ")
    assert (
        f"queen is the word nearest to {alone.mean():.0%} of the occurrences" in found.answer and 0 < alone.mean() < 1
    )
    assert f"The word queen ranks 1st in {kept.mean():.0%} of all " in found.answer
    assert f"{(kept > 0.5).sum()} of {len(king)} (" in found.conditions[1].evidence


@pytest.mark.slow
def test_the_shape_of_the_space_before_and_after(bundled) -> None:  # type: ignore[no-untyped-def]
    found = operations_on_spaces.isotropy(bundled, progress=silent)
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
    found = [operations_on_spaces.even(n, d, seed) for seed in range(20)]
    assert np.mean(found) == pytest.approx(np.mean(drawn), abs=3 * np.std(drawn) / np.sqrt(10))
    assert (
        operations_on_spaces.even(n, d, 1) == operations_on_spaces.even(n, d, 1) != operations_on_spaces.even(n, d, 2)
    )


# The claim about features and groups, compared with scikit-learn


@pytest.fixture(scope="module")
def found(bundled):  # type: ignore[no-untyped-def]
    """As it is stored: a slow test in test_verdicts.py computes all claims again."""
    return reports.read_stored(bundled)["D5"]


@pytest.fixture(scope="module")
def topics(bundled):  # type: ignore[no-untyped-def]
    asked = items.built_in("topic")
    vectors = np.stack([bundled.hidden_states(item.sentence)[-2].mean(axis=0) for item in asked])
    return vectors.astype(np.float64), np.array([item.label for item in asked])


@pytest.mark.slow
def test_a_probe_is_compared_with_guessing_and_names_its_layer(found, topics) -> None:  # type: ignore[no-untyped-def]
    vectors, labels = topics
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=1_000))
    sentences = np.unique([item.sentence.casefold() for item in items.built_in("topic")], return_inverse=True)[1]
    divisions = [StratifiedGroupKFold(5, shuffle=True, random_state=seed) for seed in range(20)]
    said = [cross_val_predict(model, vectors, labels, groups=sentences, cv=folds) for folds in divisions]
    mean = np.mean([each == labels for each in said])
    assert f"the topic of {mean:.1%} of 240 sentences (mean over 20 divisions into folds;" in found.answer
    assert found.answer.startswith("Linear probes on layer 5, the second-to-last") and "guessing: 12.5%" in found.answer
    assert "memor" not in found.answer and not any("memor" in c.statement for c in found.conditions)


@pytest.mark.thorough
def test_groups_are_those_of_k_means_on_all_sentences(found, topics) -> None:  # type: ignore[no-untyped-def]
    vectors, labels = topics
    groups = KMeans(8, n_init=8, random_state=0).fit(normalize(vectors)).labels_
    assert f"8 topics with an adjusted Rand index of {adjusted_rand_score(labels, groups):.2f}." in found.answer
    assert [c.holds for c in found.conditions] == [True, True, True, None, False]


def test_a_permuted_agreement_is_as_rare_as_its_rand_index() -> None:
    """The sum of squared counts orders shuffles as scikit-learn's index does."""
    rng = np.random.default_rng(0)
    groups = rng.integers(3, size=60)
    topics = np.where(rng.random(60) < 0.4, groups, rng.integers(3, size=60))
    shuffles = np.random.default_rng(5)
    own = adjusted_rand_score(topics, groups)
    drawn = [adjusted_rand_score(shuffles.permutation(topics), groups) for _ in range(features._SHUFFLES)]
    expected = (1 + sum(value >= own - 1e-12 for value in drawn)) / (1 + features._SHUFFLES)
    assert features._permuted(topics, groups, 5) == pytest.approx(expected)


def test_other_sentences_could_decide_otherwise_although_all_starts_of_k_means_agree(found, topics) -> None:  # type: ignore[no-untyped-def]
    evidence = found.conditions[3].evidence
    value, low, high = (float(text.replace("−", "-")) for text in re.findall(r"−?0\.\d{3}", evidence)[2:])
    assert low < 0 < value < high and value - low == pytest.approx(high - value, abs=0.002)
    assert 0.035 < value < 0.05 and 0.03 < high - value < 0.07  # a bootstrap that repeats k-means: −0.007 to 0.090
