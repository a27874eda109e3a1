"""Screens of the Decomposition page."""


def warm(model: str) -> None:
    """Take the first word apart before somebody asks; the corpus that it needs is read once for all pages."""
    from embtools.ui import cached
    from embtools.ui.decomposition import asking

    cached.compute(asking.taken_apart, model, asking.FIRST)
