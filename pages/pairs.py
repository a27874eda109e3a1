"""Pairs: does one sentence follow another, how similar are two texts, and which sentence answers a question?"""

from embtools.ui import page
from embtools.ui.pairs.panels import PANELS

EXPLANATION = """
BERT was trained on two tasks. One was to predict masked words. The other was **next-sentence prediction**: given two
sentences, A and B, does B follow A in a text, or was it taken from somewhere else? The answer is computed from the
vector of [CLS]. *Segment ids* tell BERT which token belongs to which sentence.

A high probability alone proves little. So the pair is compared with controls: the two sentences swapped (does the order
matter?), the first sentence repeated (is repetition enough?), sentences on the same topic (is the topic enough?) and
random sentences (does BERT accept any sentence after the first one?). In training, the wrong sentences came from other
documents. The topic therefore often gives the answer away, and BERT hardly learns the order of sentences. Later models
dropped the task (RoBERTa) or replaced it with predicting the order of sentences (ALBERT).

**Cosines** of sentence vectors cannot be read on their own. In some layers any two sentences have a cosine near 0.9,
and longer texts are more similar, whatever they say. So your two texts are compared with random pairs of texts of the
same length, in the same layer and with the same pooling. Each random text consists of built-in sentences on one topic,
and the two texts of a pair are on different topics. The last sentence of a random text is cut off where the text
reaches the length of your text. So if each of your texts covers several topics, they are more similar than two random
texts are, because each random text has only one topic. BERT was not trained to compare sentences; models trained for
this do better.

**Limits.** The bundled model is small and was trained on less text than BERT base. The control sentences come
from 604 English sentences written for this project: 200 random ones on other topics, and all on the same topic, which
are 30 to 45. With 30 sentences, a share below 3% cannot be distinguished from zero.
"""
SOURCES = (
    "[Devlin et al. 2019](https://aclanthology.org/N19-1423/), section 3.1 (next-sentence prediction)",
    "[“Understanding BERT — Word Embeddings”]"
    "(https://medium.com/@dhartidhami/understanding-bert-word-embeddings-7dc4d2ea54ca) (segment ids)",
    "[Liu et al. 2019](https://arxiv.org/abs/1907.11692) (RoBERTa: without next-sentence prediction)",
    "[Lan et al. 2020](https://arxiv.org/abs/1909.11942) (ALBERT: order instead of topic)",
    "[Reimers & Gurevych 2019](https://aclanthology.org/D19-1410/) (pooling of sentences)",
)

page.show("pairs", PANELS, EXPLANATION, SOURCES)
