"""Time of the three views of the Tracing page, compared with full forward passes of the same rows.

python -m benchmarks.tracing [--quick] [--cpu] [--model FOLDER]

The rows of the map are one per layer, word and direction; those of the components one per head, part and blocked
attention; those of the average one per case, condition, role and direction, and one per case and head, part and blocked
attention. The full passes run them in batches of the same size. For the bundled model the time of the map and of the
components is also compared with half a second, in which an answer still seems immediate.
"""

import numpy as np

from benchmarks.measure import SHORT, asked, compare, few, interleaved, load, report
from embtools import memory
from embtools.models.embedding_model import EmbeddingModel
from embtools.models.patching import with_rows
from embtools.tracing.averages import average
from embtools.tracing.cases import CONDITIONS, ROLES, DrawnCases, edited_cases, states_of
from embtools.tracing.components import PARTS, trace_components
from embtools.tracing.positions import trace_positions
from embtools.tracing.runs import measured, two_runs

GOAL, IMMEDIATE = 1.0, 0.5
BRIEF = "Rome is the capital of [MASK]."
TEXT = BRIEF if SHORT else "We all know that the city of Rome is the capital of a country called [MASK]."
EDITS = ("rome = rome - italy + france",)
COUNT = few(8, 4)
CASES = DrawnCases("capital", count=COUNT)


def full_map(model: EmbeddingModel) -> None:
    """Run every row of the map from the embedding output on."""
    runs = two_runs(TEXT, model, edits=EDITS)
    for _ in range(model.layers + 1):
        rows = np.concatenate([np.repeat(runs.states[0, [run]], len(runs.groups), axis=0) for run in (0, 1)])
        measured(with_rows(rows, model, layer=0)[:, runs.mask], model, runs=runs)


def full_components(model: EmbeddingModel) -> None:
    """Run every row of the components from the embedding output on."""
    runs = two_runs(TEXT, model, edits=EDITS)
    counts = [model.heads + len(PARTS), 2 * model.heads, 2]  # of each layer: copied, blocked in a head, in the layer
    for count in (*counts * model.layers, 2):  # and blocked in all layers
        rows = np.repeat(runs.states[0, [0]], count, axis=0)
        measured(with_rows(rows, model, layer=0)[:, runs.mask], model, runs=runs)


def full_average(model: EmbeddingModel) -> None:
    """Run every row of the average from the embedding output on."""
    cases = edited_cases(CASES, model)
    n = len(cases.table)
    roles = sum(bool(positions) for condition in cases.roles for positions in condition)
    assert roles <= len(CONDITIONS) * len(ROLES)
    start = states_of(cases.part(0, 1), model)[0]
    parts = len(CONDITIONS) * (model.heads + len(PARTS)) * n  # of each layer: copied
    blocked = 2 * (len(CONDITIONS) + model.heads) * n  # of each layer: blocked in the layer and in a head
    for count in (
        *[2 * roles * n] * (model.layers + 1), *(parts, blocked) * model.layers, 2 * len(CONDITIONS) * n,
    ):  # fmt: skip
        rows = np.repeat(start[[0]], count, axis=0)
        cases.measured(with_rows(rows, model, layer=0)[:, cases.mask], model, runs=np.zeros(count, int))


def fresh_average(model: EmbeddingModel) -> None:
    """Trace cases that were never traced before."""
    memory.forget()
    average(CASES, model)


def immediate(what: str, model: EmbeddingModel, function: object) -> None:
    """Report how long a trace of a short sentence takes that was never traced before."""

    def fresh() -> None:
        memory.forget()
        function(BRIEF, model, edits=EDITS)  # type: ignore[operator]

    (seconds,) = interleaved(fresh)
    report(f"{what} of “{BRIEF}”, in units of {IMMEDIATE:g} s", seconds / IMMEDIATE, 1.0, f"{seconds * 1e3:.0f} ms")


def main() -> None:
    """Print the ratios for the bundled model and for one in the size of BERT base, or for a folder."""
    for name, folder in asked():
        model = load(folder)
        for what, ours, full in (
            (f"map of {len(two_runs(TEXT, model, edits=EDITS).groups)} words", trace_positions, full_map),
            ("components", trace_components, full_components),
        ):
            compare(
                f"{what}, {name}",
                lambda model=model, ours=ours: ours(TEXT, model, edits=EDITS),
                lambda model=model, full=full: full(model),
                GOAL,
            )
        compare(
            f"average of {COUNT} cases, {name}",
            lambda model=model: fresh_average(model),
            lambda model=model: full_average(model),
            GOAL,
        )
        if name == "pocket":
            immediate("map", model, trace_positions)
            immediate("components", model, trace_components)


if __name__ == "__main__":
    main()
