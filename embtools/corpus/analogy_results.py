"""The answers to a formula such as king − man + woman in a text or a folder, as sentences and frames."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from embtools.drawing import Displayed
from embtools.occurrences.folder.reading import FILES
from embtools.occurrences.in_memory import MEMORY
from embtools.rooms.question import MOST_CHOICES, Question, about
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.statistics.ranks import ordinal


class Formula(tuple[str, str, str]):
    """The three words a, b and c of a − b + c."""

    @property
    def subject(self) -> str:
        """What a query with this formula is about.

        >>> Formula(("king", "man", "woman")).subject
        'king − man + woman'
        """
        a, b, c = self
        return f"{a} − {b} + {c}"


@dataclass(frozen=True)
class FourWords:
    """What the occurrences of a, b, c and the expected word show, before all others are searched.

    counts    frame: word, count: the three words, and the expected word last
    cosines   frame: of ("formula", or "baseline": a alone), best, mean: the highest and the mean cosine of the expected
              word's occurrences with it
    moved     the cosine of the result with a
    """

    counts: pd.DataFrame
    cosines: pd.DataFrame
    moved: float

    @property
    def headline(self) -> str:
        """How similar the expected word is to the result, and how far the result has moved away from a."""
        a, b, c, expected = self.counts["word"]
        best = self.cosines["best"]
        return (
            f"{a} − {b} + {c}: the nearest occurrence of {expected} has a cosine of {decimal(best[0])} with the result"
            f" and of {decimal(best[1])} with {a} alone. The result itself has a cosine of {decimal(self.moved)} with"
            f" {a}."
        )


@dataclass(frozen=True)
class Analogy:
    """The answers to a − b + c in a text or a folder, and the rank of the expected word.

    near        frame: rank, word, cosine, sense, text, start, end of the occurrences nearest to the formula's result
    ranks       frame: of ("formula", or "baseline": a alone), with_inputs, without_inputs: the rank of the best
                occurrence of the expected word, with and without all occurrences of a, b and c
    searched    the number of occurrences that were ranked; 0 if only the four words were read, and then both frames are
                empty
    words       a, b and c, as they were given
    expected    the expected word, as it was given
    four_words  what the occurrences of the four words show
    how         what was searched: "memory", or of a folder "kept" (one stored array) or "files"
    """

    near: pd.DataFrame
    ranks: pd.DataFrame
    searched: int
    words: tuple[str, str, str]
    expected: str
    four_words: FourWords
    how: str

    @property
    def headline(self) -> str:
        """The rank of the expected word, with and without the three words, and by nearness to the first word alone."""
        if not self.searched:
            return self.four_words.headline
        a, b, c = self.words
        formula, alone = (
            (ordinal(int(row["without_inputs"])), ordinal(int(row["with_inputs"])))
            for row in (self.ranks.iloc[n] for n in (0, 1))
        )
        ranks = (
            f"ranks {formula[0]}, whether the three words are excluded or kept"
            if formula[0] == formula[1]
            else f"ranks {formula[0]} if the three words are excluded and {formula[1]} if they are kept"
        )
        every = "all occurrences of the three words are kept"
        kept = "in both cases" if alone[0] == alone[1] else f"({alone[1]} if {every})"
        by_one_word = f"By nearness to {a} alone, {self.expected} ranks {alone[0]} {kept}."
        return f"{a} − {b} + {c}: {self.expected} {ranks}. {by_one_word}"

    def question(self, choices: Sequence[str] = ()) -> Question:
        """Ask a class for the word of the nearest occurrence."""
        a, b, c = self.words
        own = tuple(dict.fromkeys((*self.near["word"], self.expected, a, c)))[:MOST_CHOICES]
        text = "Of all words in the text, which has the occurrence nearest to the result?"
        first = str(self.near["word"].iloc[0])
        asked = Question(text, tuple(choices or sorted(own)), context=about(f"{a} − {b} + {c}"))
        return asked.with_answer(first, first)

    @property
    def compared(self) -> str:
        """A caption: which occurrences were compared, and how."""
        if not self.searched:
            source = "" if self.how == MEMORY else ", read from their files"
            count = self.four_words.counts["count"].sum()
            return f"This uses only the {count:,} occurrences of the four words{source}."
        which = f"The ranks are exact: they are among all {self.searched:,} occurrences of the"
        if self.how == MEMORY:
            return f"{which} text."
        how = "read from the files" if self.how == FILES else "stored on this server as one array"
        return f"{which} folder, {how}."


@dataclass(frozen=True)
class Choices(Displayed):
    """Which words rank 1st over many choices of one occurrence each for a, b and c.

    shares      frame: of ("formula", "baseline"), choices, with_inputs, without_inputs: how often the expected word
                ranks 1st
    winners     frame: word, with_inputs, without_inputs: how often each word ranks 1st by the formula
    every       whether all choices were tried; otherwise a random sample of them
    words       a, b and c, as they were given
    expected    the expected word, as it was given
    by_first    frame with a row for each occurrence of a that is part of a choice: with_inputs and without_inputs
                (share of its choices in which the expected word ranks 1st), alone (whether the expected word is nearest
                to this occurrence itself, without inputs)
    """

    shares: pd.DataFrame
    winners: pd.DataFrame
    every: bool
    words: tuple[str, str, str]
    expected: str
    by_first: pd.DataFrame

    @property
    def headline(self) -> str:
        """How often the expected word ranks 1st, by the formula and by nearness to the first word alone."""
        formula, alone = (self.shares.iloc[n] for n in (0, 1))
        which = f"all {formula['choices']:,}" if self.every else f"{formula['choices']:,} random"
        return (
            f"Of {which} choices of sentences, {self.expected} ranks 1st in {rounded(formula['without_inputs'])} if the"
            f" three words are excluded, and in {rounded(formula['with_inputs'])} if they are kept. By nearness to"
            f" {self.words[0]} alone, {self.expected} ranks 1st in {rounded(alone['without_inputs'])} if they are"
            f" excluded, and in {rounded(alone['with_inputs'])} if they are kept."
        )
