"""The panels of the Pairs page by their permanent keys."""

from embtools.ui.pairs import next_sentence, questions, similarity

PANELS = {"next": next_sentence, "similarity": similarity, "questions": questions}
