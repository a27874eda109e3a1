"""Short sentences with names that are true at any time, taken unchanged from texts.

`everyday` keeps sentences without names, but half of the questions of visitors contain one ("The Rhine flows through
Cologne."). Short sentences are kept if every word is a single token and a verb in the present tense, or a maker ("was
painted by"), relates one thing to another.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from training.sentences.reading import of_each_document, plain_words

SHORTEST, LONGEST = 4, 16
"""Number of words of a sentence."""

_POINTS = re.compile(
    r"it|its|he|she|they|his|her|their|that|those|this|these|such|here|there|who|what|which|when|where|while|because|"
    r"however|although|since|so|but|and|or|if|as|some|another|other|both|each|also|thus|hence|today|then|i|we|you"
)
"""First words that refer to the previous sentence."""
_ONCE = re.compile(
    r"he|she|you|i|his|her|your|my|him|me|us|had|did|became|said|died|born|film|album|song|season|episode|team|"
    r"township|county|village|population|census|district|municipality|commune|footballer|actor|actress|singer|village"
)
"""Words that refer to a person, to a single event, or to one of thousands of villages."""
_STATES = re.compile(
    r"\b(?:(?:is|are) (?:\w+ly |often |sometimes |also )?(?:made|found|used|located|situated|called|known|named|one of|"
    r"part of|in|on|near|at|between|surrounded|covered|grown|born)\b|(?:is|are) the (?:\w+ )?(?:\w+est|most|first|last|"
    r"second|third|capital|home|only|main|official|national|name|king|queen|god|goddess|planet|star)\b|"
    r"(?:was|were|is|are) (?:first )?(?:written|painted|invented|discovered|developed|composed|built|founded|designed) "
    r"by\b|was the (?:first|last)\b|(?:flows?|runs?) (?:through|into|from)\b|(?:lives?|grows?) (?:in|on|at)\b|"
    r"(?:rises?|sets?|orbits?|moves?|revolves?|turns?|comes?|begins?|ends?|starts?) (?:in|on|at|around|into|after|"
    r"before|from|to|with)\b|(?:eats?|gives?|makes?|lays?|produces?|contains?|carry|carries|needs?|helps?|pumps?|"
    r"breathes?|speaks?|means?|has|have|uses?|borders) )",
)


def states(sentence: str, known: Collection[str]) -> bool:
    """Whether a sentence states a relation between things; `known` contains the words of a single token, in lower case.

    >>> known = {"the", "rhine", "flows", "through", "cologne", "rome", "fell", "in", "one", "night", "he", "is"}
    >>> [states(s, known) for s in ("The Rhine flows through Cologne.", "Rome fell in one night.", "He is in Rome.")]
    [True, False, False]
    """
    plain = [word.lower() for word in plain_words(sentence, SHORTEST, LONGEST)]
    if not plain or _POINTS.fullmatch(plain[0]) or not _STATES.search(" ".join(plain)):
        return False
    return all(w.isalpha() and w in known and not _ONCE.fullmatch(w) for w in plain)


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """The statements of each training document, as one paragraph; documents without any are left out."""
    return of_each_document(files, known, states)
