"""The Similarity page: how similar words are in a model, a file or texts, and whether this matches perception."""

from embtools.ui import page
from embtools.ui.similarity.panels import PANELS

EXPLANATION = {
    "": """
**Vectors of.** The tabs compare the static embeddings of this model, the word vectors of a file, or the mean of each
word's occurrences in the built-in texts; raw or in a processed space, which is fitted to all vectors of the source.
With *both*, the file is shown next to the model, for the words that both have. Cosines from two sources have different
scales, so compare ranks and not values. Words of a file are compared by their spelling; capitals make no difference
unless it contains a word both with and without them. The page cannot know how the vectors of a file were made.

*Occurrences of a word* are its vectors in the sentences of a text, and *sentences* are your own. The heatmap (up to 150
of them), the nearest ones and the odd one out compare them with each other. The space of occurrences is fitted to all
words of the text. There are no random pairs from outside, so the comparison shows only which of them are most similar.

A cosine alone says little, because even the vectors of unrelated words point partly in the same direction. Rare words
have higher cosines with each other than common words, whatever they mean, so each pair is compared with **random
pairs** of words that are about as common: within groups of 1,000 words of the vocabulary, which lists common words
first. The line of a word in a file is its rank if the file has 2,000 words or more and most of its first hundred are
common words. Otherwise, the random pairs are drawn from all words, and the page says so.
""",
    "heatmap": """
Each cell shows the **cosine** of two vectors: 1 means the same direction, 0 a right angle. The mean cosine of random
pairs is marked on the scale. The pair with the largest share of less similar random pairs is the most similar one; if
the shares are the same in whole per cent, it is the pair that is more standard deviations above the mean of its random
pairs. The **rank** of each word among the other's neighbours is given too. The two ranks can differ widely: a word in a
crowded region has many near neighbours, whereas an isolated word has few.

The **tree** joins the most similar words first. It always finds clusters, even where there are none. The cophenetic
correlation says how well the tree represents the table. In the script behind figure 4 of “BERT Embedding Math”,
Ward's method received the square table of distances and treated its rows as points. Here all methods use the distances
themselves, and Ward's method uses Euclidean distances between unit vectors.

**Compare with** shows the same list in a second space: another model, a layer, or processed vectors. Both rankings of
the pairs are compared with a Mantel test, because pairs that share a word are not independent. A list can be typed in
groups (*name: word, word; name: word, word*). Then a table shows the mean cosines within and between the groups, and
two controls of a processed space: centring alone, and the same processing along random directions. A paler heatmap is
not better in itself: what counts is the contrast between pairs of the same group and the others.
""",
    "nearest": """
The nearest words of a word are those with the highest cosine, among the whole words of two or more characters. Two
sources are compared among the words that both have. In a processed space, the words are shown next to those in the raw
space, and the table also has two controls: centring alone, and the same processing along random directions.
""",
    "colours": """
CIEDE2000 measures how different two colours look: 0 is the same, and black and white differ by 100. Each name stands
for one standard shade; *green* is the green of CSS, #008000. Pairs share words and are not independent cases, so the
test shuffles words, not pairs (Mantel). With only about two dozen colours, the test can miss a real correlation.
""",
    "odd": """
The odd one out is the word with the lowest mean cosine to the others. A static embedding mixes all meanings of a word,
so BERT can be fooled where you are not: *bass* is a fish and a sound.
""",
}
SOURCES = (
    "[“BERT Embedding Math”](https://go281.user.srcf.net/blog/embedding-math/), figure 4",
    "[Sharma, Wu & Dalal 2005](https://doi.org/10.1002/col.20070) (CIEDE2000)",
    "[Mantel 1967](https://pubmed.ncbi.nlm.nih.gov/6018555/)",
    "[Sokal & Rohlf 1962](https://doi.org/10.2307/1217208) (cophenetic correlation)",
    "[Bar-Joseph, Gifford & Jaakkola 2001](https://doi.org/10.1093/bioinformatics/17.suppl_1.S22) (leaf ordering)",
    "[Berlin & Kay 1969](https://en.wikipedia.org/wiki/Basic_Color_Terms) (eleven basic colours)",
    "[Gordon & Van Durme 2013](https://doi.org/10.1145/2509558.2509563) (reporting bias)",
    "[Mikolov et al. 2013](https://arxiv.org/abs/1301.3781) (word2vec)",
    "[Pennington et al. 2014](https://aclanthology.org/D14-1162/) (GloVe)",
    "[Mu & Viswanath 2018](https://arxiv.org/abs/1702.01417) (all-but-the-top)",
    "[Su et al. 2021](https://arxiv.org/abs/2103.15316) (whitening)",
    "[Daumé 2016](https://nlpers.blogspot.com/2016/06/language-bias-and-black-sheep.html) (black sheep)",
)

page.show("similarity", PANELS, EXPLANATION, SOURCES)
