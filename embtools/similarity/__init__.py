"""Similarities of words: matrices and trees, pairs, nearest words, colours, and the odd one out."""

from embtools.doors import door

__all__, __getattr__, __dir__ = door(
    __name__,
    {
        "similarity.answers": ["answerable", "compare_answers"],
        "similarity.colours": ["compare_colours"],
        "similarity.in_spaces": ["group_means", "odd_by_space"],
        "similarity.matrix": ["similarity_matrix"],
        "similarity.nearest": ["nearest_words", "shared_neighbours"],
        "similarity.odd_words": ["Puzzle", "odd_one_out", "play", "puzzles", "quiz"],
        "similarity.random_words": ["compare_with_random_words"],
        "similarity.sheep": ["black_sheep"],
        "similarity.spaces": ["NamedModel", "two_spaces"],
        "similarity.verdict": ["largest_change", "two_lists"],
        "similarity.word_pairs": ["pair", "path"],
    },
)
