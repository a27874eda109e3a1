"""Panels of the Probing page."""


def warm(model: str) -> None:
    """Load scikit-learn before anybody waits for it; training the real probes would take too long here."""
    import numpy as np

    from embtools.probing import probe

    labels = ["a", "b"] * probe.FOLDS
    vectors = np.arange(2.0 * len(labels)).reshape(-1, 2)
    probe.held_out(vectors, labels, probe.split(labels, list(map(str, range(len(labels))))))
