"""Panels of the Pairs page."""


def warm(model: str) -> None:
    """Compute the default pair and its controls before a visitor opens the page."""
    from embtools.ui import cached
    from embtools.ui.pairs import following

    cached.compute(following.score, model, *following.first())
