"""Models: the catalogue, loading, and a loaded model as arrays and forward passes."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "models.embedding_model": ["EmbeddingModel"],
        "models.loading": ["load_model"],
        "models.sentence_order": ["next_sentence"],
    },
)
