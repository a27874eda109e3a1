"""The panels of the Inputs page by their permanent keys."""

from embtools.ui.inputs import lookup, masking, positions, terms, vocabulary

PANELS = {
    "terms": terms,
    "lookup": lookup,
    "vocabulary": vocabulary,
    "masking": masking,
    "positions": positions,
}
