"""Clusters: words on a map, with the numbers that say how far to trust it."""

from embtools.ui import page
from embtools.ui.clusters import map

EXPLANATION = """
Each point is one word's vector, brought from hundreds of dimensions to two or three. Something is always lost; the
line under the map says how much, beside the same map with its points shuffled.

- **t-SNE** keeps neighbours together. Sizes of clusters and distances between them mean little, and with a small
  perplexity even noise falls into clumps.
- **PCA** shows the directions of largest variance; its axes say what share. Two of hundreds are a small part.
- **Axes** are what you say they are; a direction such as she − he carries more than its name.
- **Group means** is told the groups. *Shuffle the groups* shows what it makes of groups that mean nothing.

A colour and a shape stand for a group. An outline goes round its words, but for those far from their middle, and is
left out where it would hold more words of other groups. **Click a word**: lines lead to its neighbours in the space.
A long line is a neighbour that the map lost.

*Found clusters* come from k-means in the original space, without a look at your groups; lines of *density* hold 25,
50 and 75% of the points of the map. A *second map* puts another method beside the first: what holds on both is safer.

Whether the groups are in the **space** is decided there, not on the picture: by the silhouette, the nearest word and
k-means, each beside shuffled labels. Frequent and rare words lie apart in BERT's space, whatever they mean: colour by
frequency rank before you believe in a cluster. A single dimension has no meaning of its own that one could rely on.
"""
SOURCES = (
    "[“BERT Embedding Math”](https://go281.user.srcf.net/blog/embedding-math/), figure 1",
    "[van der Maaten & Hinton 2008](https://www.jmlr.org/papers/v9/vandermaaten08a.html) (t-SNE)",
    "[Wattenberg, Viégas & Johnson 2016](https://doi.org/10.23915/distill.00002) (how to use t-SNE effectively)",
    "[Kobak & Berens 2019](https://doi.org/10.1038/s41467-019-13056-x) (start at principal components)",
    "[Venna & Kaski 2001](https://doi.org/10.1007/3-540-44668-0_68) (trustworthiness)",
    "[Rousseeuw 1987](https://doi.org/10.1016/0377-0427(87)90125-7) (silhouette)",
    "[Hubert & Arabie 1985](https://doi.org/10.1007/BF01908075) (adjusted Rand index)",
    "[Hyndman 1996](https://doi.org/10.1080/00031305.1996.10474359) (highest-density regions)",
    "[Liu et al. 2008](https://doi.org/10.1198/016214508000000454) (single clouds as the null hypothesis)",
    "[Gong et al. 2018](https://arxiv.org/abs/1809.06858) (frequency)",
)

page.show("clusters", [map], EXPLANATION, SOURCES)
