"""The panels of the Features page by their permanent keys."""

from embtools.ui.features import formula, learned, word

PANELS = {"learned": learned, "word": word, "formula": formula}
