"""Words of a text, their shares of the attention, and rollout, compared with the network's own attention."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.attention.reading import default_source, default_target, read, read_all, rollout, shares
from embtools.mask_filling.edits import Change

TEXT = "The king is unable, the bank is a river."


def test_words_join_their_tokens_and_are_numbered(tiny) -> None:
    reading = read(TEXT, tiny)
    assert reading.words == (
        "[CLS]", "the", "king", "is", "unable", ",", "the (2)", "bank", "is (2)", "a", "river", ".", "[SEP]",
    )  # fmt: skip
    assert reading.special.tolist() == [True, *[False] * 11, True]
    assert reading.positions(["unable"]) == [4, 5]
    assert [reading.tokens["token"][i] for i in (4, 5)] == ["un", "##able"]


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_shares_are_the_networks_attention_added_up_by_words(name, request, eager) -> None:
    model = request.getfixturevalue(name)
    reading = read("the king", model, second="unable, a bank")
    right = eager(model, reading.tokens)
    found = shares(reading, model, source=["unable", "king"])
    rows = right[:, :, [*reading.positions(["king"]), *reading.positions(["unable"])]].mean(2)
    for number, word in enumerate(reading.words):
        np.testing.assert_allclose(found[..., number], rows[..., reading.positions([word])].sum(-1), atol=1e-5)
    np.testing.assert_allclose(found.sum(-1), 1, atol=1e-5)


def test_special_tokens_inside_a_text_are_words(tiny) -> None:
    reading = read("the [MASK] is [SEP] red", tiny)
    assert reading.words == ("[CLS]", "the", "[MASK]", "is", "[SEP]", "red", "[SEP] (2)")
    assert reading.special.tolist() == [True, False, False, False, False, False, True]


def test_an_edit_replaces_the_embedding_of_its_word(tiny) -> None:
    ids = tiny.tokenize("rome is red")["id"].to_numpy()
    inputs = tiny.matrix[ids]
    inputs[ids == tiny.ids["rome"]] = tiny.vector("rome") - tiny.vector("italy")
    found = read("rome is red", tiny, change=Change.of(["rome = rome - italy"]))
    np.testing.assert_allclose(found.states, tiny.encode(inputs[None])[:, 0], atol=1e-6)


@pytest.mark.parametrize("name", ["tiny", "bundled"])
def test_rollout_multiplies_the_layers(name, request, eager) -> None:
    """Abnar & Zuidema's recursion, one token and one layer at a time."""
    model = request.getfixturevalue(name)
    reading = read(TEXT, model)
    weights = eager(model, reading.tokens).mean(1)
    t = len(reading.tokens)
    flow = [[float(i == j) for j in range(t)] for i in range(t)]
    for layer in weights:
        flow = [
            [
                0.5 * flow[i][j] + 0.5 * sum(float(layer[i, k]) * flow[k][j] for k in range(t))
                for j in range(t)
            ]
            for i in range(t)
        ]  # fmt: skip
    found = rollout(reading.states, model)
    np.testing.assert_allclose(found, flow, atol=1e-5)
    np.testing.assert_allclose(found.sum(1), 1, atol=1e-5)


@given(st.lists(st.sampled_from(["the", "king", "unable", "rome", "!"]), min_size=1, max_size=12))
def test_every_token_belongs_to_one_word_and_nothing_is_lost(tiny, words) -> None:
    reading = read(" ".join(words), tiny)
    assert len(reading.words) == len(set(reading.words)) == len(words) + 2
    positions = [position for word in reading.words for position in reading.positions([word])]
    assert positions == list(range(len(reading.tokens)))


def test_a_word_that_is_not_in_the_text_is_refused(tiny) -> None:
    with pytest.raises(ValueError, match="'queen' is not in the sentence"):
        shares(read("the king", tiny), tiny, source=["queen"])
    with pytest.raises(ValueError, match="Choose a word"):
        shares(read("the king", tiny), tiny, source=[])


def test_an_edit_of_a_word_that_is_not_in_the_text_is_refused_without_advice_that_does_not_help(tiny) -> None:
    """Attention has no choice of the scope, so the message does not name one."""
    with pytest.raises(
        ValueError, match="'queen' is not in the sentence, so editing its input changes nothing"
    ) as raised:
        read_all("the king", tiny, edits=["queen = king"])
    assert "tied" not in str(raised.value)


def test_default_words_are_a_pronoun_and_a_noun_before_it(bundled) -> None:
    reading = read("Yesterday she saw a big dog.", bundled)
    assert default_source(reading) == "she"
    assert default_source(read("A big dog barked!", bundled)) == "barked"
    assert default_source(read("!", bundled)) == "[CLS]"
    assert default_target(reading, bundled, source=["she"]) == "yesterday"
    for text in ("The dog chased the cat because it was hungry.", "My dog barked, so it was fed by the man."):
        found = read(text, bundled)
        assert default_target(found, bundled, source=["it"]) in ("dog", "cat")
    assert default_target(read("!", bundled), bundled, source=["[CLS]"]) == "!"
