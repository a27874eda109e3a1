"""The panels of the Tracing page by their permanent keys."""

from embtools.ui.tracing import attribution, average, components, positions, switch_off

PANELS = {
    "map": positions,
    "components": components,
    "average": average,
    "attribution": attribution,
    "off": switch_off,
}
