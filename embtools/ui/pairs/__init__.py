"""Panels of the Pairs page."""


def warm(model: str) -> None:
    """Compute the default pair and its controls before a visitor opens the page."""
    from embtools.ui import cached
    from embtools.ui.pairs import next_sentence

    cached.compute(next_sentence.score, model, *next_sentence.first())
