"""Inputs: what goes into BERT for each token, and the way back from a vector to a word."""

from embtools.ui import page
from embtools.ui.inputs import lookup, masking, positions, two_places, vocabulary

EXPLANATION = """
A text is cut into **pieces** of a fixed vocabulary, and each piece has a number. BERT adds three vectors for each: one
for the piece, one for its **segment** (which of two texts), one for its **position**. A **layer norm** of the sum is
what enters the first layer. So the same word enters as two vectors where it stands in two places, and as the very same
one where piece, segment and position are equal: all later differences come from the words around it.

The **way back** uses the same matrix. The last hidden state at a mask is multiplied with every row; sum and bias are
the word's score, and softmax makes probabilities of the scores.

**The masking rule** is how BERT learnt: it had to predict 15% of the tokens. Of these, 80% are replaced by [MASK] and
10% by a random token; 10% stay unchanged. The rule is applied here as in BERT's published code: a rounded number of
tokens, at least one, is drawn without replacement. The treatment of each is drawn on its own, so 80 – 10 – 10 holds
only on average. The bundled model was trained with [MASK] alone.

Limits. BERT never saw most of what can be set here: two words on one position, words in reversed order, a single text
in segment 1. What it answers then shows what it relies on, not what it learnt. The colours of the terms cannot be
compared with those of the layer norm, which has a scale of its own. Single dimensions have no meaning that one could
rely on. A PCA map shows two of hundreds of dimensions.
"""
SOURCES = (
    "[Devlin et al. 2019](https://aclanthology.org/N19-1423/), figure 2 and section 3.1",
    "[“Why are BERT static embeddings of the same word not the same across sentences?”]"
    "(https://anthe.sevenants.net/post/bert-static-embeddings)",
    "[“Understanding BERT — Word Embeddings”]"
    "(https://medium.com/@dhartidhami/understanding-bert-word-embeddings-7dc4d2ea54ca)",
    "[Ba, Kiros & Hinton 2016](https://arxiv.org/abs/1607.06450) (layer norm)",
    "[Press & Wolf 2017](https://aclanthology.org/E17-2025/) (one matrix for input and output)",
    "[Wang & Chen 2020](https://aclanthology.org/2020.emnlp-main.555/) (what position embeddings learn)",
)

page.show("inputs", [two_places, lookup, vocabulary, masking, positions], EXPLANATION, SOURCES)
