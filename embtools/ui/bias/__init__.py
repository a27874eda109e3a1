"""Screens of the Bias page."""


def warm(model: str) -> None:
    """Prepare what the page shows at first."""
    from embtools.ui.bias import groups

    groups.warm(model)
