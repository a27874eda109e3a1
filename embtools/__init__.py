"""Change BERT's embeddings, ask the model again, measure what happened.

The library behind the BERT Embedding Explorer: numbers only, usable in a notebook without Streamlit. Importing it is
cheap; torch and transformers come in with `load_model`.
"""

import importlib
import os
from typing import TYPE_CHECKING, Any

# Before torch or scikit-learn start their thread pools: threads that wait actively make a second visitor's
# forward pass ten times slower on a small host. One core is left to the server; both can be overridden.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 2) - 1)))

if TYPE_CHECKING:
    from embtools.arithmetic.analogy import nearest
    from embtools.formula.evaluation import evaluate
    from embtools.mask_filling.answers import fill_mask
    from embtools.models.embedding_model import EmbeddingModel
    from embtools.models.loading import load_model
    from embtools.similarity.matrix import similarity_matrix

_HOME = {
    "EmbeddingModel": "models.embedding_model",
    "evaluate": "formula.evaluation",
    "fill_mask": "mask_filling.answers",
    "load_model": "models.loading",
    "nearest": "arithmetic.analogy",
    "similarity_matrix": "similarity.matrix",
}

__all__ = ["EmbeddingModel", "evaluate", "fill_mask", "load_model", "nearest", "similarity_matrix"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'embtools' has no attribute {name!r}")
    return getattr(importlib.import_module(f"embtools.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
