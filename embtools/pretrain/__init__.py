"""Train the pocket model: `python -m embtools.pretrain --help`."""
