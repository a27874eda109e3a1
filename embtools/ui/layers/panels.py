"""The panels of the Layers page by their permanent keys."""

from embtools.ui.layers import survey, word

PANELS = {
    "word": word,
    "fifty": survey,
}
