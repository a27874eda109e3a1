"""Screens of the Pairs page."""


def warm(model: str) -> None:
    """Ask the first pair and its controls before somebody wants to see them."""
    from embtools.ui import cached
    from embtools.ui.pairs import following

    cached.compute(following.asked, model, *following.first())
