"""Screens of the Isotropy page."""


def warm(model: str) -> None:
    """Look at the space that the page begins with and at its controls, one at a time while nobody waits."""
    from embtools.isotropy.looks import compared
    from embtools.ui import cached
    from embtools.ui.isotropy import asking
    from embtools.ui.warm import wait_until_quiet

    source, space = asking.FIRST
    for step in (asking.measured, asking.tried):
        for one in compared(space).values():
            wait_until_quiet()
            cached.compute(step, model, source, one)
