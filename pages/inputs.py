"""Inputs: what goes into BERT for each token, and how its output becomes a word again."""

from embtools.ui import page
from embtools.ui.inputs.panels import PANELS

EXPLANATION = """
A text is split into **tokens** of a fixed vocabulary, and each token has a number, its id. BERT adds three vectors for
each token: one for the token itself, one for its **segment** (first or second text) and one for its **position**. The
**layer norm** of the sum enters the first layer. So a word that occurs at two positions enters as two different
vectors. If two tokens have the same id, segment and position, the same vector enters for both, and all later
differences come from the words around them.

**The output** uses the same matrix as the input. The last hidden state at a mask is multiplied by every row of the
matrix. The product plus a bias is the word's score, and softmax turns the scores into probabilities. Static embeddings
such as skip-gram need a second matrix W′ for their output, because they predict the words next to a word. BERT predicts
the masked word itself, so its input matrix can serve for both. The end of *Embedding lookup and output* compares BERT
with skip-gram in this respect.

**The masking rule** describes how BERT was trained: it had to predict 15% of the tokens. Of these, 80% were replaced by
[MASK] and 10% by a random token; 10% stayed unchanged. The rule is applied here as in BERT's published code: 15% of the
tokens, rounded to a whole number and at least one, are drawn without replacement. The treatment of each token is drawn
independently, so 80 – 10 – 10 holds only on average. The bundled model was trained with [MASK] alone.

**Limits.** In training, BERT never saw most of what you can set here: two words at one position, words in reversed
order, a single text in segment 1. Its answers to such inputs show which information it uses, not what it learnt from
real texts. The colours of the terms cannot be compared with those of the layer norm, which has a scale of its own.
Single dimensions have no reliable meaning. A PCA map shows only two of hundreds of dimensions.
"""
SOURCES = (
    "[Devlin et al. 2019](https://aclanthology.org/N19-1423/), figure 2 and section 3.1",
    "[“Why are BERT static embeddings of the same word not the same across sentences?”]"
    "(https://anthe.sevenants.net/post/bert-static-embeddings)",
    "[“Understanding BERT — Word Embeddings”]"
    "(https://medium.com/@dhartidhami/understanding-bert-word-embeddings-7dc4d2ea54ca)",
    "[Ba, Kiros & Hinton 2016](https://arxiv.org/abs/1607.06450) (layer norm)",
    "[Mikolov et al. 2013](https://arxiv.org/abs/1310.4546) (skip-gram)",
    "[Press & Wolf 2017](https://aclanthology.org/E17-2025/) (one matrix for input and output)",
    "[Wang & Chen 2020](https://aclanthology.org/2020.emnlp-main.555/) (what position embeddings learn)",
)

page.show("inputs", PANELS, EXPLANATION, SOURCES)
