"""Isotropy: how unevenly BERT's vectors fill their space, and whether correcting this makes them more useful."""

from embtools.ui import page
from embtools.ui.isotropy.panels import PANELS

EXPLANATION = """
In an **isotropic** space, vectors point equally often in all directions, and two random words have a cosine of 0 on
average. BERT’s space is not isotropic: its vectors share a common direction, and a few directions account for much of
the variance. This page measures how uneven the space is, corrects it in several ways, and tests whether the corrected
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
    "[Linzen 2016](https://aclanthology.org/W16-2503/) (analogies compared with the nearest neighbour)",
)

page.show("isotropy", PANELS, EXPLANATION, SOURCES)
