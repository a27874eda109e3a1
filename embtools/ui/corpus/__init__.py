"""Panels of the Corpus page."""


def warm(model: str) -> None:
    """Compute the page's first answer from the sentences with the word; a visit reads the rest."""
    from embtools.ui import cached
    from embtools.ui.corpus import occurrence
    from embtools.ui.warm import while_quiet

    cached.compute(occurrence.view, model, *occurrence.AT_FIRST, False, progress=while_quiet)
