"""Positions and segments, compared with scikit-learn and with results by hand."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from embtools.inputs import position_vectors


@pytest.mark.parametrize("name", ["bundled", "tiny", "tiny_distil"])
def test_cosines_map_and_distances(name, request):
    model = request.getfixturevalue(name)
    found = position_vectors.positions(40, model)
    table = model.base.embeddings.position_embeddings.weight.detach().numpy()[:40]
    if model.has_segments:
        both = model.base.embeddings.token_type_embeddings.weight.detach().numpy()
        rows = np.concatenate([table, both])
    else:
        rows = table
    assert len(found.points) == len(rows)
    np.testing.assert_allclose(found.cosines, cosine_similarity(rows), atol=1e-5)
    np.testing.assert_allclose(found.points["length"], np.linalg.norm(rows, axis=1), rtol=1e-5)
    centred = table - table.mean(0)
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    expected = (rows - table.mean(0)) @ axes[:2].T
    np.testing.assert_allclose(np.abs(found.points[["x", "y"]]), np.abs(expected), atol=1e-3)
    assert found.explained == pytest.approx((sizes[:2] ** 2).sum() / (sizes**2).sum(), abs=1e-4)
    by_distance = found.by_distance.set_index("distance")["cosine"]
    assert by_distance[5] == pytest.approx(np.mean([found.cosines[i, i + 5] for i in range(1, 35)]), abs=1e-5)
    assert by_distance.index.max() == 38
    pairs = [found.cosines[i, j] for i in range(1, 40) for j in range(1, i)]
    assert found.mean == pytest.approx(np.mean(pairs), abs=1e-5)
    names = found.table
    assert names.shape == (len(rows), len(rows) + 1) and names["embedding"].iloc[39] == "position_39"


def test_impossible_counts_are_refused(tiny):
    for count in (2, 65):
        with pytest.raises(ValueError, match="Choose 3 to 64"):
            position_vectors.positions(count, tiny)


def test_the_headline(bundled, tiny):
    assert position_vectors.positions(64, bundled).headline.startswith(
        "Neighbouring positions have similar embeddings: their mean cosine is 0.8"
    )
    text = position_vectors.positions(64, tiny).headline  # random numbers have no order
    assert text.startswith("Neighbouring positions are no more similar than others: their mean cosine is")
