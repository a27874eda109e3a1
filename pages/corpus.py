"""Corpus: every word of a text in its sentence, its nearest occurrences, its senses, arithmetic with it."""

from embtools.ui import page
from embtools.ui.corpus import analogy, occurrence, senses, sentences, source

EXPLANATION = """
BERT gives a word another vector in every sentence. Here **every word of a text is an occurrence** with the vector of
the chosen layers (the mean of its pieces); punctuation and [CLS], [SEP] are left out. An occurrence is compared with
all others by **cosine**. Its static embedding, the same in every sentence, stands beside it.

The built-in text was written for this project: 604 sentences in which some fifty frequent words return thirty times or
more, and 400 in which fifty words stand in one of two **senses**. Whether the nearest other occurrences of a word mean
the same is counted against layer 0, where a word has its place but no context, and against drawing at random.

*Senses recovered*: the share of occurrences whose nearest other occurrence has their sense, and the adjusted Rand index
of k-means, which never sees the labels; both beside 1,000 shuffles of the labels.

*Arithmetic*: king − man + woman with one sentence each, or with the mean of all. The usual game does not let the three
words answer, and then the nearest neighbour of king alone is often queen too: that baseline stands beside every figure.

A **folder** that the server's host offers beside these holds a text of up to millions of words, encoded beforehand. It
is searched exactly, without an index: one word where it stands in the files; all occurrences in one array or, above two
million, file by file. The page says which it was. It names no senses: groups of a word's occurrences stand there
beside clouds without groups. It holds words alone, so a sentence is the mean of its words there.

Text and folder can be seen in a **processed space** (centred, all-but-the-top, whitened, …), fitted to all occurrences;
to those of a folder by their sums, which hold mean and covariance of all rows. Rows are put into it while they are
read, so the search there is exact too. Clusters are in no sums: all-but-the-top by cluster is offered for texts alone.

Limits. Eight sentences for a word are few. The built-in text is small and speaks of few things, so a neighbour is the
best there is in it and not the best there could be. Occurrences of one word are alike for reasons other than sense:
their place in the sentence, their grammar. A sentence's mean vector follows its topic more than what it says.
"""
SOURCES = (
    "[“Operations on contextual word embeddings”]"
    "(https://lars76.github.io/2021/06/16/operations-contextual-embeddings.html)",
    "[Peters et al. 2018](https://aclanthology.org/N18-1202/) (nearest neighbours of a word in context)",
    "[Coenen et al. 2019](https://arxiv.org/abs/1906.02715) (senses as regions of BERT's space)",
    "[Wiedemann et al. 2019](https://arxiv.org/abs/1909.10430) (senses by nearest neighbours)",
    "[Hubert & Arabie 1985](https://doi.org/10.1007/BF01908075) (adjusted Rand index)",
    "[Linzen 2016](https://aclanthology.org/W16-2503/) (analogies beside the nearest neighbour)",
    "[Reimers & Gurevych 2019](https://aclanthology.org/D19-1410/) (pooling of sentences)",
)

page.show("corpus", [occurrence, senses, analogy, sentences], EXPLANATION, SOURCES, above=source)
