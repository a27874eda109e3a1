"""The sentences that activate a neuron most, against every token of every sentence."""

import numpy as np
import pytest

from embtools.attention import neuron_uses as module
from embtools.attention.neuron_uses import effort, neuron_sentences, read_neurons
from embtools.occurrences.corpus import Corpus, built_in_corpus, read_corpus
from tests.hooked import Hooked

SENTENCES = (
    "The king is red.", "The queen works as a king.", "He is a man!", "A river.", "The bank of Rome is blue.",
    "Paris is the capital of France.", "The woman is unable.", "She is.", "Green is a river?", "The man works.",
    "A bank is a bank.", "Italy is red.", "He works as a queen.",
)  # fmt: skip


@pytest.fixture(scope="module", params=["tiny", "tiny_distil"])
def everything(request):
    """A model, and for every sentence the activations (t, f) of layer 2 as hooks see them."""
    model = request.getfixturevalue(request.param)
    hooked = Hooked(model)
    return model, [hooked.steps(text, 2)["neurons"] for text in SENTENCES]


def test_the_best_sentences_are_found_among_all(everything):
    model, right = everything
    highest = np.stack([rows[1:-1].max(0) for rows in right])  # without [CLS] and [SEP]
    for neuron in (1, 9, 32):
        found = neuron_sentences(Corpus(SENTENCES), model, layer=2, neuron=neuron)
        order = np.argsort(-highest[:, neuron - 1])[: module.K]
        assert found.best["text"].tolist() == [SENTENCES[i] for i in order]
        np.testing.assert_allclose(found.best["activation"], highest[order, neuron - 1], atol=1e-5)
        for row in found.best.itertuples():
            tokens = model.tokenize(row.text)
            rows = right[SENTENCES.index(row.text)]
            token = tokens["token"][1 + int(rows[1:-1, neuron - 1].argmax())]
            assert row.word == row.text[row.start : row.end]
            assert token.removeprefix("##") in row.word.lower()


def test_means_and_sample_are_those_of_all_words(everything):
    model, right = everything
    words = np.concatenate([rows[1:-1] for rows in right])
    special = np.concatenate([rows[[0, -1]] for rows in right])
    table = read_neurons(Corpus(SENTENCES), model, layer=2)
    assert table.tokens == len(words)
    np.testing.assert_allclose(table.mean, words.mean(0), atol=1e-5)
    np.testing.assert_allclose(table.special, special.mean(0), atol=1e-5)
    found = neuron_sentences(Corpus(SENTENCES), model, layer=2, neuron=5)
    np.testing.assert_allclose(found.sample, np.sort(words[:, 4]), atol=1e-5)  # fewer words than the sample can hold
    middle = float(np.median(words[:, 4]))
    assert found.share_below(middle) == pytest.approx((words[:, 4] < middle).mean(), abs=1.5 / len(words))
    assert found.share_below(-99) == 0 and found.share_below(99) == 1


def test_a_sample_of_a_longer_text_is_drawn_from_all_its_words(everything, monkeypatch):
    model, right = everything
    monkeypatch.setattr(module, "SAMPLE", 20)
    table = read_neurons.__wrapped__(Corpus(SENTENCES), model, layer=2)
    assert len(table.sample) == 20 and len({tuple(place) for place in table.sample_at.tolist()}) == 20
    for (row, position), values in zip(table.sample_at, table.sample, strict=True):
        np.testing.assert_allclose(values, right[row][position], atol=1e-5)


def test_the_spread_goes_from_the_strongest_to_the_weakest(everything):
    model, _ = everything
    found = neuron_sentences(Corpus(SENTENCES), model, layer=2, neuron=3)
    assert found.spread["share"].tolist() == list(module.QUANTILES)
    assert found.spread["activation"].is_monotonic_decreasing
    assert found.spread["activation"].iloc[0] == pytest.approx(found.sample[-1])


def test_fewer_sentences_than_are_kept_give_fewer(tiny):
    found = neuron_sentences(read_corpus("The king. The queen is red."), tiny, layer=1, neuron=2)
    assert len(found.best) == 2 and found.sentences == 2
    assert "In 2 sentences, neuron 2 of layer 1 is strongest at" in found.headline


def test_a_sentence_longer_than_the_model_is_read_in_parts(tiny):
    long = " ".join(["the king is red"] * 40)
    found = neuron_sentences(Corpus((long, "She is.")), tiny, layer=1, neuron=2)
    assert len(found.best) > 2 and found.sentences == 2
    for row in found.best.itertuples():
        assert row.word == row.text[row.start : row.end] != ""


def test_progress_rises_and_work_can_be_stopped(tiny):
    reported = []
    read_neurons.__wrapped__(Corpus(SENTENCES), tiny, layer=1, progress=reported.append)
    assert reported == sorted(reported) and reported[-1] == pytest.approx(1)


def test_the_effort_grows_with_the_text_and_is_zero_afterwards(tiny):
    text = Corpus((*SENTENCES, "The river is a king."))
    assert 0 < effort(text, tiny, layer=1) < effort(built_in_corpus(), tiny, layer=1)
    read_neurons(text, tiny, layer=1)
    assert effort(text, tiny, layer=1) == 0 < effort(text, tiny, layer=2)


def test_what_does_not_exist_is_refused(tiny, monkeypatch):
    text = Corpus(SENTENCES)
    with pytest.raises(ValueError, match="no layer 3"):
        neuron_sentences(text, tiny, layer=3, neuron=1)
    for neuron in (0, 33):
        with pytest.raises(ValueError, match=f"no neuron {neuron}. Choose 1 to 32"):
            neuron_sentences(text, tiny, layer=1, neuron=neuron)
    with pytest.raises(ValueError, match="no word in the text"):
        neuron_sentences(Corpus(("zzz qqq",)), tiny, layer=1, neuron=1)
    monkeypatch.setattr(module, "MAX_TOKENS", 10)
    with pytest.raises(ValueError, match="more than 10 tokens"):
        read_neurons.__wrapped__(text, tiny, layer=1)
