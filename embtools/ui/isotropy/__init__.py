"""Panels of the Isotropy page."""


def warm(model: str) -> None:
    """Compute the default space and its controls one by one while the server is idle."""
    from embtools.isotropy.looks import compared
    from embtools.ui import cached
    from embtools.ui.isotropy import asking
    from embtools.ui.warm import wait_until_quiet

    source, space = asking.FIRST
    for step in (asking.measured, asking.tried):
        for one in compared(space).values():
            wait_until_quiet()
            cached.compute(step, model, source, one)
