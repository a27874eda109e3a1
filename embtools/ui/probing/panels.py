"""The panels of the Probing page by their permanent keys."""

from embtools.ui.probing import probe

PANELS = {"probe": probe}
