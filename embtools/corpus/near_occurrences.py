"""The occurrences nearest to a word in a sentence, as a result, and what it says in sentences."""

from dataclasses import dataclass

import pandas as pd

from embtools.drawing import Displayed
from embtools.messages import counted, listed
from embtools.occurrences.folder.reading import FILES
from embtools.statistics.decimals import decimal

WORD = "word"
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_VOTES = 3


@dataclass(frozen=True)
class SenseHits:
    """How many of the nearest other occurrences of a word have the same sense as the query.

    sense   the sense of the query
    hits    how many of the nearest `of` other occurrences have this sense
    of      the number of all other occurrences with this sense; occurrences without a sense are left out
    chance  the mean number of hits among `of` other occurrences drawn at random
    """

    sense: str
    hits: int
    of: int
    chance: float


@dataclass(frozen=True)
class Nearest(Displayed):
    """The occurrences nearest to a word in a sentence.

    word        as the model writes it
    count       how often it occurs in the corpus
    query       frame with one row: the occurrence that the query selects, with the columns of `near`, and rank 0
    others      frame: rank, word, cosine, sense, text, start, end, number (from 1) of the other occurrences of the word
                itself, nearest first: all of them in a text, the nearest ones in a folder
    spread      frame: bin_start, bin_end, count: how many of all its other occurrences have a cosine in this range
    near        the columns of `others` without number, of the nearest of all occurrences; empty until all are searched
    static      frame: rank, word, cosine of the corpus's words by static embedding (one vector for all sentences);
                empty until all are searched
    searched    the number of occurrences that were compared
    how         what was searched: "word" (its own occurrences), or all: see `opened.Opened`
    lists_all   whether `others` lists every other occurrence
    hits        how many of the nearest other occurrences have the same sense; None without two known senses
    layer_0     the same in layer 0, where a word has a position but no context
    """

    word: str
    count: int
    query: pd.DataFrame
    others: pd.DataFrame
    spread: pd.DataFrame
    near: pd.DataFrame
    static: pd.DataFrame
    searched: int
    how: str
    lists_all: bool
    hits: SenseHits | None = None
    layer_0: SenseHits | None = None

    @property
    def whole(self) -> bool:
        """Whether all occurrences of the corpus were searched."""
        return self.how != WORD

    @property
    def headline(self) -> str:
        """The words or senses nearest to the occurrence; "" if a text must be read completely to know them."""
        if self.lists_all:
            return _text_finding(self)
        return _folder_finding(self)

    @property
    def compared(self) -> str:
        """A caption: which occurrences were compared, and how."""
        if self.lists_all:
            return (
                f"{counted(self.searched, 'occurrence')} {'was' if self.searched == 1 else 'were'} compared."
                if self.whole
                else "So far, only the sentences with this word have been compared."
            )
        if not self.whole:
            other = "other " if self.searched < self.count else ""
            which = f"the {counted(self.searched, f'{other}occurrence')} of {self.word}"
            return f"This is an exact search of {which}, read from their files."
        how = "read from the files" if self.how == FILES else "stored on this server as one array"
        return (
            f"This is an exact search of {counted(self.searched, 'occurrence')}, {how}. It uses no index, so it misses"
            " no near occurrence."
        )


def _text_finding(result: Nearest) -> str:
    """The words or senses nearest to an occurrence in a text, and those nearest without its sentence."""
    word, hits, without_context = result.word, result.hits, result.layer_0
    if not result.whole and hits is None and not result.others["sense"].any():
        return ""
    if hits is not None:
        if hits.of == 1:
            first = f"The nearest other occurrence of {word} {'means' if hits.hits else 'does not mean'} {hits.sense}."
        elif hits.hits == hits.of:
            first = f"The {in_words(hits.of)} nearest other occurrences of {word} all have the sense {hits.sense}."
        else:
            verb = "mean" if hits.hits > 1 else "means"
            means = f"{in_words(hits.hits)} {verb} {hits.sense}"
            first = f"Of the {in_words(hits.of)} nearest other occurrences of {word}, {means}."
        chance = f"Expected by chance: {hits.chance:.1f}."
        if without_context is None:
            return f"{first} {chance}"
        if hits.of == 1:
            again = f"the nearest one {'does' if without_context.hits else 'does not'}"
        else:
            verb = "do" if without_context.hits > 1 else "does"
            again = f"{in_words(without_context.hits)} of the {in_words(hits.of)} nearest {verb}"
        return f"{first} In layer 0, before any context, {again}. {chance}"
    known = result.others[result.others["sense"] != ""]
    if len(known) > _VOTES:
        votes = known["sense"].head(_VOTES)
        sense = str(votes.mode()[0]) if votes.nunique() < len(votes) else str(votes.iloc[0])
        share, every = int((votes == sense).sum()), int((known["sense"] == sense).sum())
        verb = "means" if share == 1 else "mean"
        return (
            f"Of the {in_words(_VOTES)} nearest occurrences of {word} with a known sense, {in_words(share)} {verb}"
            f" {sense}. Of all {len(known)} with a known sense, {every} {'does' if every == 1 else 'do'}."
        )
    others = _words(result.near, word)
    static = _words(result.static, word)
    if result.near.empty:
        return "The text contains no other word."
    if not others:
        if len(result.near) == 1:
            return f"The nearest occurrence belongs to the word {word} itself (cosine {_highest(result.near)})."
        return (
            f"The {in_words(len(result.near))} nearest occurrences all belong to the word {word} itself (cosines up to"
            f" {_highest(result.near)})."
        )
    highest = _highest(result.near[result.near["word"] != word])
    first = (
        f"In this sentence the word nearest to {word} is {others[0]} (cosine {highest})."
        if len(others) == 1
        else f"In this sentence the words nearest to {word} are {listed(others)} (cosines up to {highest})."
    )
    if not static:
        return first
    return f"{first} Without a sentence {'it is' if len(static) == 1 else 'they are'} {listed(static)}."


def _folder_finding(result: Nearest) -> str:
    """How many of the nearest occurrences in a folder belong to the word itself."""
    if not result.whole:
        if result.others.empty:
            return f"{result.word} occurs only here."
        nearest = result.others["cosine"].iloc[0]
        times = "once" if result.count == 1 else f"{result.count:,} times"
        return (
            f"{result.word} occurs {times} in this folder. The occurrence nearest to this one has a cosine of"
            f" {decimal(nearest)} with it."
        )
    same, every = int((result.near["word"] == result.word).sum()), counted(result.searched, "occurrence")
    if same == len(result.near) > 1:
        return f"The {same} nearest of {every} all belong to the word {result.word} itself."
    if 0 < same < len(result.near):
        belong = "belongs" if same == 1 else "belong"
        return (
            f"{same} of the {len(result.near)} nearest occurrences {belong} to the word {result.word} itself. The"
            f" search compared {every}."
        )
    itself = " itself" if same else ""
    return f"The nearest of {every} belongs to the word {result.near['word'].iloc[0]}{itself}."


def _highest(frame: pd.DataFrame) -> str:
    return decimal(float(frame["cosine"].max()))


def _words(frame: pd.DataFrame, word: str) -> list[str]:
    return [str(other) for other in frame.loc[frame["word"] != word, "word"].unique()[:3]]


def in_words(number: int) -> str:
    """A small number in words, any other in digits.

    >>> in_words(3), in_words(12)
    ('three', '12')
    """
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)
