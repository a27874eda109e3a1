"""Suggested words occur as often as required; checked by counting the encoded occurrences."""

import pytest

from embtools.corpus import search
from embtools.corpus.frequent_words import common_words, formulas_of, frequent, known_formulas, occurs
from embtools.corpus.occurrence_map import least as map_needs
from embtools.corpus.occurrence_map import word_map
from embtools.occurrences.corpus import Corpus, built_in_corpus, read_corpus
from embtools.occurrences.encoding import encode_corpus

TEXTS = {
    "few of each": "He plays chess. She plays well. The lake is deep. The lake is cold. A lake, a lake!",
    "punctuation": "A well-known foo_bar. Wells don't. 'Wells' (wells) wells; well-being -- well.",
    "accents": "École, école. ÉCOLE! Ecole? Cafés café cafés.",
    "no spaces": "北京大学很好。北京大学。 北京大学很好吗。",
    "unknown signs": "😀😀😀😀 𝔘𝔫𝔦𝔠 𝔘𝔫𝔦𝔠 word word word",
    "one word": "Stop.",
    "numbers": "1999 2000 1999 2000. In 1999 it rained; in 2000 rain rained.",
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("least", [1, 2, 3])
def test_every_word_occurs_often_enough(name: str, least: int, bundled) -> None:
    text = read_corpus(TEXTS[name])
    read = encode_corpus(text, bundled, combination="layer 0")
    for word in common_words(text, bundled, least=least):
        assert len(read.of(search.model_spelling(word, bundled))) >= least
        search.nearest(text, bundled, query=search.Query(word), combination="layer 0")
        if least >= map_needs():
            word_map(text, bundled, word=word, combination="layer 0")


def test_words_with_senses_come_first_then_the_most_frequent_and_function_words_last(bundled) -> None:
    text = Corpus(
        ("with a bank with", "a bank with with", "the lake", "lake with", "with lake with", "deep deep"),
        (("bank", "river"), ("bank", "money"), *[("", "")] * 4),
    )
    assert common_words(text, bundled) == ("bank", "lake", "deep", "with", "the")
    assert common_words(text, bundled, least=3) == ("lake", "with")
    assert common_words(text, bundled, most=1) == ("bank",)


def test_the_built_in_text_has_words_for_every_tab(bundled) -> None:
    found = common_words(built_in_corpus(), bundled, least=3)
    assert found[0] == "bank" and len(found) == 6


def test_whether_a_word_occurs_is_counted_as_the_model_reads(bundled) -> None:
    text = read_corpus("The river-bank. Bankers bank. BANK!")
    assert occurs(text, bundled, word="bank", least=3) and not occurs(text, bundled, word="bank", least=4)
    assert not occurs(text, bundled, word="money") and not occurs(text, bundled, word="river bank")
    assert not occurs(text, bundled, word=" ") and not occurs(text, bundled, word="😀")


def test_a_formula_is_offered_if_its_four_words_occur(bundled) -> None:
    text = read_corpus("The king saw a man. The woman was no queen. Rome and Paris: Italy, but not the other country.")
    assert known_formulas(text, bundled) == (
        ("king", "man", "woman", "queen"),
        *(words for words in formulas_of(lambda word: word in ("king", "man", "woman", "queen"))[1:]),
    )
    assert known_formulas(read_corpus("Nothing of it."), bundled) == ()
    assert len(known_formulas(built_in_corpus(), bundled, most=3)) == 3


def test_frequent_words_of_a_folder(folder):
    words = frequent(folder, k=3)
    counts = folder.words().set_index("word")["count"]
    longer = counts[counts.index.str.len() >= 4]
    assert [counts[word] for word in words] == sorted(longer[longer.index.str.isalpha()], reverse=True)[:3]
