"""The panels of the Your vectors page by their permanent keys."""

from embtools.ui.own_vectors import isotropy, nearest, similarity, word_map

PANELS = {
    "map": word_map,
    "nearest": nearest,
    "similarity": similarity,
    "isotropy": isotropy,
}
