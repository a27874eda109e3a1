"""Panels of the Paper page: the overview of all claims and the cards of each article."""


def warm(model: str) -> None:
    """Read the stored results of the bundled model, so that they are cached."""
    from embtools.ui import cached
    from embtools.ui.paper import results

    cached.compute(results.read_stored, model)
