"""Learned features that are active at examples and rarely in a text, next to those of random examples."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.drawing import Displayed
from embtools.features import uses
from embtools.features.learned import Codes, open_dictionary
from embtools.features.sentences import sentence_words
from embtools.features.uses import FeatureTable, read_features, strongest_words
from embtools.limits import enough, within
from embtools.mask_filling.typed_input import normalise_masks
from embtools.messages import quoted
from embtools.occurrences.corpus import Corpus
from embtools.progress import Progress, part, silent
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.statistics.reporting import LEVEL, control_p, p_value
from embtools.vectors import Array, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

LEAST, MOST = 2, 20
"""Smallest and largest number of examples."""
MAX_CHARACTERS = 10_000
RANDOM, ONE_WORD = "random words", "one random word"
KINDS = (RANDOM, ONE_WORD)
"""The controls: random occurrences of the text, and random occurrences of one word of it."""
DRAWS, MAX_DRAWS = 99, 999


def read_examples(examples: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Read examples, each written `word | sentence`.

    >>> read_examples(["uncle | His uncle sang.", "wife | My wife left."])
    (('uncle', 'His uncle sang.'), ('wife', 'My wife left.'))
    """
    count = sum(map(len, examples))
    if count > MAX_CHARACTERS:
        raise ValueError(
            f"The examples have {count:,} characters, but at most {MAX_CHARACTERS:,} are allowed. Shorten them."
        )
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for number, line in enumerate(examples, 1):
        word, _, sentence = (part.strip() for part in line.partition("|"))
        if not (word and sentence):
            raise ValueError(
                f"Example {number} cannot be read: {quoted(line)}. Write the word, a bar and a sentence, such as: uncle"
                " | His uncle sang."
            )
        found.setdefault(key_of(line), (word, sentence))
    enough(found, "examples", least=LEAST)
    if len(found) > MOST:
        raise ValueError(f"There are {len(found)} examples, but at most {MOST} are allowed. Remove some.")
    return tuple(found.values())


def key_of(line: str) -> tuple[str, str]:
    """Return what makes an example different from others: its word in lower case and its sentence; the first counts.

    >>> key_of("KING | The king slept.")
    ('king', 'The king slept.')
    """
    word, _, sentence = (part.strip() for part in line.partition("|"))
    return word.casefold(), sentence


def example_vectors(examples: Sequence[str], model: "EmbeddingModel", *, layer: int) -> tuple[Array, pd.DataFrame]:
    """Return the vectors of the words of examples after a layer, and where they first occur in their sentences."""
    vectors, rows = [], []
    for number, (word, sentence) in enumerate(read_examples(examples), 1):
        try:
            read = sentence_words(normalise_masks(sentence, gaps=False), model, layer=layer)
        except ValueError as error:
            raise ValueError(f"Example {number}: {error}") from error
        words = [one.casefold() for one in read.words]
        if word.casefold() not in words:
            near = get_close_matches(word.casefold(), words, 1)
            hint = f" Did you mean {quoted(read.words[words.index(near[0])])}?" if near else ""
            raise ValueError(
                f"Example {number}: {quoted(word)} is not a word of its sentence. Write one word exactly as in the"
                f" sentence.{hint}"
            )
        at = words.index(word.casefold())
        vectors.append(read.vectors[at])
        rows.append((number, read.words[at], read.text, *read.places[at]))
    return np.array(vectors, np.float32), pd.DataFrame(rows, columns=["example", "word", "text", "start", "end"])


@dataclass(frozen=True, eq=False)
class ExampleFeatures(Displayed):
    """The features that distinguish n examples from the occurrences of a text.

    layer     the layer
    count     number of occurrences of words in the text
    features  the best features: feature (from 1), examples (number of examples at which it is active),
              share_examples, share (of the occurrences of the text at which it is active), difference (of the two
              shares), activation (its mean at the examples at which it is active), words (the words of the text at
              which it is strongest)
    read      the examples: example, word, activation (of the best feature), text, start, end
    controls  the best feature of each draw of n random examples: kind (one of KINDS), draw, feature, difference. The
              second kind is missing if no word of the text occurs n times
    """

    layer: int
    count: int
    features: pd.DataFrame
    read: pd.DataFrame
    controls: pd.DataFrame

    @cached_property
    def best(self) -> float:
        """The difference of the best feature."""
        return float(self.features["difference"].iloc[0])

    @cached_property
    def repeats(self) -> bool:
        """Whether a word is the word of several examples."""
        return bool(self.read["word"].str.casefold().duplicated().any())

    @cached_property
    def summary(self) -> pd.DataFrame:
        """The best features of random examples: kind, draws, mean, highest, reached (draws at least as high)."""
        groups = self.controls.groupby("kind", sort=False)["difference"]
        frame = groups.agg(draws="size", mean="mean", highest="max").reset_index()
        return frame.assign(reached=[int((values >= self.best).sum()) for _, values in groups])

    @cached_property
    def headline(self) -> str:
        """At how many examples the best feature is active, and what random words reach."""
        row, n = self.features.iloc[0], len(self.read)
        at = f"all {n}" if row["examples"] == n else f"{row['examples']} of {n}"
        control = self.summary.iloc[0]
        draws = f"{control['draws']} draws of {n} random words, the best feature reaches"
        chance = f"In {draws} {decimal(control['highest'], 3)} at most"
        if control["reached"]:
            chance = f"In {control['reached']} of {draws} at least as much"
        p = control_p(int(control["reached"]), int(control["draws"]))
        named = p_value(p, int(control["draws"]), what="draws")
        chance += f" ({named})." if p <= LEVEL else f" ({named}), so this could be chance."
        return (
            f"Feature {row['feature']} is active at {at} examples and at {rounded(row['share'], 2)} of the"
            f" {self.count:,} words of the text (difference {decimal(self.best, 3)}). {chance}"
        )

    @cached_property
    def comparison(self) -> str:
        """What occurrences of one random word reach; "" if no word of the text occurs often enough."""
        if len(self.summary) < len(KINDS):
            return ""
        row, n = self.summary.iloc[1], len(self.read)
        if not self.repeats:
            return (
                f"With {n} occurrences of one random word, the best feature reaches {decimal(row['mean'], 3)} on"
                " average, because each word has features of its own."
            )
        return (
            f"Your examples repeat a word. Each word has features of its own: with {n} occurrences of one random word,"
            f" the best feature reaches {decimal(row['mean'], 3)} on average, and in {row['reached']} of {row['draws']}"
            " draws at least as much as here. To find a feature of a meaning, give examples with different words."
        )


def features_of_examples(
    examples: Sequence[str],
    model: "EmbeddingModel",
    *,
    corpus: Corpus,
    dictionary: str,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress = silent,
) -> ExampleFeatures:
    """Return the features that are active at most examples and rarely in a text.

    The measure is the difference of two shares: the share of the examples at which a feature is active, minus the share
    of all occurrences of words in the text. It is 1 for a feature that is active at every example and nowhere in the
    text. The best of thousands of features is high by chance, too. So the same search is made for the same number of
    random occurrences of the text, and for the same number of occurrences of one random word.

    Parameters
    ----------
    examples : sequence of str
        2 to 20 words, each with its sentence, written `word | sentence`.
    model : EmbeddingModel
    corpus : Corpus
        The text.
    dictionary : str
        The name of a learned dictionary of the model, such as "layer 3".
    draws : int, default 99
        Number of draws of each kind of random examples, at most 999.
    seed : int, default 0
    progress : callable, optional

    Returns
    -------
    ExampleFeatures

    Raises
    ------
    ValueError
        For fewer than 2 or more than 20 examples, an example that is not a word of its sentence, a dictionary that does
        not exist, draws out of range, if no feature is active more often than in the text, and as
        `embtools.occurrences.encode_corpus` does.

    References
    ----------
    Youden 1950, "Index for rating diagnostic tests", for the difference of the two shares.
    """
    within(draws, MAX_DRAWS, "draws")
    opened = open_dictionary(dictionary, model)
    vectors, read = example_vectors(examples, model, layer=opened.layer)
    table = read_features(corpus, model, dictionary=dictionary, progress=part(progress, 0.0, 0.95))
    shares = _active(table.codes, len(opened)) / len(table.codes.features)
    codes = opened.codes(vectors)
    active = _active(codes, len(opened))
    differences = active / len(read) - shares
    top = top_k(differences, uses.MOST)
    top = top[differences[top] > 0]
    if not len(top):
        raise ValueError("No feature is active more often at these examples than in the text. Write other examples.")
    sums = np.bincount(codes.features.ravel(), codes.activations.ravel(), len(opened))
    features = pd.DataFrame(
        {
            "feature": top + 1,
            "examples": active[top],
            "share_examples": active[top] / len(read),
            "share": shares[top],
            "difference": differences[top],
            "activation": sums[top] / active[top],
            "words": strongest_words(table, top),
        }
    )
    own = np.where(codes.features == top[0], codes.activations, 0).sum(1).astype(float)
    read.insert(2, "activation", own)
    return ExampleFeatures(
        opened.layer, len(table.codes.features), features, read, _controls(table, shares, len(read), draws, seed)
    )


def effort(examples: Sequence[str], model: "EmbeddingModel", *, corpus: Corpus, dictionary: str) -> float:
    """Return about how many seconds `features_of_examples` takes, after checking the examples."""
    example_vectors(examples, model, layer=open_dictionary(dictionary, model).layer)
    return uses.effort(corpus, model, dictionary=dictionary)


def _active(codes: Codes, n: int) -> NDArray[np.int64]:
    """Return at how many vectors each of n features is active."""
    return np.bincount(codes.features[codes.activations > 0], minlength=n)


def _controls(table: FeatureTable, shares: NDArray[np.float64], n: int, draws: int, seed: int) -> pd.DataFrame:
    """Return the best feature of each draw of n random occurrences."""
    rows = []
    for kind, drawn in (
        (RANDOM, _random_rows(table, n, draws, seed)),
        (ONE_WORD, _rows_of_word(table, n, draws, seed)),
    ):
        for draw, some in enumerate(drawn, 1):
            active = _active(Codes(table.codes.features[some], table.codes.activations[some]), len(shares))
            differences = active / n - shares
            best = int(differences.argmax())
            rows.append((kind, draw, best + 1, float(differences[best])))
    return pd.DataFrame(rows, columns=["kind", "draw", "feature", "difference"])


def _random_rows(table: FeatureTable, n: int, draws: int, seed: int) -> Iterator[NDArray[np.intp]]:
    rng, count = generator(seed), len(table.codes.features)
    for _ in range(draws):
        yield rng.choice(count, n, replace=count < n)


def _rows_of_word(table: FeatureTable, n: int, draws: int, seed: int) -> Iterator[NDArray[np.intp]]:
    """Yield n random occurrences of a random word for each draw; nothing if no word occurs n times."""
    rng = generator(seed, 1)
    _, begins, order = table.occurrences.by_word
    often = np.flatnonzero(np.diff(begins) >= n)
    for word in rng.choice(often, draws) if len(often) else ():
        yield rng.choice(order[begins[word] : begins[word + 1]], n, replace=False)
