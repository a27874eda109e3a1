"""Panels of the Decomposition page."""


def warm(model: str) -> None:
    """Encode the built-in sentences, which Corpus also uses, and decompose the first word while the server is idle."""
    from embtools.ui import cached
    from embtools.ui.decomposition import queries
    from embtools.ui.warm import wait_until_quiet, while_quiet

    for step in (queries.decomposed, queries.compared, queries.path):
        wait_until_quiet()
        cached.compute(step, model, queries.FIRST, progress=while_quiet)
