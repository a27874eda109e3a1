"""The panels of the Directions page by their permanent keys."""

from embtools.ui.directions import erase, find, steer

PANELS = {"find": find, "erase": erase, "steer": steer}
