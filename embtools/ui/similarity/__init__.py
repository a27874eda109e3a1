"""Screens of the Similarity page."""


def warm(model: str) -> None:
    """What the page shows at first, before anybody asks for it."""
    from embtools.similarity import pair
    from embtools.similarity.matrix import pair_table
    from embtools.ui import cached
    from embtools.ui.similarity import inputs, matrix

    result = cached.compute(inputs.compare, model, inputs.FIRST, matrix.METRIC.default, matrix.LINKAGE.default)
    first, second = pair_table(result).iloc[0, :2]
    cached.compute(pair.pair, model, first, second, k=20, pieces=inputs.FIRST.pieces)
    cached.compute(pair.random_cosines, model)
