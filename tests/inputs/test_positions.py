"""A token at two positions, its terms and its answers, and the vectors of positions: against the network's own layers and by hand."""

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import cosine_similarity

from embtools import fill_mask
from embtools.inputs import comparison, input_terms, position_vectors
from embtools.inputs.comparison import HEAP, MOVED, ONE_SEGMENT, OTHER_SEGMENT, REVERSED, WRITTEN, OtherWords
from embtools.inputs.input_terms import NORMED, POSITION, SEGMENT, SUM, TOKEN

ROCK = ("I found a rock.", "I only listen to rock.")


def test_rock_differs_by_its_position_alone_and_i_not_at_all(bundled):
    frame = input_terms.pieces(ROCK, bundled)
    table = input_terms.terms(frame, bundled, piece="rock").table.set_index("term")
    assert table["same"].to_dict() == {TOKEN: True, SEGMENT: True, POSITION: False, SUM: False, NORMED: False}
    first, second = (bundled.hidden_states(text)[0] for text in ROCK)
    assert table.loc[NORMED, "distance"] == pytest.approx(np.linalg.norm(first[4] - second[5]), abs=1e-4)
    assert table.loc[NORMED, "largest_difference"] == pytest.approx(np.abs(first[4] - second[5]).max(), abs=1e-5)
    assert input_terms.terms(frame, bundled, piece="i").table["same"].all()
    np.testing.assert_allclose(first[1], second[1], atol=1e-6)


def test_at_equal_positions_the_vectors_coincide(bundled):
    frame = input_terms.pieces(ROCK, bundled)
    found = input_terms.terms(frame, bundled, piece="rock", position=4)
    assert found.moved and found.table["same"].all()
    assert not input_terms.terms(frame, bundled, piece="rock").moved
    other = input_terms.terms(frame, bundled, piece="rock", position=4, segment=1)
    table = other.table.set_index("term")
    assert other.moved and not table.loc[SEGMENT, "same"] and table.loc[POSITION, "same"]


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
    twice = input_terms.pieces(("the river", "the river"), bundled, pair=True)
    assert input_terms.first_choice(twice, bundled) == "river"


def test_a_token_that_occurs_once_is_compared_with_itself_at_another_position(bundled):
    frame = input_terms.pieces(("A red boat",), bundled)
    alone = input_terms.terms(frame, bundled, piece="red")
    assert len(alone.occurrences) == 1 and list(alone.table) == ["term", "length_1"]
    moved = input_terms.terms(frame, bundled, piece="red", position=9)
    assert moved.occurrences["position"].tolist() == [2, 9] and moved.moved
    assert moved.occurrences["own_position"].tolist() == [2, 2]
    assert len(input_terms.terms(frame, bundled, piece="red", position=2).occurrences) == 1


def test_every_number(bundled):
    found = input_terms.terms(input_terms.pieces(ROCK, bundled), bundled, piece="rock")
    table = found.numbers
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
        other = comparison.compare_words(text, model, piece=piece)
        position = int(found.occurrences["position"].iloc[1])
        v = len(model.vocabulary)
        given = {"input_ids": torch.arange(v)[:, None], "position_ids": torch.full((v, 1), position)}
        with torch.no_grad():
            rows = model.base.embeddings(**given)[:, 0].numpy()
        first = found.vectors[0, -1]
        cosines = rows @ first / np.linalg.norm(rows, axis=1) / np.linalg.norm(first)
        own = model.ids[piece]
        assert other.rank == 1 + (cosines > cosines[own]).sum()
        cosines[own] = -2
        assert other.nearest == model.vocabulary[int(cosines.argmax())]
        assert other.nearness == pytest.approx(cosines.max(), abs=1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: placed(m, "red", ("red",), position=64), "positions 0 to 63"),
        (lambda m: placed(m, "red", ("red",), segment=2), "0 .*1"),
        (lambda m: input_terms.steps(placed(m, "red", ("red",)), m, dimension=16), "dimensions 0 to 15"),
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


ROMES = ("Rome is the capital of [MASK].",)


def test_a_comparison_has_the_tokens_and_the_terms(bundled):
    frame = input_terms.pieces(ROCK, bundled, pair=True)
    expected = input_terms.terms(frame, bundled, piece="rock", position=3, segment=0)
    arguments = {"piece": "rock", "pair": True, "position": 3, "segment": 0}
    found = comparison.compare_positions(ROCK, bundled, **arguments)
    pd.testing.assert_frame_equal(found.tokens, input_terms.first_values(frame, bundled))
    pd.testing.assert_frame_equal(found.terms.table, expected.table)
    pd.testing.assert_frame_equal(found.terms.numbers, expected.numbers)
    assert found.terms.headline == expected.headline
    steps = comparison.follow_dimension(ROCK, bundled, dimension=7, **arguments)
    pd.testing.assert_frame_equal(steps, input_terms.steps(expected, bundled, dimension=7))


def test_a_change_of_position_is_compared_with_a_change_of_word(bundled):
    rock = comparison.compare_words(ROCK, bundled, piece="rock")
    assert rock.sentence.startswith(
        "Changing the word would make a bigger difference. The cosine of the two vectors of “rock” is 0.98. Any other"
        " token at the second position would have a lower cosine with the vector at the first position (the next highest is that of “"
    )
    assert OtherWords(rock.terms, 13, "pop", 0.99).sentence == (
        "Changing the word could make a smaller difference: at the second position, 12 other tokens would be nearer than"
        " “rock” (cosine 0.98) to the vector at the first. Nearest is “pop” (0.99)."
    )
    assert "1 other token would" in OtherWords(rock.terms, 2, "pop", 0.99).sentence
    with pytest.raises(ValueError, match="'found' occurs once"):
        comparison.compare_words(ROCK, bundled, piece="found")


def test_arrangements(bundled):
    frame = input_terms.pieces(ROMES, bundled)
    expected = comparison.arranged(frame, bundled, result=input_terms.terms(frame, bundled, piece="rome", position=5))
    result = comparison.rearrange(ROMES, bundled, piece="rome", position=5)
    pd.testing.assert_frame_equal(result.frame, expected)
    best = expected["answer_1"].iloc[0]
    text = result.headline
    assert text.startswith(f"For the text as written, BERT answers “{best}” (") and "With the token moved, it" in text
    other = comparison.Arrangements(expected.assign(answer_1=["italy", "x", "x", "x", "x"])).headline
    assert "it answers “x”" in other and "still" not in other
    assert "it still answers “italy”" in comparison.Arrangements(expected.assign(answer_1="italy")).headline


ROME = "Rome is the capital of [MASK]."


def direct(model, frame, positions, segments):
    """Probabilities at the first mask by the network's own call."""
    with torch.no_grad():
        output = model._network(
            input_ids=torch.tensor(frame["id"].to_numpy())[None],
            position_ids=torch.tensor(positions)[None],
            **({"token_type_ids": torch.tensor(segments)[None]} if model.has_segments else {}),
        )
    logits = output.prediction_logits if "prediction_logits" in output else output.logits
    mask = int(np.flatnonzero(frame["id"] == model.mask_id)[0])
    return logits[0, mask].double().softmax(-1).numpy()


def test_every_arrangement_agrees_with_the_network(bundled):
    frame = input_terms.pieces((ROME,), bundled)
    result = input_terms.terms(frame, bundled, piece="rome", position=5)
    table = comparison.arranged(frame, bundled, result=result).set_index("arrangement")
    t = len(frame)
    zeros, at = np.zeros(t, np.int64), np.arange(t)
    moved, backwards, heap = at.copy(), at.copy(), np.ones(t, np.int64)
    moved[1] = 5
    backwards[1:-1] = at[1:-1][::-1]
    heap[[0, -1]] = 0, t - 1
    ways = {WRITTEN: (at, zeros), MOVED: (moved, zeros), OTHER_SEGMENT: (at, zeros + 1)}
    ways |= {REVERSED: (backwards, zeros), HEAP: (heap, zeros)}
    assert list(table.index) == list(ways)
    written = direct(bundled, frame, at, zeros)
    best = int(written.argmax())
    for name, (positions, segments) in ways.items():
        right = direct(bundled, frame, positions, segments)
        row = table.loc[name]
        assert row["probability_as_written"] == pytest.approx(right[best], abs=1e-5)
        assert row["probability"] == pytest.approx(right.max(), abs=1e-5)
        assert [row[f"answer_{i}"] for i in range(1, 6)] == [bundled.vocabulary[i] for i in np.argsort(-right)[:5]]
        assert row["total_variation"] == pytest.approx(np.abs(right - written).sum() / 2, abs=1e-4)
    alone = fill_mask(ROME, bundled, k=1).iloc[0]
    assert table.loc[WRITTEN, "answer_1"] == alone["token"]
    assert table.loc[WRITTEN, "probability"] == pytest.approx(alone["probability"], abs=1e-5)


def test_a_pair_and_two_texts(bundled):
    pair = input_terms.pieces((ROME, "Rome is old."), bundled, pair=True)
    result = input_terms.terms(pair, bundled, piece="rome")
    table = comparison.arranged(pair, bundled, result=result).set_index("arrangement")
    assert MOVED not in table.index and ONE_SEGMENT in table.index
    right = direct(bundled, pair, np.arange(len(pair)), np.zeros(len(pair), np.int64))
    assert table.loc[ONE_SEGMENT, "probability"] == pytest.approx(right.max(), abs=1e-5)
    # If two texts are read alone, the mask is in the text that has the last occurrence of the token.
    alone = input_terms.pieces(("Rome is old.", ROME), bundled)
    table = comparison.arranged(alone, bundled, result=input_terms.terms(alone, bundled, piece="rome"))
    assert table["probability"].iloc[0] == pytest.approx(fill_mask(ROME, bundled, k=1)["probability"].iloc[0], abs=1e-5)


def test_a_model_without_segments_and_a_text_without_a_mask(tiny_distil):
    frame = input_terms.pieces(("Rome is [MASK].",), tiny_distil)
    table = comparison.arranged(frame, tiny_distil, result=input_terms.terms(frame, tiny_distil, piece="rome"))
    assert table["arrangement"].tolist() == [WRITTEN, REVERSED, HEAP]
    frame = input_terms.pieces(("Rome is.",), tiny_distil)
    with pytest.raises(ValueError, match=r"Write ___ or \[MASK\]"):
        comparison.arranged(frame, tiny_distil, result=input_terms.terms(frame, tiny_distil, piece="rome"))


@pytest.mark.parametrize("name", ["bundled", "tiny_distil"])
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
    for count in (2, 65, 20.0):
        with pytest.raises(ValueError, match="Choose 3 to 64"):
            position_vectors.positions(count, tiny)


def test_the_headline_about_positions(bundled, tiny):
    assert position_vectors.positions(64, bundled).headline.startswith(
        "Neighbouring positions have similar embeddings: their mean cosine is 0.8"
    )
    text = position_vectors.positions(64, tiny).headline  # random numbers have no order
    assert text.startswith("Neighbouring positions are no more similar than others: their mean cosine is")
