"""Screens of the Arithmetic page."""


def warm(model: str) -> None:
    """Answer what this page and Home show at first; reading stored scores begins with the checksum of all weights."""
    from embtools.scoring import stored
    from embtools.ui import cached
    from embtools.ui.arithmetic import asking
    from embtools.ui.warm import while_quiet

    cached.compute(asking.experiment, model, asking.DEFAULT, progress=while_quiet)
    cached.compute(stored.read, model)
