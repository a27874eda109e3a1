"""The panels of the Corpus page by their permanent keys."""

from embtools.ui.corpus import analogy, search, sentences

PANELS = {"nearest": search, "analogy": analogy, "sentences": sentences}
