"""Timing of two ways to do the same thing, alternately in one process: the ratio of their medians and its limit.

Options of every script: --quick skips the model of the size of BERT base; --short also measures everything only once,
to see whether the script works; --cpu measures the processor time of this process instead of the clock, for a machine
that is busy with other things.
"""

import gc
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import base_model
from embtools.ui import host

if TYPE_CHECKING:
    from embtools import EmbeddingModel

host.prepare()  # as the app does
SHORT = "--short" in sys.argv
QUICK = SHORT or "--quick" in sys.argv


def few(count: int, short: int = 1) -> int:
    """Return how often to measure: `count` times, or `short` times with --short."""
    return short if SHORT else count


ROUNDS = few(15)


def named() -> list[str]:
    """Return the arguments of the script that are no options."""
    return [argument for argument in sys.argv[1:] if not argument.startswith("--")]


def chromium() -> str | None:
    """Return the browser that is installed."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def seconds(function: Callable[[], object]) -> float:
    """Return how long one call takes."""
    clock = time.process_time if "--cpu" in sys.argv else time.perf_counter
    start = clock()
    function()
    return clock() - start


def interleaved(*functions: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Return the median seconds of each function, called alternately; a first round is not counted."""
    gc.disable()
    try:
        times = [[seconds(function) for function in functions] for _ in range(few(rounds + 1))][not SHORT :]
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
    """Report the ratio of the times of two functions."""
    mine, theirs = interleaved(ours, other)
    return report(what, mine / theirs, threshold, f"{mine * 1e3:.1f} ms / {theirs * 1e3:.1f} ms")


def models() -> list[tuple[str, Path]]:
    """Return the bundled model, and one with random weights of the size of BERT base."""
    import embtools

    bundled = Path(embtools.__file__).parent / "bundled"
    if QUICK:
        return [("pocket", bundled)]
    return [("pocket", bundled), ("base", base_model.write(Path(tempfile.gettempdir()) / "random-bert-base"))]


def asked() -> list[tuple[str, Path]]:
    """Return the model of the folder given by --model, for scripts that accept it; by default those of `models`."""
    if "--model" not in sys.argv:
        return models()
    folder = Path(sys.argv[sys.argv.index("--model") + 1])
    return [(folder.name, folder)]


def peak() -> int:
    """Return the peak memory of this process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (10**6 if sys.platform == "darwin" else 10**3)


def load(folder: Path) -> "EmbeddingModel":
    """Return the model of a folder after its warm-up pass."""
    from embtools import load_model

    return load_model(str(folder))
