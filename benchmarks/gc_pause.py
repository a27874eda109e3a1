"""The pause of a full garbage collection (Streamlit runs one after every rerun) after a model is loaded.

python -m benchmarks.gc_pause
"""

import gc

import embtools
from benchmarks.measure import interleaved, report


def main() -> None:
    """Print the ratio of the pause with the objects of torch and transformers frozen, and not."""
    embtools.load_model()

    def thawed() -> None:
        gc.collect()

    gc.unfreeze()
    (before,) = interleaved(thawed)
    embtools.load_model()  # freezes
    (after,) = interleaved(gc.collect)
    report(
        "pause after load_model / without its freeze", after / before, 0.2, f"{after * 1e3:.1f} / {before * 1e3:.1f} ms"
    )


if __name__ == "__main__":
    main()
