"""The claim about features and groups, compared with scikit-learn."""

import re

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, normalize

from embtools.paper import features as claims
from embtools.paper import stored
from embtools.probing import items


@pytest.fixture(scope="module")
def found(bundled):  # type: ignore[no-untyped-def]
    """As it is stored; tests/paper/test_stored.py computes it again."""
    return stored.read(bundled)["D5"]


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
    drawn = [adjusted_rand_score(shuffles.permutation(topics), groups) for _ in range(claims._SHUFFLES)]
    expected = (1 + sum(value >= own - 1e-12 for value in drawn)) / (1 + claims._SHUFFLES)
    assert claims._permuted(topics, groups, 5) == pytest.approx(expected)


def test_other_sentences_could_decide_otherwise_although_all_starts_of_k_means_agree(found, topics) -> None:  # type: ignore[no-untyped-def]
    evidence = found.conditions[3].evidence
    value, low, high = (float(text.replace("−", "-")) for text in re.findall(r"−?0\.\d{3}", evidence)[2:])
    assert low < 0 < value < high and value - low == pytest.approx(high - value, abs=0.002)
    assert 0.035 < value < 0.05 and 0.03 < high - value < 0.07  # a bootstrap that repeats k-means: −0.007 to 0.090
