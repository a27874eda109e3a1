"""Change BERT's embeddings, run the model again, and measure the effect.

This is the library behind the BERT Embedding Explorer. It works in a notebook without Streamlit. Importing it is fast
and has no side effects; torch and transformers are imported by `load_model`.

`embtools` offers what is needed most; each of its rooms, such as `embtools.bias`, offers the rest of its subject.
"""

from typing import TYPE_CHECKING

from embtools.doors import door

if TYPE_CHECKING:
    from embtools.arithmetic.nearest_tokens import nearest as nearest
    from embtools.evidence.batteries import battery as battery
    from embtools.formula.evaluation import evaluate as evaluate
    from embtools.mask_filling.answers import fill_mask as fill_mask
    from embtools.mask_filling.edited_models import edited_model as edited_model
    from embtools.models.embedding_model import EmbeddingModel as EmbeddingModel
    from embtools.models.loading import load_model as load_model
    from embtools.models.sentence_order import next_sentence as next_sentence
    from embtools.similarity.matrix import similarity_matrix as similarity_matrix
    from embtools.tracing.components import trace_heads as trace_heads
    from embtools.tracing.positions import trace as trace

__version__ = "2026.11.30"

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "arithmetic.nearest_tokens": ["nearest"],
        "evidence.batteries": ["battery"],
        "formula.evaluation": ["evaluate"],
        "mask_filling.answers": ["fill_mask"],
        "mask_filling.edited_models": ["edited_model"],
        "models.embedding_model": ["EmbeddingModel"],
        "models.loading": ["load_model"],
        "models.sentence_order": ["next_sentence"],
        "similarity.matrix": ["similarity_matrix"],
        "tracing.components": ["trace_heads"],
        "tracing.positions": ["trace"],
    },
)
