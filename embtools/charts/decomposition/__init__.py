"""Charts of the Decomposition page."""
