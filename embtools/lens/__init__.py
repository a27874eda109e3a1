"""Fitting of a tuned lens from a corpus folder: python -m embtools.lens."""
