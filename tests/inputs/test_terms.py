"""A token at two positions, compared with the network's own embedding layer and with results by hand."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from embtools.inputs import input_terms
from embtools.inputs.input_terms import NORMED, POSITION, SEGMENT, SUM, TOKEN

ROCK = ("I found a rock.", "I only listen to rock.")


def test_rock_differs_by_its_position_alone_and_i_not_at_all(bundled):
    frame = input_terms.pieces(ROCK, bundled)
    table = input_terms.differences(input_terms.terms(frame, bundled, piece="rock")).set_index("term")
    assert table["same"].to_dict() == {TOKEN: True, SEGMENT: True, POSITION: False, SUM: False, NORMED: False}
    first, second = (bundled.hidden_states(text)[0] for text in ROCK)
    assert table.loc[NORMED, "distance"] == pytest.approx(np.linalg.norm(first[4] - second[5]), abs=1e-4)
    assert table.loc[NORMED, "largest_difference"] == pytest.approx(np.abs(first[4] - second[5]).max(), abs=1e-5)
    assert input_terms.differences(input_terms.terms(frame, bundled, piece="i"))["same"].all()
    np.testing.assert_allclose(first[1], second[1], atol=1e-6)


def test_at_equal_positions_the_vectors_coincide(bundled):
    frame = input_terms.pieces(ROCK, bundled)
    found = input_terms.terms(frame, bundled, piece="rock", position=4)
    assert found.moved and input_terms.differences(found)["same"].all()
    assert not input_terms.terms(frame, bundled, piece="rock").moved
    other = input_terms.terms(frame, bundled, piece="rock", position=4, segment=1)
    table = input_terms.differences(other).set_index("term")
    assert other.moved and not table.loc[SEGMENT, "same"] and table.loc[POSITION, "same"]


def test_a_moved_token_equals_the_output_of_the_networks_embedding_layer(bundled):
    found = input_terms.terms(input_terms.pieces(ROCK, bundled), bundled, piece="rock", position=17, segment=1)
    with torch.no_grad():
        right = bundled.base.embeddings(
            input_ids=torch.tensor([[bundled.ids["rock"]]]),
            position_ids=torch.tensor([[17]]),
            token_type_ids=torch.tensor([[1]]),
        )[0, 0]
    np.testing.assert_allclose(found.vectors[1, -1], right, atol=1e-6)


def test_the_terms_add_up(bundled, tiny_distil):
    for model, count in ((bundled, 5), (tiny_distil, 4)):
        found = input_terms.terms(input_terms.pieces(("The king is red.", "A king."), model), model, piece="king")
        assert found.vectors.shape == (2, count, model.dimensions) == (2, len(found.names), model.dimensions)
        np.testing.assert_allclose(found.vectors[:, :-2].sum(1), found.vectors[:, -2], atol=1e-6)


def test_tokens_of_a_pair_and_of_two_texts(bundled, tiny_distil):
    frame = input_terms.pieces(ROCK, bundled, pair=True)
    assert frame["position"].tolist() == list(range(14))
    assert frame["text"].tolist() == [1] * 7 + [2] * 7 == (frame["segment"] + 1).tolist()
    assert (frame["segment_in_article"] == frame["segment"]).all()
    alone = input_terms.pieces(ROCK, bundled)
    assert (alone["segment"] == 0).all() and (alone["segment_in_article"] == 1).all()
    assert alone["position"].tolist() == [*range(7), *range(8)]
    assert input_terms.pieces(("red king", "he is"), tiny_distil, pair=True)["text"].tolist() == [1, 1, 1, 1, 2, 2, 2]


def test_the_listings_of_the_article(bundled):
    """“Understanding BERT”: the tokens of "embeddings", and the 22 tokens of the bank sentence with their ids."""
    frame = input_terms.pieces(("Here is the sentence I want embeddings for.",), bundled)
    assert frame["token"].tolist() == "[CLS] here is the sentence i want em ##bed ##ding ##s for . [SEP]".split()
    frame = input_terms.pieces(
        ("After stealing money from the bank vault, the bank robber was seen fishing on the Mississippi river bank.",),
        bundled,
    )
    ids = [101, 2044, 11065, 2769, 2013, 1996, 2924, 11632, 1010, 1996, 2924, 27307, 2001, 2464, 5645, 2006, 1996]
    assert frame["id"].tolist() == [*ids, 5900, 2314, 2924, 1012, 102] and len(frame) == 22


def test_the_listing_of_first_numbers(bundled):
    """As in the article on “rock”: "i" has the same first number in both sentences, "rock" has two."""
    table = input_terms.first_values(input_terms.pieces(ROCK, bundled), bundled)
    by_network = np.concatenate([bundled.hidden_states(text)[0][:, 0] for text in ROCK])
    np.testing.assert_allclose(table["first_value"], by_network, atol=1e-6)
    values = {token: set(rows["first_value"]) for token, rows in table.groupby("token")}
    assert len(values["i"]) == len(values["[CLS]"]) == 1 and len(values["rock"]) == 2
    pair = input_terms.first_values(input_terms.pieces(ROCK, bundled, pair=True), bundled)
    np.testing.assert_allclose(pair["first_value"], bundled.hidden_states(*ROCK)[0][:, 0], atol=1e-6)


def test_choices_and_the_default_choice(bundled):
    frame = input_terms.pieces(ROCK, bundled)
    assert input_terms.choices(frame) == ["[CLS]", "i", "rock", ".", "[SEP]", "found", "a", "only", "listen", "to"]
    assert input_terms.first_choice(frame, bundled) == "rock"
    assert input_terms.first_choice(input_terms.pieces(("A red boat",), bundled), bundled) == "boat"
    assert input_terms.first_choice(input_terms.pieces(("?!",), bundled), bundled) == "[SEP]"
    assert (
        input_terms.first_choice(input_terms.pieces(("the river", "the river"), bundled, pair=True), bundled) == "river"
    )


def test_a_token_that_occurs_once_is_compared_with_itself_at_another_position(bundled):
    frame = input_terms.pieces(("A red boat",), bundled)
    alone = input_terms.terms(frame, bundled, piece="red")
    assert len(alone.occurrences) == 1 and list(input_terms.differences(alone)) == ["term", "length_1"]
    moved = input_terms.terms(frame, bundled, piece="red", position=9)
    assert (
        moved.occurrences["position"].tolist() == [2, 9]
        and moved.occurrences["own_position"].tolist() == [2, 2]
        and moved.moved
    )
    assert len(input_terms.terms(frame, bundled, piece="red", position=2).occurrences) == 1


def test_every_number(bundled):
    found = input_terms.terms(input_terms.pieces(ROCK, bundled), bundled, piece="rock")
    table = input_terms.numbers(found)
    assert len(table) == bundled.dimensions and list(table)[:2] == ["dimension", "token_1"]
    np.testing.assert_array_equal(table["token_2"], bundled.matrix[bundled.ids["rock"]])
    np.testing.assert_array_equal(table["layer_norm_1"], found.vectors[0, -1])


@given(st.integers(0, 15), st.integers(0, 63), st.integers(0, 1))
def test_a_number_step_by_step_ends_in_the_layer_norm(tiny, dimension, position, segment):
    frame = input_terms.pieces(("The king is red.", "A king."), tiny)
    found = input_terms.terms(frame, tiny, piece="king", position=position, segment=segment)
    table = input_terms.steps(found, tiny, dimension=dimension).set_index("step")
    for number in range(len(found.occurrences)):
        column = table[f"value_{number + 1}"]
        assert column["= layer norm"] == pytest.approx(float(found.vectors[number, -1, dimension]), abs=1e-4)
        parts = column["token embedding"] + column["+ segment embedding"] + column["+ position embedding"]
        assert column["= sum"] == pytest.approx(parts)
        by_hand = (column["= sum"] - column["− mean"]) / column["÷ √(variance + ε)"]
        assert column["= layer norm"] == pytest.approx(by_hand * column["× weight"] + column["+ bias"])


def test_the_rank_among_all_tokens_computed_by_the_network(tiny, bundled):
    for model, text, piece in ((tiny, ("The king is red.", "A king."), "king"), (bundled, ROCK, "rock")):
        found = input_terms.terms(input_terms.pieces(text, model), model, piece=piece)
        other = input_terms.others(found, model)
        position = int(found.occurrences["position"].iloc[1])
        v = len(model.vocabulary)
        with torch.no_grad():
            rows = model.base.embeddings(input_ids=torch.arange(v)[:, None], position_ids=torch.full((v, 1), position))[
                :, 0
            ].numpy()
        first = found.vectors[0, -1]
        cosines = rows @ first / np.linalg.norm(rows, axis=1) / np.linalg.norm(first)
        own = model.ids[piece]
        assert other.rank == 1 + (cosines > cosines[own]).sum()
        cosines[own] = -2
        assert other.nearest == model.vocabulary[int(cosines.argmax())]
        assert other.cosine == pytest.approx(cosines.max(), abs=1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: input_terms.pieces((), m), "one or two"),
        (lambda m: input_terms.pieces(("a", "a", "a"), m), "one or two"),
        (lambda m: input_terms.pieces(("", "a"), m), "empty"),
        (lambda m: input_terms.pieces(("red " * 40, "red " * 40), m, pair=True), "reads 64"),
        (
            lambda m: input_terms.terms(input_terms.pieces(("red",), m), m, piece="king"),
            "do not contain the token 'king'",
        ),
        (
            lambda m: input_terms.terms(input_terms.pieces(("red",), m), m, piece="red", position=64),
            "positions 0 to 63",
        ),
        (lambda m: input_terms.terms(input_terms.pieces(("red",), m), m, piece="red", segment=2), "0 .*1"),
        (
            lambda m: input_terms.steps(
                input_terms.terms(input_terms.pieces(("red",), m), m, piece="red"), m, dimension=16
            ),
            "dimensions 0 to 15",
        ),
    ],
)
def test_bad_input_says_what_to_do(tiny, call, message):
    with pytest.raises(ValueError, match=message):
        call(tiny)


def placed(model, piece="rock", texts=ROCK, *, pair=False, **put):
    return input_terms.terms(input_terms.pieces(texts, model, pair=pair), model, piece=piece, **put)


def test_the_headline(bundled):
    assert placed(bundled).headline == (
        "“rock” enters the encoder as two different vectors (cosine 0.98). Only its position (4 and 5) differs."
    )
    assert placed(bundled, "i").headline == (
        "“i” enters the encoder as the same vector both times, because its token, segment and position are the same."
    )
    assert placed(bundled, position=4).headline.startswith("Moved to position 4, “rock” is the same vector")
    assert placed(bundled, pair=True).headline.endswith("Its position (4 and 11) and segment (0 and 1) differ.")
    assert placed(bundled, "i", segment=1).headline.endswith("Only its segment (0 and 1) differs.")
    assert "as the sum of its token, segment and position embeddings" in placed(bundled, "found").headline
