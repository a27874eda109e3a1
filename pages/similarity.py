"""The Similarity page: how similar BERT finds the words of a list, and whether this matches colour perception."""

from embtools.ui import page
from embtools.ui.similarity.panels import PANELS

EXPLANATION = """
Each cell shows the **cosine** of two vectors: 1 means the same direction, 0 a right angle. A cosine alone says little,
because even the vectors of unrelated words point partly in the same direction; their mean cosine is marked on the
scale. Rare words have higher cosines with each other than common words, whatever they mean, so each pair is compared
with **random pairs** of words that are about as common: within groups of 1,000 words of the vocabulary, which lists
common words first. The pair with the largest share of less similar random pairs is the most similar one; if the shares
are the same in whole per cent, it is the pair that is more standard deviations above the mean of its random pairs. The
**rank** of each word among the other's neighbours is given too. The two ranks can differ widely: a word in a crowded
region has many near neighbours, whereas an isolated word has few.

The **tree** joins the most similar words first. It always finds clusters, even where there are none. The cophenetic
correlation says how well the tree represents the table. In the script behind figure 4 of “BERT Embedding Math”,
Ward's method received the square table of distances and treated its rows as points. Here all methods use the distances
themselves, and Ward's method uses Euclidean distances between unit vectors.

**Does it match colour perception?** CIEDE2000 measures how different two colours look: 0 is the same, and black and
white differ by 100. Each name stands for one standard shade; *green* is the green of CSS, #008000. Pairs share words
and are not independent cases, so the test shuffles words, not pairs (Mantel). With only about two dozen colours, the
test can miss a real correlation.

**Odd one out** picks the word with the lowest mean cosine to the others. A static embedding mixes all meanings of a
word, so BERT can be fooled where you are not: *bass* is a fish and a sound.
"""
SOURCES = (
    "[“BERT Embedding Math”](https://go281.user.srcf.net/blog/embedding-math/), figure 4",
    "[Sharma, Wu & Dalal 2005](https://doi.org/10.1002/col.20070) (CIEDE2000)",
    "[Mantel 1967](https://pubmed.ncbi.nlm.nih.gov/6018555/)",
    "[Sokal & Rohlf 1962](https://doi.org/10.2307/1217208) (cophenetic correlation)",
    "[Bar-Joseph, Gifford & Jaakkola 2001](https://doi.org/10.1093/bioinformatics/17.suppl_1.S22) (leaf ordering)",
    "[Berlin & Kay 1969](https://en.wikipedia.org/wiki/Basic_Color_Terms) (eleven basic colours)",
    "[Gordon & Van Durme 2013](https://doi.org/10.1145/2509558.2509563) (reporting bias)",
    "[Daumé 2016](https://nlpers.blogspot.com/2016/06/language-bias-and-black-sheep.html) (black sheep)",
)

page.show("similarity", PANELS, EXPLANATION, SOURCES)
