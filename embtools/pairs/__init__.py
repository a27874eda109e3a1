"""Numbers of the Pairs page: next-sentence prediction, similarity of two texts, and answers to questions."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "pairs.batch": ["follow"],
        "pairs.next_sentence": ["segments", "with_controls"],
        "pairs.questions": ["built_in_quality", "compare_answers"],
        "pairs.text_similarity": ["similarity"],
    },
)
