"""Passages of held-out running text: pairs (half of them real) and sentences from the middle of documents."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from embtools.chance import checked_seed, generator
from embtools.documents import is_held_out, read_documents
from embtools.models.embedding_model import EmbeddingModel
from training.scoring.running_text import Passage
from training.text import split_sentences


def held_out(files: Sequence[tuple[Path, float]], count: int, seed: int = 0) -> list[list[list[str]]]:
    """Return about `count` held-out documents of at least four sentences, as (source, document, sentence), of each file
    by its share, drawn with replacement: a second time, one is read from another position.
    """
    checked_seed(seed)
    if not all(share > 0 for _, share in files):
        raise ValueError("A text has no share. Give a number above 0, or omit the file.")
    total = sum(share for _, share in files)
    chosen = []
    for number, (path, share) in enumerate(files):
        documents = [
            [s for paragraph in document for s in split_sentences(paragraph)]
            for document in read_documents(path)
            if is_held_out(document)
        ]
        documents = [d for d in documents if len(d) >= 4]
        if not documents:
            raise ValueError(f"{path} has no held-out document of at least four sentences. Omit this file.")
        order = generator(seed, number).choice(len(documents), max(2, round(count * share / total)))
        chosen.append([documents[i] for i in order])
    return chosen


def pairs(
    sources: list[list[list[str]]], model: EmbeddingModel, room: int, *, single: bool = False, seed: int = 0
) -> Iterator[Passage]:
    """Yield pairs of passages (or of `single` sentences) of up to `room` tokens, including special ones; half are real,
    and the others have a second part from another document of the same file.
    """
    rng = generator(seed)
    for documents in sources:
        for document in documents:
            name = document[0]
            start = int(rng.integers(len(document) - 2))
            aim = 0 if single else int(rng.integers((room - 3) // 4, 3 * (room - 3) // 4))
            first, at = _passage(document[:-1], start, aim, model)  # so that a sentence is left to follow
            follows = bool(rng.integers(2))
            if not follows:
                others = [d for d in documents if d != document]
                if not others:
                    continue
                document = others[int(rng.integers(len(others)))]
                at = int(rng.integers(1, len(document)))  # a real second part never opens its document either
            left = room - 3 - _length(first, model)
            second, _ = _passage(document, at, 0 if single else left, model)
            if _length(second, model) <= left:
                yield Passage(first, second, follows, name)


def middles(sources: list[list[list[str]]], model: EmbeddingModel) -> Iterator[Passage]:
    """Yield the sentence in the middle of each document, once, if it has 4 to 126 tokens."""
    for document in {d[0]: d for documents in sources for d in documents}.values():
        middle = document[len(document) // 2]
        if 4 <= _length(middle, model) <= 126:
            yield Passage(middle, None, False, document[0])


def _length(text: str, model: EmbeddingModel) -> int:
    try:
        return len(model.tokenize(text)) - 2
    except ValueError:  # longer than the model can read, so it never fits
        return 2**31


def _passage(document: list[str], start: int, room: int, model: EmbeddingModel) -> tuple[str, int]:
    """Return whole sentences from `start`, at least one, that fit into `room` tokens, and the index where they end."""
    end, length = start + 1, _length(document[start], model)
    while end < len(document) and (length := length + _length(document[end], model)) <= room:
        end += 1
    return " ".join(document[start:end]), end
