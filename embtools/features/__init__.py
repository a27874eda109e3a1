"""Sparse features: words and formulas as mixes of few others, and the features of learned dictionaries."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "decomposition.clamping": ["clamp"],
        "decomposition.feature_examples": ["features_of_examples"],
        "decomposition.feature_uses": ["feature_occurrences"],
        "decomposition.feature_words": ["features_of_word"],
        "decomposition.features_of_text": ["sentence_features"],
        "decomposition.formula": ["decompose_formula", "formula_controls", "formula_path"],
        "decomposition.patched": ["patch_word"],
        "decomposition.word": ["decompose_word", "word_controls", "word_path"],
    },
)
