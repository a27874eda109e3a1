"""The panels of the Paper page by their permanent keys."""

from embtools.ui.paper import claims, studies

PANELS = {"claims": claims, "studies": studies}
