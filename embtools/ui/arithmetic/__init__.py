"""Panels of the Arithmetic page: one sentence, formulas, many sentences."""


def warm(model: str) -> None:
    """Compute what this page and Home show first, so that it is cached."""
    from embtools.scoring import stored
    from embtools.ui import cached
    from embtools.ui.arithmetic import edit_query
    from embtools.ui.warm import while_quiet

    cached.compute(edit_query.experiment, model, edit_query.DEFAULT, progress=while_quiet)
    cached.compute(stored.read, model)
