"""The Clusters page: words on a map, with measures of how far the map can be trusted."""

from embtools.ui import page
from embtools.ui.clusters.panels import PANELS

EXPLANATION = """
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
"""
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
)

page.show("clusters", PANELS, EXPLANATION, SOURCES)
