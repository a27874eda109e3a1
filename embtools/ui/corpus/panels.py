"""The panels of the Corpus page by their permanent keys."""

from embtools.ui.corpus import analogy, search, senses, sentences

PANELS = {"nearest": search, "senses": senses, "analogy": analogy, "sentences": sentences}
