"""The panel of the Paper page by its permanent key."""

from embtools.ui.paper import overview

PANELS = {"claims": overview}
