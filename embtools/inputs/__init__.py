"""Inputs and outputs of the encoder: embeddings, positions, the vocabulary, the masking rule."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "inputs.comparison": ["compare_positions", "compare_words", "follow_dimension", "rearrange"],
        "inputs.input_terms": ["pieces"],
        "inputs.lookup": ["round_trip"],
        "inputs.masking": ["Rule", "apply_rule"],
        "inputs.output_matrix": ["second_matrix"],
        "inputs.position_vectors": ["positions"],
        "inputs.vocabulary": ["list_entries"],
    },
)
