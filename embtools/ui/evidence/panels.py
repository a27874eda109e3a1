"""The panels of the Evidence page by their permanent keys."""

from embtools.ui.evidence import battery, dose, minimal_pairs

PANELS = {"battery": battery, "dose": dose, "minimal": minimal_pairs}
