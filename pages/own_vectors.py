"""Your vectors: word vectors of a file, with neighbours and similarities."""

from embtools.ui import page
from embtools.ui.own_vectors import source
from embtools.ui.own_vectors.panels import PANELS

EXPLANATION = {
    "": """
This page applies some methods of the other pages to **word vectors of your own**: from word2vec, GloVe or fastText,
from another language model, or from measurements such as ratings by people. The example contains this model's
static embeddings of about 300 words from the built-in lists; each word is labelled with its list.

**Files.** *CSV*: the first column contains the words, columns of numbers contain the vectors, and any other columns of
text contain labels, which colour the map. Columns are separated by commas, semicolons or tabs; the first line may name
them. *Text* (.txt, .vec): one word and its numbers per line, separated by spaces; the first line may give the number of
words and how many numbers each word has. *Array* (.npy): one row per word, with a second file that has one word per
row, and optionally labels. Arrays of Python objects are refused, because reading them can run code. A file can be up to
10 MB in size and contain up to 20,000 words, 2,048 numbers per word and 10 columns of labels. Each word may appear only
once, and a vector may not be all zeros. If a file has an error, the message names the line. The file stays in this
server's memory while it is used; it is not written to disk, and a link to this page does not contain it.

**Cosines.** In some sources, any two words have a high cosine, and rare words have higher ones than common words. So
each pair is compared with random pairs of words that are about as common. The number of a word's line is its rank if
the file has 2,000 words or more and most of its first hundred are common words. Otherwise, the random pairs are drawn
from all words, and the page says so. If you open a file, the page also shows the model's static embeddings of the same
words, for those that are single tokens in the model.

**Limits.** The page cannot know how the vectors were made. Cosines from two sources have different scales, so compare
ranks and not values. With few words, most differences could be chance. Words are compared by their spelling; capitals
make no difference unless the vectors contain a word both with and without them.
""",
    "nearest": """
Neighbours are the words with the highest cosine. To compare the neighbours in the file with those in the model, only
the words that both contain are used.
""",
    "similarity": """
The table shows cosines. The similarities in the file and in the model are compared by rank, with a Mantel test, because
pairs that share a word are not independent.
""",
}
SOURCES = (
    "[Mikolov et al. 2013](https://arxiv.org/abs/1301.3781) (word2vec)",
    "[Pennington et al. 2014](https://aclanthology.org/D14-1162/) (GloVe)",
    "[Bojanowski et al. 2017](https://aclanthology.org/Q17-1010/) (fastText)",
    "[Mantel 1967](https://pubmed.ncbi.nlm.nih.gov/6018555/) (comparing two tables of similarities)",
)

page.show("own_vectors", PANELS, EXPLANATION, SOURCES, above=source)
