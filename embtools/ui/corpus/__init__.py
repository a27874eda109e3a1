"""Screens of the Corpus page."""


def warm(model: str) -> None:
    """Read the first word's sentences; the rest of the text is read when somebody looks."""
    from embtools.ui import cached
    from embtools.ui.corpus import occurrence

    cached.compute(occurrence.sight, model, *occurrence.FIRST, False)
