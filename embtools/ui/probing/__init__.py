"""Screens of the Probing page."""


def warm(model: str) -> None:
    """Load what trains probes, before somebody waits for it; the probes themselves take too long for this."""
    import numpy as np

    from embtools.probing import probe

    labels = ["a", "b"] * probe.FOLDS
    vectors = np.arange(2.0 * len(labels)).reshape(-1, 2)
    probe.held_out(vectors, labels, probe.split(labels, list(map(str, range(len(labels))))))
