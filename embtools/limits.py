"""Checks for too many, too few or unequal numbers of items, with shared error messages, and for whole numbers."""

import math
from collections.abc import Iterable, Sized
from numbers import Integral
from typing import TypeVar

T = TypeVar("T")

MAX_CHARACTERS = 5_000
"""Most characters of a text that a model reads."""


def whole(value: object, least: int, most: float = math.inf) -> bool:
    """Return whether a value is a whole number, also one of numpy's, in these limits; True and 1.0 are not.

    >>> whole(3, 1, 3), whole(4, 1, 3), whole(True, 1, 3), whole(1.0, 1, 3)
    (True, False, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool) and least <= int(value) <= most


def within(count: int, most: int, what: str, *, least: int = 1) -> None:
    """Raise ValueError unless least <= count <= most; `what` names the counted items in the plural, as in "neighbours".

    >>> within(0, 50, "neighbours")
    Traceback (most recent call last):
    ValueError: 0 neighbours were asked for; choose 1 to 50.
    """
    if not least <= count <= most:
        raise ValueError(f"{count} {what} were asked for; choose {least} to {most:,}.")


def enough(things: Sized, what: str, *, least: int = 1) -> None:
    """Raise ValueError if there are fewer than `least` items; `what` names them in the plural, as in "sentences".

    >>> enough(["The river is wide."], "sentences", least=2)
    Traceback (most recent call last):
    ValueError: At least 2 sentences are needed, but there is only one. Add more.
    """
    count = len(things)
    if count >= least:
        return
    if not count:
        raise ValueError(f"There are no {what}. Give at least {'one' if least == 1 else least}.")
    found = "is only one" if count == 1 else f"are only {count}"
    raise ValueError(f"At least {least} {what} are needed, but there {found}. Add more.")


def check_layer(layer: int, last: int) -> None:
    """Raise ValueError for a layer that a model with this last layer does not have; 0 is the embedding output.

    >>> check_layer(7, 6)
    Traceback (most recent call last):
    ValueError: There is no layer 7. Choose 0 (embedding output) to 6.
    """
    if not 0 <= layer <= last:
        raise ValueError(f"There is no layer {layer}. Choose 0 (embedding output) to {last}.")


def several(things: Iterable[T], what: str) -> tuple[T, ...]:
    """Return things as a tuple. Raises ValueError for a single text, which would be read letter by letter.

    >>> several("rome = italy", "edits")
    Traceback (most recent call last):
    ValueError: Give a list of edits, not one text.
    """
    if isinstance(things, str):
        raise ValueError(f"Give a list of {what}, not one text.")
    return tuple(things)


def same_count(**things: Sized) -> None:
    """Raise ValueError unless all arguments have the same length; the keywords name them in the message.

    >>> same_count(labels=["a", "b"], words=["red"])
    Traceback (most recent call last):
    ValueError: There are 2 labels and 1 words. Give the same number of both.
    """
    if len({len(those) for those in things.values()}) > 1:
        counts = " and ".join(f"{len(those):,} {name.replace('_', ' ')}" for name, those in things.items())
        raise ValueError(f"There are {counts}. Give the same number of {'both' if len(things) == 2 else 'each'}.")
