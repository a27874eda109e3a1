"""From a text to the ids of its tokens: a tokenizer with the limits of a model, shared by many threads; and whether a
sentence is in another language than English, by its letters and by how a model reads its words.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import cached_property
from hashlib import sha256
from typing import Any

from tokenizers import Encoding

from embtools.limits import MAX_CHARACTERS

_LIGATURES = frozenset("ﬀﬁﬂﬃﬄﬅﬆ")
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


class TextReader:
    """A WordPiece tokenizer of transformers, which reads texts of at most `max_tokens` tokens and 5,000 characters.

    It uses the library `tokenizers` directly. The layer that transformers puts around it takes four times as long, and
    sets the tokenizer's limits before each text, so that only one thread could use it at a time.
    """

    def __init__(self, tokenizer: Any, max_tokens: int) -> None:
        self.max_tokens = max_tokens
        self._tokenizer = tokenizer.backend_tokenizer
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    @cached_property
    def checksum(self) -> str:
        """The SHA-256 of the tokenizer with all its settings."""
        return sha256(self._tokenizer.to_str().encode()).hexdigest()

    def encoding(self, text: str, pair: str | None = None) -> Encoding:
        """Return the tokenizer's encoding of a text, or of a pair of texts."""
        encoding = self.unlimited(text, pair)
        count = len(encoding.ids)
        if count > self.max_tokens:
            raise ValueError(
                f"The text has {count:,} tokens with [CLS] and [SEP], but this model reads {self.max_tokens:,} at most."
                " Shorten it."
            )
        return encoding

    def unlimited(self, text: str, pair: str | None = None) -> Encoding:
        """Return the encoding of a text or pair of any number of tokens; ValueError if it is empty or too long."""
        for part in (text,) if pair is None else (text, pair):
            if not part.strip():
                raise ValueError("The text is empty. Write a sentence.")
            if len(part) > MAX_CHARACTERS:
                raise ValueError(
                    f"The text has {len(part):,} characters; at most {MAX_CHARACTERS:,} are read. Shorten it."
                )
        encoding: Encoding = self._tokenizer.encode(self.readable(text)[0], pair and self.readable(pair)[0])
        return encoding

    def readable(self, text: str) -> tuple[str, list[tuple[int, str]]]:
        """Return a text in which signs that the model cannot read, and all ligatures, have their plain form (NFKC, such
        as fi for ﬁ), and what was replaced, where.
        """
        if text.isascii():
            return text, []
        found = self._tokenizer.encode(text, add_special_tokens=False)
        unknown = [span for token, span in zip(found.tokens, found.offsets, strict=True) if token == "[UNK]"]
        inside = {n for start, end in unknown for n in range(start, end)}
        # where a ligature is a token, the rest of its word would not be read as in the word
        replaced = [
            (n, form)
            for n, sign in enumerate(text)
            if not sign.isascii()
            and (n in inside or sign in _LIGATURES)
            and (form := unicodedata.normalize("NFKC", sign)) != sign
            and (sign in _LIGATURES or "[UNK]" in self._tokenizer.encode(sign, add_special_tokens=False).tokens)
        ]
        if not replaced:
            return text, []
        forms = dict(replaced)
        return "".join(forms.get(n, sign) for n, sign in enumerate(text)), replaced

    def unreadable(self, text: str) -> list[str]:
        """Return the parts of a text with signs that are [UNK] also after `readable`, each once, but no words of ASCII,
        whose signs every vocabulary has.
        """
        plain, _ = self.readable(text)
        found = self._tokenizer.encode(plain, add_special_tokens=False)
        spans = (span for token, span in zip(found.tokens, found.offsets, strict=True) if token == "[UNK]")
        return list(dict.fromkeys(part for start, end in spans if not (part := plain[start:end]).isascii()))

    def words(self, text: str) -> tuple[list[int], list[tuple[int, int, int, int]]]:
        """Return the ids of a text's tokens, which may be more than `max_tokens`, and for each word or punctuation
        mark: position, tokens, and the character positions start and end.
        """
        encoding = self.unlimited(text)
        found: list[tuple[int, int, int, int]] = []
        begun = -1
        for position, (word, (start, end)) in enumerate(zip(encoding.word_ids, encoding.offsets, strict=True)):
            if word is None:
                continue
            if word == begun:
                first, tokens, begin, _ = found[-1]
                found[-1] = first, tokens + 1, begin, end
            else:
                found.append((position, 1, start, end))
            begun = word
        if replaced := self.readable(text)[1]:
            forms = dict(replaced)  # the position in the original text of each sign of the text that is read
            at = [n for n in range(len(text)) for _ in forms.get(n, "x")]
            found = [(position, tokens, at[start], at[end - 1] + 1) for position, tokens, start, end in found]
        return encoding.ids, found


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
