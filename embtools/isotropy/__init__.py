"""Isotropy: how unevenly vectors fill their space, and how processing the space changes words."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "isotropy.spaces": ["measure_spaces", "score_spaces", "shrinkage"],
        "isotropy.your_words": ["grouped_words", "own_analogy"],
    },
)
