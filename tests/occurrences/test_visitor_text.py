"""The sentences of pasted texts: forty hard ends, wrapped prose, poems, lists and subtitles."""

import time

import pytest

from embtools.occurrences.corpus import read_corpus
from embtools.occurrences.visitor_text import ends, visitor_sentences

# Sentences of a line, separated by a bar. Of these, sentencex alone has 36 right, pysbd 34, the rules for folders 31.
ENDS = (
    'The road is approx. 3 miles long.|She lives at No. 5 in the U.S. Capitol district.|They sang "Gimme! Gimme! Gimme!" all night.',
    "Dr. Smith met Mrs. Jones at 5 p.m. in St. Louis.|They talked.",
    "He works for Apple Inc. in California.|She does not.",
    "It costs $3.50.|That is cheap.",
    "The U.S. is large.|So is Canada.",
    "We left at 6 a.m. on Monday.|It rained.",
    "See Fig. 3 for details.|It is clear.",
    '"Are you there?" she asked.|"Yes."',
    'He said, "I am tired."|Then he left.',
    "J. R. R. Tolkien wrote it.|It is long.",
    "Prof. A. Lee, Ph.D., spoke first.|Then we ate.",
    "What?!|No way!",
    "I waited ... and waited.|Nothing came.",
    "She bought apples, pears, etc. and went home.|He stayed.",
    "He was born on Jan. 5, 1990.|She was born in Feb. 1991.",
    "Visit www.example.com for more.|It is free.",
    "The version is 2.0.1 now.|Please update.",
    "Mr. and Mrs. Brown live on Main St. near the park.|They are old.",
    "The company, founded by Sam Jr. in 1990, failed.|Nobody knew why.",
    "I like cats (and dogs!) very much.|You do too.",
    "He asked, “Why?”|She shrugged.",
    "Gen. Lee met Sen. Clark in Washington, D.C. last week.|They agreed.",
    "It was 5 ft. 3 in. tall.|It fell.",
    "Is it true?|Yes.",
    "This is e.g. a test.|That is i.e. another.",
    "The U.N. met.|The E.U. did not.",
    "Smith et al. found this.|Others did not.",
    "He ran vs. the clock.|He lost.",
    "Yahoo! is a company.|It is old.",
    '"Stop!" he cried.|Nobody stopped.',
    "They arrived at approx. 5 p.m.|Then they ate.",
    "He lives in the U.K.|She lives in Spain.",
    "Vol. 3, pp. 5 to 9, has it.|Read it.",
    "One sentence only",
    "No. 10 Downing Street is famous.|The door is black.",
    "She said no.|He said yes.",
    '"I know," he said.|"I was there."',
    "Lt. Col. Smith retired.|He sleeps well.",
    "The temp. was 5.5 degrees.|It was cold.",
    "I went to Dr. King Jr. Avenue.|It was closed.",
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


@pytest.mark.parametrize("case", ENDS)
def test_ends_of_sentences(case: str) -> None:
    assert "|".join(ends(case.replace("|", " "))) == case


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


def test_hard_texts_take_no_long() -> None:
    begun = time.perf_counter()
    for unit in ("a. ", '"', "( ", "Mr. "):
        ends(unit * (100_000 // len(unit)))
    assert time.perf_counter() - begun < 5
