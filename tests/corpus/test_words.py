"""Parts of speech, frequent words and function words, against the Concepts page and counts of occurrences."""

from dataclasses import replace

import numpy as np
import pytest

from embtools import wordlists
from embtools.charts import corpus as charts
from embtools.concepts import Probes
from embtools.concepts.layer_probes import probe_layers
from embtools.concepts.probes import try_probe
from embtools.corpus import search
from embtools.corpus.frequent_words import common_words, formulas_of, frequent, known_formulas, occurs
from embtools.corpus.parts_of_speech import FUNCTION_WORDS, TASK, effort, guess_parts, is_function_word, neighbour_parts
from embtools.corpus.search import Query, nearest
from embtools.occurrences.corpus import LEAST_MAPPED, Corpus, built_in_corpus, read_corpus
from embtools.occurrences.encoding import encode_corpus

COMBINATION = "layer 4"
TEXT = Corpus((*built_in_corpus().having("bank").sentences, "The old dog quickly ate the tasty food."))
BANK = Query("bank", 1)


@pytest.fixture(scope="module")
def guessed(bundled):
    return guess_parts(TEXT, bundled, combination=COMBINATION)


@pytest.fixture(scope="module")
def result(bundled):
    return neighbour_parts(TEXT, bundled, query=BANK, combination=COMBINATION, k=8)


@pytest.mark.slow
def test_the_accuracy_is_about_that_of_the_concepts_page(guessed, bundled):
    """It is that of one division into folds; the page has the mean over several."""
    probes = probe_layers(Probes(TASK, "mean of tokens"), bundled)
    mean = probes.table.set_index("combination").loc[COMBINATION, "accuracy"]
    assert guessed.accuracy == pytest.approx(mean, abs=0.015)
    assert (guessed.baseline, guessed.items) == (probes.baseline, probes.count) == (0.25, 204)
    assert guessed.labels == probes.accuracy.labels


@pytest.mark.slow
def test_guesses_are_those_of_the_concepts_page(guessed, bundled):
    """Two independent ways from a word to its vector: `read_features` and `encode_corpus`."""
    other = try_probe(TEXT.sentences[-1], bundled, probes=Probes(TASK, "mean of tokens"), layer=4)
    found = encode_corpus(TEXT, bundled, combination=COMBINATION).table
    last = found[found["sentence"] == len(TEXT.sentences) - 1]
    for row, word in zip(last.index, last["word"], strict=True):
        if word == "the":
            assert not guessed.content[row] and not guessed.probabilities[row].any()
            continue
        expected = other[other["word"].str.lower() == word].set_index("label")["probability"]
        np.testing.assert_allclose(guessed.probabilities[row], expected[list(guessed.labels)], atol=2e-3)
    best = dict(zip(last["word"], np.array(guessed.labels)[guessed.probabilities[last.index].argmax(1)], strict=True))
    assert (best["dog"], best["quickly"], best["ate"]) == ("noun", "adverb", "verb")


def test_shares_are_counted_over_the_neighbours_and_over_the_text(result, guessed, bundled):
    near = nearest(TEXT, bundled, query=BANK, combination=COMBINATION, k=8).near
    table = encode_corpus(TEXT, bundled, combination=COMBINATION)
    names = np.array(guessed.labels)[guessed.probabilities.argmax(1)]
    expected = []
    for row in near.itertuples():
        places = [(table.sentences[one.sentence], one.start) for one in table.table.itertuples()]
        at = places.index((row.text, row.start))
        if guessed.content[at]:
            expected.append((row.rank, row.word, names[at]))
    assert list(result.near[["rank", "word", "part_of_speech"]].itertuples(index=False, name=None)) == expected
    assert result.left_out == 8 - len(expected) and result.count == guessed.content.sum()
    for row in result.shares.itertuples():
        assert row.nearest == sum(name == row.part_of_speech for *_, name in expected)
        assert row.share == pytest.approx(row.nearest / len(expected))
        assert row.share_all == pytest.approx(np.mean(names[guessed.content] == row.part_of_speech))
    assert result.shares["share"].sum() == pytest.approx(1) == result.shares["share_all"].sum()


def test_sentences_name_the_numbers(result):
    top = result.shares.loc[result.shares["nearest"].idxmax()]
    assert top["part_of_speech"] == "noun", "the words nearest to a noun"
    count = len(result.near)
    some = f"all {count}" if top["nearest"] == count else f"{top['nearest']} of the {count}"
    assert f"probe, {some} nearest content words are nouns, compared" in result.headline
    assert f"with {top['share_all']:.0%} of all {result.count:,} content words" in result.headline
    one = replace(result, near=result.near.head(1), shares=result.shares.assign(nearest=[1, 0, 0, 0]))
    assert "the nearest content word is an adjective, compared with" in one.headline
    assert f"right for {result.accuracy:.0%} of 204 labelled words" in result.quality
    assert COMBINATION in result.quality and result.quality.endswith("would give the right answer for 25%.")


def test_function_words_are_left_out(bundled):
    text = Corpus(("It is the one.", "He is of the and.", "She was at the one."))
    found = neighbour_parts(text, bundled, query=Query("the", 1), combination=COMBINATION, k=3)
    assert found.left_out == 3 and found.near.empty and found.count == 0
    assert "All 3 nearest words are function words" in found.headline
    assert (found.shares[["nearest", "share", "share_all"]] == 0).all(axis=None)


def test_a_model_that_knows_too_few_words_is_refused(tiny):
    with pytest.raises(ValueError, match="too few of the words labelled 'adjective'"):
        guess_parts(Corpus(("the king of rome",)), tiny, combination="layer 1")


def test_the_effort_is_that_of_a_probe_and_ends_when_the_parts_are_known(bundled, tiny):
    text = Corpus(("The old dog ate the food.",))
    assert 0 < effort(text, tiny, combination=COMBINATION) < effort(text, bundled, combination=COMBINATION) < 4
    guess_parts(text, bundled, combination=COMBINATION)
    assert effort(text, bundled, combination=COMBINATION) == 0 < effort(text, bundled, combination="layer 3")


def test_the_chart_shows_both_shares(result):
    chart = charts.parts_of_speech(result)
    own, every = chart.figure.data
    np.testing.assert_allclose(own.x, result.shares["share"], rtol=1e-6)
    np.testing.assert_allclose(every.x, result.shares["share_all"], rtol=1e-6)
    assert chart.frame is result.shares and f"noun {result.shares['share'][2]:.0%}" in chart.alt


SAMPLES = {
    "few of each": "He plays chess. She plays well. The lake is deep. The lake is cold. A lake, a lake!",
    "punctuation": "A well-known foo_bar. Wells don't. 'Wells' (wells) wells; well-being -- well.",
    "accents": "École, école. ÉCOLE! Ecole? Cafés café cafés.",
    "no spaces": "北京大学很好。北京大学。 北京大学很好吗。",
    "unknown signs": "😀😀😀😀 𝔘𝔫𝔦𝔠 𝔘𝔫𝔦𝔠 word word word",
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("least", [1, 3])
def test_every_word_occurs_often_enough(name: str, least: int, bundled) -> None:
    text = read_corpus(SAMPLES[name])
    read = encode_corpus(text, bundled, combination="layer 0")
    for word in common_words(text, bundled, least=least):
        assert len(read.of(search.model_spelling(word, bundled))) >= least
        search.nearest(text, bundled, query=search.Query(word), combination="layer 0")
        assert least < LEAST_MAPPED or len(read.of(search.model_spelling(word, bundled))) >= LEAST_MAPPED


def test_words_with_senses_come_first_then_the_most_frequent_and_function_words_last(bundled) -> None:
    text = Corpus(
        ("with a bank with", "a bank with with", "the lake", "lake with", "with lake with", "deep deep"),
        (("bank", "river"), ("bank", "money"), *[("", "")] * 4),
    )
    assert common_words(text, bundled) == ("bank", "lake", "deep", "with", "the")
    assert common_words(text, bundled, least=3) == ("lake", "with")
    assert common_words(text, bundled, most=1) == ("bank",)
    found = common_words(built_in_corpus(), bundled, least=3)
    assert found[0] == "bank" and len(found) == 6


def test_whether_a_word_occurs_is_counted_as_the_model_reads(bundled) -> None:
    text = read_corpus("The river-bank. Bankers bank. BANK!")
    assert occurs(text, bundled, word="bank", least=3) and not occurs(text, bundled, word="bank", least=4)
    assert not occurs(text, bundled, word="money") and not occurs(text, bundled, word="river bank")
    assert not occurs(text, bundled, word=" ") and not occurs(text, bundled, word="😀")


def test_a_formula_is_offered_if_its_four_words_occur(bundled) -> None:
    text = read_corpus("The king saw a man. The woman was no queen. Rome and Paris: Italy, but not the other country.")
    four = ("king", "man", "woman", "queen")
    assert known_formulas(text, bundled) == (four, *formulas_of(lambda word: word in four)[1:])
    assert known_formulas(read_corpus("Nothing of it."), bundled) == ()
    assert len(known_formulas(built_in_corpus(), bundled, most=3)) == 3


def test_frequent_words_of_a_folder(folder):
    words = frequent(folder, k=3)
    counts = folder.words().set_index("word")["count"]
    longer = counts[counts.index.str.len() >= 4]
    assert [counts[word] for word in words] == sorted(longer[longer.index.str.isalpha()], reverse=True)[:3]


def test_words_of_closed_classes_are_function_words_and_those_of_the_probe_are_none():
    assert all(map(is_function_word, ("the", "The", "OF", "herself", "would", "x", "1999", "don't", "two")))
    assert not any(map(is_function_word, ("bank", "Quickly", "École", "see", "red", "go", "never")))
    assert all(word == word.casefold() and word.isalpha() for word in FUNCTION_WORDS)
    words = wordlists.load("probing").query("task == 'part of speech'")["word"]
    assert [word for word in words if is_function_word(word)] == []
