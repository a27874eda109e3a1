"""The model wrapper against transformers itself; everything that can be wrong with a model; threads."""

import json
import random
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, BertForMaskedLM, BertForPreTraining, BertModel, DistilBertForMaskedLM

from embtools import load_model
from embtools.models import loading

SENTENCES = ("Rome is the capital of [MASK].", "The river bank.", "he works as a king, she works.", "unable")


@pytest.fixture(scope="module")
def network(tiny_folder):
    return BertForPreTraining.from_pretrained(tiny_folder).eval()


@pytest.fixture(scope="module")
def tokenizer(tiny_folder):
    return AutoTokenizer.from_pretrained(tiny_folder)


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
    with pytest.raises(ValueError, match=r"no next-sentence head\. Choose Pocket BERT or BERT base"):
        tiny_distil.next_sentence_probability("The king.", "The queen.")
    assert set(tiny_distil.tokenize("The king.", "The queen.")["segment"]) <= {0, 1}
    other = DistilBertForMaskedLM.from_pretrained(tiny_distil_folder).eval()
    encoding = AutoTokenizer.from_pretrained(tiny_distil_folder)("The king.", return_tensors="pt")
    encoding.pop("token_type_ids", None)
    with torch.no_grad():
        expected = other(**encoding, output_hidden_states=True)
    states = tiny_distil.hidden_states("The king.")
    np.testing.assert_allclose(states, torch.stack(expected.hidden_states)[:, 0], atol=1e-5)
    np.testing.assert_allclose(tiny_distil.scores(tiny_distil.head(states[-1])), expected.logits[0], atol=1e-4)


def test_special_and_unused_entries_are_no_words(tiny):
    for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "[unused1]"):
        assert not tiny.rankable[tiny.ids[name]] and not tiny.whole_words[tiny.ids[name]]
    assert tiny.rankable[tiny.ids["##ing"]] and not tiny.whole_words[tiny.ids["##ing"]]
    assert tiny.rankable[tiny.ids[","]] and not tiny.whole_words[tiny.ids[","]]
    assert tiny.whole_words[tiny.ids["rome"]]


def test_the_bundled_model_is_what_the_app_promises(bundled):
    assert len(bundled.vocabulary) == len(bundled.matrix) == 30_522
    assert bundled.has_next_sentence and bundled.has_segments and bundled.tied and bundled.max_tokens == 512
    folder = loading.Path(loading.__file__).parent.parent / "bundled"
    assert (folder / "model.safetensors").stat().st_size <= 48 * 2**20
    assert AutoTokenizer.from_pretrained(folder)("Rome " * 600, verbose=False)["input_ids"][0] == 101
    assert len(AutoTokenizer.from_pretrained(folder)("Rome " * 600, verbose=False)["input_ids"]) == 602


# Pieces


@pytest.mark.parametrize("text", SENTENCES)
def test_pieces_are_those_of_the_tokenizer(tiny, tokenizer, text):
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


def test_one_piece_words(tiny):
    assert tiny.token_id("Rome ") == tiny.token_id("rome") == tiny.ids["rome"]
    assert tiny.token_id("##ing") == tiny.ids["##ing"] and tiny.pieces("[MASK]") == ("[MASK]",)
    assert tiny.pieces("unable") == ("un", "##able")
    np.testing.assert_array_equal(tiny.vector("rome"), tiny.matrix[tiny.ids["rome"]])


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("unable", "'unable' is not one word piece: un ##able."),
        ("kking", "'kking' is not in the vocabulary. Did you mean king?"),
        ("zzz", "'zzz' is not in the vocabulary. Use a more common word."),
        ("[UNK]", "is not in the vocabulary"),
        ("\u200b", "is not in the vocabulary"),
        ("the king", "'the king' is not one word piece: the king."),
        ("the " * 50, "the the the …"),
        ("", "The text is empty. Write a sentence."),
    ],
)
def test_words_that_are_not_one_piece(tiny, word, sentence):
    with pytest.raises(ValueError) as error:
        tiny.token_id(word)
    assert sentence in str(error.value)
    assert len(str(error.value)) < 200


def test_a_misspelt_word_is_mended(bundled):
    for wrong, right in (("lodnon", "london"), ("germny", "germany"), ("qeen", "queen")):
        with pytest.raises(ValueError, match=rf"Did you mean {right}\?"):
            bundled.token_id(wrong)


def test_texts_that_cannot_be_read(tiny, bundled):
    for text in ("", "  \n"):
        with pytest.raises(ValueError, match=r"The text is empty\. Write a sentence\."):
            tiny.tokenize(text)
    with pytest.raises(ValueError, match="empty"):
        tiny.tokenize("The king.", "")
    with pytest.raises(ValueError, match=r"10,000 characters; at most 5,000 are read\. Shorten it"):
        tiny.tokenize("x" * 10_000)
    assert len(bundled.tokenize("a " * 510)) == 512
    with pytest.raises(ValueError, match=r"513 pieces with \[CLS\] and \[SEP\]; this model reads 512\. Shorten it"):
        bundled.tokenize("a " * 511)


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


def test_the_head_gives_the_scores_of_transformers(tiny, network, tokenizer):
    with torch.no_grad():
        output = network(**tokenizer(SENTENCES[0], return_tensors="pt"))
    scores = tiny.scores(tiny.head(tiny.hidden_states(SENTENCES[0])[-1]))
    np.testing.assert_allclose(scores, output.prediction_logits[0], atol=1e-4)


def test_next_sentence_is_that_of_transformers(tiny, network, tokenizer):
    with torch.no_grad():
        output = network(**tokenizer("The king.", "The river bank.", return_tensors="pt"))
    expected = output.seq_relationship_logits.softmax(-1)[0, 0]
    assert tiny.next_sentence_probability("The king.", "The river bank.") == pytest.approx(float(expected), abs=1e-6)


def test_arrays_of_the_model_cannot_be_written_to(tiny):
    for array in (tiny.matrix, tiny.bias, tiny.inverse_norms, tiny.vector("rome")):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_the_model_is_in_evaluation_mode(tiny, bundled):
    assert not tiny._network.training and not bundled._network.training


# Threads


def test_the_tokenizer_serves_many_threads(tiny):
    texts = ["The " * n + "king" for n in range(1, 41)]
    alone = [list(tiny.tokenize(text)["id"]) for text in texts]
    order = [i for i in range(len(texts)) for _ in range(10)]
    random.Random(0).shuffle(order)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(16) as pool:
            found = list(pool.map(lambda i: list(tiny.tokenize(texts[i])["id"]), order))
    finally:
        sys.setswitchinterval(interval)
    assert all(ids == alone[i] for i, ids in zip(order, found, strict=True))


# Models that cannot be loaded


@pytest.fixture
def folder(tiny_folder, tmp_path):
    """A copy of the tiny model to be broken."""
    return shutil.copytree(tiny_folder, tmp_path / "model")


def change_config(folder, **values):
    path = folder / "config.json"
    config = json.loads(path.read_text()) | values
    path.write_text(json.dumps({key: value for key, value in config.items() if value is not None}))


def cut_weights(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:5000])


def only_pickle(folder):
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")


def without_head(folder):
    network = BertModel.from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    network.save_pretrained(folder)


def one_piece_more(folder):
    path = folder / "tokenizer.json"
    saved = json.loads(path.read_text())
    more = {**saved["added_tokens"][0], "id": 10**6, "content": "zebraword", "special": False}
    path.write_text(json.dumps({**saved, "added_tokens": [*saved["added_tokens"], more]}))


def without_mask(folder):
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "mask_token": None}))


BREAKS = {
    "a piece without a vector": (one_piece_more, r"does not belong to its weights"),
    "no mask": (without_mask, r"or has no \[MASK\]"),
    "four positions": (lambda f: change_config(f, max_position_embeddings=4), r"is damaged"),
    "cut weights": (cut_weights, r"A file of .* is damaged\. Delete its folder in the cache and load it again"),
    "no weights": (
        lambda f: (f / "model.safetensors").write_bytes(b"not weights at all"),
        r"A file of .* is damaged",
    ),
    "config is no JSON": (lambda f: (f / "config.json").write_text("{"), "is damaged"),
    "config is no text": (lambda f: (f / "config.json").write_bytes(b"\xff\xfe\x00"), "is damaged"),
    "tokenizer is no JSON": (lambda f: (f / "tokenizer.json").write_text("{"), "is damaged"),
    "other size": (lambda f: change_config(f, hidden_size=32), "is damaged"),
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), r"lacks the vocabulary of its tokenizer"),
    "no config": (lambda f: (f / "config.json").unlink(), r"is no BERT that can be explored here"),
    "unknown kind": (lambda f: change_config(f, model_type="martian"), r"is no BERT that can be explored here"),
    "no kind": (lambda f: change_config(f, model_type=None, architectures=None), r"is no BERT"),
    "gpt2": (lambda f: change_config(f, model_type="gpt2"), r"is a 'gpt2' model\. Only BERT and DistilBERT"),
    "too few layers": (lambda f: change_config(f, num_hidden_layers=3), r"lacks weights .*layer\.2"),
    "only pickle": (only_pickle, r"no weights as safetensors, and other formats are not read for safety"),
    "no masked-word head": (without_head, r"lacks weights of a masked language model \(cls\.predictions"),
}


@pytest.mark.parametrize("kind", BREAKS)
def test_a_broken_folder_is_refused_with_a_sentence(folder, kind):
    spoil, sentence = BREAKS[kind]
    spoil(folder)
    with pytest.raises(ValueError, match=sentence) as error:
        load_model(str(folder))
    assert "choose" in str(error.value).lower() or "load it again" in str(error.value)


def test_a_folder_without_next_sentence_head_is_fine(folder):
    BertForMaskedLM.from_pretrained(folder).save_pretrained(folder)
    model = load_model(str(folder))
    assert not model.has_next_sentence
    with pytest.raises(ValueError, match="no next-sentence head"):
        model.next_sentence_probability("a", "b")


def test_truncation_and_padding_of_the_file_are_taken_out(folder):
    path = folder / "tokenizer.json"
    saved = json.loads(path.read_text())
    saved["truncation"] = {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
    path.write_text(json.dumps(saved))
    assert len(load_model(str(folder)).tokenize("the king the king the king")) == 8


def hub_error(kind):
    """What the hub's client raises, as transformers wraps it."""
    import httpx2 as httpx
    from huggingface_hub.errors import LocalEntryNotFoundError, RepositoryNotFoundError

    if kind == "network":
        return httpx.ConnectError("[Errno -3] Temporary failure in name resolution")
    if kind == "timeout":
        return httpx.ReadTimeout("timed out")
    if kind == "entry":
        return LocalEntryNotFoundError("not in the cache")
    if kind == "repository":
        response = httpx.Response(404, request=httpx.Request("GET", "https://huggingface.co"))
        return RepositoryNotFoundError("404 Client Error", response=response)
    return OSError(28, "No space left on device")


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("network", r"the Hugging Face hub does not answer\. Check the network, then try again"),
        ("timeout", r"the Hugging Face hub does not answer"),
        ("entry", r"the Hugging Face hub does not answer"),
        ("repository", r"The Hugging Face hub has no model google-bert/bert-base-uncased"),
        ("disk", r"There is no disk space left for .*\. Free some space and try again"),
    ],
)
def test_the_hub_fails(monkeypatch, kind, sentence, wrapped):
    def fail(*arguments, **named):
        if not wrapped:
            raise hub_error(kind)
        try:
            raise hub_error(kind)
        except Exception as error:
            raise OSError("We failed to load the files.") from error

    monkeypatch.setattr(loading.AutoConfig, "from_pretrained", fail)
    with pytest.raises(ValueError, match=sentence) as error:
        load_model("google-bert/bert-base-uncased")
    assert str(error.value).endswith("The bundled model stays usable.")


def test_the_hub_cannot_be_reached_and_nothing_is_cached(monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(ValueError, match="could not be downloaded"):
        load_model("distilbert/distilbert-base-uncased")


@pytest.mark.parametrize("name", ["", "no/such-model", "/no/such/folder", "a" * 5000, "\0"])
def test_an_unknown_name(name):
    with pytest.raises(ValueError, match=r"There is no model .* in the catalogue\. Did you mean"):
        load_model(name)
