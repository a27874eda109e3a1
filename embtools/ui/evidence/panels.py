"""The panels of the Evidence page by their permanent keys."""

from embtools.ui.evidence import battery

PANELS = {"battery": battery}
