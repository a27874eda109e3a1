"""Random pairs of the same length, compared with scipy."""

import numpy as np
import pytest
from scipy.spatial.distance import cosine as scipy_cosine

from embtools import wordlists
from embtools.layer_combinations import SENTENCE_POOLINGS
from embtools.pairs import random_pairs

CELL = "second-to-last layer", "sentence: mean"


@pytest.fixture(scope="module")
def pairs_of_15(bundled):
    return random_pairs.random_pairs(bundled)


def test_every_pair_of_texts_is_compared(pairs_of_15, bundled):
    firsts, seconds = random_pairs.references((15, 15), bundled)
    topics = wordlists.load("corpus")["topic"].nunique()
    assert len(firsts) == len(seconds) == topics * random_pairs.PER_TOPIC
    assert pairs_of_15.same.shape == (bundled.layers + 5, len(SENTENCE_POOLINGS), topics * random_pairs.PER_TOPIC**2)
    assert pairs_of_15.others.shape[-1] + pairs_of_15.same.shape[-1] == len(firsts) * len(seconds)
    first, second = (bundled.hidden_states(side[0].text)[-2].astype(float).mean(0) for side in (firsts, seconds))
    cell = pairs_of_15.combinations.index(CELL[0]), SENTENCE_POOLINGS.index(CELL[1])
    assert firsts[0].topic == seconds[0].topic
    assert pairs_of_15.same[cell][0] == pytest.approx(1 - scipy_cosine(first, second), abs=1e-5)


@pytest.mark.parametrize("lengths", [(1, 1), (4, 6), (15, 15), (7, 62), (62, 62), (178, 178), (4, 510)])
def test_reference_texts_have_the_length_and_share_no_sentence(lengths, bundled):
    pool = wordlists.load("corpus")
    firsts, seconds = random_pairs.references(lengths, bundled)
    for texts, length in ((firsts, lengths[0]), (seconds, lengths[1])):
        counts = [len(bundled.pieces(one.text)) for one in texts]
        assert all(count <= max(length, 2) for count in counts)
        assert np.mean(counts) >= (length - 1.5 if length < 400 else 0.97 * length)
        assert length < 10 or all(count >= length / random_pairs.STEP**0.5 - 2 for count in counts)
        for one in texts:
            assert set(pool.loc[list(one.sentences), "topic"]) == {one.topic}
            assert any(text.startswith(one.text[: min(len(one.text), 20)].rstrip(".")) for text in pool["sentence"])
        used = [number for one in texts for number in one.sentences]
        assert len(used) == len(set(used))
    if sum(lengths) < 400:
        assert not {n for one in firsts for n in one.sentences} & {n for one in seconds for n in one.sentences}


def test_texts_of_the_longest_length_are_not_compared_with_shorter_ones(bundled):
    """Six of the seventeen topics have too few sentences for 510 tokens; they would be 20% shorter."""
    firsts, seconds = random_pairs.references((510, 510), bundled)
    pool = wordlists.load("corpus")
    total = {topic: sum(map(len, map(bundled.pieces, rows["sentence"]))) for topic, rows in pool.groupby("topic")}
    enough = {topic for topic, count in total.items() if np.log(510 / count) <= np.log(1.2) / 2}
    assert {one.topic for one in firsts} == {one.topic for one in seconds} == enough and 2 < len(enough) < len(total)


def test_lengths_that_no_text_has_are_refused(bundled, monkeypatch):
    monkeypatch.setattr(bundled, "max_tokens", 8_192)
    with pytest.raises(ValueError, match="no random texts of 8,000 tokens"):
        random_pairs.references((8_000, 8_000), bundled)


def test_lengths_are_rounded_to_steps_and_sorted(bundled):
    long = "The king sent a letter to every city in the country asking for ships. " * 4
    count = len(bundled.pieces(long))
    short, rounded = random_pairs.lengths(long, "They were closed.", bundled)
    assert short == 4 and count / random_pairs.STEP < rounded < count * random_pairs.STEP
    assert random_pairs.lengths("They were closed.", long, bundled) == (short, rounded)
