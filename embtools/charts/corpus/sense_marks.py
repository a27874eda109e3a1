"""The colour and shape of each sense, the same in every figure and list of the Corpus page."""

from collections.abc import Iterable

from embtools.charts.style import BLUE, BROWN, GREEN, GREY, MAUVE, PURPLE, VERMILLION

NO_SENSE = "no sense given"
_COLOURS = (BLUE, VERMILLION, GREEN, MAUVE, BROWN, PURPLE)
_SHAPES = ("circle", "diamond", "square", "hexagon", "pentagon", "star")
_SIGNS = {"circle": "●", "diamond": "◆", "square": "■", "hexagon": "⬢", "pentagon": "⬟", "star": "★"}


def sense_marks(senses: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The colour and shape of each sense, in alphabetical order; "" (no sense given) comes last, in grey.

    >>> list(sense_marks(["river", "", "money"]))
    ['money', 'river', '']
    """
    known = sorted(set(senses) - {""})
    named = {
        sense: (_COLOURS[n % len(_COLOURS)], _SHAPES[(n // len(_COLOURS) + n) % len(_SHAPES)])
        for n, sense in enumerate(known)
    }
    return named | ({"": (GREY, "circle")} if "" in set(senses) else {})


def sign(shape: str) -> str:
    """The shape as a character.

    >>> sign("diamond")
    '◆'
    """
    return _SIGNS[shape]
