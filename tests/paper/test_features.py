"""The claim about features and groups, compared with scikit-learn."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, normalize

from embtools.paper import features as claims
from embtools.probing import items
from embtools.progress import silent


@pytest.fixture(scope="module")
def found(bundled):  # type: ignore[no-untyped-def]
    return claims.features_for_others(bundled, progress=silent)


@pytest.fixture(scope="module")
def topics(bundled):  # type: ignore[no-untyped-def]
    asked = items.built_in("topic")
    vectors = np.stack([bundled.hidden_states(item.sentence)[-2].mean(axis=0) for item in asked])
    return vectors.astype(np.float64), np.array([item.label for item in asked])


@pytest.mark.slow
def test_a_probe_is_compared_with_guessing_and_names_its_layer(found, topics) -> None:  # type: ignore[no-untyped-def]
    vectors, labels = topics
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=1_000))
    folds = StratifiedGroupKFold(5, shuffle=True, random_state=0)
    sentences = np.unique([item.sentence.casefold() for item in items.built_in("topic")], return_inverse=True)[1]
    said = cross_val_predict(model, vectors, labels, groups=sentences, cv=folds)
    assert f"the topic of {np.mean(said == labels):.1%} of 240 sentences" in found.answer
    assert found.answer.startswith("Linear probes on layer 5, the second-to-last") and "guessing: 12.5%" in found.answer
    assert "memor" not in found.answer and not any("memor" in c.statement for c in found.conditions)


def test_groups_are_those_of_k_means_on_all_sentences(found, topics) -> None:  # type: ignore[no-untyped-def]
    vectors, labels = topics
    groups = KMeans(8, n_init=8, random_state=0).fit(normalize(vectors)).labels_
    assert f"8 topics with an adjusted Rand index of {adjusted_rand_score(labels, groups):.2f}." in found.answer
    assert [c.holds for c in found.conditions] == [True, True, True, True, False]


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
