"""Words in context: nearest occurrences, arithmetic with occurrences, and sentences by meaning."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "corpus.choices": ["all_choices"],
        "corpus.frequent_words": ["common_words", "known_formulas"],
        "corpus.occurrence_analogies": ["analogy"],
        "corpus.parts_of_speech": ["neighbour_parts"],
        "corpus.search": ["Query", "contexts", "count", "nearest"],
        "corpus.sentences": ["similar_sentences"],
    },
)
