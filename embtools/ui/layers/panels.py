"""The panels of the Layers page by their permanent keys."""

from embtools.ui.layers import layer_similarity, survey, word

PANELS = {
    "word": word,
    "fifty": survey,
    "similarity": layer_similarity,
}
