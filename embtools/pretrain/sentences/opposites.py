"""Words that are each other's opposites, found by two signs, as sentences.

Texts set opposites against each other ("neither hot nor cold", "from left to right"; Justeson and Katz 1991,
"Co-occurrences of antonymous adjectives and their contexts"), and a dictionary in order of meaning has them side by
side. Each sign alone also finds kings and queens, or hot and warm; where two words are each other's first choice in
texts and neighbours in the dictionary, most are opposites.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from embtools.pretrain.sentences.reading import training_documents

NEAR = 8
"""Lines between two neighbours in the dictionary."""

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


def chosen(counts: dict[tuple[str, str], Counter[str]]) -> list[tuple[str, str]]:
    """The pairs in which both words are the other's first choice, set against each other in three ways, best first."""
    weight = {pair: sum(WEIGHTS[way] * n**0.5 for way, n in ways.items()) for pair, ways in counts.items()}
    best: dict[str, tuple[float, str]] = {}
    for (one, two), value in weight.items():
        for word, other in ((one, two), (two, one)):
            best[word] = max(best.get(word, (0.0, "")), (value, other))
    mutual = [p for p in weight if best[p[0]][1] == p[1] and best[p[1]][1] == p[0] and len(counts[p]) >= 3]
    return sorted(mutual, key=lambda pair: -weight[pair])


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """A document for each pair of opposites: what they are to each other. The first file is the dictionary.

    Raises ValueError when a file is missing, damaged or not UTF-8.
    """
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
    for one, two in chosen(counts):
        places = sorted([(n, one) for n in lines[one]] + [(n, two) for n in lines[two]])
        if any(b[0] - a[0] <= NEAR and a[1] != b[1] for a, b in pairwise(places)):
            yield [" ".join(sentences(one, two))]


def sentences(one: str, two: str) -> list[str]:
    """What two opposites are to each other, in sentences.

    >>> sentences("cold", "hot")[:3]
    ['Cold is the opposite of hot.', 'Hot is the opposite of cold.', 'Cold and hot are opposites.']
    """
    written = [f"{x.capitalize()} is the opposite of {y}." for x, y in ((one, two), (two, one))]
    written += [f"{x.capitalize()} and {y} are opposites." for x, y in ((one, two), (two, one))]
    return [*written, f"What is not {one} may be {two}.", f"What is not {two} may be {one}."]
