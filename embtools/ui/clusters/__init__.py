"""Screens of the Clusters page."""


def warm(model: str) -> None:
    """Draw the first map before somebody asks for it."""
    from embtools.ui import cached
    from embtools.ui.clusters import computing
    from embtools.ui.clusters.asking import FIRST
    from embtools.ui.warm import while_quiet

    cached.compute(computing.draw, model, model, FIRST, progress=while_quiet)
