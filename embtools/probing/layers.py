"""Probes on every layer of a model, for a built-in task or for your own items, and what their predictions show.

Accuracies are computed once per setting: the details of a probe start from them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from embtools.layer_combinations import COMBINED
from embtools.memory import remembered
from embtools.probing import accuracy, curve, predict, scores, verdict
from embtools.probing.accuracy import Accuracy, Combinations
from embtools.probing.curve import LearningCurve
from embtools.probing.features import Features, read_features
from embtools.probing.items import TASKS, Items, built_in, read_items
from embtools.probing.scores import Scores
from embtools.progress import Progress, part, silent
from embtools.statistics.probe import NEVER, STRENGTH
from embtools.written import Listed

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_FIT = 6e-6  # seconds to read and fit one number of one item's vectors


@dataclass(frozen=True)
class LayerProbes:
    """The accuracy of a probe on each layer; one layer is looked at more closely.

    task      name of the built-in task; "" for your own items
    kind      "words" or "sentences": what is labelled
    count     number of items
    folding   how the items were divided
    accuracy  the accuracy of each layer
    chosen    the layer that was asked for; None if it is the best one
    """

    task: str
    kind: str
    count: int
    folding: str
    accuracy: Accuracy
    chosen: int | None

    @property
    def table(self) -> pd.DataFrame:
        """Accuracy, control and selectivity by layer: `Accuracy.table`."""
        return self.accuracy.table

    @property
    def baseline(self) -> float:
        """The accuracy of guessing."""
        return self.accuracy.baseline

    @property
    def layer(self) -> int:
        """The layer that was asked for, or the one of the highest accuracy (the first on ties)."""
        best = self.table["combination"].tolist().index(self.accuracy.best)
        return best if self.chosen is None else self.chosen

    @property
    def best_layers(self) -> list[int]:
        """The layers that cannot be distinguished from the one of the highest accuracy, itself included."""
        return [layer for layer, name in enumerate(self.table["combination"]) if name in self.accuracy.equal]

    @property
    def headline(self) -> str:
        """The accuracy on the layer, or on all that cannot be distinguished from the best one, next to guessing."""
        rows = self.table.iloc[self.best_layers if self.chosen is None else [self.layer]]
        best = self.chosen is None and len(self.table) > 1
        return verdict.finding(rows, self.baseline, self.task, self.kind, folding=self.folding, best=best)


@dataclass(frozen=True)
class Probes(Listed):
    """What probes are trained on, and how.

    Attributes
    ----------
    labels : str
        The name of a built-in task, or items as text (see `items_table`).
    pooling : str
        A pooling that fits the items.
    folding : str
        "never seen": all occurrences of a word are in the same fold. "possibly seen": each item on its own.
    strength : float
        Strength of the regularisation, above 0.
    """

    by_position = 2

    labels: str
    pooling: str
    folding: str = NEVER
    strength: float = STRENGTH

    @property
    def subject(self) -> str:
        """What the probes are about."""
        return self.labels

    @property
    def items(self) -> Items:
        """The labelled items; ValueError as `read_items`."""
        return items_of(self.labels)

    @property
    def task(self) -> str:
        """The name of the built-in task; "" for other items."""
        return self.labels if self.labels in TASKS else ""

    def vectors(self, model: "EmbeddingModel", *, progress: Progress = silent) -> Features:
        """Return the vectors of the items in every layer and layer combination; ValueError as `read_features`."""
        return item_vectors(self.labels, model, pooling=self.pooling, progress=progress)


def items_of(labels: str) -> Items:
    """Return the items of a built-in task, or those of a text; ValueError as `read_items`."""
    return built_in(labels) if labels in TASKS else read_items(labels)


def items_table(labels: str) -> pd.DataFrame:
    """Return the items as a table.

    Parameters
    ----------
    labels : str
        The name of a built-in task ("tense", "part of speech", "number" or "topic"); or items, one per line, such as
        `label | word | sentence` or `label | sentence`, or as a table.

    Returns
    -------
    DataFrame
        sentence, label and, for labelled words, word and occurrence.

    Raises
    ------
    ValueError
        As `probe_layers` does for the items.
    """
    items = items_of(labels)
    table = pd.DataFrame(
        [(item.sentence, item.word, item.occurrence, item.label) for item in items],
        columns=["sentence", "word", "occurrence", "label"],
    )
    return table if items[0].word else table[["sentence", "label"]]


def effort(labels: str, *, layers: int, dimensions: int) -> float:
    """Return about how many seconds the probes on all layers of a model of this size take."""
    return len(items_of(labels)) * (layers + 1) * dimensions * _FIT


@remembered
def item_vectors(labels: str, model: "EmbeddingModel", *, pooling: str, progress: Progress = silent) -> Features:
    """Return the vectors of the items in every layer and layer combination. Cached. ValueError as `read_features`."""
    return read_features(items_of(labels), model, pooling=pooling, progress=progress)


@remembered
def layer_accuracy(probes: Probes, model: "EmbeddingModel", *, progress: Progress = silent) -> Accuracy:
    """Return the accuracy of probes on every layer. Cached."""
    vectors = probes.vectors(model, progress=part(progress, 0, 0.5))
    layers, rest = vectors.combinations[: model.layers + 1], part(progress, 0.5, 0.5)
    return _measured(probes, vectors, layers, rest)


def _measured(probes: Probes, vectors: Features, names: Sequence[str], progress: Progress) -> Accuracy:
    return accuracy.measure(
        probes.items, vectors, names, folding=probes.folding, strength=probes.strength, progress=progress
    )


def probe_layers(
    probes: Probes, model: "EmbeddingModel", *, layer: int | None = None, progress: Progress = silent
) -> LayerProbes:
    """Return the accuracy of probes on every layer, and of the same probes on random labels.

    Parameters
    ----------
    probes : Probes
        Items, pooling and folds.
    model : EmbeddingModel
    layer : int or None, optional
        The layer of the headline; None: the best one.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    LayerProbes
        With `table`, the accuracy of each layer, that on random labels and the difference of both.

    Raises
    ------
    ValueError
        For a text that is too long or has no items, fewer than 2 or more than 12 labels with five different words (or
        sentences), a word that is not in its sentence, too many tokens, a pooling, folds or a strength that cannot be
        used, and a layer that the model does not have.
    """
    if layer is not None:
        _check_layer(layer, model)
    result, items = layer_accuracy(probes, model, progress=progress), probes.items
    kind = "words" if items[0].word else "sentences"
    return LayerProbes(probes.task, kind, len(items), probes.folding, result, layer)


def probe_combinations(probes: Probes, model: "EmbeddingModel", *, progress: Progress = silent) -> Combinations:
    """Return the accuracy of probes on every layer and on the combinations of several layers.

    Parameters
    ----------
    probes, model, progress
        As in `probe_layers`.

    Returns
    -------
    Combinations
        The layers, then the combinations, and which of them cannot be distinguished from the best one.

    Raises
    ------
    ValueError
        As `probe_layers` does.
    """
    result = layer_accuracy(probes, model)
    more = _measured(probes, probes.vectors(model), COMBINED, progress)
    table = pd.concat([result.table, more.table], ignore_index=True)
    types = [item.type for item in probes.items]
    return Combinations(table, result.baseline, accuracy.not_distinguished(result.right | more.right, types))


def probe_fewer(probes: Probes, model: "EmbeddingModel", *, layer: int, progress: Progress = silent) -> LearningCurve:
    """Return the accuracy of probes on one layer that are trained on fewer items.

    Parameters
    ----------
    probes, model
        As in `probe_layers`.
    layer : int
        The layer.
    progress : callable, optional
        As in `probe_layers`.

    Returns
    -------
    LearningCurve
        With `table`, the accuracy by the number of items that a probe was trained on.

    Raises
    ------
    ValueError
        As `probe_layers` does, and for a layer that the model does not have.
    """
    items, vectors, how = probes.items, probes.vectors(model).of(f"layer {layer}"), probes.folding
    table = curve.learning_curve(items, vectors, folding=how, strength=probes.strength, progress=progress)
    shares = pd.Series([item.label for item in items]).value_counts(normalize=True)
    return LearningCurve(table, float(shares.max()))


def probe_mistakes(probes: Probes, model: "EmbeddingModel", *, layer: int) -> Scores:
    """Return what a probe on one layer got right and wrong.

    Parameters
    ----------
    probes, model
        As in `probe_layers`.
    layer : int
        The layer.

    Returns
    -------
    Scores
        The confusion matrix, the scores of each label, and the mistakes.

    Raises
    ------
    ValueError
        As `probe_layers` does, and for a layer that the model does not have.
    """
    _check_layer(layer, model)
    items, result = probes.items, layer_accuracy(probes, model)
    probabilities, given = result.probabilities[f"layer {layer}"], [item.label for item in items]
    return Scores(
        layer,
        scores.confusion(given, probabilities),
        scores.per_label(given, probabilities).round(3),
        scores.mistakes(items, probabilities),
    )


def try_probe(sentence: str, model: "EmbeddingModel", *, probes: Probes, layer: int) -> pd.DataFrame:
    """Return the labels that a probe on one layer, trained on all items, predicts for a new sentence.

    Parameters
    ----------
    sentence : str
        The new sentence.
    model : EmbeddingModel
        If words of it are edited, it reads the sentence, but the probe is trained on the original model.
    probes : Probes
        Items and pooling; all items are used, so the folds make no difference.
    layer : int
        The layer.

    Returns
    -------
    DataFrame
        Columns: word ("" for a sentence), occurrence, label, probability; one row per label.

    Raises
    ------
    ValueError
        As `probe_layers` does, and for a sentence that is too long or has no word that the model knows.
    """
    return predict.predict_labels(
        sentence,
        model,
        items=probes.items,
        features=probes.vectors(model.original),
        combination=f"layer {layer}",
        pooling=probes.pooling,
        strength=probes.strength,
    )


def _check_layer(layer: int, model: "EmbeddingModel") -> None:
    if not 0 <= layer <= model.layers:
        raise ValueError(f"There is no layer {layer}. Choose 0 to {model.layers}.")
