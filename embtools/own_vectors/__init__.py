"""Numbers of the Your vectors page: neighbours and similarities of a file."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "own_vectors.nearest": ["nearest_words"],
        "own_vectors.similarity": ["similar_words"],
        "own_vectors.word_vectors": ["example_vectors"],
    },
)
