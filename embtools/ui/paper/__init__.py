"""Screens of the Paper page."""


def warm(model: str) -> None:
    """Read what is stored with the bundled model: the checksum of all weights takes a moment."""
    from embtools.ui import cached
    from embtools.ui.paper import results

    cached.compute(results.kept, model)
