"""Numbers of the Your vectors page: the map and the isotropy of a file."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "own_vectors.isotropy": ["measure_isotropy"],
        "own_vectors.word_map": ["own_map"],
        "own_vectors.word_vectors": ["example_vectors"],
    },
)
