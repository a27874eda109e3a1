"""Capital letters for texts of the app, as a cased model knows its words."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_LETTERS = re.compile(r"\[[A-Z]+\]|\{\w+\}|(?<![\w#])[^\W\d_]+(?!\w)")  # words, and [MASK] and {word}, which are none


def capitalised(text: str, model: "EmbeddingModel", *, context: str = "") -> str:
    """Return one of the app's own texts with the capitals that a cased model needs, spelled as in the sentence
    `context` if there; not for a visitor's own words, who may mean what they wrote.
    """
    if not model.cased:
        return text
    if "|" in text:  # a line with a sentence and its edits: the sentence is already written with capitals
        parts = (line.partition("|") for line in text.split("\n"))
        return "\n".join(before + bar + capitalised(after, model, context=before) for before, bar, after in parts)
    words = {word for word in _LETTERS.findall(text) if word[0] not in "[{"}
    given = {word.lower(): word for word in _LETTERS.findall(context) if word in model.ids} if context else {}
    names = {word: name for word in words if (name := _with_capital(word, model)) is not None}
    needed = {word for word in names if word not in model.ids}
    small = {word for word in words if word == word.lower() and word in model.ids and word not in names}
    in_context = set(_LETTERS.findall(context))
    forced = {word for word in words if word not in in_context and given.get(word.lower(), word) != word}
    # A list of names: then March and Turkey get capitals too, although march and turkey are other words.
    every = len(needed) > len(small) or (bool(forced) and not needed and not small)
    changed = {word: name for word, name in names.items() if every or word in needed}
    changed |= {word: given[word.lower()] for word in forced}
    return _LETTERS.sub(lambda match: changed.get(match[0], match[0]), text)


def capitalised_words(words: Sequence[str], model: "EmbeddingModel") -> tuple[str, ...]:
    """Return a built-in list of words with the capitals that a cased model needs."""
    return tuple(capitalised("\n".join(words), model).split("\n")) if words and model.cased else tuple(words)


def _with_capital(word: str, model: "EmbeddingModel") -> str | None:
    """Return the word with a capital if that is a single token (Rome, or YouTube); None if it already has capitals."""
    if word != word.lower():
        return None
    return word.capitalize() if word.capitalize() in model.ids else model.capitals.get(word)
