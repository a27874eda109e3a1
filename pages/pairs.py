"""Pairs: does one sentence follow another, how alike are two, and which of many belong together?"""

from embtools.ui import page
from embtools.ui.pairs import batch, following, groups, likeness, questions

EXPLANATION = """
BERT was trained on two tasks. One is the masked word; the other is **next-sentence prediction**: of two sentences, A
and B, does B follow A in a text, or is it drawn from somewhere else? The answer is read off the vector of [CLS];
*segment ids* tell BERT which piece belongs to which sentence.

A high probability alone proves little. So the pair is compared with controls: the two swapped (does the order matter?),
the first sentence again (is repetition enough?), sentences about the same subject (is the topic enough?) and
sentences at random (does this first sentence accept everything?). In training the wrong sentence came from another
document, so the topic often gives the answer away, and the order is hardly learnt: later models dropped the task
(RoBERTa) or replaced it by the order of sentences (ALBERT).

**Cosines** of sentence vectors cannot be read by themselves: in some layers any two sentences have 0.9, and longer
texts are more similar, whatever they say. So your two texts are compared with random pairs of texts of the same length,
in the same layer and with the same pooling. Each random text consists of built-in sentences on one topic, the two of a
pair on different topics; its last sentence is cut where the length is reached. Texts that jump between topics are more
similar than these. BERT was not trained to compare sentences; models trained for it do better.

**Groups**: k-means divides everything, even where there is nothing to divide. So its silhouette is compared with that
of twenty sets in which the words are shuffled among the sentences, and of twenty clouds without groups. Groups are
claimed only if none of these reaches it.

Limits. The bundled model is small and read less than BERT base. The drawn controls come from 604 English sentences of
this project. With thirty drawn sentences a share below 5% cannot be told from none.
"""
SOURCES = (
    "[Devlin et al. 2019](https://aclanthology.org/N19-1423/), section 3.1 (next-sentence prediction)",
    "[“Understanding BERT — Word Embeddings”]"
    "(https://medium.com/@dhartidhami/understanding-bert-word-embeddings-7dc4d2ea54ca) (segment ids)",
    "[Liu et al. 2019](https://arxiv.org/abs/1907.11692) (RoBERTa: without next-sentence prediction)",
    "[Lan et al. 2020](https://arxiv.org/abs/1909.11942) (ALBERT: order instead of topic)",
    "[Reimers & Gurevych 2019](https://aclanthology.org/D19-1410/) (pooling of sentences)",
    "[Rousseeuw 1987](https://doi.org/10.1016/0377-0427%2887%2990125-7) (silhouettes)",
    "[Hubert & Arabie 1985](https://doi.org/10.1007/BF01908075) (adjusted Rand index)",
)

page.show("pairs", [following, batch, likeness, questions, groups], EXPLANATION, SOURCES)
