"""Training of the bundled model (`python -m training --help`), and the scores of any model (`training.scoring`)."""
