"""Paper: what five texts claim of BERT's embeddings, the figures they print, and what this model says."""

from embtools.ui import page
from embtools.ui.paper import overview

EXPLANATION = """
Five texts are the origin of this app. Each claim of theirs stands here as a card: the **claim** in plain words, the
figure that was **published**, the figure of **the model you have chosen**, and a **verdict** that follows from the
conditions below it: all hold, the claim *stands*; some, *in part*; none, it *does not stand here*. Where a model lacks
a part (segments, a next-sentence head) or a word, that is said instead.

**Published figures** are those of bert-base-uncased, with 110 million parameters, unless a card says otherwise; for
*Words in context* of a model with 128 numbers a word. The model that comes with the app is a fifth of that size.
Its probabilities are lower, and what does not stand in it may well stand in the larger one: choose that under
*settings* in the menu, or run `python -m embtools.paper --model google-bert/bert-base-uncased`.

For the bundled model the figures are **stored** together with the checksum of its weights, so that nothing is computed
before you ask. *Compute now* asks the model again. For other models nothing is stored.

**Limits.** A condition is a choice: another one may be as reasonable, which is why it is told. One sentence is an
anecdote; where there are many, the card gives n and a 95% interval. The controls of each claim are on its own page.
"""
SOURCES = (
    "[Devlin et al. 2018](https://arxiv.org/abs/1810.04805) (BERT)",
    "[Understanding BERT — Word Embeddings](https://medium.com/@dhartidhami/understanding-bert-word-embeddings-7dc4d2ea54ca)",
    "[Wilson 1927](https://doi.org/10.1080/01621459.1927.10502953) (intervals of shares)",
)

page.show("paper", [overview], EXPLANATION, SOURCES)
