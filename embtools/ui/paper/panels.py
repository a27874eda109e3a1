"""The panels of the Paper page by their permanent keys."""

from embtools.ui.paper import overview, studies

PANELS = {"claims": overview, "studies": studies}
