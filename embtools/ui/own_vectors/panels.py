"""The panels of the Your vectors page by their permanent keys."""

from embtools.ui.own_vectors import isotropy, word_map

PANELS = {
    "map": word_map,
    "isotropy": isotropy,
}
