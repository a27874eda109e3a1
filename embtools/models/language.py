"""Whether a sentence is in another language than English, by its letters and by how a model reads its words."""

import re
import unicodedata
from collections.abc import Callable

_MASKS = re.compile(r"\[[A-Z]+\]|_+|\{\w+\}")
# fmt: off
_OF_OTHERS = frozenset((  # in the vocabulary, because they stand in names and titles; none is an English word
    "al", "att", "au", "auf", "aus", "aux", "av", "avec", "bei", "bir", "ce", "che", "com", "como", "con", "da", "das",
    "dans", "dat", "de", "dei", "del", "della", "dem", "den", "der", "des", "det", "di", "dos", "du", "een", "ein",
    "eine", "einen", "el", "elle", "em", "en", "er", "es", "est", "et", "ett", "gli", "haben", "hat", "het", "ich",
    "ihr", "ik", "il", "im", "ist", "jag", "je", "jest", "la", "las", "le", "les", "lo", "los", "mais", "mit",
    "muy", "na", "nach", "nao", "ne", "nel", "nicht", "nie", "niet", "nous", "och", "og", "os", "para", "pas", "por",
    "pour", "qu", "que", "qui", "se", "si", "sich", "sie", "sind", "som", "sont", "sono", "su", "sur", "te", "till",
    "tu", "um", "uma", "un", "una", "und", "une", "van", "ve", "vi", "von", "voor", "vous", "wie", "wir", "wird",
    "zijn", "zu",
))
_OF_ENGLISH = frozenset(
    ("and", "from", "his", "my", "our", "she", "that", "the", "their", "they", "this", "with", "you", "your")
)
# fmt: on


def is_foreign(text: str, words_of: Callable[[str], tuple[object, list[tuple[int, int, int, int]]]]) -> bool:
    """Return whether a sentence is in another language, as far as a model that reads English can see: by letters that
    are not Latin, and by words that are not whole tokens.
    """
    letters = [sign for sign in text if sign.isalpha()]
    if letters and sum("LATIN" not in unicodedata.name(sign, "LATIN") for sign in letters) > 0.4 * len(letters):
        return True
    plain = _MASKS.sub(" ", text)
    if not plain.strip():
        return False
    spans = [(count, plain[start:end]) for _, count, start, end in words_of(plain)[1]]
    words = [(count, word) for count, word in spans if word.isalpha()]
    if len(words) < 3 or _OF_ENGLISH & {word.lower() for _, word in words}:
        return False
    after = [word for _, word in words[1:]] + [""]
    # Names do not count, nor short words of other languages, which are tokens because they stand in names.
    own = [
        count == 1 and word not in _OF_OTHERS
        for (count, word), following in zip(words, after, strict=True)
        if len(word) > 1 and word.islower() and not (word in _OF_OTHERS and following.istitle())
    ]
    # a single word is too little, unless there is a short word of another language
    enough = len(own) > 1 or any(word.lower() in _OF_OTHERS for _, word in words)
    return enough and sum(own) < len(own) / 2
