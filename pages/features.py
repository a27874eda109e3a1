"""Features: what the vector of a word is made of, learned features or a mix of other words, next to the controls."""

from embtools.ui import page
from embtools.ui.features.panels import PANELS

EXPLANATION = {
    "": """
This page asks what the vector of a word is made of, in two ways. *Learned features* are 4,096 directions that were
learned from text, of which a few are active at each word. A *mix* writes one vector as a sum of a few vectors of other
words. Both are compared with controls, because something can be fitted to any vector.
""",
    "learned": """
On this tab, the parts of a vector are features, which were learned from about 157,000 occurrences of words. A TopK
sparse autoencoder represents the vector of a word after a layer as the mean vector of all words plus the sum of a few
of 4,096 directions. A feature is active if its score, direction · (vector − mean) + offset, is among the 16 highest and
above zero; the score is its activation. The same direction serves to compute the score and to rebuild the vector (tied
weights). *Clamp* adds (factor − 1) × activation × direction to each word at which the feature is active, so the rest of
the vector stays as it is. As a control, random features get the same activations at the same words as the clamped
feature, so they move the vectors just as far. The words that a feature promotes are those with the highest scores when
its direction is multiplied by BERT’s output matrix; this calculation skips the layers in between.

*How good is the dictionary?* shows how much of the variance on held-out text the features explain, how many features
are dead, and how much the answers change if every word is replaced by the sum of its features. The same figures are
given for random directions, for random occurrences (with weights fitted to each vector) and, if the dictionary’s file
contains them, for a dictionary learned from a model with random weights. The similarity of words in that table is the
similarity of their static embeddings. Random dictionaries can look interpretable too, because the strongest occurrences
of any direction have something in common (Bolukbasi et al. 2021; Heap et al. 2025). The bundled model has dictionaries
for layers 3 and 5. Explained variance alone says little: in layer 3 it is 75%, but 82% in a model with random weights,
whose vectors are easier to explain. The similarity of the words at a feature’s strongest occurrences does tell the two
models apart: it is 0.49 for the trained model and 0.17 for the one with random weights (random sets of words: 0.24).

**Limits of the dictionary.** The features depend on the text, the seed and the number of features: a different run
finds some different features. A feature can be active at different words for different reasons; the sample over the
whole range of its activations shows this. The dictionary is learned from words in sentences without a mask, so [MASK],
[CLS] and [SEP] have no features and are not changed. A clamp of 4 can move a vector further than any real text would.
The built-in text is small, so rare features have few occurrences.
""",
    "word": """
This tab writes the vector of a word in a sentence as a **mix of a few other vectors with positive weights**. The
positive LASSO, without an intercept, finds the mix: it minimises |vector − mix|² / (2d) + α · (sum of the weights),
where d is the number of dimensions. The larger the penalty α, the fewer words the mix has. The slider sets α as a share
of its maximum, the smallest α with an empty mix. With *alpha, as in the article*, you set α itself. The article
(“Operations on contextual word embeddings”, see Sources) used 0.9 on unscaled vectors, with scikit-learn’s `Lasso` and
a different model. The conditions for the optimum are checked on all words. A mix is called *exact* only if the duality
gap, shown under *As numbers*, is at most 0.0001% of the objective. Shares are the weights divided by their sum.

The dictionary holds the vectors that can be parts of the mix. It contains either all other occurrences in a thousand
built-in sentences, at the same layers, or the static embeddings of all whole words of the vocabulary. If whoever runs
this server offers a corpus folder, *Settings* also lets you use a random sample of its occurrences, or all occurrences
of words that you name; the decomposed occurrence then comes from that folder, too. The word itself cannot be a part of
its own mix unless you allow it.

**Is the mix better than chance?** Some mix can be fitted to any vector. So the same method, with the same number of
parts, is applied to 39 random vectors with the mean and covariance of all occurrences and to 39 vectors made by
shuffling the numbers of this one. In addition, 59 sets of random parts are fitted to the vector itself. Each of these
is a one-sided test: p is (1 + the number of draws that do at least as well) / (1 + the number of draws). *Better than
chance* means that each p is at most 0.05. The strongest control is the same number of **nearest words** with their best
weights. If the mix explains no more than they do, it is only a list of neighbours. This comparison is made for the word
and for 19 others (two-sided sign test). *Explained* is measured after refitting the weights without the penalty,
because the penalty makes all weights too small. This share then also equals the squared cosine between the mix and the
vector.

**Put the mix back into BERT** tests the mix in BERT itself (*activation patching*). The vector of the word after a
layer is replaced by the mix of its k strongest parts (weights refitted by least squares, none below zero); the rest of
the network then continues from there. Three things are measured: BERT’s top answer at a mask, its probability, and the
KL divergence from the original answers. The same is measured for 19 mixes of k random words, fitted in the same way,
and for a vector of zeros. If BERT gives the same answer with zeros, the rest of the sentence determines the answer, so
the mix cannot be tested there. The mix passes the test only if two conditions are met: zeros change the answer, and
random words keep it significantly less often than the mix does (p at most 0.05). If a word has several tokens, their
mean is decomposed, and the difference between the mix and this mean is added to each of them. In later layers the mask
has already received more information about the word, so replacing the word changes less there. A sum of layers has no
position in BERT. So if the layer combination is a sum or a concatenation, the vector after the last layer but one is
decomposed and replaced. If the sentence has no mask, its last word is masked, which also changes the word’s vector a
little. The parts are always occurrences in the built-in sentences.

**Limits.** Opposites make good parts: *cold* and *warm* occur in similar sentences, so their vectors are similar. Among
nearly equal occurrences, LASSO picks one and drops the others, so a part is an example and not the only possible one.
The corpus of built-in sentences is small, and a word that does not occur in it cannot be a part. The bundled model is
derived from a sentence encoder, so its last layer is made for whole sentences, not for words.
""",
    "formula": """
This tab writes the result of a formula as a mix of static embeddings. The method, its limits and the control runs are
those described under *A word as a mix*. To *put the mix back into BERT*, a word of the formula gets the result as its
vector at the input; this vector is then replaced by the mix, by zeros and by mixes of random words.
""",
}
SOURCES = (
    "[Zhang et al. 2019](https://arxiv.org/abs/1910.03833) and [Yun et al. 2021](https://arxiv.org/abs/2103.15949)"
    " (dictionary learning for word vectors and for BERT)",
    "[Gao et al. 2024](https://arxiv.org/abs/2406.04093) (TopK sparse autoencoders)",
    "[Bricken et al. 2023](https://transformer-circuits.pub/2023/monosemantic-features) (features and their clamping)",
    "[Bolukbasi et al. 2021](https://arxiv.org/abs/2104.07143) (strongest examples can mislead)",
    "[Heap et al. 2025](https://arxiv.org/abs/2501.17727) (autoencoders of networks with random weights)",
    "[“Operations on contextual word embeddings”]"
    "(https://lars76.github.io/2021/06/16/operations-contextual-embeddings.html) (the mix for *cold*)",
    "[Tibshirani 1996](https://doi.org/10.1111/j.2517-6161.1996.tb02080.x) (LASSO)",
    "[Lawson & Hanson 1974](https://doi.org/10.1137/1.9781611971217), chapter 23 (positive weights)",
    "[Boyd & Vandenberghe 2004](https://web.stanford.edu/~boyd/cvxbook/), 5.5 (duality gap)",
    "[Arora et al. 2018](https://doi.org/10.1162/tacl_a_00034) (senses of a word as a sparse mix)",
    "[Meng et al. 2022](https://arxiv.org/abs/2202.05262) (activation patching)",
    "[Ethayarajh 2019](https://aclanthology.org/D19-1006/) (why random vectors need the words’ mean and covariance)",
)

page.show("features", PANELS, EXPLANATION, SOURCES)
