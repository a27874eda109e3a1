"""The panels of the Clusters page by their permanent keys."""

from embtools.ui.clusters import isotropy, maps

PANELS = {"map": maps, "isotropy": isotropy}
