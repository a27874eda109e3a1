"""The last states at some positions, against those of a whole forward pass."""

import numpy as np
import pytest

from embtools.models.last_states import last_states, last_states_of_rows

TEXTS = "The king is red.", "A bank of the river in Rome works as the capital of Italy.", "Paris", "he is the queen"
NAMES = ["tiny", "tiny_distil", "bundled"]


@pytest.mark.parametrize("name", NAMES)
def test_they_are_those_of_a_whole_forward_pass(name, request):
    model = request.getfixturevalue(name)
    frame = model.tokenize(TEXTS[0], TEXTS[3])
    inputs = np.repeat(model.matrix[frame["id"].to_numpy()][None], 2, axis=0)
    inputs[1, 3] = model.matrix[model.ids["rome"]]
    segments = frame["segment"].to_numpy()
    whole = model.encode(inputs, segments)[-1]
    np.testing.assert_allclose(last_states(inputs, model, at=[4, 0], segments=segments), whole[:, [4, 0]], atol=2e-5)
    each = last_states(inputs, model, at=[[5], [2]], segments=segments)
    np.testing.assert_allclose(each, np.stack([whole[0, [5]], whole[1, [2]]]), atol=2e-5)
    assert np.abs(whole[0, 5] - whole[1, 5]).max() > 1e-3
    if model.has_segments:
        assert np.abs(last_states(inputs, model, at=[4]) - whole[:, [4]]).max() > 1e-3


@pytest.mark.parametrize("name", NAMES)
def test_tokens_after_the_end_and_their_positions_count_for_nothing(name, request):
    model = request.getfixturevalue(name)
    long, short = (model.hidden_states(text) for text in TEXTS[1:3])
    inputs = np.full((2, long.shape[1], model.dimensions), 3, np.float32)
    for row, text in zip(inputs, TEXTS[1:3], strict=True):
        ids = model.tokenize(text)["id"].to_numpy()
        row[: len(ids)] = model.matrix[ids]
    found = last_states(inputs, model, at=[1, 2], lengths=[long.shape[1], short.shape[1]])
    np.testing.assert_allclose(found, np.stack([long[-1, 1:3], short[-1, 1:3]]), atol=2e-5)
    assert np.abs(last_states(inputs, model, at=[1])[1] - short[-1, 1]).max() > 1e-3


def test_other_position_numbers_are_those_of_the_network(tiny):
    inputs = tiny.matrix[tiny.tokenize(TEXTS[1])["id"].to_numpy()][None]
    numbers = np.arange(inputs.shape[1])[::-1]
    found = last_states(inputs, tiny, at=[2], positions=numbers)
    np.testing.assert_allclose(found, tiny.encode(inputs, positions=numbers)[-1][:, [2]], atol=2e-5)
    assert np.abs(found - last_states(inputs, tiny, at=[2])).max() > 1e-3


@pytest.mark.parametrize("pieces", [12, 4_000])
def test_rows_of_different_lengths_have_positions_of_their_own(tiny, monkeypatch, pieces):
    monkeypatch.setattr(type(tiny), "BATCH_PIECES", pieces)
    frames = [tiny.tokenize(text, TEXTS[0]) for text in TEXTS]
    rows = [frame["id"].to_numpy() for frame in frames]
    rows[1] = tiny.matrix[rows[1]]  # word embeddings instead of ids
    segments, at = [frame["segment"].to_numpy() for frame in frames], [[1], [3, 1, 4], [], [0, 2]]
    found = {}
    for numbers, states in last_states_of_rows(rows, tiny, at=at, segments=segments):
        found |= dict(zip(numbers, states, strict=True))
    assert sorted(found) == [0, 1, 2, 3]
    for number, (text, positions) in enumerate(zip(TEXTS, at, strict=True)):
        whole = tiny.hidden_states(text, TEXTS[0])[-1]
        np.testing.assert_allclose(found[number], whole[np.array(positions, int)], atol=2e-5)
    assert list(last_states_of_rows([], tiny, at=[])) == []


@pytest.mark.parametrize("at", [[99], [-1], [[1], [5_000]]])
def test_a_position_that_does_not_exist_is_refused(tiny, at):
    inputs = np.zeros((2, 5, tiny.dimensions), np.float32)
    with pytest.raises(ValueError, match="This text has positions 0 to 4"):
        last_states(inputs, tiny, at=at)


def test_a_model_of_static_embeddings_cannot_run(tiny):
    static = tiny.with_static_embeddings(tiny.matrix * 2, "twice")
    with pytest.raises(ValueError, match="only has static embeddings"):
        last_states(np.zeros((1, 5, tiny.dimensions), np.float32), static, at=[1])
