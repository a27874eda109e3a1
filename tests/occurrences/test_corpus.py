"""Reading a text into a corpus."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools import wordlists
from embtools.models.text_reader import MAX_CHARACTERS
from embtools.occurrences.corpus import Corpus, built_in_corpus, columns_of, decoded, read_corpus, split_sentences


def test_the_built_in_corpus_has_every_sentence_of_both_lists_once():
    built_in = built_in_corpus()
    labelled, plain = wordlists.load("senses"), wordlists.load("corpus")
    assert len(built_in.sentences) == len(labelled) + len(plain) == len(set(built_in.sentences)) >= 1_000
    for row in labelled.itertuples():
        assert built_in.senses[built_in.sentences.index(row.sentence)] == (row.word, row.sense)


def test_a_corpus_is_hashed_by_its_content():
    assert {Corpus(("a", "b")): 1}[Corpus(("a", "b"))] == 1
    assert Corpus(("a",)) != Corpus(("a",), (("a", "letter"),))
    with pytest.raises(ValueError, match="2 sentences but 1 senses"):
        Corpus(("a", "b"), (("a", "letter"),))


def test_a_part_keeps_the_senses():
    part = built_in_corpus().having("Bank")
    assert [sense for _, sense in part.senses] == ["money"] * 4 + ["river"] * 4 + [""]
    assert all("bank" in sentence.lower() for sentence in part.sentences)
    assert built_in_corpus().having("(").sentences == ()
    assert Corpus(("The CAFÉ.", "cafes")).having("cafe").sentences == ("The CAFÉ.",)


@pytest.mark.parametrize(
    "line, expected",
    [
        ("One. Two? Three! Four", ["One.", "Two?", "Three!", "Four"]),
        ("Mrs. Dalloway met J. R. Ackerley at St. Ives. He smiled.", ["Mrs. Dalloway met J. R. Ackerley at St. Ives.", "He smiled."]),
        ("It cost 3.5 pounds, i.e. too much.", ["It cost 3.5 pounds, i.e. too much."]),
        ("“Go.” He went.", ["“Go.”", "He went."]),
        ("... !!", []),
        ("a  b\tc", ["a b c"]),
    ],
)  # fmt: skip
def test_sentences_of_a_line(line, expected):
    assert split_sentences(line) == expected


@given(st.text(st.sampled_from('ab .?!"A1Mrs é'), max_size=60))
def test_no_word_is_lost_by_splitting(line):
    assert "".join(c for part in split_sentences(line) for c in part if c.isalnum()) == "".join(
        filter(str.isalnum, line)
    )


def test_a_line_without_an_end_is_cut_between_words():
    parts = split_sentences("word " * 3_000)
    assert len(parts) > 1 and max(map(len, parts)) <= MAX_CHARACTERS
    assert " ".join(parts).split() == ["word"] * 3_000
    assert "".join(split_sentences("x" * 12_000)) == "x" * 12_000


@pytest.mark.parametrize("unit", [".", "A. ", "Dr. ", ". ", '."', "!? ", ". . .  "])
def test_a_text_takes_no_more_time_than_its_length(unit):
    begin = process_time()
    split_sentences(unit * (100_000 // len(unit)))
    assert process_time() - begin < 5  # seconds: 0.3, and over a minute where a position is examined again and again


def test_plain_text_and_sentences_that_come_twice():
    assert read_corpus("A bank. A bank.\n\nB.\r\nA bank.").sentences == ("A bank.", "B.")


def test_a_table_brings_its_senses():
    text = '\ufeffSense,Word,sentence\nriver,Bank,"The bank, muddy."\n,,"No sense.\nTwo lines."\nmoney,,Nothing.\n'
    read = read_corpus(text)
    assert read.sentences == ("The bank, muddy.", "No sense. Two lines.", "Nothing.")
    assert read.senses == (("bank", "river"), ("", ""), ("", ""))
    assert read_corpus("sentence\tnumber\nOne, two.\t1").sentences == ("One, two.",)
    assert read_corpus("sentence;sense\nOne, two.;x").sentences == ("One, two.",)
    assert read_corpus("The sentence, it is long.").sentences == ("The sentence, it is long.",)  # no table


@pytest.mark.parametrize("text", ["", "  \n", "…\n!", "sentence\n", "sentence\n\n ,"])
def test_nothing_to_read(text):
    with pytest.raises(ValueError, match="no sentence"):
        read_corpus(text)


def test_errors_for_bytes_and_long_texts():
    with pytest.raises(ValueError, match="1,000,001 characters"):
        read_corpus("a" * 1_000_001)
    with pytest.raises(ValueError, match="contains bytes that texts do not have"):
        read_corpus("a\0b")
    assert read_corpus('sentence,word\n"A bank,b\n').sentences == ('"A bank',)  # the quotation is not closed
    for data, complaint in (
        (b"\x89PNG\xff", "not a text"),
        (b"a\0", "not a text"),
        (b"a" * 4_000_001, "4 MB; at most 4"),
    ):
        with pytest.raises(ValueError, match=complaint):
            decoded(data)
    assert decoded("Ä\r\n".encode()).value == "Ä\n"


def test_a_last_column_without_a_name_can_be_chosen() -> None:
    text = "id;\n1;The bank is closed today.\n2;The river bank is green."
    assert columns_of(text) == ("id", "column 2")
    assert read_corpus(text, column="column 2").sentences == ("The bank is closed today.", "The river bank is green.")
