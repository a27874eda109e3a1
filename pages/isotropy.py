"""Isotropy: how unevenly BERT's vectors fill their space, and whether it helps words to mend that."""

from embtools.ui import page
from embtools.ui.isotropy import space

EXPLANATION = """
In an **isotropic** space vectors point everywhere alike, and two random words have cosine 0. BERT's do not: they share
a direction, and a few directions hold much of the variance. Here that is measured, mended, and asked whether mending
it is good for anything.

**Three measures.** The *mean cosine* of random pairs, exact over all pairs. The *partition-function measure*: the
smallest over the largest Σ exp(c · x), c along the directions of the second moment, both ways; vectors are first
divided by the root of their mean squared length, so that size does not count. *IsoScore*: how evenly the variance is
spread over the directions; the mean does not count for it, so centring leaves it as it is.

**The spaces.** *Centred*: the mean is taken away. *z-scored*: and each dimension divided by its spread.
*All-but-the-top*: the mean and the first k principal directions are taken away. *Whitened*: every direction gets the
same variance; shrinkage draws the covariance towards that first. *Conceptor negation*: strong directions are damped
softly, without centring (the aperture is in units in which the mean direction has strength 1, not the paper's).
*By cluster*: all-but-the-top in each cluster of k-means by itself. All are fitted to the vocabulary without special
tokens, to all occurrences of the built-in text, or to all of a folder that the server's host offers, whose moments are
stored; what needs single rows is then measured on 50,000 of them. They come from the covariance and its eigenvectors.

**Is it the top directions that matter?** Two controls are shown everywhere: *centred only*, and *random directions*,
the same done along random directions. What words are good for is counted on the same questions in each space: pairs of
built-in lists told apart (AUC), a thousand odd-one-out triplets, 82 analogies, 400 occurrences with a sense. Pairs and
triplets share words. So the words of each list are drawn again 400 times with replacement, the same ones in each space,
and *clearly better* means that the 95% interval of the difference is above 0. For analogies and senses it means a
one-sided sign test with p of at most 0.025.

Limits. The bundled model descends from a sentence encoder, which was trained to spread sentences out: **its isotropy is
not that of bert-base**, whose upper layers are known for mean cosines far above its own. Analogies share words too, and
occurrences share sentences: their intervals are too narrow. A more isotropic space is no better by itself; that is what
the tasks are for.
"""
SOURCES = (
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
    "[Linzen 2016](https://aclanthology.org/W16-2503/) (analogies beside the nearest neighbour)",
)

page.show("isotropy", [space], EXPLANATION, SOURCES)
