"""Two ways to do the same thing, timed in turn in one process: the ratio of their medians against its threshold.

Options of every script: --quick leaves out the model in the size of BERT base; --cpu counts the processor time of
this process instead of the clock, for a machine that is busy with other things.
"""

import gc
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import base_model
from embtools import EmbeddingModel, load_model
from embtools.ui import host

host.prepare()  # as the app does
ROUNDS = 15


def seconds(function: Callable[[], object]) -> float:
    """How long one call takes."""
    clock = time.process_time if "--cpu" in sys.argv else time.perf_counter
    start = clock()
    function()
    return clock() - start


def interleaved(*functions: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Median seconds of each function, called in turn; one round more before that does not count."""
    gc.disable()
    try:
        times = [[seconds(function) for function in functions] for _ in range(rounds + 1)][1:]
    finally:
        gc.enable()
    return [statistics.median(column) for column in zip(*times, strict=True)]


def report(what: str, ratio: float, threshold: float, detail: str = "") -> bool:
    """Print one line; returns whether the threshold is met."""
    met = ratio <= threshold
    print(
        f"{'met   ' if met else 'MISSED'}  {what}: {ratio:.2f} (at most {threshold:g}){'  ' + detail if detail else ''}"
    )
    return met


def compare(what: str, ours: Callable[[], object], other: Callable[[], object], threshold: float) -> bool:
    """Report the ratio of two ways."""
    mine, theirs = interleaved(ours, other)
    return report(what, mine / theirs, threshold, f"{mine * 1e3:.1f} ms / {theirs * 1e3:.1f} ms")


def models() -> list[tuple[str, Path]]:
    """The bundled model, and one of random weights in the size of BERT base (timings do not depend on the weights)."""
    import embtools

    bundled = Path(embtools.__file__).parent / "bundled"
    if "--quick" in sys.argv:
        return [("pocket", bundled)]
    return [("pocket", bundled), ("base", base_model.write(Path(tempfile.gettempdir()) / "random-bert-base"))]


def asked() -> list[tuple[str, Path]]:
    """The model in the folder behind --model, for the scripts that say so; without one those of `models`."""
    if "--model" not in sys.argv:
        return models()
    folder = Path(sys.argv[sys.argv.index("--model") + 1])
    return [(folder.name, folder)]


def peak() -> int:
    """The most memory that this process has had at a time, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (10**6 if sys.platform == "darwin" else 10**3)


def load(folder: Path) -> EmbeddingModel:
    """The model of a folder, with its warm-up pass behind it."""
    return load_model(str(folder))
