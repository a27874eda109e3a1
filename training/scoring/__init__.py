"""Score a model on the repository's suites: `python -m training.scoring MODEL`."""
