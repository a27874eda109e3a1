"""Texts: how they are read, split and compared by their words."""

import math
import textwrap
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools import wordlists
from embtools.models.text_reader import MAX_CHARACTERS
from embtools.occurrences.corpus import (
    Corpus,
    built_in_corpus,
    columns_of,
    decoded,
    notes,
    read_corpus,
    split_sentences,
)
from embtools.occurrences.encoding import encode_corpus
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


def test_a_corpus_has_every_word_that_a_model_reads_in_it(bundled):
    texts = Corpus(("It was _very_ cold in bank_account.", "The coun\u00adtry and ban\u200bk.", "今日は晴れ。"))
    for sentence in texts.sentences:
        words = [sentence[begin:end] for *_, begin, end in bundled.words(sentence)[1]]
        assert all(sentence in texts.having(word).sentences for word in words if any(map(str.isalnum, word)))
    assert (
        texts.having("country").sentences == texts.sentences[1:2]
        and texts.having("bank").sentences == texts.sentences[:2]
    )
    assert not texts.contains("coun") and not texts.contains("account2")


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


HARD = {
    split_sentences: (".", "A. ", '."', "!? ", ". . .  "),
    ends: ("a. ", '"', "( ", "Mr. "),
    visitor_sentences: ("<!--", "<p>a</p>", "x" * 50 + "\n", "the quick brown fox jumps over a lazy dog and\n"),
}


@pytest.mark.parametrize(("read", "unit"), [(read, unit) for read, units in HARD.items() for unit in units])
def test_a_text_takes_no_more_time_than_its_length(read, unit):
    begin = process_time()
    read(unit * max(10_000, 100_000 // len(unit)))
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
    assert columns_of("He was born in 1990,0\nShe came in 2001,1") == ("He was born in 1990", "0")
    assert read_corpus("The sentence, it is long.").sentences == ("The sentence, it is long.",)  # no table
    german = "Der Umsatz stieg um 3,5 Prozent.\nDie Kosten sanken um 2,1 Prozent."
    assert read_corpus(german).sentences == tuple(german.split("\n"))


def test_senses_have_a_place_or_are_said_to_have_none(tiny):
    text = "sentence,word,sense\nThe kíng works.,KING,ruler\nThe banks.,bank,river\nThe queen is red.,queen,ruler\nThe queen is red.,red,colour"
    read = read_corpus(text)
    table = encode_corpus(read, tiny, combination="layer 1").table
    assert table.loc[table["sense"] != "", "word"].tolist() == ["king", "queen"]
    assert notes(text)[1:] == (
        "Left out, because the word does not occur in the sentence, so its sense has no place: line 3.",
        "Left out, because the sentence occurs before with another word or sense: line 5.",
    )


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
        (b"a" * 4_000_001, "more than 4 MB\\. Use"),
    ):
        with pytest.raises(ValueError, match=complaint):
            decoded(data)
    for text in ("# Ähre\n\nIt rained, and it snowed.\nWe sat, and we sang.", "# text = A bank.\n1\tA\n2\tbank\n"):
        assert decoded(text.replace("\n", "\r\n").encode()).value == text  # “#” begins no comment above a table


def test_a_last_column_without_a_name_can_be_chosen() -> None:
    text = "id;\n1;The bank is closed today.\n2;The river bank is green."
    assert columns_of(text) == ("id", "column 2")
    assert read_corpus(text, column="column 2").sentences == ("The bank is closed today.", "The river bank is green.")
    rows = ("9,It rained\n10,We sat", "1,It rained\n1,We sat")  # below numbers that are names, or nothing
    read = [read_corpus(f"{head}\n{text}", column=head[-4:]) for head in ("id,2019", ",0000") for text in rows]
    read += [read_corpus(text, column="It rained") for text in rows]
    read += map(read_corpus, ('["It rained", "We sat"]', '["text", "It rained", "We sat"]'))
    assert {corpus.sentences for corpus in read} == {("It rained", "We sat")}


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


OTHER_ENDS = (
    "Am 3. Oktober 1990 war das.|Der 2. Weltkrieg endete 1945.|Danach kam Frieden, und im 19. Jahrhundert war er nicht.|Siehe Abb. 3.|Das ist alles.",
    "El Sr. García y la Sra. López viven en la Av. Libertador.|La casa es grande.",
    "Он живёт в г. Москва на ул. Ленина, д. 5.|А. С. Пушкин родился в 1799 г. в Москве.|Он умер.",
    "Il Sig. Rossi e il Dott. Verdi sono in città.|La casa è di Anna.",
)


def test_ends_of_sentences() -> None:
    assert ["|".join(ends(case.replace("|", " "))) for case in ENDS] == list(ENDS)
    for case in OTHER_ENDS:
        assert "|".join(visitor_sentences(case.replace("|", " ")).value) == case
    assert ends("Take vitamin A\u00a0. It helps.") == ["Take vitamin A .", "It helps."]  # which ended the program


HYPHENS = (  # a bar for the end of a line
    "twenty-|one mother-|in-law Anglo-|Saxon son-in-|law COVID-|19 state-of-the-|art blue-|eyed pre-_|and Haupt-_|und"
    " coun|try OUT|LAW self-con|fidence green|house"
)


def test_hyphens_at_the_ends_of_lines_stay_where_they_belong_to_words() -> None:
    begin, lines = "", []
    for first, second in (word.replace("_", "").split("|") for word in HYPHENS.split()):
        room = 70 - len(begin) - len(first)
        lines.append(f"{begin} {('we saw ' * 9)[:room].rpartition(' ')[0]} {first.removesuffix('-')}-".strip())
        begin = second
    lines.append(f"{begin} near a greenhouse with the blue-eyed boy.")
    (sentence,) = visitor_sentences("\n".join(lines)).value
    words = HYPHENS.replace("|", "").split()
    assert [word for word in words if f" {word.replace('_', ' ')} " not in f"{sentence} "] == []


@pytest.mark.parametrize("width", [50, 64, 72])
def test_a_wrapped_text_has_the_sentences_of_the_text(width: int) -> None:
    paragraphs = [
        f"{' '.join(built_in_corpus().sentences[n : n + 9])} A well-known, far-off bank – or two – was M. Low's."
        for n in range(0, 180, 9)
    ]
    wrapped = "\n\n".join(textwrap.fill(each, width) for each in paragraphs)
    assert visitor_sentences(wrapped).value == visitor_sentences("\n\n".join(paragraphs)).value


def test_wrapped_prose_is_joined_and_said() -> None:
    read = visitor_sentences(PROSE)
    assert len(read.value) == 2 and "in the country with it." in read.value[0]
    assert read.notes == ("The text is wrapped, so the lines of each paragraph were joined.",)
    assert visitor_sentences("\r\n".join(PROSE.splitlines())) == read
    plain = visitor_sentences(PROSE, as_written=True)
    assert len(plain.value) == 6 and not plain.notes
    corpus = read_corpus(PROSE, as_written=True)
    assert corpus.sentences == plain.value and corpus.code.endswith(", as_written=True)")
    assert read_corpus(PROSE).notes == read.notes


@pytest.mark.parametrize(
    "text",
    [POEM, "12/03/2021, 10:04 - Bob: I went to the bank today\n12/03/2021, 10:05 - Ann: Which bank do you mean by that",
     "2021-03-01 10:00:01 INFO The bank has been closed\n2021-03-01 10:00:02 INFO He left the bank by its door",
     "apple\npear\nplum", "- Buy milk in the shop around the corner\n- Feed the cat, the dog and the two birds",
     "It rained all day in the old town of Rome.\nThe king was not amused by any of it at all."],
)  # fmt: skip
def test_poems_lists_and_sentences_keep_their_lines(text: str) -> None:
    read = visitor_sentences(text)
    assert read.value == tuple(text.splitlines()) and not read.notes


def test_subtitles_lose_time_codes_numbers_and_tags() -> None:
    assert visitor_sentences(SUBTITLES).value == SPOKEN
    web = "WEBVTT\nKind: captions\n\n" + SUBTITLES.replace(",000", ".000").replace("<i>", "<v Ann>")
    assert visitor_sentences(web).value == SPOKEN
    assert "time codes" in visitor_sentences(web).notes[0]
    cues = ["NOTEBOOKS ARE SOLD HERE.", "Kind: that is what he was.", "NOTE\nBy Ann.\nBy Bob.", "NOTE that it rains."]
    told = [f"00:00:0{n}.000 --> 00:00:0{n}.900\n{cue}\n" for n, cue in enumerate(cues) if n != 2]
    read = visitor_sentences("\n".join(["WEBVTT\n", *told[:2], cues[2] + "\n", told[2]]))
    assert read.value == (cues[0], cues[1], cues[3])


KINDS = [
    ("00:01,0 --> 00:03,5\nI left\n00:04 --> 00:06\nit.\n", "I left it.", "time codes"),  # no empty lines
    ("0:00:01.000,0:00:03.500\nI left\nit.\n\n0:00:04.000,0:00:06.000\nTom &amp; I?", "I left it.|Tom & I?", "time"),
    ("0:00\nI went to the bank\n0:05\nwhich bank\n", "I went to the bank|which bank", "time codes"),
    ("00:01,0 --> 00:02,0\nANN: I left\n\n00:03,0 --> 00:04,0\nBOB: Who?", "ANN: I left|BOB: Who?", "time codes"),
    ("00:00.0 --> 00:02.0\nI<00:00.5><c> left</c>\n\n00:02.0 --> 00:03.0\nI left\nit.", "I left it.", "time codes"),
    ("10:30\nArrival\n11:00\nLunch", "10:30|Arrival|11:00|Lunch", ""),
    ("# text = A bank. Closed.\n1\tA\n2\tbank\n\n# text = He left.\n1\tHe\n", "A bank. Closed.|He left.", "CoNLL-U"),
    ('<?xml version="1.0"?>\n<s><w>The</w>\n<w>bank</w></s>\n<s>He &lt; she.</s>', "The bank|He < she.", "tags"),
    ("<p>a<style>b {c: d}</style><!-- e --><b>f</b>g, h</p><p>i<br/>j</p>", "a fg, h|i|j", "tags"),
    ("<h1>T</h1>\n<p>A <q>b</q> of <u><v>Ann</v></u>, a<lb/>c <v>d</v>.</p>", "T|A b of Ann, a c d.", "tags"),
    ("<u>e<x>Bob</x>He<img src=''>is <who>K</who>l</u>", "e|Bob|He is|K|l", "tags"),
    ('<l>The ri<lb break="no"/>ver</l><l>went</l>', "The river|went", "tags"),
    ("<bob> I am here\n<ann> hello", "<bob> I am here|<ann> hello", ""),
]


@pytest.mark.parametrize("text, sentences, note", KINDS)
def test_subtitles_transcripts_trees_and_tags(text: str, sentences: str, note: str) -> None:
    read = read_corpus(text)
    assert "|".join(read.sentences) == sentences and bool(note) == bool(read.notes) and note in "".join(read.notes)
    assert not columns_of(text) and not notes(text)


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
    with pytest.raises(ValueError, match="sentences"):
        shared_words("king", ())
