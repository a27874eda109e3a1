"""Corpus: nearest occurrences of a word in context, and similar sentences."""

from embtools.ui import page
from embtools.ui.corpora import source
from embtools.ui.corpus.panels import PANELS

EXPLANATION = {
    "": """
BERT gives a word a different vector in every sentence. On this page **every word of a text is an occurrence**, with the
vector of the chosen layers (the mean over its tokens). Punctuation, [CLS] and [SEP] are left out. Each occurrence is
compared with all others by **cosine**.

The built-in corpus was written for this project. It has 604 sentences in which some fifty frequent words each
occur thirty times or more, and 400 sentences in which each of fifty words occurs in two **senses**, one per sentence.

Whoever runs this server can also offer **folders**. A folder holds a text of up to several million words, encoded in
advance. The search is exact and uses no index. A search for one word reads the occurrences of this word from the files.
A search of all occurrences uses one stored array or, above two million occurrences, reads one file after another. The
page says which of the two it used.

Texts and folders can be shown in a **processed space** (centred, all-but-the-top, whitened, …), which is fitted to all
occurrences. For a folder, the fit uses the stored mean and covariance of all its rows. The rows are processed as
they are read, so this search is exact, too. All-but-the-top by cluster is only available for texts, because clusters
cannot be computed from a mean and a covariance.

**Limits.** Eight sentences per labelled word are not many. The built-in corpus is small and covers few subjects, so a
neighbour is the nearest in this corpus and not the nearest possible one. Occurrences of a word can also be similar for
reasons other than their sense, such as position or grammar.
""",
    "nearest": """
For comparison, this tab also lists the neighbours of the word's static embedding, which is the same in every sentence.
It also counts how many of the nearest other occurrences of a word have the same sense, and compares this number with
that in layer 0, where a word has a position but no context, and with the number expected by chance.
""",
    "sentences": """
A folder stores only the vectors of words, so the vector of a sentence is the mean of its words' vectors. The mean
vector of a sentence depends more on its topic than on what it says.
""",
}
SOURCES = (
    "[“Operations on contextual word embeddings”]"
    "(https://lars76.github.io/2021/06/16/operations-contextual-embeddings.html)",
    "[Peters et al. 2018](https://aclanthology.org/N18-1202/) (nearest neighbours of a word in context)",
    "[Wiedemann et al. 2019](https://arxiv.org/abs/1909.10430) (word senses by nearest neighbours)",
    "[Reimers & Gurevych 2019](https://aclanthology.org/D19-1410/) (pooling of sentences)",
)

page.show("corpus", PANELS, EXPLANATION, SOURCES, above=source)
