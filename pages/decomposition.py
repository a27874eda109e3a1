"""Decomposition: a word's vector as a sparse positive mix of other words, with the controls that could refute it."""

from embtools.ui import page
from embtools.ui.decomposition import back, formula, word

EXPLANATION = """
A vector is written as a **mix of few others with weights above zero**. The positive LASSO finds it: it minimises
|vector − mix|² / 2 d + α · (sum of the weights), without an intercept. The penalty α decides how few: the slider gives
it as a share of the α at which nothing is left; *as in the text* takes α = 0.9 on vectors that are not scaled, as the
text did with scikit-learn’s `Lasso` on a model of its own. The conditions of the optimum are checked on all words. A
mix is called *exact* only if the duality gap, shown under *As numbers*, is at most 0.0001% of what is minimised. Shares
are the weights divided by their sum.

The dictionary is every other occurrence in a thousand built-in sentences, at the same layers; or the static embeddings
of all whole words of the vocabulary; or, of a folder that the server's host offers (*Settings*), a sample or all
occurrences of words you name, and the occurrence is taken from it too. The word itself does not count as its own part
unless you allow it.

**Does the mix mean anything?** Something can be fitted to any vector. So the same method looks for the same number of
parts in 39 random vectors with the mean and covariance of all occurrences and in 39 vectors whose numbers are shuffled,
and 59 sets of random parts are fitted to the vector itself. Each of these is a one-sided test: p is the share of draws
that are explained at least as well, with the vector itself counted among them. *Better than chance* means that each p
is at most 0.05. The strongest control is the same number of **nearest words** with their best weights: a mix that
explains no more than they do is only a list of neighbours. This is compared for the word and 19 others (two-sided sign
test).
*Explained* is measured with the weights fitted again without the penalty, which makes all weights too small; then it is
also the squared cosine of mix and vector.

**Put back** asks BERT itself. The vector of a word in a sentence is replaced by the mix of its k strongest parts
(weights fitted again, least squares, none below zero): as input, or after a layer, from where the rest of the network
continues. The top answer at a mask, its probability and the KL divergence from the original answers are compared with
19 mixes of k random words, fitted in the same way, and with zeros. If zeros keep the answer, the rest of the sentence
decides it and the mix cannot be tested there. The mix gets the credit only if zeros change the answer and random words
keep it significantly more rarely (p at most 0.05). If a word has several tokens, each is moved by the same difference.
In later layers the mask has already received more of the word, so less can be lost there.

Limits. Opposites make good parts: *cold* and *warm* stand in like sentences and are near each other. With near-equal
occurrences LASSO takes one of them and drops the others, so that a part is an example, not the only one. The built-in
sentences are few: a word that they lack cannot be a part. The bundled model descends from a sentence encoder; its last
layer is made for sentences.
"""
SOURCES = (
    "[“Operations on contextual word embeddings”]"
    "(https://lars76.github.io/2021/06/16/operations-contextual-embeddings.html) (the mix for *cold*)",
    "[Tibshirani 1996](https://doi.org/10.1111/j.2517-6161.1996.tb02080.x) (LASSO)",
    "[Lawson & Hanson 1974](https://doi.org/10.1137/1.9781611971217), chapter 23 (weights above zero)",
    "[Boyd & Vandenberghe 2004](https://web.stanford.edu/~boyd/cvxbook/), 5.5 (duality gap)",
    "[Arora et al. 2018](https://doi.org/10.1162/tacl_a_00034) (senses of a word as a sparse mix)",
    "[Meng et al. 2022](https://arxiv.org/abs/2202.05262) (states exchanged inside a network)",
    "[Ethayarajh 2019](https://aclanthology.org/D19-1006/) (why random vectors need the words' mean and spread)",
)

page.show("decomposition", [word, formula, back], EXPLANATION, SOURCES)
