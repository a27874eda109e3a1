"""A sparse dictionary learned from the occurrences of a text: the k strongest features of a vector, and their sum.

It is a TopK sparse autoencoder with tied weights (Makhzani & Frey 2013; Gao et al. 2024): the directions that are added
up are also those that a vector is compared with, so a file needs half the room.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from embtools import settings
from embtools.chance import generator
from embtools.memory import remembered
from embtools.messages import quoted
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.vectors import Array, check_finite

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

SCHEMA = "1"
FOLDER = Path(__file__).parents[1] / "bundled"
COMMAND = "python -m embtools.dictionary"
LEARNED, DIRECTIONS, OCCURRENCES, RANDOM_MODEL, CHANCE = (
    "learned",
    "random directions",
    "random occurrences",
    "model with random weights",
    "random sets of words",
)
"""The rows of the quality of a dictionary. The last one has only the columns about words."""

COLUMNS = (
    "dictionary", "explained", "dead", "active", "kl_bits", "kl_mean", "same_answer", "asked",
    "different_words", "one_word", "similarity", "judged",
)  # fmt: skip
"""The columns of the quality, in order."""
_ROWS = 64  # random directions at a time, each with a weight for every occurrence
_BLOCK = 2_048  # vectors at a time, each with a score for every feature


@dataclass(frozen=True, eq=False)
class Codes:
    """The active features of m vectors, the strongest first.

    features     (m, k) their numbers, from 0
    activations  (m, k) their activations; 0 for a feature that is not active
    """

    features: NDArray[np.int32]
    activations: Array


@dataclass(frozen=True, eq=False)
class LearnedDictionary:
    """n features of the states after a layer.

    layer       the layer, 1 … l
    k           how many features are active at most
    directions  (n, d) float32, of length one: what an activation of 1 adds to the state
    offsets     (n,) float32, added to the scores of the features
    centre      (d,) float32, the mean of the occurrences
    about       who made it and how good it is: the metadata of its file
    refit       whether activations are the best weights of the active features (least squares) and not their scores;
                for dictionaries that were not learned
    """

    layer: int
    k: int
    directions: Array
    offsets: Array
    centre: Array
    about: dict[str, Any]
    refit: bool = False

    def __len__(self) -> int:
        return len(self.directions)

    @cached_property
    def checksum(self) -> str:
        """The checksum of the weights of the model whose states it was learned from."""
        return str(self.about.get("weights", ""))

    def scores(self, vectors: Array) -> Array:
        """Return the scores (m, n) of all features at vectors (m, d)."""
        return np.asarray((np.asarray(vectors, np.float32) - self.centre) @ self.directions.T + self.offsets)

    def codes(self, vectors: Array) -> Codes:
        """Return the active features of vectors (m, d): those with the k highest scores, as far as they are above 0."""
        features = np.empty((len(vectors), self.k), np.int32)
        activations = np.empty((len(vectors), self.k), np.float32)
        for begin in range(0, len(vectors), _BLOCK):
            some = slice(begin, begin + _BLOCK)
            features[some], activations[some] = strongest(self.scores(vectors[some]), self.k)
            if self.refit:
                activations[some] = _refitted(vectors[some] - self.centre, self.directions, features[some])
        return Codes(features, activations)

    def reconstruct(self, codes: Codes) -> Array:
        """Return the sums (m, d) of the active features and the centre."""
        found = np.empty((len(codes.features), self.directions.shape[1]), np.float32)
        for begin in range(0, len(found), _BLOCK):
            some = slice(begin, begin + _BLOCK)
            chosen = self.directions[codes.features[some]]
            found[some] = np.einsum("mk,mkd->md", codes.activations[some], chosen) + self.centre
        return found


def strongest(scores: Array, k: int) -> tuple[NDArray[np.int32], Array]:
    """Return the numbers and the values (m, k) of the highest scores (m, n) in falling order; values below 0 become 0.

    >>> strongest(np.array([[0.5, -1.0, 2.0]]), 2)
    (array([[2, 0]], dtype=int32), array([[2. , 0.5]]))
    """
    if not 1 <= k <= scores.shape[-1]:
        raise ValueError(f"{k} features were asked for. Choose 1 to {scores.shape[-1]:,}.")
    top = np.argpartition(-scores, k - 1, axis=1)[:, :k]
    values = np.take_along_axis(scores, top, axis=1)
    order = np.argsort(-values, axis=1, kind="stable")
    features = np.take_along_axis(top, order, axis=1).astype(np.int32)
    return features, np.maximum(np.take_along_axis(values, order, axis=1), 0)


def random_dictionary(like: LearnedDictionary, vectors: Array, *, occurrences: bool = False, seed: int = 0) -> Any:
    """Return a dictionary of random directions, or of random occurrences, with the best weights for each vector."""
    if vectors.ndim != 2 or vectors.shape[1] != like.directions.shape[1] or not len(vectors):
        raise ValueError(f"Give occurrences (m, d) with {like.directions.shape[1]:,} numbers each.")
    rng, centred = generator(seed), vectors - like.centre
    if occurrences:
        rows = centred[rng.choice(len(vectors), len(like), replace=len(vectors) < len(like))]
    else:
        sizes = [min(_ROWS, len(like) - begin) for begin in range(0, len(like), _ROWS)]
        rows = np.concatenate([rng.normal(size=(n, len(centred))).astype(np.float32) @ centred for n in sizes])
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return replace(
        like, directions=rows.astype(np.float32), offsets=np.zeros(len(like), np.float32), about={}, refit=True
    )


def write(dictionary: LearnedDictionary, path: Path) -> None:
    """Write a dictionary as float16 safetensors; the file appears only when it is complete."""
    arrays: dict[str, Array] = {
        "directions": dictionary.directions.astype(np.float16),
        "offsets": dictionary.offsets.astype(np.float32),
        "centre": dictionary.centre.astype(np.float32),
    }
    about = {"schema": SCHEMA, "layer": dictionary.layer, "k": dictionary.k, **dictionary.about}
    partial = path.with_name(f"{path.name}.part")
    save_file(arrays, partial, {"dictionary": json.dumps(about, ensure_ascii=False, sort_keys=True)})
    partial.replace(path)


def about_file(path: Path) -> dict[str, Any]:
    """Return what a file says about its dictionary, without reading the directions."""
    try:
        with safe_open(path, "numpy") as file:
            about = dict(json.loads((file.metadata() or {})["dictionary"]))
        if about["schema"] != SCHEMA or not isinstance(about["weights"], str):
            raise KeyError("schema")
        return about | {"layer": int(about["layer"]), "k": int(about["k"])}
    except (OSError, SafetensorError, KeyError, ValueError, TypeError, AttributeError) as error:
        raise ValueError(
            f"The file {quoted(path.name, 80)} is not a learned dictionary, or it is damaged. Build it again with"
            " python -m embtools.dictionary."
        ) from error


def read(path: Path) -> LearnedDictionary:
    """Return the dictionary of a file. Raises ValueError if the file cannot be read or is no dictionary."""
    about = about_file(path)
    try:
        with safe_open(path, "numpy") as file:
            directions, offsets, centre = (
                file.get_tensor(name).astype(np.float32) for name in ("directions", "offsets", "centre")
            )
        if directions.ndim != 2 or offsets.shape != directions.shape[:1] or centre.shape != directions.shape[1:]:
            raise KeyError("sizes")
        check_finite(directions, offsets, centre)
    except (OSError, SafetensorError, KeyError, ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"The file {quoted(path.name, 80)} is damaged. Copy it again.") from error
    directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-12)  # lost in float16
    for array in (directions, offsets, centre):
        array.flags.writeable = False
    return LearnedDictionary(about["layer"], about["k"], directions, offsets, centre, about)


def _refitted(vectors: Array, directions: Array, features: NDArray[np.int32]) -> Array:
    """Return the weights (m, k) with which the chosen directions come nearest to vectors (m, d)."""
    chosen = directions[features]
    products = np.einsum("mkd,mjd->mkj", chosen, chosen, optimize=True) + 1e-4 * np.eye(features.shape[1])
    return np.linalg.solve(products, np.einsum("mkd,md->mk", chosen, vectors)[..., None])[..., 0].astype(np.float32)


def dictionaries(model: "EmbeddingModel") -> tuple[str, ...]:
    """Return the names of the dictionaries of a model, or of the original of a model with edited words: "layer 3", or
    "layer 3, wiki" for a file wiki.safetensors.
    """
    return names_of(model.original.checksum)


def names_of(checksum: str) -> tuple[str, ...]:
    """Return the names of the dictionaries of the model whose weights have this checksum."""
    return tuple(_named(checksum))


def open_dictionary(name: str, model: "EmbeddingModel") -> LearnedDictionary:
    """Return a dictionary of a model by its name."""
    named = _named(model.original.checksum)
    if not named:
        raise ValueError(
            "This model has no learned dictionary. A dictionary belongs to the model whose states it was learned from."
            f" The host can build one with {COMMAND}."
        )
    if name not in named:
        raise ValueError(
            f"There is no dictionary {quoted(name, 80)} for {model.name}. Choose one of these: {'; '.join(named)}."
        )
    path = named[name]
    found = _read(path, path.stat().st_mtime_ns)
    if found.directions.shape[1] != model.dimensions or not 1 <= found.layer <= model.layers:
        raise ValueError(f"The dictionary {quoted(name, 80)} does not fit this model. Build it again with {COMMAND}.")
    return found


def _named(checksum: str) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in files():
        about = _about(path)
        if about.get("weights") != checksum:
            continue
        own = path.parent == FOLDER
        name = f"layer {about['layer']}" if own else f"layer {about['layer']}, {path.stem}"
        found.setdefault(name, path)
    return found


def files() -> tuple[Path, ...]:
    """Return the files of all dictionaries that come with the app or that EMBTOOLS_DICTIONARIES names."""
    given = filter(None, map(str.strip, settings.current().dictionaries.split(",")))
    return (*sorted(FOLDER.glob("dictionary-*.safetensors")), *map(Path, given))


def _about(path: Path) -> dict[str, Any]:
    try:
        return _about_of(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):
        return {}


@lru_cache(maxsize=32)  # only what a file says about itself: a few names and numbers
def _about_of(path: Path, changed: int) -> dict[str, Any]:
    return about_file(path)


@remembered
def _read(path: Path, changed: int) -> LearnedDictionary:
    return read(path)


def table(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the quality that the file of a dictionary stores as a frame: `COLUMNS`, as far as the file has them."""
    frame = pd.DataFrame(rows)
    return frame[[name for name in COLUMNS if name in frame]]


def fit_sentence(quality: pd.DataFrame, made: dict[str, Any]) -> str:
    """Say what the features explain of text that was held out, how many are dead or active, and how answers change."""
    rows = _rows(quality)
    if LEARNED not in rows:
        return "The file of this dictionary does not say how good it is."
    own = rows[LEARNED]
    others = [
        f"{name} with the best weights: {rounded(rows[name]['explained'])}"
        for name in (DIRECTIONS, OCCURRENCES)
        if name in rows
    ]
    if RANDOM_MODEL in rows:
        others.append(f"features learned from a model with random weights: {rounded(rows[RANDOM_MODEL]['explained'])}")
    controls = f" ({'; '.join(others)})" if others else ""
    return (
        f"On {made.get('held_out') or 0:,} held-out words, the features explain {rounded(own['explained'])} of the"
        f" variance{controls}. On average, {own['active']:.1f} features are active at a word;"
        f" {rounded(own['dead'], 1)} of all"
        " features are active at none of these words. If all words of a sentence are replaced by the sums of their"
        f" features, the answers at a mask change by {own['kl_bits']:.2f} bits and the top answer stays the same in"
        f" {rounded(own['same_answer'])} of {own['asked']:.0f} sentences; if they are replaced by the mean vector of"
        f" all words, the answers change by {own['kl_mean']:.2f} bits."
    )


def look_sentence(quality: pd.DataFrame) -> str:
    """Say how interpretable the features look, and how interpretable those of the controls do."""
    rows = _rows(quality)
    if LEARNED not in rows or pd.isna(rows[LEARNED]["different_words"]):
        return "The file of this dictionary does not say how its features look."
    own = rows[LEARNED]
    others = [
        f"{name}: {rows[name]['different_words']:.1f} words, similarity {_signed(rows[name]['similarity'])}"
        for name in (DIRECTIONS, OCCURRENCES, RANDOM_MODEL, CHANCE)
        if name in rows and not pd.isna(rows[name]["different_words"])
    ]
    return (
        f"On average, the ten strongest occurrences of a feature come from {own['different_words']:.1f} different"
        f" words, with a mean similarity of {_signed(own['similarity'])}. For comparison, {'; '.join(others)}."
    )


def _rows(quality: pd.DataFrame) -> dict[str, dict[str, Any]]:
    return {row["dictionary"]: row for row in quality.to_dict("records")}


def _signed(value: float) -> str:
    return "–" if pd.isna(value) else decimal(value)
