"""Colour words to BERT and to the eye: does similarity follow sight?"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.limits import within
from embtools.messages import quoted
from embtools.statistics.permutations import Mantel, mantel
from embtools.vectors import Array
from embtools.wordlists import load

# Pairs that "BERT Embedding Math" names: two that its figure shows together, and what the eye would put together.
NAMED = (("black", "white"), ("silver", "gold"), ("silver", "gray"), ("gold", "yellow"))

MAX_COLOURS = 500
FEWEST = 4  # colours
IN_USE, TO_THE_EYE = "closer in use than to the eye", "closer to the eye than in use"


@dataclass(frozen=True)
class Sight:
    """Colour words compared to BERT and to the eye.

    words    the n words that name a colour, with `hexes`
    pairs    first, second, cosine, difference (CIEDE2000), rank_use, rank_sight (1 is most alike), gap (rank_sight
             minus rank_use, as a share of all pairs: near 1 alike in use but not to the eye, near -1 the reverse)
    test     Spearman's rho of cosine and nearness to the eye: positive when similarity follows sight
    """

    words: tuple[str, ...]
    hexes: tuple[str, ...]
    pairs: pd.DataFrame
    test: Mantel


def hexes(words: Sequence[str]) -> dict[str, str]:
    """The sRGB value of each word that names a colour: this project's list first, then the names of CSS.

    >>> hexes(["red", "piano"])
    {'red': '#ff0000'}
    """
    return {word: value for word in words if (value := _hex(word.lower().replace(" ", "")))}


def known_colours(words: Sequence[str]) -> dict[str, str]:
    """`hexes`; ValueError for fewer than 4 colours, of which there is no order of pairs to compare."""
    known = hexes(words)
    if len(known) < FEWEST:
        raise ValueError(
            f"{len(known)} of these words name a colour of CSS; the comparison with the eye needs {FEWEST}."
            " Add words such as red and green."
        )
    return known


def colour_differences(values: Sequence[str]) -> NDArray[np.float64]:
    """CIEDE2000 differences (n, n) between sRGB values such as "#ff0000": 0 is the same, black and white are 100.

    CIE 142-2001, as implemented by coloraide, under the illuminant D65.
    """
    from coloraide import Color

    within(len(values), MAX_COLOURS, "colours")
    try:
        colours = [Color(value).convert("lab-d65") for value in values]
    except ValueError:
        unknown = next(value for value in values if Color.match(value, fullmatch=True) is None)
        raise ValueError(f"{quoted(unknown)} is no colour. Write one such as #ff0000.") from None
    result = np.zeros((len(colours), len(colours)))
    for i, a in enumerate(colours):
        for j in range(i):
            result[i, j] = result[j, i] = a.delta_e(colours[j], method="2000")
    return result


def compare_with_sight(words: Sequence[str], cosines: Array, *, permutations: int = 9_999, seed: int = 0) -> Sight:
    """Does the cosine between n colour words, as `similarity_matrix` (n, n) gives it, follow the colours' look?

    Words that name no colour are left out. Raises ValueError as `known_colours` and `mantel` do.
    """
    if np.shape(cosines) != (len(words), len(words)):
        raise ValueError(f"There are {len(words)} words; give the cosines of every two of them.")
    known = known_colours(words)
    keep = [i for i, word in enumerate(words) if word in known]
    cosines = cosines[np.ix_(keep, keep)]
    names = tuple(words[i] for i in keep)
    differences = colour_differences(tuple(known.values()))
    i, j = np.triu_indices(len(names), 1)
    pairs = pd.DataFrame(
        {
            "first": [names[k] for k in i],
            "second": [names[k] for k in j],
            "cosine": cosines[i, j],
            "difference": differences[i, j],
        }
    )
    pairs["rank_use"] = pairs["cosine"].rank(ascending=False, method="average")
    pairs["rank_sight"] = pairs["difference"].rank(method="average")
    pairs["gap"] = (pairs["rank_sight"] - pairs["rank_use"]) / len(pairs)
    test = mantel(cosines, -differences, permutations=permutations, seed=seed)
    return Sight(names, tuple(known.values()), pairs.sort_values("gap", ascending=False, ignore_index=True), test)


def extreme_pairs(sight: Sight) -> pd.DataFrame:
    """The pairs of `Sight.pairs` whose two ranks differ most, with the kind of the difference: up to four and three."""
    pairs = sight.pairs
    in_use, to_the_eye = pairs[pairs["gap"] > 0].head(4), pairs[pairs["gap"] < 0].tail(3)
    return pd.concat([in_use.assign(kind=IN_USE), to_the_eye.assign(kind=TO_THE_EYE)])


def named_pairs(sight: Sight) -> pd.DataFrame:
    """The rows of `Sight.pairs` that "BERT Embedding Math" speaks of, as far as the words are there."""
    wanted = {frozenset(pair): n for n, pair in enumerate(NAMED)}
    place = [wanted.get(frozenset(p)) for p in zip(sight.pairs["first"], sight.pairs["second"], strict=True)]
    return sight.pairs.assign(place=place).dropna(subset="place").sort_values("place").drop(columns="place")


@functools.lru_cache(1)
def _listed() -> dict[str, str]:
    frame = load("colours")
    return dict(zip(frame["colour"], frame["hex"], strict=True))


def _hex(word: str) -> str | None:
    if word in _listed():
        return _listed()[word]
    from coloraide import Color

    if not word.isalpha() or not word.isascii() or word == "transparent":
        return None
    match = Color.match(word, fullmatch=True)
    return match.color.to_string(hex=True) if match else None
