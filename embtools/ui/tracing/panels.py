"""The panels of the Tracing page by their permanent keys."""

from embtools.ui.tracing import average, components, positions

PANELS = {"map": positions, "components": components, "average": average}
