"""Layer combinations and poolings compared: the senses of one word, and of fifty words."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "layers.sentences": ["built_in", "starter"],
        "layers.similar_layers": ["layer_similarity", "two_similarities"],
        "layers.survey": ["fifty_words"],
        "layers.verdict": ["two_combinations", "two_surveys", "two_words"],
        "layers.word": ["combinations", "one_word", "segment_ids"],
    },
)
