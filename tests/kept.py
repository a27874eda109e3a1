"""Long results that many tests need, computed once in a run: the first worker keeps them in a file, which all others read.

Reading the built-in corpus again, in each worker and whenever a test had emptied the cache, took most of the time of the
pages that search in it.
"""

import pickle
from collections.abc import Callable
from contextlib import nullcontext
from hashlib import sha256
from typing import Any

import pytest

from embtools.occurrences import encoding
from tests import lifeline

LEAST = 500
"""Sentences of a text that is kept: those that tests write themselves are shorter."""
STEPS = 10
"""How often a text that was kept reports its progress, so that it can be stopped too."""


def once(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """The result of a function, for fixtures of several files: the first worker that needs it computes it."""
    asked = [getattr(each, "checksum", each) for each in arguments], sorted(named.items())
    return _kept((function.__module__, function.__qualname__, asked), lambda: function(*arguments, **named))


def install(patch: pytest.MonkeyPatch) -> None:
    """Keep what `encode_corpus` reads, until the patch is undone."""
    read_rows, encode_layers = encoding._read_rows, encoding.encode_layers

    def kept(corpus: Any, model: Any, *, combinations: Any, progress: Any = encoding.silent) -> Any:
        watched = encoding._read_rows is not read_rows  # by a test that wants to see what is read
        if watched or model.edited or len(corpus.sentences) < LEAST:
            return encode_layers(corpus, model, combinations=combinations, progress=progress)
        told = []

        def tell(share: float) -> None:
            told.append(share)
            progress(share)

        asked = "encode_layers", corpus, model.checksum, tuple(combinations)
        found = _kept(asked, lambda: encode_layers(corpus, model, combinations=combinations, progress=tell))
        for each in found:
            for array in (each.vectors, each.lengths, each.means):
                array.flags.writeable = False
        for step in range(0 if told else STEPS):
            progress((step + 1) / STEPS)
        return found

    patch.setattr(encoding, "encode_layers", kept)


def _kept(asked: object, compute: Callable[[], Any]) -> Any:
    """What was computed for the same question before, in this or another worker."""
    name = sha256(pickle.dumps(asked)).hexdigest()[:16]
    with lifeline.alone(name) if lifeline.fcntl else nullcontext():
        file = lifeline.folder() / f"{name}.pickle"
        if file.exists():
            return pickle.loads(file.read_bytes())
        found = compute()
        file.write_bytes(pickle.dumps(found))
        return found
