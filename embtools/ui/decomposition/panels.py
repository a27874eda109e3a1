"""The panels of the Decomposition page by their permanent keys."""

from embtools.ui.decomposition import formula, learned, patching, word

PANELS = {"word": word, "formula": formula, "patching": patching, "learned": learned}
