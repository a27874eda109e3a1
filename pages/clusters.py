"""The Clusters page: words on a map, how far the map can be trusted, and how evenly the vectors fill their space."""

from embtools.ui import page
from embtools.ui.clusters.panels import PANELS

EXPLANATION = {
    "": """
**A file** contains word vectors from word2vec, GloVe or fastText, from another language model, or from measurements
such as ratings by people. *Table* (CSV, TSV or JSON): one column contains the words, columns of numbers contain the
vectors, and any other columns contain labels, which colour the map. The first line may name the columns. *Text* (.txt,
.vec): one word and its numbers per line, separated by spaces; the first line may give the number of words and how many
numbers each word has. *Array* (.npy): one row per word, with a second file that has one word per row, and optionally
labels. Arrays of Python objects are refused, because reading them can run code. A file can have up to 10 MB and 2,048
numbers per word; its first 20,000 words and 10 columns of labels are used. Repeated words, vectors of zeros and lines
that cannot be read are left out, and the page says so.
The file stays in this server's memory while it is used; it is not written to disk, and a link to this page does not
contain it. Of more than 2,000 words, the map shows a random sample of 1,000; PCA can also show all of them. The page
cannot know how the vectors were made. Words are compared by their spelling; capitals make no difference unless the
vectors contain a word both with and without them.
""",
    "map": """
Each point is the vector of one word, reduced from hundreds of dimensions to two or three. This always loses
information. The line below the map says how much, and compares this with the loss on the same map with its points
shuffled.

- **t-SNE** keeps neighbours together. The sizes of clusters and the distances between them mean little, and with a
  small perplexity even random points form clumps.
- **PCA** shows the directions of largest variance. The title of each axis gives its share of the variance; two of
  several hundred dimensions show only a small part of it.
- **Axes** are formulas that you choose. A direction such as she − he contains more than its name says.
- **Group means** uses your groups to choose the directions. Switch on *Shuffle the groups* to see what it does with
  groups that mean nothing.

Each group has its own colour and shape. An outline encloses its words, except those far from its centre. A group has
no outline if more than half of the words inside the outline would belong to other groups. **Click a word** to draw
lines to its nearest neighbours in the space. A long line leads to a neighbour that the map has placed far away.

*Found clusters* come from k-means in the original space and do not use your groups. *Density contours* enclose 25%,
50% and 75% of the points of the map. A *second map* shows the same words by another method; what both maps show is
more reliable.

Whether the groups are real is tested in the **space**, not on the map: by the silhouette, by each word's nearest
neighbour and by k-means, each compared with shuffled groups. Frequent and rare words are far apart in BERT's space,
whatever they mean, so colour the points by frequency rank before you believe in a cluster. A single dimension has no
reliable meaning of its own.

**Occurrences of a word** have one vector for each sentence that contains the word. If their senses are labelled, two
measures show how well each layer separates them: the share of occurrences whose nearest other occurrence has the same
sense, and the adjusted Rand index of k-means, which does not use the labels. Both are compared with 1,000 shuffles of
the labels. A folder has no labelled senses, so its occurrences are divided into clusters. As a control, random points
without clusters are divided in the same way.

**Sentences**: k-means always finds clusters, even where there are none. So the silhouette is compared with those of
twenty data sets in which the words are shuffled among the sentences, and of twenty clouds of points without clusters.
The clusters count as a finding only if none of these reaches the same silhouette.
""",
    "isotropy": """
In an **isotropic** space, vectors point equally often in all directions, and two random words have a cosine of 0 on
average. BERT’s space is not isotropic: its vectors share a common direction, and a few directions account for much of
the variance. This tab measures how uneven the space is, corrects it in several ways, and tests whether the corrected
vectors are more useful.

**Three measures.** The *mean cosine* is computed exactly, over all pairs of the vectors, not over a sample of pairs.
The *partition-function measure* is the smallest value of Σ exp(c · x) divided by the largest. The sum runs over all
vectors x, and c is each eigenvector of their second moment in turn, taken with both signs. The vectors are first
divided by the root of their mean squared length, so that their scale does not matter. *IsoScore* measures how evenly
the variance is spread over the directions. It does not depend on the mean, so centring does not change it.

**The spaces.** *Centred*: the mean is subtracted. *z-scored*: each dimension is also divided by its standard deviation.
*All-but-the-top*: the mean and the first k principal components are removed. *Whitened*: every direction gets the same
variance; shrinkage first moves the covariance closer to that state. *Conceptor negation*: the vectors shrink along
every direction, more along strong ones than along weak ones, without centring. (Unlike in the original paper, the unit
of the aperture is chosen so that the mean direction has strength 1.) *All-but-the-top by cluster*: all-but-the-top is
applied separately to each cluster found by k-means. All spaces are fitted to the vocabulary without special tokens, to
all occurrences in the built-in corpus, or to all occurrences in a folder that the server offers. For a folder,
the stored mean and covariance are used, and every measure that needs single vectors uses 50,000 of them. All spaces are
computed from the covariance and its eigenvectors.

**Do the top directions matter?** Two controls are shown everywhere: *centred only*, and *random directions*, which
applies the same processing along random directions. The usefulness of the vectors is tested on the same items in each
space: pairs of words from built-in lists (AUC), a thousand odd-one-out puzzles, up to 82 analogies and 400 occurrences
with known senses. Pairs and puzzles share words. For this reason the words of each list are resampled 400 times with
replacement, with the same resamples in each space, and *clearly better* means that the 95% interval of the difference
is above 0. For analogies and senses, *clearly better* means that p is at most 0.025 in a one-sided sign test.

**Limits.** The bundled model is derived from a sentence encoder that was trained to spread out the vectors of
sentences: **its isotropy is not that of bert-base**, whose upper layers are known for much higher mean cosines.
Analogies also share words, and occurrences share sentences, so their intervals are too narrow. A more isotropic space
is not better in itself; this is why the page includes tasks.

**A file** is measured as it is, after centring, next to the same number of random vectors with the same number of
dimensions, and next to the model's vectors of the same words. The participation ratio is (Σ λ)² / Σ λ², where λ are the
variances of the principal components. With fewer words than dimensions, even random vectors do not reach an IsoScore of
1, so compare the IsoScore with theirs, not with 1.
""",
}
SOURCES = (
    "[“BERT Embedding Math”](https://go281.user.srcf.net/blog/embedding-math/), figure 1",
    "[van der Maaten & Hinton 2008](https://www.jmlr.org/papers/v9/vandermaaten08a.html) (t-SNE)",
    "[Wattenberg, Viégas & Johnson 2016](https://doi.org/10.23915/distill.00002) (How to Use t-SNE Effectively)",
    "[Kobak & Berens 2019](https://doi.org/10.1038/s41467-019-13056-x) (starting t-SNE from principal components)",
    "[Venna & Kaski 2001](https://doi.org/10.1007/3-540-44668-0_68) (trustworthiness)",
    "[Rousseeuw 1987](https://doi.org/10.1016/0377-0427(87)90125-7) (silhouette)",
    "[Hubert & Arabie 1985](https://doi.org/10.1007/BF01908075) (adjusted Rand index)",
    "[Hyndman 1996](https://doi.org/10.1080/00031305.1996.10474359) (highest-density regions)",
    "[Liu et al. 2008](https://doi.org/10.1198/016214508000000454) (a single Gaussian as the null hypothesis)",
    "[Gong et al. 2018](https://arxiv.org/abs/1809.06858) (word frequency in embeddings)",
    "[Mu & Viswanath 2018](https://arxiv.org/abs/1702.01417) (all-but-the-top, the partition-function measure)",
    "[Arora et al. 2016](https://doi.org/10.1162/tacl_a_00106) (the partition function)",
    "[Su et al. 2021](https://arxiv.org/abs/2103.15316) (whitening)",
    "[Ledoit & Wolf 2004](https://doi.org/10.1016/S0047-259X(03)00096-4) (shrinkage)",
    "[Liu, Ungar & Sedoc 2019](https://arxiv.org/abs/1811.11001) (conceptor negation)",
    "[Rajaee & Pilehvar 2021](https://aclanthology.org/2021.acl-short.73/) (by cluster)",
    "[Rudman et al. 2022](https://aclanthology.org/2022.findings-acl.262/) (IsoScore)",
    "[Timkey & van Schijndel 2021](https://aclanthology.org/2021.emnlp-main.372/) (dominating dimensions)",
    "[Ethayarajh 2019](https://aclanthology.org/D19-1006/) (mean cosine of random pairs)",
    "[“Operations on contextual word embeddings”]"
    "(https://lars76.github.io/2021/06/16/operations-contextual-embeddings.html)",
    "[Linzen 2016](https://aclanthology.org/W16-2503/) (analogies compared with the nearest neighbour)",
    "[Mikolov et al. 2013](https://arxiv.org/abs/1301.3781) (word2vec)",
    "[Pennington et al. 2014](https://aclanthology.org/D14-1162/) (GloVe)",
    "[Bojanowski et al. 2017](https://aclanthology.org/Q17-1010/) (fastText)",
    "[Coenen et al. 2019](https://arxiv.org/abs/1906.02715) (senses as regions of BERT's space)",
    "[Wiedemann et al. 2019](https://arxiv.org/abs/1909.10430) (word senses by nearest neighbours)",
    "[Schönemann 1966](https://doi.org/10.1007/BF02289451) (rotating one map to match another)",
)

page.show("clusters", PANELS, EXPLANATION, SOURCES)
