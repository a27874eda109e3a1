"""The panels of the Evidence page by their permanent keys."""

from embtools.ui.evidence import analogies, battery, dose, minimal_pairs

PANELS = {
    "battery": battery, "dose": dose, "analogies": analogies, "minimal": minimal_pairs,
}  # fmt: skip
