"""Words that name a colour: their sRGB values, and how different the colours look."""

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from embtools.limits import within
from embtools.messages import quoted
from embtools.wordlists import load

MAX_COLOURS = 500


def hexes(words: Sequence[str]) -> dict[str, str]:
    """The sRGB values of the words that name a colour, from this project's list or from the names of CSS.

    >>> hexes(["red", "piano"])
    {'red': '#ff0000'}
    """
    return {word: value for word in words if (value := _hex(word.lower().replace(" ", "")))}


def colour_differences(values: Sequence[str]) -> NDArray[np.float64]:
    """CIEDE2000 differences (n, n), CIE 142-2001 under the illuminant D65, between sRGB values such as "#ff0000"; black
    and white differ by 100.
    """
    from coloraide import Color

    within(len(values), MAX_COLOURS, "colours")
    try:
        colours = [Color(value).convert("lab-d65") for value in values]
    except ValueError:
        unknown = next(value for value in values if Color.match(value, fullmatch=True) is None)
        raise ValueError(f"{quoted(unknown)} is not a colour. Write one such as #ff0000.") from None
    result = np.zeros((len(colours), len(colours)))
    for i, a in enumerate(colours):
        for j in range(i):
            result[i, j] = result[j, i] = a.delta_e(colours[j], method="2000")
    return result


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
