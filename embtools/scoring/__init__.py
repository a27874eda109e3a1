"""Score a model on the repository's suites: `python -m embtools.scoring MODEL`."""
