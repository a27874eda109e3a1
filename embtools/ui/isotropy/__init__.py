"""Screens of the Isotropy page."""


def warm(model: str) -> None:
    """Look at the space that the page begins with; the controls are looked at one by one, and found again."""
    from embtools.ui import cached
    from embtools.ui.isotropy import asking

    cached.compute(asking.sight, model, model, *asking.FIRST)
