"""The sentences of the scoring suites, which must not occur in generated texts.

A model may learn a fact from a text. If the text also contained the exact words of the test, the score would only
measure memory.
"""

import re
from collections.abc import Iterator
from functools import cache

from embtools import wordlists
from training.text import split_sentences

TEMPLATES = (
    r".+ is the capital of (?:the )?[\w-]+",
    r"the capital of .+ is [\w-]+",
    r".+ is a country in (?:south )?[\w-]+",
    r"the main language of .+ is [\w-]+",
    r"the colou?r of .+ is (?:usually |often )?[\w-]+",
    r"mixing .+ and .+ (?:paint )?gives [\w-]+",
    r"the opposite of .+ is [\w-]+",
    r"an? (?:young|baby) .+ is called an? [\w-]+",
    r"a person who .+ is (?:called )?an? [\w-]+",
    r"the (?:day|month) after [\w-]+ is [\w-]+",
    r"[\w-]+ is a city in [\w-]+",
    r"the [\w-]+ flows through [\w-]+",
    r"there are [\w-]+(?: hundred)? \w+ in an? [\w-]+",
    r"\w+ (?:is|are) made from [\w-]+",
    r"\w+ give us [\w-]+",
    r"we \w+ with our [\w-]+",
    r"the (?:first|last) month of the year is [\w-]+",
    r"[\w-]+ (?:plus|minus) [\w-]+ is [\w-]+",
    r"the \w+ of a king is an? [\w-]+",
    r"the \w+ of my \w+ is my [\w-]+",
)
"""The templates of suites and of facts that share one, and the sentences of the other facts."""


def _plain(sentence: str) -> str:
    return sentence.strip(" .!?\"'“”").lower()


def _of_locations() -> Iterator[str]:
    """Patterns of the templates in the list `locations`; for two sentences, only the one with the city."""
    for template in wordlists.load("locations")["template"]:
        for sentence in split_sentences(template):
            if "{capital}" in sentence:
                pattern = re.escape(_plain(sentence)).replace(re.escape("{capital}"), ".+")
                yield pattern.replace(re.escape("[mask]"), r"(?:the )?[\w-]+")


_TEMPLATE = re.compile("|".join([*TEMPLATES, *_of_locations()]))


@cache
def _whole() -> frozenset[str]:
    """Every sentence of the suites, with each of its answers."""
    cloze = wordlists.load("cloze")
    pairs = zip(cloze["sentence"], cloze["answer"], strict=True)
    return frozenset(_plain(s.replace("[MASK]", answer)) for s, a in pairs for answer in a.split("|"))


def of_a_suite(sentence: str) -> bool:
    """Whether a sentence is in a suite or matches the template of one.

    >>> of_a_suite("Oslo is the capital of Norway."), of_a_suite("Oslo, the capital of Norway, is a port.")
    (True, False)
    """
    plain = _plain(sentence)
    return plain in _whole() or _TEMPLATE.fullmatch(plain) is not None
