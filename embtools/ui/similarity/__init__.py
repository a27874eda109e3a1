"""Panels of the Similarity page."""


def warm(model: str) -> None:
    """Compute what the page shows by default while the server is idle, so that the first visitor gets it at once."""
    from embtools.similarity import pair as numbers
    from embtools.ui import cached
    from embtools.ui.similarity import inputs, matrix, pair

    shown = cached.compute(matrix.compared, model, inputs.FIRST, matrix.METRIC.default, matrix.LINKAGE.default)
    first, second = shown.pairs["first"].iat[0], shown.pairs["second"].iat[0]
    cached.compute(numbers.pair, model, first, second, k=pair.K.default, pieces=inputs.FIRST.pieces)
    cached.compute(pair.background, model)
