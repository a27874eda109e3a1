"""Layers: one word in several sentences, and the layer and the pooling that keep its senses apart."""

from embtools.ui import page
from embtools.ui.layers import survey, word

EXPLANATION = """
BERT gives every token one vector **per layer**; a *recipe* says which layers make the vector, a *pooling* which tokens.
**AUC** says how well that vector keeps two senses of a word apart: how often is a pair of one sense more alike than a
pair of different senses?

The moving points are the word's vectors, scaled to length one and projected on **one plane for all layers**: the first
two principal components of all layers together. No distance is drawn longer than it is, but most of it may lie outside
the plane: how much it keeps is said for each layer, and the AUC is computed from all dimensions.

AUC can be compared between layers. Raw cosines cannot: in some layers *all* vectors point the same way. Layer 0 is the
embedding output, without context: there the occurrences of a word differ by their position alone. So senses that
separate in layer 0 separate by position, and the page then says that these sentences cannot show more. The sum of the
last four layers points where their mean points, so its cosines are the mean's.

Limits. With eight occurrences an AUC can be high by chance. So the headline gives a p-value: the share of all ways to
split the occurrences into such groups that reach as high an AUC in a layer above 0. What holds in general, the fifty
words show. The best of many recipes looks a little too good, because it was chosen for its
score. If the *sentence* columns separate senses as well as the word's own do, the vector may hold the topic rather than
the sense; a few dimensions with large values can rule any cosine. What is best for senses need not be best elsewhere.
"""
SOURCES = (
    "[“Understanding BERT — Word Embeddings”]"
    "(https://medium.com/@dhartidhami/understanding-bert-word-embeddings-7dc4d2ea54ca)",
    "[Devlin et al. 2019](https://aclanthology.org/N19-1423/), table 7 (layers as features)",
    "[Ethayarajh 2019](https://aclanthology.org/D19-1006/) (self-similarity, anisotropy)",
    "[Kornblith et al. 2019](https://proceedings.mlr.press/v97/kornblith19a.html) (CKA), with the unbiased estimate of"
    " [Song et al. 2012](https://jmlr.org/papers/v13/song12a.html)",
    "[Reimers & Gurevych 2019](https://aclanthology.org/D19-1410/) (pooling of sentences)",
    "[Coenen et al. 2019](https://arxiv.org/abs/1906.02715) (senses as regions of BERT's space)",
    "[Hosmer & Lemeshow 2000](https://doi.org/10.1002/0471722146), *Applied Logistic Regression* (what is a high AUC)",
)

page.show("layers", [word, survey], EXPLANATION, SOURCES)
