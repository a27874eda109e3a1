"""The panel of the Isotropy page by its permanent key."""

from embtools.ui.isotropy import overview

PANELS = {"spaces": overview}
