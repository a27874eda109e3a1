"""Training of the bundled model: `python -m embtools.pretrain --help`."""
