"""Screens of the Corpus page."""


def warm(model: str) -> None:
    """Read the first word's sentences; the rest of the text is read when somebody looks."""
    from embtools.ui import cached
    from embtools.ui.corpus import occurrence
    from embtools.ui.warm import while_quiet

    cached.compute(occurrence.sight, model, *occurrence.FIRST, False, progress=while_quiet)
