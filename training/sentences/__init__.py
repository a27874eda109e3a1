"""Sentences for training, made from other texts by rules (`python -m training.sentences`)."""
