"""Does the second sentence follow the first: against the Hugging Face network."""

import pytest
import torch
from transformers import AutoTokenizer, BertForPreTraining

import embtools
from embtools import next_sentence
from embtools.models.sentence_order import next_sentences

PAIRS = [("The king.", "The river bank."), ("Rome is red.", "She works as a king."), ("unable", "The " * 30)]


@pytest.mark.parametrize("pair", PAIRS)
def test_the_probability_is_that_of_the_network(pair, tiny, tiny_folder):
    network = BertForPreTraining.from_pretrained(tiny_folder).eval()
    with torch.no_grad():
        output = network(**AutoTokenizer.from_pretrained(tiny_folder)(*pair, return_tensors="pt"))
    expected = float(output.seq_relationship_logits.softmax(-1)[0, 0])
    assert next_sentence(*pair, tiny) == pytest.approx(expected, abs=1e-6)
    assert isinstance(next_sentence(*pair, tiny), float)


def test_the_bundled_model_has_learnt_it(bundled):
    real = next_sentence("I went to the store.", "They were closed.", bundled)
    random = next_sentence("I went to the store.", "Photosynthesis turns light into sugar.", bundled)
    assert real > random


def test_the_order_of_the_sentences_matters(tiny):
    assert next_sentence("The king.", "She works.", tiny) != next_sentence("She works.", "The king.", tiny)


def test_a_model_without_the_head_says_so(tiny_distil):
    with pytest.raises(ValueError, match=r"no next-sentence head\. Choose Pocket BERT or BERT base"):
        next_sentence("The king.", "The queen.", tiny_distil)


@pytest.mark.parametrize(
    ("pair", "said"), [(("", "a"), "empty"), (("a", " "), "empty"), (("a " * 70, "a"), "reads 64")]
)
def test_texts_that_cannot_be_read(pair, said, tiny):
    with pytest.raises(ValueError, match=said):
        next_sentence(*pair, tiny)


def test_it_is_a_public_name():
    assert embtools.next_sentence is next_sentence and "next_sentence" in embtools.__all__


def test_many_pairs_are_what_single_ones_are(tiny):
    reported: list[float] = []
    found = next_sentences(PAIRS * 3, tiny, progress=reported.append)
    assert found.tolist() == pytest.approx([next_sentence(*pair, tiny) for pair in PAIRS * 3], abs=1e-6)
    assert reported[-1] == 1
    assert next_sentences([], tiny).shape == (0,)
