"""The panels of the Concepts page by their permanent keys."""

from embtools.ui.concepts import direction, erase, probe, steer

PANELS = {"probe": probe, "direction": direction, "erase": erase, "steer": steer}
