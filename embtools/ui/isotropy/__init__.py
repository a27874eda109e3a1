"""Panels of the Isotropy page."""


def warm(model: str) -> None:
    """Compute the default space and its controls one by one while the server is idle."""
    from embtools.isotropy.overview import with_controls
    from embtools.ui import cached
    from embtools.ui.isotropy import queries
    from embtools.ui.warm import wait_until_quiet

    source, space = queries.FIRST
    for step in (queries.measured, queries.task_scores):
        for one in with_controls(space).values():
            wait_until_quiet()
            cached.compute(step, model, source, one)
