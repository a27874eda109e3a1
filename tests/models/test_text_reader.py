"""Texts are read as the tokenizer of transformers reads them, within limits, also from many threads."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from transformers import AutoTokenizer

from embtools.models.text_reader import MAX_CHARACTERS, TextReader


@pytest.fixture(scope="module")
def tokenizer(tiny_folder):
    return AutoTokenizer.from_pretrained(tiny_folder)


@pytest.fixture(scope="module")
def reader(tokenizer):
    return TextReader(tokenizer, 64)


def test_a_text_and_a_pair_are_encoded_as_the_tokenizer_does(reader, tokenizer):
    for texts in (("The river bank.",), ("The king.", "unable")):
        found, expected = reader.encoding(*texts), tokenizer(*texts)
        assert (found.ids, found.type_ids) == (expected["input_ids"], expected["token_type_ids"])
        assert found.word_ids == expected.word_ids()


def test_empty_and_long_texts_are_refused(reader):
    for texts in (("",), ("  \n",), ("The king.", "")):
        for read in (reader.encoding, reader.unlimited):
            with pytest.raises(ValueError, match=r"The text is empty\. Write a sentence\."):
                read(*texts)
    assert len(reader.unlimited("x" * MAX_CHARACTERS).ids) == 3
    with pytest.raises(ValueError, match=r"has 5,001 characters; at most 5,000 are read\. Shorten it"):
        reader.unlimited("x" * (MAX_CHARACTERS + 1))
    assert len(reader.encoding("a " * 62).ids) == 64
    with pytest.raises(ValueError, match=r"65 tokens with \[CLS\] and \[SEP\], but this model reads 64 at most"):
        reader.encoding("a " * 63)
    assert len(reader.unlimited("a " * 63).ids) == 65


def test_limits_of_the_given_tokenizer_are_lifted(tiny_folder):
    limited = AutoTokenizer.from_pretrained(tiny_folder)
    limited.backend_tokenizer.enable_truncation(5)
    limited.backend_tokenizer.enable_padding(length=9)
    text = "a a a a a"
    assert TextReader(limited, 64).encoding(text).ids == AutoTokenizer.from_pretrained(tiny_folder)(text)["input_ids"]


def test_the_checksum_is_that_of_all_settings(reader, tokenizer, tiny_folder, tiny_cased):
    assert reader.checksum == TextReader(AutoTokenizer.from_pretrained(tiny_folder), 5).checksum
    assert reader.checksum != tiny_cased.tokenizer_checksum


def test_a_word_of_the_vocabulary_is_read_as_the_tokenizer_reads_it(bundled, tiny_cased):
    for model in (bundled, tiny_cased):
        for word in model.vocabulary:
            if not word.startswith("##") and word not in model.special:
                for written in (word, word.title(), word.upper()):
                    expected = tuple(model.vocabulary[i] for i in model.words(written)[0][1:-1])
                    assert model.pieces(written) == expected, written


def test_words_have_their_positions_in_the_text(bundled):
    text = "Don't embed Café-goers, at the BANK 😀!"
    ids, places = bundled.words(text)
    frame = bundled.tokenize(text)
    assert ids == frame["id"].tolist()
    for (first, tokens, start, end), (_, rows) in zip(places, frame[frame["word"] >= 0].groupby("word"), strict=True):
        assert rows["position"].tolist() == list(range(first, first + tokens))
        spelling = "".join(rows["token"]).replace("##", "")
        assert spelling == "[UNK]" or spelling == text[start:end].lower().replace("é", "e")
    assert len(bundled.words("word " * 900)[1]) == 900  # more than the model reads at once
    for wrong in (" ", "x" * 5_001):
        with pytest.raises(ValueError):
            bundled.words(wrong)


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
