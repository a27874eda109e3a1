"""Time of a map of the Tracing page, compared with full forward passes of the same rows.

python -m benchmarks.tracing [--quick] [--cpu] [--model FOLDER]

The rows are one per layer, word and direction. The full passes run them in batches of the same size.
"""

import numpy as np

from benchmarks.measure import asked, compare, load
from embtools.models.embedding_model import EmbeddingModel
from embtools.models.patching import with_rows
from embtools.tracing.positions import trace_positions
from embtools.tracing.runs import measured, two_runs

GOAL = 1.0
TEXT = "We all know that the city of Rome is the capital of a country called [MASK]."
EDITS = ("rome = rome - italy + france",)


def full(model: EmbeddingModel) -> None:
    """Run every row of the map from the embedding output on."""
    runs = two_runs(TEXT, model, edits=EDITS)
    for _ in range(model.layers + 1):
        rows = np.concatenate([np.repeat(runs.states[0, [run]], len(runs.groups), axis=0) for run in (0, 1)])
        measured(with_rows(rows, model, layer=0)[:, runs.mask], model, runs=runs)


def main() -> None:
    """Print the ratio for the bundled model and for one in the size of BERT base, or for a folder."""
    for name, folder in asked():
        model = load(folder)
        compare(
            f"map of {len(two_runs(TEXT, model, edits=EDITS).groups)} words, {name}",
            lambda model=model: trace_positions(TEXT, model, edits=EDITS),
            lambda model=model: full(model),
            GOAL,
        )


if __name__ == "__main__":
    main()
