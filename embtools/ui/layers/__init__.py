"""Screens of the Layers page."""


def warm(model: str) -> None:
    """Read the first word's sentences before somebody asks for them."""
    from embtools.ui import cached
    from embtools.ui.layers import asking

    cached.compute(asking.compared, model, *asking.FIRST)
