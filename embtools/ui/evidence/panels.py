"""The panels of the Evidence page by their permanent keys."""

from embtools.ui.evidence import analogies, battery, dose, minimal_pairs, studies

PANELS = {
    "battery": battery, "dose": dose, "analogies": analogies, "minimal": minimal_pairs, "studies": studies,
}  # fmt: skip
