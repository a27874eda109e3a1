"""Change BERT's embeddings, run the model again, and measure the effect.

This is the library behind the BERT Embedding Explorer. It works in a notebook without Streamlit. Importing it is fast
and has no side effects; torch and transformers are imported by `load_model`.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from embtools.arithmetic.analogy import nearest
    from embtools.evidence.battery import battery
    from embtools.formula.evaluation import evaluate
    from embtools.mask_filling.answers import fill_mask
    from embtools.mask_filling.edited_model import edited_model
    from embtools.models.embedding_model import EmbeddingModel
    from embtools.models.loading import load_model
    from embtools.models.next_sentence import next_sentence
    from embtools.similarity.matrix import similarity_matrix
    from embtools.tracing.components import trace_heads
    from embtools.tracing.positions import trace

_HOME = {
    "EmbeddingModel": "models.embedding_model",
    "battery": "evidence.battery",
    "edited_model": "mask_filling.edited_model",
    "evaluate": "formula.evaluation",
    "fill_mask": "mask_filling.answers",
    "load_model": "models.loading",
    "nearest": "arithmetic.analogy",
    "next_sentence": "models.next_sentence",
    "similarity_matrix": "similarity.matrix",
    "trace": "tracing.positions",
    "trace_heads": "tracing.components",
}

__version__ = "2026.11.29"

__all__ = [
    "EmbeddingModel",
    "battery",
    "edited_model",
    "evaluate",
    "fill_mask",
    "load_model",
    "nearest",
    "next_sentence",
    "similarity_matrix",
    "trace",
    "trace_heads",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'embtools' has no attribute {name!r}")
    return getattr(importlib.import_module(f"embtools.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
