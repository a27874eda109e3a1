"""The panels of the Your vectors page by their permanent keys."""

from embtools.ui.own_vectors import nearest, similarity

PANELS = {
    "nearest": nearest,
    "similarity": similarity,
}
