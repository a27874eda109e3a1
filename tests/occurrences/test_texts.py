"""Texts: how they are read, split and compared by their words."""

import math
from time import perf_counter, process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools import wordlists
from embtools.models.text_reader import MAX_CHARACTERS
from embtools.occurrences.corpus import Corpus, built_in_corpus, columns_of, decoded, read_corpus, split_sentences
from embtools.occurrences.in_memory import shared_words
from embtools.occurrences.visitor_text import ends, visitor_sentences

# Reading a text into a corpus


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


@pytest.mark.parametrize("unit", [".", "A. ", '."', "!? ", ". . .  "])
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


@pytest.mark.parametrize("text", ["", "…\n!", "sentence\n\n ,"])
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


# The sentences of pasted texts: hard ends, wrapped prose, poems, lists and subtitles

# Sentences of a line, separated by a bar. Libraries for this task have some of them wrong, as the rules for folders do.
ENDS = (
    'The road is approx. 3 miles long.|She lives at No. 5 in the U.S. Capitol district.|They sang "Gimme! Gimme! Gimme!" all night.',
    "Dr. Smith met Mrs. Jones at 5 p.m. in St. Louis.|They talked.",
    "He works for Apple Inc. in California.|She does not.",
    "The U.S. is large.|So is Canada.",
    "We left at 6 a.m. on Monday.|It rained.",
    "See Fig. 3 for details.|It is clear.",
    '"Are you there?" she asked.|"Yes."',
    "J. R. R. Tolkien wrote it.|It is long.",
    "Prof. A. Lee, Ph.D., spoke first.|Then we ate.",
    "What?!|No way!",
    "I waited ... and waited.|Nothing came.",
    "She bought apples, pears, etc. and went home.|He stayed.",
    "He was born on Jan. 5, 1990.|She was born in Feb. 1991.",
    "Mr. and Mrs. Brown live on Main St. near the park.|They are old.",
    "The company, founded by Sam Jr. in 1990, failed.|Nobody knew why.",
    "He asked, “Why?”|She shrugged.",
    "Gen. Lee met Sen. Clark in Washington, D.C. last week.|They agreed.",
    "It was 5 ft. 3 in. tall.|It fell.",
    "This is e.g. a test.|That is i.e. another.",
    "Smith et al. found this.|Others did not.",
    "He ran vs. the clock.|He lost.",
    "Yahoo! is a company.|It is old.",
    '"Stop!" he cried.|Nobody stopped.',
    "They arrived at approx. 5 p.m.|Then they ate.",
    "Vol. 3, pp. 5 to 9, has it.|Read it.",
    "One sentence only",
    "No. 10 Downing Street is famous.|The door is black.",
    "Lt. Col. Smith retired.|He sleeps well.",
)
PROSE = """The old bank stood at the corner of the market, and every
Friday the farmers came to it with their money in small
leather bags, for they trusted no other bank in the coun-
try with it.

When the river rose in spring, the water covered the meadow
and reached the bank on which the children used to play."""
POEM = "The river goes its silent way\nAnd carries every leaf along\nUntil the ending of the day\nThat listens to its evening song"
SUBTITLES = """1
00:00:01,000 --> 00:00:03,500
<i>I left my money
in the bank.</i>

2
00:00:04,000 --> 00:00:06,000
- Which bank?
- The one in the square.
"""
SPOKEN = ("I left my money in the bank.", "Which bank?", "The one in the square.")


def test_ends_of_sentences() -> None:
    assert ["|".join(ends(case.replace("|", " "))) for case in ENDS] == list(ENDS)


def test_wrapped_prose_is_joined_and_said() -> None:
    read = visitor_sentences(PROSE)
    assert len(read.sentences) == 2 and "in the country with it." in read.sentences[0]
    assert read.notes == ("The text is wrapped, so the lines of each paragraph were joined.",)
    assert visitor_sentences("\r\n".join(PROSE.splitlines())) == read
    plain = visitor_sentences(PROSE, as_written=True)
    assert len(plain.sentences) == 6 and not plain.notes
    corpus = read_corpus(PROSE, as_written=True)
    assert corpus.sentences == plain.sentences and corpus.code.endswith(", as_written=True)")
    assert read_corpus(PROSE).notes == read.notes


@pytest.mark.parametrize(
    "text",
    [POEM, "apple\npear\nplum", "- Buy milk in the shop around the corner\n- Feed the cat, the dog and the two birds",
     "It rained all day in the old town of Rome.\nThe king was not amused by any of it at all."],
)  # fmt: skip
def test_poems_lists_and_sentences_keep_their_lines(text: str) -> None:
    read = visitor_sentences(text)
    assert read.sentences == tuple(text.splitlines()) and not read.notes


def test_subtitles_lose_time_codes_numbers_and_tags() -> None:
    assert visitor_sentences(SUBTITLES).sentences == SPOKEN
    web = "WEBVTT\nKind: captions\n\n" + SUBTITLES.replace(",000", ".000").replace("<i>", "<v Ann>")
    assert visitor_sentences(web).sentences == SPOKEN
    assert "time codes" in visitor_sentences(web).notes[0]
    cues = ["NOTEBOOKS ARE SOLD HERE.", "Kind: that is what he was.", "NOTE\nBy Ann.\nBy Bob.", "NOTE that it rains."]
    told = [f"00:00:0{n}.000 --> 00:00:0{n}.900\n{cue}\n" for n, cue in enumerate(cues) if n != 2]
    read = visitor_sentences("\n".join(["WEBVTT\n", *told[:2], cues[2] + "\n", told[2]]))
    assert read.sentences == (cues[0], cues[1], cues[3])


def test_hard_texts_take_no_long() -> None:
    begun = perf_counter()
    for unit in ("a. ", '"', "( ", "Mr. "):
        ends(unit * (100_000 // len(unit)))
    for unit in ("x" * 50 + "\n", "the quick brown fox jumps over a lazy dog and\n"):
        visitor_sentences(unit * 10_000)
    assert perf_counter() - begun < 5


# Shared words, weighted by their rarity, computed by hand

SENTENCES = ("the king sees the queen", "a queen", "red and green")


def by_hand(sentence, others):
    """The cosines of count · (ln((1 + n) / (1 + sentences with the word)) + 1), over all n sentences."""
    texts = [text.split() for text in (sentence, *others)]

    def weights(words):
        return {
            word: words.count(word) * (math.log((1 + len(texts)) / (1 + sum(word in text for text in texts))) + 1)
            for word in words
        }

    def length(vector):
        return math.sqrt(sum(value**2 for value in vector.values()))

    own, *rest = map(weights, texts)
    return [sum(value * each.get(word, 0) for word, value in own.items()) / length(own) / length(each) for each in rest]


def test_shared_words_agree_with_the_formula():
    found = shared_words("The king, the QUEEN!", SENTENCES)
    assert found == pytest.approx(by_hand("the king the queen", SENTENCES))
    assert found[0] > found[1] > found[2] == 0


def test_there_must_be_a_sentence():
    with pytest.raises(ValueError, match="sentences"):
        shared_words("king", ())
