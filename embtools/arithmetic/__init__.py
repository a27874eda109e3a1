"""The numbers of the Arithmetic page: edits with their controls, strength curves, layers, and analogies."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "arithmetic.candidate_words": ["candidates"],
        "arithmetic.edit": ["edited_answers", "read_edit"],
        "arithmetic.formula": ["expected_rank", "formula_vectors", "nearest_words"],
        "arithmetic.later_edits": ["edits_by_layer"],
        "arithmetic.logit_lens": ["both_lenses"],
        "arithmetic.many": ["answer_rows"],
        "arithmetic.nearest_tokens": ["near_in_both", "nearest", "word_map"],
        "arithmetic.rows": ["read_table"],
        "arithmetic.scopes": ["first_answers"],
        "arithmetic.strength": ["strength_curve"],
        "arithmetic.vector_changes": ["edited_vectors"],
        "arithmetic.verdict": ["two_edits"],
        "arithmetic.word_finder": ["find_word", "token_table"],
        "arithmetic.bulk_analogies": ["Relations", "analogies", "two_analogies"],
    },
)
