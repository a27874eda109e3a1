"""The panels of the Arithmetic page by their permanent keys."""

from embtools.ui.arithmetic import edit, formula, many

PANELS = {"edit": edit, "formula": formula, "many": many}
