"""From a text to the ids of its tokens: a tokenizer with the limits of a model, shared by many threads."""

import threading
from functools import cached_property
from hashlib import sha256
from typing import Any

MAX_CHARACTERS = 5_000


class TextReader:
    """A WordPiece tokenizer of transformers, which reads texts of at most `max_tokens` tokens and 5,000 characters."""

    def __init__(self, tokenizer: Any, max_tokens: int) -> None:
        self.max_tokens = max_tokens
        self._tokenizer = tokenizer
        self._lock = threading.Lock()  # the tokenizer is not thread-safe

    @cached_property
    def checksum(self) -> str:
        """The SHA-256 of the tokenizer with all its settings."""
        return sha256(self._tokenizer.backend_tokenizer.to_str().encode()).hexdigest()

    def encoding(self, text: str, pair: str | None = None) -> Any:
        """Return the tokenizer's encoding of a text, or of a pair of texts.

        Raises ValueError for an empty text and for more characters or tokens than can be read.
        """
        encoding = self.unlimited(text, pair)
        count = len(encoding["input_ids"])
        if count > self.max_tokens:
            raise ValueError(
                f"The text has {count} tokens with [CLS] and [SEP], but this model reads {self.max_tokens} at most."
                " Shorten it."
            )
        return encoding

    def unlimited(self, text: str, pair: str | None = None) -> Any:
        """Return the encoding of a text or pair of any number of tokens; ValueError if it is empty or too long."""
        for part in (text,) if pair is None else (text, pair):
            if not part.strip():
                raise ValueError("The text is empty. Write a sentence.")
            if len(part) > MAX_CHARACTERS:
                raise ValueError(
                    f"The text has {len(part):,} characters; at most {MAX_CHARACTERS:,} are read. Shorten it."
                )
        with self._lock:
            return self._tokenizer(text, pair)

    def words(self, text: str) -> tuple[list[int], list[tuple[int, int, int, int]]]:
        """Return the ids of a text's tokens, and for each word or punctuation mark: position, tokens, start, end.

        Start and end are character positions. The text may have more than `max_tokens` tokens.
        """
        encoding = self.unlimited(text)
        found: list[tuple[int, int, int, int]] = []
        begun = -1
        for position, (word, (start, end)) in enumerate(zip(encoding.word_ids(), encoding[0].offsets, strict=True)):
            if word is None:
                continue
            if word == begun:
                first, tokens, begin, _ = found[-1]
                found[-1] = first, tokens + 1, begin, end
            else:
                found.append((position, 1, start, end))
            begun = word
        return encoding["input_ids"], found
