"""The pause of a full garbage collection after the app has loaded a model.

python -m benchmarks.gc_pause
"""

import gc

import embtools
from benchmarks.measure import interleaved, report
from embtools.ui import host


def main() -> None:
    """Print the ratio of the pause with the objects of torch and transformers frozen, and not."""
    embtools.load_model()
    (before,) = interleaved(gc.collect)
    host.settle()
    (after,) = interleaved(gc.collect)
    report("pause after settling / before", after / before, 0.2, f"{after * 1e3:.1f} / {before * 1e3:.1f} ms")


if __name__ == "__main__":
    main()
