"""The description length of labels by layer: the codelength with probes on every layer of a model, next to accuracy."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.memory import remembered
from embtools.probing import codelength
from embtools.probing.codelength import Codelength
from embtools.probing.layers import LayerProbes, Probes, probe_layers
from embtools.probing.verdict import named
from embtools.progress import Progress, part, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class LayerCodes:
    """The codelength of the labels with a probe on each layer; one layer is looked at more closely.

    probes  the accuracies of the same probes, with the layer that was asked for
    code    the codelength on each layer
    """

    probes: LayerProbes
    code: Codelength

    @property
    def table(self) -> pd.DataFrame:
        """Codelength and compression by layer, with random labels too, and the accuracy of the same probes."""
        accuracy = self.probes.table[["accuracy", "accuracy_low", "accuracy_high"]]
        return pd.concat([self.code.table, accuracy], axis=1)

    @property
    def uniform(self) -> float:
        """The bits of the labels if each takes the same number."""
        return self.code.uniform

    @property
    def frequencies(self) -> float:
        """The bits of the labels if only their frequencies are known."""
        return self.code.frequencies

    @property
    def portions(self) -> tuple[int, ...]:
        """The number of words or sentences at the end of each portion."""
        return self.code.portions

    @property
    def naming(self) -> float:
        """The bits that it takes to say which layer is the best one."""
        return float(np.log2(len(self.code.table)))

    @property
    def layer(self) -> int:
        """The layer that was asked for, or the one of the shortest codelength (the first on ties)."""
        return self.code.shortest if self.probes.chosen is None else self.probes.chosen

    @property
    def headline(self) -> str:
        """The codelength on the layer, and whether it is shorter in every order than the controls."""
        row = self.table.iloc[self.layer]
        what, things = named(self.probes.task, self.probes.kind)
        best = " (the best)" if self.probes.chosen is None else ""
        text = (
            f"With a probe on {row['combination']}{best}, sending {what} of {self.probes.count} {things} takes"
            f" {bits(row['codelength'])} bits instead of {bits(self.uniform)}: compression {row['compression']:.2f}."
        )
        control = f"{bits(row['control_codelength'])} bits (compression {row['control_compression']:.2f})"
        if row["codelength_highest"] >= row["control_codelength_lowest"]:
            return f"{text} That is not reliably shorter than for random labels: {control}."
        if row["codelength_highest"] >= self.frequencies:
            return (
                f"{text} That is not reliably shorter than a code that only uses the frequencies of the labels"
                f" ({bits(self.frequencies)} bits)."
            )
        return f"{text} Random labels take {control}."


def bits(value: float) -> str:
    """Format a number of bits: with a decimal place below 100, so that a compression can be checked.

    >>> bits(9.38), bits(99.96), bits(1234.5)
    ('9.4', '100', '1,234')
    """
    return f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"


@remembered
def layer_codelength(probes: Probes, model: "EmbeddingModel", *, progress: Progress = silent) -> Codelength:
    """Return the codelength of the labels with probes on every layer. Cached."""
    vectors = probes.vectors(model, progress=part(progress, 0, 0.3))
    layers, rest = vectors.combinations[: model.layers + 1], part(progress, 0.3, 0.7)
    how = {"folding": probes.folding, "strength": probes.strength}
    return codelength.measure(probes.items, vectors, layers, **how, progress=rest)  # type: ignore[arg-type]


def describe_layers(
    probes: Probes, model: "EmbeddingModel", *, layer: int | None = None, progress: Progress = silent
) -> LayerCodes:
    """Return how many bits the labels take with a probe on every layer, next to the accuracy of the same probes.

    The labels are sent in portions, each coded by a probe that was trained on the portions before it. The fewer bits,
    the more easily a probe finds the labels in the vectors: accuracy only says how well, description length also how
    soon. The means of five random orders are given.

    Parameters
    ----------
    probes : Probes
        Items, pooling and folds; words whose occurrences are in the same fold are sent together.
    model : EmbeddingModel
    layer : int or None, optional
        The layer of the headline; None: the one of the shortest codelength.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    LayerCodes
        Bits and compression by layer, for the labels and for random ones.

    Raises
    ------
    ValueError
        As `probe_layers` does.

    References
    ----------
    Voita & Titov 2020, "Information-theoretic probing with minimum description length",
    https://aclanthology.org/2020.emnlp-main.14/.
    """
    result = probe_layers(probes, model, layer=layer, progress=part(progress, 0, 0.5))
    return LayerCodes(result, layer_codelength(probes, model, progress=part(progress, 0.5, 0.5)))
