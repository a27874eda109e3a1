"""The panels of the Pairs page by their permanent keys."""

from embtools.ui.pairs import batch, next_sentence, questions, similarity

PANELS = {
    "next": next_sentence,
    "many": batch,
    "similarity": similarity,
    "questions": questions,
}
