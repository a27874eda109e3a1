"""The entries of a dictionary as natural sentences, with the relations that a definition contains.

A line "word, synonym: definition. Example." has the word before its meaning; visitors ask for the word of a meaning.
A definition also says what kind of thing the word is ("a small dog": a kind of dog), what it is part of, which animal
it is the young of, and what a person with this work does.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from training.sentences.reading import training_documents
from training.text import split_sentences

LONGEST = 12
"""Maximum number of words of a definition; longer ones make no natural sentence."""

_LINE = re.compile(r"^(?P<words>[^:]{1,120}): (?P<rest>.+)$")
_ASIDE = re.compile(r"\s*\([^)]*\)\s*")
_NOUN = re.compile(r"^(?:a|an|the|any|one|someone|something|somebody|young)\b")
_KIND = re.compile(r"^(?:an?|any) (?!of\b)(?:(?:kind|type|form|sort) of )?(?:an? )?(?P<head>[a-z]+(?:[ -][a-z]+){0,4})")
_AFTER_HEAD = re.compile(
    r"[ -](?:that|which|who|whose|where|when|of|in|on|at|by|with|without|to|from|for|as|and|or|used|made|having|is|are|"
    r"whether|consisting|containing|usually|often|especially|worn|found|living|between|into|like|than|given|done)\b.*"
)
_PART = re.compile(r"^(?:the|an?) (?P<how>[a-z]+ )?part of (?:the |an? )(?P<whole>[a-z]+)\b(?! of)")
_YOUNG = re.compile(r"^(?:an? |the )?(?:young|immature|baby) (?:of )?(?P<animals>.+)$")
_LISTED = re.compile(r"\b(?:such as|e\.g\.|especially|including)\s+(?P<list>.+)$")
_NO_PARENT = re.compile(
    r"person|collectively|child|people|man|woman|male|female|lady|girl|boy|waitress|any|immature|inexperienced|born"
)
_WORKER = re.compile(r"^(?:someone|somebody|a (?:person|worker|craftsman|man|woman|tradesman)|one) who (?P<does>.+)$")
_NO_KIND = re.compile(
    r"more|less|greater|not|another|person|something|someone|thing|one|kind|type|form|sort|act|state|quality|set|way|part|number|group|any"
)
"""Head nouns that say nothing about a thing."""


def with_article(word: str) -> str:
    """The word with its indefinite article, which depends on the first letter.

    >>> with_article("owl"), with_article("cow")
    ('an owl', 'a cow')
    """
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def kind(meaning: str) -> str | None:
    """The word for the kind of thing that a definition describes; None if it names none.

    >>> kind("a small domestic cat that hunts"), kind("an implement used to cut"), kind("very small")
    ('cat', 'implement', None)
    """
    match = _KIND.match(meaning)
    head = re.split(r"[ -]", _AFTER_HEAD.sub("", match["head"]))[-1] if match else None
    return None if head is None or _NO_KIND.fullmatch(head) else head


def parents(meaning: str) -> list[str]:
    """The animals of which a definition describes the young.

    >>> parents("the young of certain mammals such as the bear or wolf or lion"), parents("young domestic cat")
    (['bear', 'wolf', 'lion'], ['cat'])
    """
    match = _YOUNG.match(meaning)
    if not match:
        return []
    listed = _LISTED.search(match["animals"])
    if listed:
        return [part.split()[-1] for part in re.split(r",| or | and ", listed["list"]) if part.split()]
    first = re.split(r" (?:that|who|which|under|up|of|in|less|not|especially)\b|[,;]", match["animals"])[0].split()
    return first[-1:] if len(first) <= 2 and not _NO_PARENT.fullmatch(first[-1]) else []


def work(meaning: str) -> str | None:
    """What a person does whose work a definition explains; None for other words.

    >>> work("someone who bakes bread"), work("a small bird")
    ('bakes bread', None)
    """
    match = _WORKER.match(meaning)
    return match["does"] if match else None


def relations(word: str, meaning: str, known: Collection[str]) -> list[str]:
    """The relations that a definition contains about a noun, as sentences with only words of `known`.

    >>> relations("lamb", "young sheep", {"sheep"})
    ['The young of a sheep is a lamb.', 'A baby sheep is a lamb.', 'A lamb grows up to be a sheep.']
    >>> relations("baker", "someone who bakes bread or cake", {})
    ['A baker bakes bread or cake.']
    >>> relations("sparrow", "any small bird that sings", {"bird"})
    ['A sparrow is a kind of bird.']
    >>> relations("hub", "the central part of a wheel", {"wheel"})
    ['A hub is part of a wheel.']
    """
    a_word = with_article(word)
    written = []
    for animal in parents(meaning):
        if animal in known and animal != word:
            one = with_article(animal)
            written += [
                f"The young of {one} is {a_word}.",
                f"A baby {animal} is {a_word}.",
                _capital(f"{a_word} grows up to be {one}."),
            ]
    if not written and (head := kind(meaning)) in known and head != word:
        written.append(_capital(f"{a_word} is a kind of {head}."))
    if (part := _PART.match(meaning)) and part["whole"] in known:
        written.append(_capital(f"{a_word} is part of {with_article(part['whole'])}."))
    if does := work(meaning):
        written.append(_capital(f"{a_word} {does}."))
    return written


def definition_of(line: str, known: Collection[str]) -> tuple[list[str], str]:
    """The words of `known` that a dictionary line defines, and its definition without brackets; empty if it has none.

    >>> definition_of("puppy, whelp: a young (domestic) dog; a pup. They bought a puppy.", {"puppy"})
    (['puppy'], 'a young dog; a pup.')
    """
    match = _LINE.match(line)
    words = [w for w in match["words"].lower().split(", ") if w in known] if match else []
    if not match or not words:
        return [], ""
    return words, _ASIDE.sub(" ", split_sentences(match["rest"])[0])


def meaning_of(line: str, known: Collection[str]) -> tuple[list[str], str]:
    """The words of `known` that a dictionary line defines, and the first part of its definition.

    >>> meaning_of("puppy, whelp: a young (domestic) dog; a pup. They bought a puppy.", {"puppy"})
    (['puppy'], 'a young dog')
    """
    words, definition = definition_of(line, known)
    return words, definition.split(";")[0].strip(" .,:")


def sentences(line: str, known: Collection[str]) -> list[str]:
    """One dictionary line as sentences, without a long definition; none if no word is `known` (in lower case).

    >>> sentences("puppy: a young dog. They bought a puppy.", {"puppy"})
    ['A puppy is a young dog.', 'The word for a young dog is puppy.', 'They bought a puppy.']
    >>> sentences("large, big: of great size.", {"large", "big"})
    ['Large means of great size.', 'A word that means of great size is large.', 'Another word for large is big.']
    """
    words, meaning = meaning_of(line, known)
    if not words:
        return []
    _, *examples = split_sentences(line.partition(": ")[2])
    word = words[0]
    noun = _NOUN.match(meaning) is not None
    written = []
    if meaning and len(meaning.split()) <= LONGEST:
        if noun and not meaning.startswith("young"):
            written = [f"{_capital(with_article(word))} is {meaning}.", f"The word for {meaning} is {word}."]
        else:
            written = [f"{word.capitalize()} means {meaning}.", f"A word that means {meaning} is {word}."]
        written += [f"Another word for {word} is {other}." for other in words[1:]]
        written += examples
    return written + [s for w in words for s in relations(w, meaning, known)] if noun else written


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """The training documents of dictionary files, each a list of paragraphs."""
    for document in training_documents(files):
        if written := [" ".join(found) for line in document if (found := sentences(line, known))]:
            yield written
