"""The parts of the input, against the network's own embedding layer."""

import numpy as np
import pytest
import torch

from embtools.models.anatomy import input_parts, layer_norm, position_embeddings, segment_embeddings

TEXT = "The river bank is red."


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_the_parts_add_up_to_layer_0(name: str, request: pytest.FixtureRequest) -> None:
    model = request.getfixturevalue(name)
    ids = model.tokenize(TEXT)["id"].to_numpy()
    parts = input_parts(ids, model)
    np.testing.assert_allclose(parts.normed, model.hidden_states(TEXT)[0], atol=1e-6)
    total = parts.token + parts.position + (0 if parts.segment is None else parts.segment)
    np.testing.assert_allclose(parts.total, total, atol=1e-6)
    assert (parts.segment is None) == (name == "tiny_distil")


def test_the_layer_norm_by_hand(bundled) -> None:
    parts, norm = input_parts(bundled.tokenize(TEXT)["id"].to_numpy(), bundled), layer_norm(bundled)
    x = parts.total.astype(np.float64)
    by_hand = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + norm.epsilon)
    np.testing.assert_allclose(parts.normed, by_hand * norm.weight + norm.bias, atol=1e-5)


def test_other_positions_and_segments_go_through_the_network(bundled) -> None:
    frame = bundled.tokenize("I found a rock.", "I only listen to rock.")
    ids, segments = frame["id"].to_numpy(), frame["segment"].to_numpy()
    positions = np.arange(len(ids))[::-1].copy()
    with torch.no_grad():
        right = bundled.base.embeddings(
            input_ids=torch.tensor(ids)[None],
            token_type_ids=torch.tensor(segments)[None],
            position_ids=torch.tensor(positions)[None],
        )[0]
    np.testing.assert_allclose(
        input_parts(ids, bundled, segments=segments, positions=positions).normed, right, atol=1e-6
    )
    encoded = bundled.encode(bundled.matrix[ids][None], segments, positions=positions)
    np.testing.assert_allclose(encoded[0, 0], right, atol=1e-6)


def test_the_same_word_at_the_same_position_has_the_same_vector(bundled) -> None:
    first, second = (bundled.tokenize(t)["id"].to_numpy() for t in ("I found a rock.", "I only listen to rock."))
    place = [int(np.flatnonzero(ids == bundled.ids["rock"])[0]) for ids in (first, second)]
    assert place[0] != place[1]
    one, other = (input_parts(ids, bundled) for ids in (first, second))
    assert np.abs(one.normed[place[0]] - other.normed[place[1]]).max() > 0.01
    moved = np.arange(len(second))
    moved[place[1]] = place[0]
    np.testing.assert_array_equal(input_parts(second, bundled, positions=moved).normed[place[1]], one.normed[place[0]])


def test_the_tables_are_read_only_and_of_the_right_shape(bundled, tiny_distil) -> None:
    assert position_embeddings(bundled).shape == (512, bundled.dimensions)
    assert segment_embeddings(bundled).shape == (2, bundled.dimensions)
    assert segment_embeddings(tiny_distil) is None
    for table in (position_embeddings(bundled), segment_embeddings(bundled), layer_norm(bundled).weight):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 0


@pytest.mark.parametrize(
    ("named", "message"), [({"positions": [64]}, "positions 0 to 63"), ({"segments": [2]}, "0 .*1")]
)
def test_what_the_model_does_not_have_is_refused(named: dict, message: str, tiny) -> None:
    with pytest.raises(ValueError, match=message):
        input_parts(np.array([5]), tiny, **{key: np.array(value) for key, value in named.items()})
