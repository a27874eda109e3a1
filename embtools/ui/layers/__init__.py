"""Panels of the Layers page."""


def warm(model: str) -> None:
    """Compute the page's first answer in advance."""
    from embtools.ui import cached
    from embtools.ui.layers import asking

    cached.compute(asking.compared, model, *asking.FIRST)
