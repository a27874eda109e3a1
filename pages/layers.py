"""Layers: one word in several sentences, and the layers and poolings that separate its senses."""

from embtools.ui import page
from embtools.ui.layers.panels import PANELS

EXPLANATION = {
    "": """
BERT gives every token one vector **per layer**. A *layer combination* says which layers make up a vector, and the
*pooling* says which tokens. **AUC** measures how well these vectors separate the senses of a word: it is how often a
pair of occurrences with the same sense is more similar than a pair with different senses.

The moving points are the word's vectors. They are scaled to length one and projected onto **one plane for all layers**:
the first two principal components of all layers together. Distances in the plane are never larger than in the full
space, but they can be much smaller. For each layer the page therefore says how much of the variance the plane keeps.
The AUC is computed from all dimensions.

AUC can be compared between layers. Raw cosines cannot, because in some layers *all* vectors point in nearly the same
direction. Layer 0 is the input embedding, which has no context: there, the occurrences of a word differ only in
position. If the senses are already separated in layer 0, position alone tells them apart; the page then says that these
sentences cannot show whether the context separates the senses. The sum of the last four layers points in the same
direction as their mean, so both give the same cosines.

**Limits.** With eight occurrences, an AUC can be high by chance. The headline therefore gives a p-value. To compute it,
the occurrences are split in all possible ways into groups of the same sizes as the senses; if there are more than two
senses or very many ways, 999 random splits are used. The p-value is the share of the splits (including that by sense)
whose highest AUC in the layers above 0 is at least as high as that of the split by sense. The tab *Fifty words* shows
what holds in general. The best of many combinations looks slightly too good, because it was chosen for its score. If
the *sentence* poolings separate the senses as well as the word's own vectors do, the vectors may represent the topic
rather than the sense. A few dimensions with large values can dominate a cosine. What is best for separating senses is
not always best for other tasks.
""",
    "similarity": """
This tab compares how two layers arrange the words of a text (CKA). With two models, it compares each layer of one with
each layer of the other. CKA ignores rotation and scale, so it cannot tell whether two layers use the same dimensions,
and a few words with large vectors can dominate it.
""",
}
SOURCES = (
    "[“Understanding BERT — Word Embeddings”]"
    "(https://medium.com/@dhartidhami/understanding-bert-word-embeddings-7dc4d2ea54ca)",
    "[Devlin et al. 2019](https://aclanthology.org/N19-1423/), table 7 (layers as features)",
    "[Ethayarajh 2019](https://aclanthology.org/D19-1006/) (self-similarity, anisotropy)",
    "[Kornblith et al. 2019](https://proceedings.mlr.press/v97/kornblith19a.html) (CKA), with the unbiased estimator of"
    " [Song et al. 2012](https://jmlr.org/papers/v13/song12a.html)",
    "[Reimers & Gurevych 2019](https://aclanthology.org/D19-1410/) (pooling of sentences)",
    "[Coenen et al. 2019](https://arxiv.org/abs/1906.02715) (senses as regions of BERT's space)",
    "[Hosmer & Lemeshow 2000](https://doi.org/10.1002/0471722146), *Applied Logistic Regression* (what counts as a high"
    " AUC)",
)

page.show("layers", PANELS, EXPLANATION, SOURCES)
