"""The odd one out of a few words, puzzles for a game, and how often embeddings find the right word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.limits import within
from embtools.memory import remembered
from embtools.messages import first_of, shortened
from embtools.models.spelling import capitalised_words
from embtools.models.vectors_as_model import Vectors
from embtools.progress import Progress, silent
from embtools.rooms.question import MOST_CHOICES, MOST_CONTEXT, Question
from embtools.similarity.matrix import MAX_WORDS, PRESETS, preset, similarity_matrix, table_of
from embtools.statistics.intervals import wilson
from embtools.statistics.ranks import equal_to_first
from embtools.wordlists import load
from embtools.words import vectors as wordlist
from embtools.words.frequency import called, kind_of
from embtools.words.templates import WORD
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Puzzle:
    """A few words, and the one of them that does not belong to the others."""

    words: tuple[str, ...]
    odd: str


@dataclass(frozen=True)
class OddOneOut:
    """How well each of a few words fits the others.

    table    frame, the odd one out first: word; cosine, the mean with the others, which gives the same ranking as the
             cosine with the mean of the unit vectors (gensim's `doesnt_match`); times_odd, in how many of the n lists
             with one word left out this word is the odd one out: n - 1 for a stable answer, because it is missing from
             one list; not available for 3 words
    kind     what is compared: "word", "occurrence" or "sentence"
    by_bert  whether they are called BERT's: not those of named vectors of words
    """

    table: pd.DataFrame
    kind: str = "word"
    by_bert: bool = True

    @property
    def equal(self) -> int:
        """How many words have the lowest mean cosine; of several, none is the odd one out."""
        return equal_to_first(self.table["cosine"])

    @property
    def pick(self) -> str:
        """The word that fits the others least."""
        return str(self.table["word"].iloc[0])

    def question(self, choices: Sequence[str] = (), *, words: Sequence[str]) -> Question:
        """Ask a class which of the words, in their order, BERT finds least similar to the others."""
        pick = self.pick
        shown = [word for word in dict.fromkeys(words) if word != pick][: MOST_CHOICES - 1]
        proposed = tuple(word for word in words if word == pick or word in shown)
        text, context = f"Which {self.kind} does not belong to the others?", shortened(", ".join(words), MOST_CONTEXT)
        question = Question(text, tuple(choices) or proposed, context=context, by_bert=self.by_bert)
        answer = pick if self.equal == 1 else "none of them"
        return question.with_answer(answer, answer)

    def guessed(self, guess: str, odd: str | None = None) -> str:
        """A headline about BERT's pick and a visitor's guess, and who is right if the odd one out is known."""
        pick, count = self.pick, self.equal
        who, be, s = ("BERT", "is", "s") if self.by_bert else ("the vectors", "are", "")
        subject = who[0].upper() + who[1:]
        if count > 1:
            words = first_of([called(word, self.kind) for word in self.table["word"].head(count)])
            least = f"{words} are equally dissimilar to the others, so none of them is the odd one out."
            return f"{least} You picked {called(guess, self.kind)}."
        if odd is None:
            own, theirs = called(guess, self.kind), called(pick, self.kind)
            return f"{subject} pick{s} {theirs}{' too' if pick == guess else f', and you picked {own}'}."
        if guess == odd:
            right = f"pick{s} it too" if pick == odd else f"{be} wrong and pick{s} {pick}"
            return f"Right: {odd}. {subject} {right}."
        if pick == odd:
            return f"The odd one out is {odd}, as {who} say{s}. You picked {guess}."
        both = f"You and {who} both picked {guess}" if pick == guess else f"You picked {guess}, and {who} picked {pick}"
        return f"The odd one out is {odd}. {both}."


@dataclass(frozen=True)
class Quiz:
    """How often the odd one out was found among four words, three from one list and one from another.

    right      number of rounds in which it was found (one in four by chance)
    rounds     number of rounds
    low, high  Wilson's 95% interval of the share
    """

    right: int
    rounds: int
    low: float
    high: float


def odd_one_out(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = WORD,
) -> OddOneOut:
    """How well each word fits the others, the odd one out first.

    Parameters
    ----------
    words : sequence of str
        3 to 150 words.
    model : EmbeddingModel
    pieces : {"refuse", "mean", "first"}, default "refuse"
        Words of several tokens: "refuse" raises an error, "mean" uses the mean of their tokens, "first" the first one.
    layer : int or None, optional
        None: static embeddings. 0 … l: hidden states of that layer.
    template : str, optional
        For hidden states: a sentence around each word, such as "I like {word}.".

    Returns
    -------
    OddOneOut

    Raises
    ------
    ValueError
        As `similarity_matrix` does.
    """
    wordlist.check(words, model, least=3, most=MAX_WORDS, pieces=pieces)
    values = similarity_matrix(words, model, pieces=pieces, layer=layer, template=template)
    n = len(words)
    sums = values.sum(1) - 1
    without = sums[None] - values  # [a, b]: sum of the cosines of b when a is left out
    np.fill_diagonal(without, np.inf)
    times_odd = np.bincount(without.argmin(1), minlength=n)
    frame = pd.DataFrame({"word": list(words), "cosine": sums / (n - 1), "times_odd": times_odd if n > 3 else pd.NA})
    frame = frame.sort_values("cosine", kind="stable", ignore_index=True)
    kind = kind_of(model)
    return OddOneOut(frame, kind, kind != "word" or not isinstance(model, Vectors))


@remembered
def puzzles(model: "EmbeddingModel", *, n: int = 50, seed: int = 0) -> tuple[Puzzle, ...]:
    """The first puzzles of a game: those that ship with the library, then random ones as in `quiz`.

    Puzzles with a word of several tokens are left out.

    Parameters
    ----------
    model : EmbeddingModel
    n : int, default 50
        Number of puzzles, 1 to 10,000.
    seed : int, default 0

    Returns
    -------
    tuple of Puzzle

    Raises
    ------
    ValueError
        As `quiz` does.
    """
    within(n, 10_000, "rounds")
    listed = load("puzzles")
    ready = []
    for line, odd in zip(listed["words"], listed["odd"], strict=True):
        words = line.split("|")
        capitalised = capitalised_words(words, model)
        ready.append(Puzzle(capitalised, capitalised[words.index(odd)]))
    known = [puzzle for puzzle in ready if all(_one_piece(word, model) for word in puzzle.words)]
    lists = _lists(model)
    random, order = generator(seed), generator(seed, 1)
    drawn = []
    for _ in range(n - len(known)):
        own, other, picked = _draw(random, [len(words) for words in lists])
        four = [*(lists[own][i] for i in picked[:3]), lists[other][picked[3]]]
        drawn.append(Puzzle(tuple(four[i] for i in order.permutation(4)), four[3]))
    return (*known, *drawn)[:n]


def intruder(words: Sequence[str], puzzles: Sequence[Puzzle]) -> str | None:
    """The odd one out of these words if they are one of the puzzles, in any order; else None.

    >>> intruder(["tin", "oak", "lead"], [Puzzle(("tin", "lead", "oak"), "oak")])
    'oak'
    """
    found = {frozenset(puzzle.words): puzzle.odd for puzzle in puzzles}
    return found.get(frozenset(words))


def play(
    puzzles: Sequence[Puzzle],
    model: "EmbeddingModel",
    *,
    guesses: Sequence[str],
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = WORD,
) -> pd.DataFrame:
    """The rounds of a game that were played.

    Parameters
    ----------
    puzzles : sequence of Puzzle
        From `puzzles`.
    model : EmbeddingModel
    guesses : sequence of str
        The guess in each round; rounds with an empty guess are left out.
    pieces : {"refuse", "mean", "first"}, default "refuse"
        Words of several tokens: "refuse" raises an error, "mean" uses the mean of their tokens, "first" the first one.
    layer : int or None, optional
        None: static embeddings. 0 … l: hidden states of that layer.
    template : str, optional
        For hidden states: a sentence around each word, such as "I like {word}.".

    Returns
    -------
    DataFrame
        Columns: round, words, odd, guess, bert (its pick).

    Raises
    ------
    ValueError
        As `odd_one_out` does.
    """
    rounds = [(n, p, guess) for n, (p, guess) in enumerate(zip(puzzles, guesses, strict=False), 1) if guess]
    picks = [odd_one_out(p.words, model, pieces=pieces, layer=layer, template=template).pick for _, p, _ in rounds]
    return pd.DataFrame(
        {
            "round": [n for n, _, _ in rounds],
            "words": [", ".join(p.words) for _, p, _ in rounds],
            "odd": [p.odd for _, p, _ in rounds],
            "guess": [guess for _, _, guess in rounds],
            "bert": picks,
        }
    )


def quiz(
    model: "EmbeddingModel",
    *,
    rounds: int = 400,
    seed: int = 0,
    progress: Progress = silent,
) -> Quiz:
    """How often static embeddings find the odd one out of words drawn at random from the built-in lists.

    Words of several tokens and words in two lists are left out.

    Parameters
    ----------
    model : EmbeddingModel
    rounds : int, default 400
        Number of rounds, 1 to 10,000.
    seed : int, default 0
    progress : callable, optional

    Returns
    -------
    Quiz
        The number of rounds in which it was found, and the 95% interval of the share.

    Raises
    ------
    ValueError
        For a number of rounds out of range, and for a model that knows too few of the words.
    """
    within(rounds, 10_000, "rounds")
    lists = _lists(model, progress)
    values = table_of(np.stack([model.vector(word) for words in lists for word in words]))
    sizes = [len(words) for words in lists]
    begins = np.cumsum([0, *sizes])
    random = generator(seed)
    right = 0
    for done in range(rounds):
        if done % 20 == 0:
            progress(0.8 + 0.2 * done / rounds)
        own, other, picked = _draw(random, sizes)
        four = [*(begins[own] + picked[:3]), begins[other] + picked[3]]
        right += int(values[np.ix_(four, four)].sum(1).argmin() == 3)
    return Quiz(right, rounds, *wilson(right, rounds))


def _draw(random: np.random.Generator, sizes: Sequence[int]) -> tuple[int, int, NDArray[np.int64]]:
    """Two random lists, and the indices of four words: three from the first list, one from the second."""
    own, other = random.choice(len(sizes), 2, replace=False)
    picked = [*random.choice(sizes[own], 3, replace=False), random.choice(sizes[other])]
    return int(own), int(other), np.array(picked)


def _lists(model: "EmbeddingModel", progress: Progress = silent) -> list[tuple[str, ...]]:
    """The words of each built-in list that are one token, without words that are in two lists."""
    lists = [capitalised_words(preset(name), model) for name in PRESETS]
    every = [word for words in lists for word in words]
    known = set()
    for done, word in enumerate(every):  # the tokenizer takes most of the time
        if every.count(word) == 1 and _one_piece(word, model):
            known.add(word)
        progress(0.8 * done / len(every))
    lists = [tuple(word for word in words if word in known) for words in lists]
    lists = [words for words in lists if len(words) >= 3]
    if len(lists) < 2:
        raise ValueError("Too few words of the built-in lists are one token in this model. Choose another model.")
    return lists


def _one_piece(word: str, model: "EmbeddingModel") -> bool:
    pieces = model.pieces(word)
    return len(pieces) == 1 and pieces[0] != "[UNK]"
