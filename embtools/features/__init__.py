"""Sparse features: words and formulas as mixes of few others, and the features of learned dictionaries."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "features.clamping": ["clamp"],
        "features.examples": ["features_of_examples"],
        "features.mixes": [
            "decompose_formula",
            "decompose_word",
            "formula_controls",
            "formula_path",
            "word_controls",
            "word_path",
        ],
        "features.patched": ["patch_formula", "patch_word"],
        "features.sentences": ["sentence_features"],
        "features.uses": ["feature_occurrences", "features_of_word"],
    },
)
