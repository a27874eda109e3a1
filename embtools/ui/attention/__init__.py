"""Screens of the Attention page."""


def warm(model: str) -> None:
    """Read the first sentence before somebody asks for it."""
    from embtools.ui import cached
    from embtools.ui.attention import asking

    cached.compute(asking.read, model, *asking.FIRST)
