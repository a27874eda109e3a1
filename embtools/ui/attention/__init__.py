"""Panels of the Attention page."""


def warm(model: str) -> None:
    """Cache the reading of the first sentence before anybody needs it."""
    from embtools.ui import cached
    from embtools.ui.attention import asking

    cached.compute(asking.read, model, *asking.FIRST)
