"""The model wrapper against transformers itself."""

import re
import shutil

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, BertForPreTraining, DistilBertForMaskedLM

import embtools
from embtools.models.unknown_words import UnknownWord

SENTENCES = ("Rome is the capital of [MASK].", "The river bank.", "he works as a king, she works.", "unable")


# What a model is


def test_figures_of_the_tiny_model(tiny, network):
    assert (tiny.layers, tiny.dimensions, tiny.heads, tiny.max_tokens) == (2, 16, 2, 64)
    assert tiny.parameters == sum(p.numel() for p in network.parameters())
    assert tiny.has_segments and tiny.has_next_sentence and tiny.tied
    np.testing.assert_array_equal(tiny.matrix, network.bert.embeddings.word_embeddings.weight.detach())
    lengths = np.linalg.norm(tiny.matrix.astype(float), axis=1)
    assert lengths[0] == 0 and tiny.inverse_norms[0] == 1  # [PAD] is a row of zeros
    np.testing.assert_allclose(tiny.inverse_norms[1:] * lengths[1:], 1, rtol=1e-6)


def test_distilbert_has_no_segments_and_no_next_sentence(tiny_distil, tiny_distil_folder):
    assert not tiny_distil.has_segments and not tiny_distil.has_next_sentence
    assert set(tiny_distil.tokenize("The king.", "The queen.")["segment"]) <= {0, 1}
    other = DistilBertForMaskedLM.from_pretrained(tiny_distil_folder).eval()
    encoding = AutoTokenizer.from_pretrained(tiny_distil_folder)("The king.", return_tensors="pt")
    encoding.pop("token_type_ids", None)
    with torch.no_grad():
        expected = other(**encoding, output_hidden_states=True)
    states = tiny_distil.hidden_states("The king.")
    np.testing.assert_allclose(states, torch.stack(expected.hidden_states)[:, 0], atol=1e-5)
    np.testing.assert_allclose(tiny_distil.logits(tiny_distil.transform(states[-1])), expected.logits[0], atol=1e-4)


def test_special_and_unused_entries_are_no_words(tiny):
    for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "[unused1]"):
        assert not tiny.rankable[tiny.ids[name]] and not tiny.whole_words[tiny.ids[name]]
    assert tiny.rankable[tiny.ids["##ing"]] and not tiny.whole_words[tiny.ids["##ing"]]
    assert tiny.rankable[tiny.ids[","]] and not tiny.whole_words[tiny.ids[","]]
    assert tiny.whole_words[tiny.ids["rome"]]


# Tokens


@pytest.mark.parametrize("text", SENTENCES)
def test_tokens_are_those_of_the_tokenizer(tiny, tokenizer, text):
    frame = tiny.tokenize(text)
    encoding = tokenizer(text)
    assert list(frame["id"]) == encoding["input_ids"]
    assert list(frame["token"]) == tokenizer.convert_ids_to_tokens(encoding["input_ids"])
    assert list(frame["word"]) == [-1 if w is None else w for w in encoding.word_ids()]
    assert list(frame["position"]) == list(range(len(frame)))


def test_a_pair_has_two_segments(tiny):
    frame = tiny.tokenize("The king.", "The queen.")
    assert list(frame["segment"]) == [0] * 5 + [1] * 4
    assert list(frame["token"]) == "[CLS] the king . [SEP] the queen . [SEP]".split()


def test_words_of_one_token(tiny):
    assert tiny.token_id("Rome ") == tiny.token_id("rome") == tiny.ids["rome"]
    assert tiny.token_id("##ing") == tiny.ids["##ing"] and tiny.pieces("[MASK]") == ("[MASK]",)
    assert tiny.pieces("unable") == ("un", "##able")
    np.testing.assert_array_equal(tiny.vector("rome"), tiny.matrix[tiny.ids["rome"]])


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("unable", "'unable' is not a single token (un ##able)."),
        ("king.", "'king.' is not a single token (king .). Did you mean king?"),
        ("kking", "'kking' is not in the vocabulary. Did you mean king?"),
        ("[UNK]", "is not in the vocabulary"),
        ("\u200b", "is not in the vocabulary"),
        ("the " * 50, "the the the …"),
        ("", "The text is empty. Write a sentence."),
    ],
)
def test_words_that_are_not_one_token(tiny, word, sentence):
    with pytest.raises(ValueError) as error:
        tiny.token_id(word)
    assert sentence in str(error.value)
    assert len(str(error.value)) < 200


def test_the_error_for_an_unknown_word_says_what_may_have_been_meant_or_what_the_model_reads(bundled):
    for word, near, message in (
        ("frankreich", (), r"\(frank ##re ##ich\)\. This model reads English\. Use"),
        ("Lodnon", ("london",), r"Did you mean london\?"),
    ):
        with pytest.raises(UnknownWord, match=message) as error:
            bundled.token_id(word)
        assert (error.value.word, error.value.near) == (word, near)


# Forward passes


@pytest.mark.parametrize("text", SENTENCES)
def test_hidden_states_are_those_of_transformers(tiny, network, tokenizer, text):
    with torch.no_grad():
        expected = network(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states
    states = tiny.hidden_states(text)
    assert states.shape == (3, len(tiny.tokenize(text)), 16)
    np.testing.assert_allclose(states, torch.stack(expected)[:, 0], atol=1e-5)


def test_segments_can_be_overridden(tiny, network, tokenizer):
    encoding = tokenizer("The river bank.", return_tensors="pt")
    encoding["token_type_ids"] = torch.ones_like(encoding["token_type_ids"])
    with torch.no_grad():
        expected = network(**encoding, output_hidden_states=True).hidden_states
    np.testing.assert_allclose(tiny.hidden_states("The river bank.", segment=1), torch.stack(expected)[:, 0], atol=1e-5)


def test_batches_of_different_lengths_give_what_each_text_gives_alone(tiny):
    texts = [*SENTENCES, "The " * 40, "king", "The " * 40 + "king"] * 8
    found = dict(tiny.hidden_states_many(texts))
    assert sorted(found) == list(range(len(texts)))
    for i, text in enumerate(texts):
        np.testing.assert_allclose(found[i], tiny.hidden_states(text), atol=1e-5)


def test_rows_of_ids_and_of_embeddings_share_a_batch(tiny):
    ids = [tiny.tokenize(text)["id"].to_numpy() for text in (*SENTENCES, "The " * 40) * 20]
    rows = [tiny.matrix[row] if i % 2 else row for i, row in enumerate(ids)]
    found, sizes = {}, []
    for numbers, states in tiny.encode_many(rows):
        assert states.shape[1:3] == (len(numbers), max(len(ids[n]) for n in numbers))
        sizes.append(states.shape[1] * states.shape[2])
        found |= {n: states[:, line, : len(ids[n])] for line, n in enumerate(numbers)}
    assert len(sizes) > 1 and max(sizes) <= tiny.BATCH_PIECES
    assert sorted(found) == list(range(len(rows)))
    for n, row in enumerate(ids):
        alone = tiny.encode(tiny.matrix[row][None])[:, 0]
        np.testing.assert_allclose(found[n], alone, atol=1e-5)


def test_rows_of_a_batch_have_segments_of_their_own(tiny):
    frames = [
        tiny.tokenize(*pair) for pair in (("the king", "a queen of rome"), ("rome", "paris"), ("he", "she works"))
    ]
    rows, segments = ([frame[column].to_numpy() for frame in frames] for column in ("id", "segment"))
    ((numbers, states),) = tiny.encode_many(rows, segments)
    for line, number in enumerate(numbers):
        alone = tiny.encode(tiny.matrix[rows[number]][None], segments[number])[:, 0]
        np.testing.assert_allclose(states[:, line, : len(rows[number])], alone, atol=1e-5)
        without = tiny.encode(tiny.matrix[rows[number]][None])[:, 0]
        assert np.abs(alone - without).max() > 1e-3


def test_the_head_gives_the_logits_of_transformers(tiny, network, tokenizer):
    with torch.no_grad():
        output = network(**tokenizer(SENTENCES[0], return_tensors="pt"))
    scores = tiny.logits(tiny.transform(tiny.hidden_states(SENTENCES[0])[-1]))
    np.testing.assert_allclose(scores, output.prediction_logits[0], atol=1e-4)


# What all visitors share


def test_nothing_of_the_shared_model_can_be_written_to(tiny, tiny_distil, bundled):
    for model in (tiny, tiny_distil, bundled):
        assert not model._network.training
        arrays = {name: value for name, value in vars(model).items() if isinstance(value, np.ndarray)}
        assert {"matrix", "inverse_norms", "rankable", "whole_words", "_output"} <= set(arrays)
        assert not [name for name, array in arrays.items() if array.flags.writeable]
        with pytest.raises(ValueError, match="read-only"):
            model.vector("rome")[0] = 0
        with pytest.raises(TypeError):
            model.ids["rome"] = 0


def test_the_checksum_is_that_of_weights_and_vocabulary(tiny, tiny_folder, tmp_path):
    same = embtools.load_model(str(tiny_folder))
    assert tiny.checksum == same.checksum and re.fullmatch("[0-9a-f]{64}", same.checksum)
    network = BertForPreTraining.from_pretrained(tiny_folder)
    with torch.no_grad():
        network.cls.predictions.bias[3] += 1e-6
    shutil.copytree(tiny_folder, tmp_path / "other")
    network.save_pretrained(tmp_path / "other")
    assert embtools.load_model(str(tmp_path / "other")).checksum != tiny.checksum


def test_a_view_of_a_model_has_other_embeddings_and_does_not_run(tiny):
    view = tiny.with_static_embeddings(tiny.matrix * 2, "doubled")
    np.testing.assert_allclose(view.vector(tiny.vocabulary[10]), 2 * tiny.vector(tiny.vocabulary[10]))
    assert view.checksum != tiny.checksum != tiny.with_static_embeddings(tiny.matrix, "other").checksum
    with pytest.raises(ValueError, match="Load it again to run it"):
        view.hidden_states("a")
    with pytest.raises(ValueError, match="It must have that of this model"):
        tiny.with_static_embeddings(tiny.matrix[:3], "cut")
