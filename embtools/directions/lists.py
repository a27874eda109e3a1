"""Two groups of words from the built-in lists of other pages: from the tests of Bias and the tasks of Probing."""

from functools import cache

from embtools import wordlists
from embtools.directions.groups import LEAST, MOST

Words = tuple[str, ...]


@cache
def lists() -> dict[str, tuple[Words, Words]]:
    """Return both groups of each list by its name; each word is in one group only, and once.

    >>> sizes = {name: (len(first), len(second)) for name, (first, second) in lists().items()}
    >>> sizes["flowers and insects"], sizes["past and present verbs"]
    ((25, 25), (55, 79))
    """
    ten = wordlists.load("gender_pairs")
    weat, groups, probing = wordlists.load("weat"), wordlists.load("groups"), wordlists.load("probing")

    def published(test: int, one: str, other: str) -> tuple[list[str], list[str]]:
        rows = weat[weat["test"].astype(str) == str(test)]
        return list(rows.query("group == @one")["word"]), list(rows.query("group == @other")["word"])

    def labelled(task: str, one: str, other: str) -> tuple[list[str], list[str]]:
        rows = probing.query("task == @task")
        return list(rows.query("label == @one")["word"]), list(rows.query("label == @other")["word"])

    names = groups.query("set == 'first names'")
    found = {
        "ten pairs of male and female words": (list(ten["male"]), list(ten["female"])),
        "male and female first names": tuple(list(names.query("group == @sex")["word"]) for sex in ("male", "female")),
        "pleasant and unpleasant": published(1, "pleasant", "unpleasant"),
        "flowers and insects": published(1, "flowers", "insects"),
        "instruments and weapons": published(2, "instruments", "weapons"),
        "names of European and African Americans": published(3, "European American names", "African American names"),
        "past and present verbs": labelled("tense", "past", "present"),
        "singular and plural nouns": labelled("number", "singular", "plural"),
        "nouns and verbs": labelled("part of speech", "noun", "verb"),
        "adjectives and adverbs": labelled("part of speech", "adjective", "adverb"),
    }
    return {name: _apart(*both) for name, both in found.items()}


def list_of(first: Words, second: Words) -> str | None:
    """Return the name of the list with these two groups, in any spelling; None for other words."""
    folded = tuple(tuple(word.casefold() for word in words) for words in (first, second))
    return next((name for name, both in lists().items() if both == folded), None)


def _apart(first: list[str], second: list[str]) -> tuple[Words, Words]:
    """Return both groups without words that are in both, each word once and in small letters."""
    one, other = ([word.casefold() for word in words] for words in (first, second))
    both = set(one) & set(other)
    apart = tuple(tuple(word for word in dict.fromkeys(words) if word not in both)[:MOST] for words in (one, other))
    assert min(map(len, apart)) >= LEAST
    return apart[0], apart[1]
