"""Screens of the Arithmetic page."""


def warm(model: str) -> None:
    """Answer what this page and Home show at first."""
    from embtools.ui import cached
    from embtools.ui.arithmetic import asking
    from embtools.ui.warm import while_quiet

    cached.compute(asking.experiment, model, asking.DEFAULT, progress=while_quiet)
