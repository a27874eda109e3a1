"""Parts of speech of the nearest occurrences, guessed by a linear probe, next to those of all words of the text."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import memory, wordlists
from embtools.corpus.search import Query, nearest
from embtools.drawing import Displayed
from embtools.layer_combinations import SUM_FOUR
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import Occurrences, encode_corpus
from embtools.progress import Progress, part, silent, through
from embtools.spaces.space import AS_IS, Space
from embtools.statistics.percentages import rounded
from embtools.statistics.probe import DIVISIONS, FOLDS, fit, held_out, split
from embtools.vectors import Array
from embtools.words.templates import seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


TASK = "part of speech"
_BLOCK = 5_000  # occurrences that are guessed at once
_FIT = 1e-4  # measured: seconds for each dimension that one probe takes to fit


@dataclass(frozen=True, eq=False)
class GuessedParts:
    """The part of speech of every content word of a text, as a probe guesses it. The arrays are read-only.

    labels         the parts of speech, sorted
    content        (n,) whether the occurrence is guessed; function words such as "the" are not
    probabilities  (n, k) of the labels; 0 for function words
    accuracy       share of labelled words that a probe guesses right if it was trained without this word
    baseline       accuracy of always guessing the most frequent label
    items          number of labelled words
    """

    labels: tuple[str, ...]
    content: NDArray[np.bool_]
    probabilities: Array
    accuracy: float
    baseline: float
    items: int


@dataclass(frozen=True, eq=False)
class NeighbourParts(Displayed):
    """The parts of speech of the occurrences nearest to a word in a sentence, as a probe guesses them.

    word                       the word
    combination                the layer combination of the vectors
    shares                     part_of_speech, nearest (number of the nearest content words), share (of them), share_all
                               (of all content words of the text)
    near                       the nearest content words: rank, word, part_of_speech, probability, text
    left_out                   number of function words among the nearest, which are not guessed
    count                      number of content words in the text
    accuracy, baseline, items  as in `GuessedParts`
    """

    word: str
    combination: str
    shares: pd.DataFrame
    near: pd.DataFrame
    left_out: int
    count: int
    accuracy: float
    baseline: float
    items: int

    @cached_property
    def headline(self) -> str:
        """The most frequent part of speech of the nearest words, next to its share of all words."""
        if self.near.empty:
            which = (
                "The nearest word is a function word" if self.left_out == 1
                else f"All {self.left_out} nearest words are function words"
            )  # fmt: skip
            return f"{which}, whose part of speech the probe does not know."
        row = self.shares.loc[self.shares["nearest"].idxmax()]
        n, name = len(self.near), row["part_of_speech"]
        if n == 1:
            which = f"the nearest content word is {'an' if name[0] == 'a' else 'a'} {name}"
        else:
            some = f"all {n}" if row["nearest"] == n else f"{row['nearest']} of the {n}"
            one = row["nearest"] == 1
            are = f"is {'an' if name[0] == 'a' else 'a'} {name}" if one else f"are {name}s"
            which = f"{some} nearest content words {are}"
        return (
            f"According to a probe, {which}, compared with {rounded(row['share_all'])} of all {self.count:,} content"
            " words of the text."
        )

    @cached_property
    def quality(self) -> str:
        """How often the probe is right, next to guessing."""
        return (
            f"These are guesses by a linear probe ({self.combination}). It is right for {rounded(self.accuracy)} of"
            f" {self.items} labelled words that it was not trained on. Always guessing the most frequent label would"
            f" give the right answer for {rounded(self.baseline)}."
        )


@remembered
def guess_parts(
    corpus: Corpus, model: "EmbeddingModel", *, combination: str = SUM_FOUR, progress: Progress = silent
) -> GuessedParts:
    """Return the part of speech of every content word of a text, as a linear probe (Alain & Bengio 2016) of the
    built-in task "part of speech" guesses it in the same layer combination; cached.
    """
    result = encode_corpus(corpus, model, combination=combination, progress=part(progress, 0.0, 0.8))
    vectors, labels, types = _labelled(model.original, combination, part(progress, 0.8, 0.1))
    names = tuple(sorted(set(labels)))
    divisions = [split(labels, types, seed=seed) for seed in range(DIVISIONS)]
    each = [held_out(vectors, labels, splits) for splits in divisions]
    right = np.mean([np.array(names)[found.argmax(1)] == np.array(labels) for found in each], axis=0)
    words = result.table["word"].to_numpy()
    # The probe knows nouns, verbs, adjectives and adverbs only, so function words are left out.
    known = {word: not is_function_word(word) for word in set(words)}
    content = np.array([known[word] for word in words], bool)
    guessed = np.zeros((len(words), len(names)))
    if content.any():
        probe, rows = fit(vectors, labels), np.flatnonzero(content)
        for block in through(np.array_split(rows, -(-len(rows) // _BLOCK)), part(progress, 0.9, 0.1)):
            guessed[block] = probe.predict_proba(result.vectors[block].astype(np.float64))
    content.flags.writeable = guessed.flags.writeable = False
    most = max(labels.count(name) for name in names)
    return GuessedParts(names, content, guessed, float(right.mean()), most / len(labels), len(labels))


def effort(corpus: Corpus, model: "EmbeddingModel", *, combination: str = SUM_FOUR) -> float:
    """Return about how many seconds `neighbour_parts` takes if the text has been read; 0 if it was guessed before."""
    if memory.known(guess_parts, {"corpus": corpus, "combination": combination}, checksum=model.checksum):
        return 0.0
    sentences = wordlists.load("probing").query("task == @TASK")["sentence"].unique()
    tokens = sum(len(model.tokenize(str(sentence))) for sentence in sentences)
    return seconds(tokens, model) + (DIVISIONS * FOLDS + 1) * _FIT * model.dimensions


def neighbour_parts(
    corpus: Corpus,
    model: "EmbeddingModel",
    *,
    query: Query,
    combination: str = SUM_FOUR,
    k: int = 10,
    same_word: bool = True,
    space: Space = AS_IS,
    progress: Progress = silent,
) -> NeighbourParts:
    """Return the parts of speech of the occurrences nearest to a word in a sentence, as a probe guesses them.

    Parameters
    ----------
    corpus : Corpus
    model : EmbeddingModel
    query, combination, k, same_word, space
        As in `nearest`, which gives the neighbours. The probe reads the vectors as they are, also if the neighbours are
        those of a processed space.
    progress : callable, optional

    Returns
    -------
    NeighbourParts

    Raises
    ------
    ValueError
        As `nearest` does, and if the model knows too few of the words from which the probe learns.
    """
    guessed = guess_parts(corpus, model, combination=combination, progress=part(progress, 0.0, 0.9))
    rest = part(progress, 0.9, 0.1)
    result = nearest(
        corpus, model, query=query, combination=combination, k=k, same_word=same_word, space=space, progress=rest
    )
    rows = _rows(encode_corpus(corpus, model, combination=combination), result.near)
    kept = guessed.content[rows]
    guesses, names = guessed.probabilities[rows[kept]], np.array(guessed.labels)
    near = result.near.loc[kept, ["rank", "word"]].assign(
        part_of_speech=names[guesses.argmax(1)], probability=guesses.max(1), text=result.near.loc[kept, "text"]
    )
    everywhere = names[guessed.probabilities[guessed.content].argmax(1)]
    counts = np.array([(near["part_of_speech"] == name).sum() for name in names])
    shares = pd.DataFrame(
        {
            "part_of_speech": names,
            "nearest": counts,
            "share": counts / max(len(near), 1),
            "share_all": [float((everywhere == name).mean()) if len(everywhere) else 0.0 for name in names],
        }
    )
    near, left_out, count = near.reset_index(drop=True), int((~kept).sum()), int(guessed.content.sum())
    return NeighbourParts(
        result.word, combination, shares, near, left_out, count, guessed.accuracy, guessed.baseline, guessed.items
    )


def _labelled(model: "EmbeddingModel", combination: str, progress: Progress) -> tuple[Array, list[str], list[str]]:
    """Return the vectors (m, d) of the labelled words that the model knows, their labels and the words."""
    items = wordlists.load("probing").query("task == @TASK")
    result = encode_corpus(
        Corpus(tuple(dict.fromkeys(items["sentence"]))), model, combination=combination, progress=progress
    )
    places: dict[tuple[str, str], list[int]] = {}
    for row, (number, word) in enumerate(zip(result.table["sentence"], result.table["word"], strict=True)):
        places.setdefault((result.sentences[number], word.casefold()), []).append(row)
    rows, labels, types = [], [], []
    for item in items.itertuples():
        at = places.get((item.sentence, item.word.casefold()), [])
        if item.occurrence <= len(at):
            rows.append(at[item.occurrence - 1])
            labels.append(str(item.label))
            types.append(str(item.word).casefold())
    few = [
        label
        for label in set(items["label"])
        if len({t for t, n in zip(types, labels, strict=True) if n == label}) < FOLDS
    ]
    if few:
        raise ValueError(
            f"This model knows too few of the words labelled {quoted(min(few))} to learn parts of speech. Choose"
            " another model."
        )
    return result.vectors[rows], labels, types


def _rows(result: Occurrences, near: pd.DataFrame) -> NDArray[np.intp]:
    """Return the rows of occurrences that are described by their sentence and where they begin in it."""
    of = {
        (result.sentences[number], start): row
        for row, (number, start) in enumerate(zip(result.table["sentence"], result.table["start"], strict=True))
    }
    return np.array([of[text, start] for text, start in zip(near["text"], near["start"], strict=True)], np.intp)


# fmt: off
FUNCTION_WORDS = frozenset((
    # articles, determiners and numerals
    "a", "all", "an", "another", "any", "both", "each", "eight", "either", "enough", "every", "few", "fewer", "five",
    "four", "half", "hundred", "less", "many", "million", "more", "most", "much", "neither", "nine", "no", "none",
    "one", "other", "others", "own", "same", "seven", "several", "six", "some", "such", "ten", "that", "the", "these",
    "this", "those", "thousand", "three", "twelve", "twenty", "two", "what", "which", "whose",
    # pronouns
    "anybody", "anyone", "anything", "everybody", "everyone", "everything", "he", "her", "hers", "herself", "him",
    "himself", "his", "i", "it", "its", "itself", "me", "mine", "my", "myself", "nobody", "nothing", "our", "ours",
    "ourselves", "she", "somebody", "someone", "something", "their", "theirs", "them", "themselves", "they", "us",
    "we", "who", "whom", "you", "your", "yours", "yourself", "yourselves",
    # prepositions and particles
    "about", "above", "across", "after", "against", "along", "among", "around", "as", "at", "before", "behind",
    "below", "beneath", "beside", "besides", "between", "beyond", "by", "despite", "down", "during", "except", "for",
    "from", "in", "inside", "into", "like", "near", "of", "off", "on", "onto", "out", "outside", "over", "past", "per",
    "round", "since", "through", "throughout", "till", "to", "toward", "towards", "under", "until", "up", "upon",
    "via", "with", "within", "without",
    # conjunctions, question words and negation
    "although", "and", "because", "but", "how", "if", "nor", "not", "or", "so", "than", "though", "unless", "when",
    "where", "whether", "while", "why", "yet",
    # auxiliary verbs
    "am", "are", "be", "been", "being", "can", "cannot", "could", "did", "do", "does", "doing", "done", "had", "has",
    "have", "having", "is", "may", "might", "must", "ought", "shall", "should", "was", "were", "will", "would",
))
# fmt: on


def is_function_word(word: str) -> bool:
    """Return whether a word belongs to a closed class, has only one letter, or contains another character.

    >>> is_function_word("The"), is_function_word("s"), is_function_word("1999"), is_function_word("bank")
    (True, True, True, False)
    """
    return word.casefold() in FUNCTION_WORDS or len(word) < 2 or not word.isalpha()
