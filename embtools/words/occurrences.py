"""Find a word in sentences: its tokens, its occurrences, and their senses."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import pandas as pd

from embtools.limits import enough, same_count
from embtools.messages import quoted, shortened

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_SENTENCES = 20
MAX_OCCURRENCES = 20
MAX_PIECES = 1_000  # tokens of all sentences together: a base model takes about a second
MAX_WORD_PIECES = 8


def split_line(line: str) -> tuple[tuple[str, ...], str]:
    """Split `sense, sense | sentence` into its senses and its sentence.

    >>> split_line("money | He robbed the bank.")
    (('money',), 'He robbed the bank.')
    """
    before, bar, after = line.partition("|")
    if not bar:
        return (), line.strip()
    return tuple(sense.strip() for sense in before.split(",") if sense.strip()), after.strip()


def read(
    sentences: Sequence[str], model: "EmbeddingModel", *, word: str
) -> tuple[list[pd.DataFrame], list[list[tuple[int, ...]]]]:
    """Tokenise sentences and find a word in each: token frames, and per sentence the positions of each occurrence."""
    if not 1 <= len(sentences) <= MAX_SENTENCES:
        raise ValueError(f"There are {len(sentences)} sentences; write 1 to {MAX_SENTENCES}, one per line.")
    pieces = pieces_of(word, model)
    frames, found = [], []
    for number, sentence in enumerate(sentences, 1):
        try:
            frame = model.tokenize(sentence)
        except ValueError as error:
            raise ValueError(f"Sentence {number}: {error}") from error
        occurrences = positions(frame["token"].tolist(), pieces)
        if not occurrences:
            raise ValueError(
                f"{quoted(word)} does not occur in sentence {number}. Write it there in exactly this form, or remove"
                " the sentence."
            )
        frames.append(frame)
        found.append(occurrences)
    total = sum(map(len, frames))
    if total > MAX_PIECES:
        raise ValueError(
            f"The sentences have {total:,} tokens in total; at most {MAX_PIECES:,} can be read at once. Remove some."
        )
    count = sum(map(len, found))
    if not 2 <= count <= MAX_OCCURRENCES:
        times = "once" if count == 1 else f"{count} times"
        raise ValueError(f"{quoted(word)} occurs {times}; 2 to {MAX_OCCURRENCES} occurrences can be compared.")
    return frames, found


def pieces_of(word: str, model: "EmbeddingModel") -> tuple[str, ...]:
    """The tokens of a word. Raises ValueError for an empty word, too many tokens and unknown characters."""
    pieces = model.pieces(word) if word.strip() else ()
    if not pieces:  # only spaces, or characters that no model reads, such as a zero-width space
        raise ValueError("There is no word to look for. Write a word that occurs in the text.")
    if len(pieces) > MAX_WORD_PIECES:
        raise ValueError(
            f"{quoted(word)} has {len(pieces)} tokens; at most {MAX_WORD_PIECES} are allowed. Use a shorter word."
        )
    if "[UNK]" in pieces:
        raise ValueError(f"{quoted(word)} contains a character that this model does not know. Use another word.")
    return pieces


def positions(tokens: Sequence[str], pieces: Sequence[str]) -> list[tuple[int, ...]]:
    """The positions of each occurrence of a whole word, given by its tokens (`pieces`), in a list of tokens.

    >>> positions(["[CLS]", "em", "##bed", "em", "##bed", "##ding"], ["em", "##bed"])
    [(1, 2)]
    """
    n = len(pieces)
    return [
        tuple(range(i, i + n))
        for i in range(len(tokens) - n + 1)
        if list(tokens[i : i + n]) == list(pieces) and not (i + n < len(tokens) and tokens[i + n].startswith("##"))
    ]


def occurrence_of(
    word: str, model: "EmbeddingModel", *, occurrence: int, sentence: str, tokens: Sequence[str]
) -> tuple[int, ...]:
    """The positions of a word's first, second, … occurrence in a sentence, given with its tokens; in a model with
    capitals, the word may begin the sentence.
    """
    found = positions(tokens, pieces_of(word, model))
    if model.cased:
        for other in {word.lower(), word.capitalize()} - {word}:
            with suppress(ValueError):  # this spelling has a character that the model does not know
                found = sorted({*found, *positions(tokens, pieces_of(other, model))})
    if not 1 <= occurrence <= len(found):
        often = "occurs only once" if len(found) == 1 else f"occurs only {len(found)} times"
        raise ValueError(
            f"{quoted(word)} {often if found else 'does not occur'} in “{shortened(sentence, 80)}”. Write it exactly"
            " as in the sentence, as a whole word."
        )
    return found[occurrence - 1]


def occurrence_table(
    frames: Sequence[pd.DataFrame], found: Sequence[list[tuple[int, ...]]], senses: Sequence[tuple[str, ...]]
) -> pd.DataFrame:
    """The occurrences as a frame (see `layers.comparisons`). Raises ValueError for a wrong number of senses."""
    same_count(sentences=frames, places=found, senses=senses)
    rows: list[tuple[int, int, int, int, str, str]] = []
    for number, (frame, occurrences, given) in enumerate(zip(frames, found, senses, strict=True), 1):
        count = len(occurrences)
        if len(given) not in (0, 1, count):
            raise ValueError(
                f"Sentence {number} has {count} {'occurrence' if count == 1 else 'occurrences'} but"
                f" {len(given)} senses. Give one sense for all occurrences, or one for each."
            )
        labels = given if len(given) == count else (given or ("",)) * count
        for at, sense in zip(occurrences, labels, strict=True):
            rows.append((len(rows) + 1, number, at[0], len(at), sense, _context(frame, at)))
    return pd.DataFrame(rows, columns=["occurrence", "sentence", "position", "pieces", "sense", "context"])


def token_table(frames: Sequence[pd.DataFrame], occurrences: pd.DataFrame) -> pd.DataFrame:
    """All tokens as a frame (see `layers.comparisons`)."""
    enough(frames, "sentences")
    parts = []
    for number, frame in enumerate(frames, 1):
        part = frame.drop(columns="word").assign(occurrence=0)
        part.insert(0, "sentence", number)
        for occurrence, (sentence, first, last) in enumerate(spans(occurrences), 1):
            if sentence == number:
                part.loc[part["position"].between(first, last), "occurrence"] = occurrence
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def marked(sentence: str, word: str, count: int) -> list[str]:
    """A sentence split at the `count` occurrences of a word: text, word, text, word, …, text; if it spells the word
    differently (with an accent that the model removes), all parts but the last one are empty.

    >>> marked("The bank on the river bank.", "bank", 2)
    ['The ', 'bank', ' on the river ', 'bank', '.']
    """
    parts = re.split(rf"(?<!\w)({re.escape(word.strip())})(?!\w)", sentence, flags=re.IGNORECASE)
    return parts if len(parts) == 2 * count + 1 else [""] * 2 * count + [sentence]


def spans(occurrences: pd.DataFrame) -> list[tuple[int, int, int]]:
    """Sentence, first and last position of each occurrence."""
    columns = occurrences["sentence"].tolist(), occurrences["position"].tolist(), occurrences["pieces"].tolist()
    return [(sentence, first, first + pieces - 1) for sentence, first, pieces in zip(*columns, strict=True)]


def _context(frame: pd.DataFrame, at: tuple[int, ...]) -> str:
    """The word with the words next to it, such as "the bank robber"."""
    pieces: dict[int, str] = {}
    for token, word in zip(frame["token"], frame["word"], strict=True):
        if word >= 0:
            pieces[word] = pieces[word] + token.removeprefix("##") if word in pieces else token
    words = list(pieces.values())
    first, last = frame["word"].iloc[at[0]], frame["word"].iloc[at[-1]]
    around = words[max(0, first - 1) : last + 2]
    return " ".join(w for w in around if any(c.isalnum() for c in w))
