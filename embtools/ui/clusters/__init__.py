"""Panels of the Clusters page."""


def warm(model: str) -> None:
    """Compute the default map while the server is idle, so that the first visitor gets it at once."""
    from embtools.ui import cached
    from embtools.ui.clusters import computing
    from embtools.ui.clusters.inputs import FIRST
    from embtools.ui.warm import while_quiet

    cached.compute(computing.draw, model, model, FIRST, progress=while_quiet)
