"""The order of days, months and numbers from a dictionary, and sums of numbers.

"April: the month following March", "Tuesday: the third day of the week" and "seven: one more than six": such lines are
enough to derive the year, the week and the sums of two numbers.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations_with_replacement, pairwise
from pathlib import Path

from training.sentences.glosses import meaning_of
from training.sentences.reading import training_documents

LARGEST = 12
"""The largest sum that sentences contain."""

_MONTH = re.compile(r"^the month following (?P<before>\w+) and preceding (?P<after>\w+)$")
_DAY = re.compile(r"^(?:the )?(?P<nth>\w+)(?: and last)? day of the week$")
_NUMBER = re.compile(r"^being one more than (?P<before>[a-z]+)$")
_NTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


def chain(follows: dict[str, str]) -> list[str]:
    """Words in order, given what each of them follows; the first is the one that follows none of them.

    >>> chain({"three": "two", "two": "one"})
    ['one', 'two', 'three']
    """
    after = {before: word for word, before in follows.items()}
    row = [before for before in after if before not in follows][:1]
    while row and (word := after.get(row[-1])) and word not in row:
        row.append(word)
    return row


def read(lines: Sequence[str], known: Collection[str]) -> tuple[list[str], list[str], list[str]]:
    """The days, the months and the numbers from one on, each in order, as far as dictionary lines contain them."""
    days: dict[str, str] = {}
    months: dict[str, str] = {}
    numbers: dict[str, str] = {}
    for line in lines:
        words, meaning = meaning_of(line, known)
        for word in [w for w in words if w.isalpha()][:1]:
            if (day := _DAY.match(meaning)) and day["nth"] in _NTH:
                days[day["nth"]] = word
            elif month := _MONTH.match(meaning):
                months[word] = month["before"].lower()
                months.setdefault(month["after"].lower(), word)
            elif number := _NUMBER.match(meaning):
                numbers[word] = number["before"]
    return [days[nth] for nth in _NTH if nth in days], chain(months), chain(numbers)


def neighbours(row: Sequence[str], circle: bool) -> Iterator[list[str]]:
    """Sentences about every two neighbours of a sequence; in a circle, the first follows the last.

    >>> next(neighbours(["March", "April"], circle=False))[:2]
    ['After March comes April.', 'Before April comes March.']
    """
    for one, two in pairwise([*row, row[0]] if circle else row):
        yield [
            f"After {one} comes {two}.",
            f"Before {two} comes {one}.",
            f"{two.capitalize()} comes after {one}.",
            f"{one.capitalize()} comes before {two}.",
            f"{two.capitalize()} is next after {one}.",
            f"{one.capitalize()} is followed by {two}.",
        ]


def sums(numbers: Sequence[str]) -> Iterator[list[str]]:
    """For every two numbers, sentences about their sum and the differences; `numbers` counts from one.

    >>> next(sums(["one", "two"]))[1:4]
    ['One plus one equals two.', 'One and one together are two.', 'Two less one leaves one.']
    """
    for i, j in combinations_with_replacement(range(len(numbers)), 2):
        if i + j + 2 <= min(LARGEST, len(numbers)):
            total = numbers[i + j + 1]
            for one, two in dict.fromkeys([(numbers[i], numbers[j]), (numbers[j], numbers[i])]):
                yield [
                    f"{one.capitalize()} and {two} make {total}.",
                    f"{one.capitalize()} plus {two} equals {total}.",
                    f"{one.capitalize()} and {two} together are {total}.",
                    f"{total.capitalize()} less {two} leaves {one}.",
                    f"{total.capitalize()} minus {two} equals {one}.",
                ]


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """A document for each day, month and number, and one for each sum."""
    lines = [line for document in training_documents(files) for line in document]
    days, months, numbers = read(lines, known)
    for row, of in ((days, "day of the week"), (months, "month of the year")):
        named = [word.capitalize() for word in row]
        for words in neighbours(named, circle=True) if named else ():
            yield [" ".join(words)]
        for nth, word in [*zip(_NTH, named, strict=False), *(("last", word) for word in named[-1:])]:
            yield [f"{word} is the {nth} {of}. The {nth} {of} is called {word}."]
    for words in neighbours(numbers, circle=False):
        yield [" ".join(words)]
    for words in sums(numbers):
        yield [" ".join(words)]
