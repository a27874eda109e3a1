"""The panels of the Corpus page by their permanent keys."""

from embtools.ui.corpus import analogy, occurrence, senses, sentences

PANELS = {"nearest": occurrence, "senses": senses, "analogy": analogy, "sentences": sentences}
