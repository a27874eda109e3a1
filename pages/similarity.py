"""Similarity: how alike the words of a list are to BERT, and whether that follows what they mean or how they look."""

from embtools.ui import page
from embtools.ui.similarity import colours, matrix, odd_one_out, spaces

EXPLANATION = """
A cell is the **cosine** of two vectors: 1 is the same direction, 0 a right angle. It has no absolute meaning, because
unrelated words share a direction too: their mean cosine is marked on the scale. So each pair is compared with **random
pairs**, and with the **rank** of each word among the other's neighbours. The two ranks can differ widely: a word in a
crowded region has many near neighbours, an isolated word has few.

The **tree** joins the most alike first, but always finds clusters, also where there are none: the cophenetic
correlation says how much of the table survives in it. Distances are given to scipy in condensed form. The script behind
the original figure handed Ward's method the square table, whose rows were then read as points; Ward here uses
Euclidean distances between unit vectors.

**Does it follow sight?** CIEDE2000 says how different two colours look (0 the same, 100 black and white), for one
standard shade of each name: *green* is CSS's green, #008000. The pairs share words and are no independent cases, so the
test shuffles words, not pairs (Mantel). Two dozen colours are few: a link may be there and too small to be seen.

**Odd one out** takes the word with the lowest mean cosine to the others. A vector without a sentence mixes all meanings
of a word, so BERT can be fooled where you are not: *bass* is a fish and a sound.
"""
SOURCES = (
    "[“BERT Embedding Math”](https://go281.user.srcf.net/blog/embedding-math/), figure 4",
    "[Sharma, Wu & Dalal 2005](https://doi.org/10.1002/col.20070) (CIEDE2000)",
    "[Mantel 1967](https://pubmed.ncbi.nlm.nih.gov/6018555/)",
    "[Sokal & Rohlf 1962](https://doi.org/10.2307/1217208) (cophenetic correlation)",
    "[Bar-Joseph, Gifford & Jaakkola 2001](https://doi.org/10.1093/bioinformatics/17.suppl_1.S22) (order of leaves)",
    "[Berlin & Kay 1969](https://en.wikipedia.org/wiki/Basic_Color_Terms) (eleven basic colours)",
    "[Gordon & Van Durme 2013](https://doi.org/10.1145/2509558.2509563) (reporting bias)",
    "[Daumé 2016](https://nlpers.blogspot.com/2016/06/language-bias-and-black-sheep.html) (black sheep)",
)

page.show("similarity", [matrix, colours, spaces, odd_one_out], EXPLANATION, SOURCES)
