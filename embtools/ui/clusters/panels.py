"""The panel of the Clusters page by its permanent key."""

from embtools.ui.clusters import maps

PANELS = {"map": maps}
