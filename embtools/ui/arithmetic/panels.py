"""The panels of the Arithmetic page by their permanent keys."""

from embtools.ui.arithmetic import analogies, edit, many

PANELS = {"edit": edit, "many": many, "analogies": analogies}
