"""The panels of the Similarity page by their permanent keys."""

from embtools.ui.similarity import colour_words, matrix, nearest, odd_one_out

PANELS = {
    "heatmap": matrix,
    "nearest": nearest,
    "colours": colour_words,
    "odd": odd_one_out,
}
