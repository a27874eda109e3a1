"""Panels of the Inputs page."""


def warm(model: str) -> None:
    """Cache what the page shows first, before anybody needs it."""
    from embtools.ui import cached
    from embtools.ui.inputs import asking

    cached.compute(asking.read, model, *asking.FIRST)
    cached.compute(asking.compared, model, *asking.FIRST, asking.PIECE.default, -1, -1)
