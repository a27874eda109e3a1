"""The vocabulary, and what the embedding matrix gives as input and as output, against a simple implementation and the network."""

import fnmatch
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from embtools import fill_mask, wordlists
from embtools.charts import inputs as charts
from embtools.inputs import lookup, vocabulary
from embtools.inputs import output_matrix as module
from embtools.inputs.output_matrix import LISTS, matrix_scores, second_matrix
from embtools.mask_filling import edited_model
from embtools.statistics.ranks import ordinal


@pytest.fixture(scope="module")
def frame(bundled):
    return vocabulary.entries(bundled)


def test_the_window_of_the_article(frame):
    """“Understanding BERT” lists the entries 5000 to 5019."""
    listed = (
        "knight lap survey ma ##ow noise billy ##ium shooting guide bedroom priest resistance motor homes sounded giant"
        " ##mer 150 scenes"
    )
    assert vocabulary.window(frame, 5000)["token"].tolist() == listed.split()
    assert len(vocabulary.window(frame, len(frame) - 3)) == 3


def test_kinds_and_lengths(frame, bundled):
    assert set(frame[frame["kind"] == "special"]["token"]) == bundled.special
    assert frame[frame["kind"] == "continuation"]["token"].str.startswith("##").all()
    assert (frame["kind"] == "unused").sum() == 994  # as in BERT's vocabulary
    np.testing.assert_allclose(frame["length"], 1 / bundled.inverse_norms, rtol=1e-6)
    table = vocabulary.by_kind(frame).set_index("kind")
    assert table["entries"].sum() == len(frame) and table["share"].sum() == pytest.approx(1)
    numbers = frame[frame["kind"] == "number"]
    assert table.loc["number", "mean_length"] == pytest.approx(numbers["length"].mean())


@given(st.text("abgin#*?", max_size=6))
def test_search_agrees_with_fnmatch(frame, pattern):
    small = frame.iloc[::40].reset_index(drop=True)
    wanted = pattern.strip()
    wanted = wanted if set(wanted) & set("*?") else f"*{wanted}*"
    right = [token for token in small["token"] if fnmatch.fnmatchcase(token.lower(), wanted)]
    assert vocabulary.search(small, pattern=pattern)["token"].tolist() == right


def test_brackets_are_literal_and_case_is_ignored(frame):
    assert vocabulary.search(frame, pattern="[MASK]")["token"].tolist() == ["[MASK]"]
    assert vocabulary.search(frame, pattern="ROCK", kinds=("continuation",))["token"].tolist() == ["##rock"]
    assert len(vocabulary.search(frame, pattern="", kinds=("unused", "special"))) == 999
    assert len(vocabulary.search(frame, pattern="*a" * 20)) == 0  # it must also return quickly


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: vocabulary.search(f, pattern="a" * 51), "at most 50"),
        (lambda f: vocabulary.search(f, pattern="", kinds=("verb",)), "no kind 'verb'"),
        (lambda f: vocabulary.window(f, len(f)), "ids 0 to"),
        (lambda f: vocabulary.window(f, 0, count=501), "choose 1 to 500"),
    ],
)
def test_bad_input_says_what_to_do(frame, call, message):
    with pytest.raises(ValueError, match=message):
        call(frame)


def test_lengths_are_counted_once(frame):
    found = vocabulary.search(frame, pattern="*ing")
    bins = vocabulary.lengths(frame, found)
    assert bins["all"].sum() == len(frame) and bins["found"].sum() == len(found)
    assert vocabulary.lengths(frame, found.iloc[:0])["found"].sum() == 0


def test_a_listing_has_what_search_and_window_give(bundled, frame):
    listing = vocabulary.list_entries(" *ing ", bundled, kinds=("word",), count=7)
    found = vocabulary.search(frame, pattern="*ing", kinds=("word",))
    pd.testing.assert_frame_equal(listing.found, found)
    pd.testing.assert_frame_equal(listing.shown, found.head(7))
    pd.testing.assert_frame_equal(listing.by_kind, vocabulary.by_kind(frame))
    assert listing.headline == f"{len(found):,} of the 30,522 tokens match “*ing” and are of the kind “word”."
    window = vocabulary.list_entries("", bundled, start=30_521)
    pd.testing.assert_frame_equal(window.found, vocabulary.window(frame, 30_521))
    assert window.headline == "1 of the 30,522 tokens has id 30,521." and not window.searched
    none = vocabulary.list_entries("q*q", bundled)
    assert none.headline == "None of the 30,522 tokens match “q*q”."
    one = vocabulary.list_entries("[MASK]", bundled)
    assert one.headline == "1 of the 30,522 tokens contains “[MASK]”."
    special = vocabulary.list_entries("", bundled, kinds=("special",))
    assert special.headline == f"{len(bundled.special)} of the 30,522 tokens are of the kind “special”."


SUN = "The [MASK] is bright today."


def test_one_hot_times_matrix_is_the_row(bundled):
    found = lookup.look_up("sun", bundled)
    weight = bundled.base.embeddings.word_embeddings.weight.detach().clone()
    hot = torch.nn.functional.one_hot(torch.tensor(found.id), len(weight)).float()
    np.testing.assert_allclose(found.row, hot @ weight, atol=1e-7)
    assert found.largest < 1e-6 and found.id == bundled.ids["sun"]
    table = found.neighbours
    assert table["one_hot"].tolist() == [0, 0, 1, 0, 0] and table["token"].iloc[2] == "sun"
    np.testing.assert_array_equal(table.filter(like="dim"), weight.numpy()[table["id"], :6])
    first = lookup.look_up("[PAD]", bundled)
    assert first.neighbours["id"].tolist() == [0, 1, 2]


@pytest.mark.parametrize("name", ["tiny_distil", "bundled"])
def test_the_output_is_that_of_the_masked_word_head(name, request):
    model = request.getfixturevalue(name)
    text, word = ("Rome is the [MASK].", "king")
    back = lookup.output(text, model, word=word)
    frame = fill_mask(text, model, k=len(model.vocabulary) if name != "bundled" else 100)
    with torch.no_grad():
        output = model._network(input_ids=torch.tensor(model.tokenize(text)["id"].to_numpy())[None])
    logits = (output.prediction_logits if "prediction_logits" in output else output.logits)[0, 4].double()
    row = model.ids[word]
    assert back.logit == pytest.approx(float(logits[row]), abs=1e-3)
    assert back.log_total == pytest.approx(float(logits.logsumexp(0)), abs=1e-3)
    assert back.probability == pytest.approx(float(logits.softmax(0)[row]), rel=1e-3)
    assert back.rank == 1 + int((logits > logits[row]).sum())
    dot = float(np.dot(back.state.astype(float), back.row))
    assert back.dot == pytest.approx(dot) == pytest.approx(back.products.sum())
    assert back.dot + back.bias == back.logit
    answers = back.answers.set_index("token")
    assert answers["probability"].iloc[:3].tolist() == pytest.approx(frame["probability"].iloc[:3].tolist(), rel=1e-3)
    assert word in answers.index and answers.loc[word, "rank"] == back.rank
    np.testing.assert_allclose(answers["dot_product"] + answers["bias"], answers["logit"], atol=1e-4)


def test_impossible_arguments_are_refused(bundled, monkeypatch):
    for text, word, message in (("no mask", "sun", r"Write ___ or \[MASK\]"), (SUN, "sunn", "Did you mean")):
        with pytest.raises(ValueError, match=message):
            lookup.output(text, bundled, word=word)
    edit = ["sun = sun + moon"]
    with pytest.raises(ValueError, match="The edit of 'sun' does not change the output. Choose the scope 'tied'"):
        lookup.output(SUN, edited_model(edit, bundled), word="sun")
    tied = edited_model(edit, bundled, scope="tied")
    shares = fill_mask(SUN, tied, k=50).set_index("token")["probability"]
    assert lookup.output(SUN, tied, word="sun").probability == pytest.approx(shares["sun"], rel=1e-3)
    monkeypatch.setattr(bundled, "tied", False)
    with pytest.raises(ValueError, match="different matrices for input and output"):
        lookup.output(SUN, bundled, word="sun")


def test_a_round_trip_is_both_steps(bundled):
    trip = lookup.round_trip(SUN, bundled, word=" sun")
    back = lookup.output(SUN, bundled, word="sun")
    assert trip.size == bundled.matrix.shape and trip.input.id == bundled.ids["sun"] and trip.word == "sun"
    pd.testing.assert_frame_equal(trip.output.answers, back.answers)
    assert trip.headline == (
        "In the input, “sun” is row 3,103 of 30,522. In the output, the same row gives it a probability of"
        f" {lookup.percentage(back.probability)}; it ranks {ordinal(back.rank)}."
    )
    np.testing.assert_allclose(trip.products["state"] * trip.products["row"], trip.products["product"], rtol=1e-5)


@pytest.mark.parametrize(
    ("probability", "text"),
    [(0.1264, "12.6%"), (0.0001, "0.01%"), (3e-7, "under 0.01%")],
)
def test_a_small_probability_is_not_called_zero(bundled, probability, text):
    trip = lookup.round_trip(SUN, bundled, word="sun")
    table = trip.output.answers.assign(probability=probability)
    trip = replace(trip, output=replace(trip.output, probability=probability, answers=table))
    assert f"a probability of {text}; it ranks" in trip.headline
    bars = charts.answers(trip)
    assert set(bars.figure.data[0].text) == {text} and bars.alt.endswith(f" {text}.")


def test_a_words_own_row_is_multiplied_with_every_row(bundled):
    found = second_matrix("sun", bundled, k=5)
    own = bundled.matrix[bundled.ids["sun"]].astype(float)
    products = np.array([own @ row for row in bundled.matrix.astype(float)])
    assert found.rank == 1 + int((products > products[bundled.ids["sun"]]).sum()) and found.word == "sun"
    right = [i for i in np.argsort(-products) if bundled.whole_words[i]][:5]
    assert found.words["token"].tolist() == [bundled.vocabulary[i] for i in right]
    np.testing.assert_allclose(found.words["product"], products[right], rtol=1e-5)
    assert found.headline.startswith(
        "If all 30,522 tokens are ranked by the product of their rows with the row of “sun”"
    )
    assert found.headline.endswith("ranks 1st. Of the other words, “sunlight”, “sunshine” and “suns” rank highest.")


def test_the_shares_are_those_of_single_comparisons(bundled):
    scores = matrix_scores(bundled)
    matrix = bundled.matrix.astype(np.float64)
    ids = np.flatnonzero(bundled.whole_words)
    drawn = np.random.default_rng(0).choice(ids, module.SAMPLE, replace=False)
    own = [int((matrix @ matrix[i]).argmax()) == i for i in drawn[:60]]
    assert scores.sampled == module.SAMPLE
    assert abs(np.mean(own) - scores.own_first) < 0.1  # of the first 60 of the same words
    assert scores.pairs[0] > 1_000 and scores.pairs[1] > 1_000


def test_lists_are_compared_with_words_of_other_lists(bundled):
    """Against every pair of two lists, not only those that are drawn."""
    words = [wordlists.load(name).iloc[:, 0].astype(str) for name in LISTS]
    groups = [[bundled.ids[word] for word in own if word in bundled.ids] for own in words]
    owner = np.concatenate([np.full(len(ids), number) for number, ids in enumerate(groups)])
    rows = bundled.matrix[np.concatenate(groups)]
    products = rows @ rows.T
    one, other = np.triu_indices(len(owner), 1)
    same = owner[one] == owner[other]
    values = products[one, other]
    share = mannwhitneyu(values[same], values[~same]).statistic / same.sum() / (~same).sum()
    assert matrix_scores(bundled).lists == pytest.approx(share, abs=0.06)


def test_neighbours_are_next_to_each_other_in_the_text(bundled):
    pairs = module._neighbours(bundled)
    words = [(bundled.vocabulary[a], bundled.vocabulary[b]) for a, b in pairs[:200]]
    text = "\n".join(module.built_in_corpus().sentences).lower()
    assert all(len(a) >= 4 and len(b) >= 4 and f"{a} {b}" in text for a, b in words if "'" not in a + b)


def test_the_sentence_states_the_shares(bundled):
    found = second_matrix("dog", bundled)
    scores = found.scores
    for share in (scores.own_first, scores.neighbours, scores.lists):
        assert f"{share:.0%}" in found.measured


def test_impossible_words_and_models_are_refused(bundled, tiny):
    with pytest.raises(ValueError, match="Did you mean"):
        second_matrix("sunn", bundled)
    with pytest.raises(ValueError, match="words were asked for"):
        second_matrix("sun", bundled, k=0)
    with pytest.raises(ValueError, match="too few words"):
        second_matrix("king", tiny)
