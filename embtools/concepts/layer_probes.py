"""Probes on every layer of a model, for a built-in task or for your own items, and what their predictions show.

Accuracies are computed once per setting: the details of a probe start from them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from embtools.concepts import accuracy
from embtools.concepts.accuracy import Accuracy, Combinations, LearningCurve, Scores
from embtools.concepts.probes import Features, Probes
from embtools.drawing import Displayed
from embtools.layer_combinations import COMBINED
from embtools.limits import check_layer
from embtools.memory import remembered
from embtools.messages import listed
from embtools.progress import Progress, part, silent
from embtools.statistics.percentages import ends, rate_text
from embtools.statistics.probe import NEVER

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_TASKS = {
    "tense": ("the tense", "verbs"),
    "part of speech": ("the part of speech", "words"),
    "number": ("the number (singular or plural)", "nouns"),
    "topic": ("the topic", "sentences"),
}


def finding(
    rows: pd.DataFrame, baseline: float, task: str, kind: str, *, folding: str = NEVER, best: bool = False
) -> str:
    """Return the headline: the accuracy of a probe on one or several layers, and whether it is better than guessing.

    >>> row = {"combination": "layer 4", "accuracy": 0.93, "accuracy_low": 0.9, "accuracy_high": 0.96,
    ...        "control": 0.51, "control_low": 0.4, "selectivity_low": 0.3}
    >>> finding(pd.DataFrame([row]), 0.5, "tense", "words")
    'A probe on layer 4 predicts the tense of new verbs with 93% accuracy (95% interval 90% to 96%). Guessing gets 50%.'
    >>> both = pd.DataFrame([row, row | {"combination": "layer 5", "accuracy": 0.95}])
    >>> print(finding(both, 0.5, "tense", "words", best=True))  # doctest: +NORMALIZE_WHITESPACE
    Layers 4 and 5 both predict the tense of new verbs with 93% to 95% accuracy (95% intervals from 90% to 96%) and
    cannot be distinguished. Guessing gets 50%.
    """
    what, things = named(task, kind)
    seen = folding != NEVER and kind != "sentences"
    things = f"{things} it may have seen" if seen else f"new {things}"
    low, high = rows["accuracy_low"].min(), rows["accuracy_high"].max()
    bounds = " to ".join(ends(low, high))
    if len(rows) > 1:
        things = things.replace("it may", "they may")
        shares = dict.fromkeys((rate_text(rows["accuracy"].min()), rate_text(rows["accuracy"].max())))
        each = "both" if len(rows) == 2 else "all"
        text = (
            f"{_layers(rows)} {each} predict {what} of {things} with {' to '.join(shares)} accuracy (95%"
            f" intervals from {bounds}) and cannot be distinguished."
        )
    else:
        name = str(rows["combination"].iloc[0])
        text = (
            f"{name[0].upper()}{name[1:]} is the best: a probe on it" if best else f"A probe on {name}"
        ) + f" predicts {what} of {things} with {rate_text(rows['accuracy'].iloc[0])} accuracy (95% interval {bounds})."
    guessing, control = rate_text(baseline), rate_text(rows["control"].max())
    if high < baseline:
        return f"{text} That is worse than guessing, which gets {guessing}."
    if low <= baseline:
        return f"{text} That is not reliably better than guessing, which gets {guessing}."
    if not seen and (rows["control_low"] > baseline).any():
        return (
            f"{text} But a probe with random labels also does better than guessing ({control} instead of {guessing}),"
            " so training and test items are not separate."
        )
    if seen and (rows["selectivity_low"] <= 0).any():
        return f"{text} Guessing gets {guessing}, but a probe with random labels gets {control}, so this may be memory."
    if seen:
        return f"{text} Guessing gets {guessing}, and a probe with random labels (memory alone) gets {control}."
    return f"{text} Guessing gets {guessing}."


def _layers(rows: pd.DataFrame) -> str:
    """Return the names of several layers in a sentence.

    >>> _layers(pd.DataFrame({"combination": ["layer 1", "layer 2", "layer 3"]}))
    'Layers 1 to 3'
    >>> _layers(pd.DataFrame({"combination": ["layer 1", "layer 3"]}))
    'Layers 1 and 3'
    """
    numbers = [int(str(name).removeprefix("layer ")) for name in rows["combination"]]
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"Layers {numbers[0]} to {numbers[-1]}"
    return f"Layers {listed(map(str, numbers))}"


def named(task: str, kind: str) -> tuple[str, str]:
    """Return what a probe predicts and of which things; `kind` is "words" or "sentences" for a task of your own.

    >>> named("tense", "words"), named("", "words")
    (('the tense', 'verbs'), ('your labels', 'words'))
    """
    return _TASKS.get(task, ("your labels", kind))


@dataclass(frozen=True)
class LayerProbes(Displayed):
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
        return finding(rows, self.baseline, self.task, self.kind, folding=self.folding, best=best)


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
        check_layer(layer, model.layers)
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
    table = accuracy.learning_curve(items, vectors, folding=how, strength=probes.strength, progress=progress)
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
    check_layer(layer, model.layers)
    items, result = probes.items, layer_accuracy(probes, model)
    probabilities, given = result.probabilities[f"layer {layer}"], [item.label for item in items]
    return Scores(
        layer,
        accuracy.confusion(given, probabilities),
        accuracy.per_label(given, probabilities).round(3),
        accuracy.mistakes(items, probabilities),
    )
