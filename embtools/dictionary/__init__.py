"""Learn a sparse dictionary of features from a corpus folder: `python -m embtools.dictionary --help`."""
