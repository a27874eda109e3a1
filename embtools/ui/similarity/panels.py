"""The panels of the Similarity page by their permanent keys."""

from embtools.ui.similarity import colour_words, matrix, odd_one_out, spaces

PANELS = {
    "heatmap": matrix,
    "colours": colour_words,
    "spaces": spaces,
    "odd": odd_one_out,
}
