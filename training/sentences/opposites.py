"""Opposites as sentences, found by two criteria in texts and a dictionary.

Texts set opposites against each other ("neither hot nor cold", "from left to right"; Justeson and Katz 1991,
"Co-occurrences of antonymous adjectives and their contexts"), and a dictionary in order of meaning has them side by
side. Each sign alone also finds kings and queens, or hot and warm; where both are strong, most pairs are opposites.
Where one is weaker, the other must be stronger (`RULES`).
"""

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from training.sentences.reading import training_documents

RULES = ((1, 3, 20), (1, 2, 2), (2, 4, 2))
"""What makes a pair: the worst of the two ranks that the words have for each other, in how many ways texts set them
against each other, and the lines between them in the dictionary. The better rank is always 1. The second rule finds
"pull" and "push", the third "old" and "young", although "old" is set against "new" more often."""

WEIGHTS = {"neither": 5.0, "either": 4.0, "from": 3.0, "between": 2.0, "both": 1.0, "or": 1.0, "and": 0.3}
"""How much one sort of contrast counts; of each sort the square root of how often it was seen."""

_CONTRAST = re.compile(
    r"\b(?:(neither|either|from|between|both) )?(?:the |an? )?([a-z]{2,}) (nor|or|to|and) (?:the |an? )?([a-z]{2,})\b"
)
_SECOND = {"neither": "nor", "either": "or", "from": "to", "between": "and", "both": "and"}
_FUNCTION = re.compile(
    r"the|an|of|and|or|to|in|on|at|for|with|by|as|is|are|was|were|be|been|it|he|she|they|we|you|his|her|their|its|"
    r"our|this|that|these|those|not|no|one|two|three|four|five|six|seven|eight|nine|ten|some|many|most|more|less|"
    r"other|others|another|any|all|each|every|both|either|neither|there|here|who|which|what|when|where|how|than|"
    r"then|so|such|only|just|even|also|him|them|us|me|has|have|had|would|could|will|can|may|might|must|did|do|does"
)
_NUMBER = re.compile(
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)t(?:y|ies|ieth)|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teen(?:th)?|ten(?:th)?|eleven(?:th)?|twelve|twelfth|hundred|thousand|"
    r"second|third|fourth|fifth|sixth|seventh|eighth|ninth|[ivx]+"
)
"""Numbers follow each other in texts and dictionaries; nothing is their opposite."""


def contrasts(text: str, known: Collection[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """The pairs of words that a text sets against each other and in which way, the pair in order of the alphabet.

    >>> list(contrasts("neither hot nor cold, from a to z, cats and dogs", {"hot", "cold", "cats", "dogs"}))
    [('neither', ('cold', 'hot')), ('and', ('cats', 'dogs'))]
    """
    for first, one, link, two in _CONTRAST.findall(text.lower()):
        way = first if _SECOND.get(first) == link else link
        content = all(word in known and not _FUNCTION.fullmatch(word) for word in (one, two))
        if way in WEIGHTS and content and one != two:
            yield way, (min(one, two), max(one, two))


def chosen(counts: dict[tuple[str, str], Counter[str]]) -> list[tuple[tuple[str, str], int]]:
    """The pairs that one of `RULES` may accept, best first, each with the lines that may be between them."""
    weight = {pair: sum(WEIGHTS[way] * n**0.5 for way, n in ways.items()) for pair, ways in counts.items()}
    others: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for (one, two), value in weight.items():
        others[one].append((value, two))
        others[two].append((value, one))
    best = {word: [other for _, other in heapq.nlargest(2, found)] for word, found in others.items()}
    result = []
    for pair in sorted(weight, key=lambda p: -weight[p]):
        if any(map(_NUMBER.fullmatch, pair)):
            continue
        # 3 stands for "not among the first two"
        ranks = sorted((best[a].index(b) + 1 if b in best[a] else 3) for a, b in (pair, pair[::-1]))
        near = [
            lines for worst, ways, lines in RULES if ranks[0] == 1 and ranks[1] <= worst and len(counts[pair]) >= ways
        ]
        if near:
            result.append((pair, max(near)))
    return result


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """A document for each pair of opposites: what they are to each other; the first file is the dictionary."""
    lines: dict[str, list[int]] = defaultdict(list)
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    number = 0
    for path in files:
        for document in training_documents([path]):
            for paragraph in document:
                for way, pair in contrasts(paragraph, known):
                    counts[pair][way] += 1
                if path == files[0]:
                    number += 1
                    for word in paragraph.partition(": ")[0].split(", "):
                        lines[word].append(number)
    for (one, two), near in chosen(counts):
        places = sorted([(n, one) for n in lines[one]] + [(n, two) for n in lines[two]])
        if any(b[0] - a[0] <= near and a[1] != b[1] for a, b in pairwise(places)):
            yield [" ".join(sentences(one, two))]


def sentences(one: str, two: str) -> list[str]:
    """What two opposites are to each other, in sentences.

    >>> sentences("cold", "hot")[:3]
    ['Cold is the opposite of hot.', 'Hot is the opposite of cold.', 'Cold and hot are opposites.']
    """
    written = [
        wording.format(x=x, y=y, X=x.capitalize())
        for wording in (
            "{X} is the opposite of {y}.",
            "{X} and {y} are opposites.",
            "Take {x}: the opposite would be {y}.",
            "{X} means the opposite of {y}.",
            "The word {x} is the opposite of the word {y}.",
            "Not {x} but its opposite, {y}.",
            "If you turn {x} into its opposite, you get {y}.",
        )
        for x, y in ((one, two), (two, one))
    ]
    return [*written, f"What is not {one} may be {two}.", f"What is not {two} may be {one}."]
