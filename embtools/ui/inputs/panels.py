"""The panels of the Inputs page by their permanent keys."""

from embtools.ui.inputs import lookup, masking, terms

PANELS = {"terms": terms, "lookup": lookup, "masking": masking}
