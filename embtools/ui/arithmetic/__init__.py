"""Panels of the Arithmetic page: one sentence, formulas, many sentences."""


def warm(model: str) -> None:
    """Compute what this page and Home show first, so that it is cached; reading scores needs the weights' checksum."""
    from embtools.scoring import stored
    from embtools.ui import cached
    from embtools.ui.arithmetic import asking
    from embtools.ui.warm import while_quiet

    cached.compute(asking.experiment, model, asking.DEFAULT, progress=while_quiet)
    cached.compute(stored.read, model)
