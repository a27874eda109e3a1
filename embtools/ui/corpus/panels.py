"""The panels of the Corpus page by their permanent keys."""

from embtools.ui.corpus import search, sentences

PANELS = {"nearest": search, "sentences": sentences}
