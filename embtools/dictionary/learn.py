"""From a corpus folder to a dictionary: training on its occurrences, and the quality on sentences that are held out."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from embtools.dictionary import quality
from embtools.dictionary.quality import Occurrences
from embtools.dictionary.training import Settings, train
from embtools.features.learned import (
    CHANCE,
    DIRECTIONS,
    LEARNED,
    OCCURRENCES,
    RANDOM_MODEL,
    LearnedDictionary,
    random_dictionary,
    write,
)
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sampling import sample, some_of
from embtools.progress import Progress, silent
from embtools.vectors import Array

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

HELD_OUT_EVERY = 25
"""One sentence in this many is held out."""
MOST_OCCURRENCES = 400_000
SENTENCES = 100
"""Number of held-out sentences in which the answers are compared."""
LOOKED_AT = 40_000
"""Number of occurrences among which the strongest of each feature are looked for."""
Tell = Callable[[str], Progress]


@dataclass(frozen=True, eq=False)
class Read:
    """The occurrences of a folder: those to train on, those that are held out, some of all, and held-out sentences."""

    train: Array
    held: Array
    some: Occurrences
    sentences: tuple[str, ...]


def learn(
    folder: CorpusFolder,
    model: "EmbeddingModel",
    *,
    out: Path,
    run: Path,
    settings: Settings,
    control: "tuple[CorpusFolder, EmbeddingModel] | None" = None,
    tell: Tell = lambda what: silent,
) -> LearnedDictionary:
    """Train a dictionary on a corpus folder, measure it and its controls, and write it to a file."""
    read = _read(folder, model)
    meanings = quality.meanings(read.some.words.tolist(), model)
    found = _trained(folder, model, read, run / "model", settings, tell("training"))
    rows = [_row(LEARNED, found, read, model, meanings, tell("measuring"))]
    for name, occurrences in ((DIRECTIONS, False), (OCCURRENCES, True)):
        other = random_dictionary(found, read.train[:50_000], occurrences=occurrences, seed=settings.seed)
        rows.append(_row(name, other, read, model, meanings, tell(f"measuring {name}")))
    if control is not None:
        drawn = _read(*control)
        other = _trained(*control, drawn, run / "random", settings, tell("training on random weights"))
        words = quality.meanings(drawn.some.words.tolist(), model)
        rows.append(_row(RANDOM_MODEL, other, drawn, control[1], words, tell("measuring random weights")))
    rows.append({"dictionary": CHANCE} | quality.by_chance(read.some, meanings, seed=settings.seed))
    made = {
        "quality": rows,
        "occurrences": len(read.train),
        "held_out": len(read.held),
        "steps": settings.steps,
        "batch": settings.batch,
        "seed": settings.seed,
    }
    result = LearnedDictionary(
        found.layer, found.k, found.directions, found.offsets, found.centre, found.about | _finite(made)
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    write(result, out)
    return result


def layer_of(folder: CorpusFolder) -> int:
    """Return the layer at which a folder was encoded. Raises ValueError if it holds several layers together."""
    found = re.fullmatch(r"layer (\d+)", folder.combination)
    if not found or int(found[1]) < 1:
        raise ValueError(
            f"The folder was encoded with “{folder.combination}”. Encode the text at one layer, such as --layers 3."
        )
    return int(found[1])


def _read(folder: CorpusFolder, model: "EmbeddingModel") -> Read:
    folder.check(model)
    layer_of(folder)
    rows = sample(folder, MOST_OCCURRENCES)
    numbers = rows.table["sentence"].to_numpy()
    held = numbers % HELD_OUT_EVERY == 0
    if not held.any() or held.all():
        raise ValueError(f"The folder has too few sentences: at least {HELD_OUT_EVERY + 1} are needed.")
    chosen = np.unique(numbers[held])
    chosen = chosen[:: max(1, len(chosen) // SENTENCES)][:SENTENCES]
    words = rows.table["word"].to_numpy(object)
    vectors = np.asarray(rows.vectors)
    few = some_of(len(vectors), LOOKED_AT)
    return Read(
        vectors[~held], vectors[held], Occurrences(vectors[few], words[few]), tuple(folder.sentences(chosen.tolist()))
    )


def _trained(
    folder: CorpusFolder,
    model: "EmbeddingModel",
    read: Read,
    run: Path,
    settings: Settings,
    progress: Progress,
) -> LearnedDictionary:
    arrays = train(read.train, run, settings, progress=progress)
    half = arrays["directions"].astype(np.float16).astype(np.float32)  # as in the file, so that the figures are its own
    half /= np.maximum(np.linalg.norm(half, axis=1, keepdims=True), 1e-12)
    about = {"weights": model.checksum, "model": model.name}
    return LearnedDictionary(layer_of(folder), settings.k, half, arrays["offsets"], arrays["centre"], about)


def _row(
    name: str,
    dictionary: LearnedDictionary,
    read: Read,
    model: "EmbeddingModel",
    meanings: dict[str, Array],
    progress: Progress,
) -> dict[str, Any]:
    return {
        "dictionary": name,
        **quality.fit(dictionary, read.held),
        **quality.answers(read.sentences, model, dictionary=dictionary, progress=progress),
        **quality.interpretability(dictionary, read.some, meanings),
    }


def _finite(value: Any) -> Any:
    """Return a value for JSON: numbers rounded to six digits, and none for those that do not exist.

    >>> _finite({"a": [float("nan"), 0.12345678]})
    {'a': [None, 0.123457]}
    """
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_finite(each) for each in value]
    if isinstance(value, float):
        return None if np.isnan(value) else round(value, 6)
    return value
