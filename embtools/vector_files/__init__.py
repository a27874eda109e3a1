"""Files of vectors: one vector for each word, from word2vec, another model or measurements, used like a model."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {"models.vectors_as_model": ["Vectors"], "vector_files.reading": ["read_file", "read_vectors"]},
)
