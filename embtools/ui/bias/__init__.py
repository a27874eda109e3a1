"""Panels of the Bias page."""


def warm(model: str) -> None:
    """Compute the default results before a visitor opens the page."""
    from embtools.ui.bias import groups

    groups.warm(model)
