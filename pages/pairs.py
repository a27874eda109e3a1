"""Pairs: does one sentence follow another, how alike are two, and which of many belong together?"""

from embtools.ui import page
from embtools.ui.pairs import batch, following, groups, likeness, questions

EXPLANATION = """
BERT was trained on two tasks. One is the masked word; the other is **next-sentence prediction**: of two sentences, A
and B, does B follow A in a text, or is it drawn from somewhere else? The answer is read off the vector of [CLS];
*segment ids* tell BERT which piece belongs to which sentence.

A high probability alone proves little. So the pair stands beside controls: the two swapped (does the order count?),
the first sentence again (is repetition enough?), sentences about the same subject (is the topic enough?) and
sentences at random (does this first sentence accept everything?). In training the wrong sentence came from another
document, so the topic often gives the answer away, and the order is hardly learnt: later models dropped the task
(RoBERTa) or replaced it by the order of sentences (ALBERT).

**Cosines** of sentence vectors cannot be read by themselves: in some layers any two sentences have 0.9. The yardstick
is what random pairs of sentences get in the same layer with the same pooling. BERT was not trained to compare
sentences; models trained for it do better. A maximum over tokens grows with their number, so it finds short sentences
unlike long ones, whatever they say.

**Groups**: k-means divides everything, also where there is nothing to divide. So its silhouette stands beside that of
the same words dealt to the sentences anew, which no longer say anything, and of clouds without groups.

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
