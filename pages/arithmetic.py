"""The Arithmetic page: edit a word's embedding with a formula and compare BERT's answers before and after."""

from embtools.ui import lenses, page
from embtools.ui.arithmetic.panels import PANELS

EXPLANATION = {
    "": """
An edit replaces the **static embedding** of a word with the result of your formula. Then the model fills the mask
again. BERT uses one matrix both to read words and to score them as answers. With the scope *input*, the edit changes
only what BERT reads; with the scope *tied*, it also changes the word's score as an answer. The experiments
in “BERT Embedding Math” overwrote the word's row of the matrix, which is the same as *tied*. *More › Other scope*
compares the two.

A changed top answer proves little by itself, so look at the **controls**. If *added only* also changes the answer, BERT
may simply have copied the new word. If *random difference* changes it, any change of this size may be
enough. Only if the edit is clearly stronger than its controls can you conclude that directions between embeddings carry
meaning. One sentence is little evidence: try several, or use the tab *Many sentences*.

The bundled model was trained **not to copy** words from the sentence, and the mix of its training texts was chosen by
comparing the results of edits of capital cities and of their controls. So the rate at which *added only* changes its
answer makes the model look better than it is: the rate was 67% before this training and is 47% now. The scores of the
model on Home include the 95% interval of this rate.
""",
    "edit": """
*Carry this edit to other pages* shows what else the edit changes. There, it applies to **every occurrence** of its
words in every text, and the results with and without the edit are side by side. Probes, and methods that process
vectors (such as whitening), are still fitted without the edit.

The sum of three vectors is usually longer than one vector. BERT adds the embeddings of position and segment to this
sum; if it is long, they count for less. The setting *Keep the original length* prevents this. A probability shows what
the model has learnt from its texts; it is not a fact about the world.
"""
    + lenses.EXPLAINED,
    "analogies": """
*Many analogies* searches 3,000 frequent words and all words of the relations for the word that completes “a is to b as
c is to …”. With a, b and c allowed, the nearest word is often one of them. There are two kinds of control: the word
nearest to c or to b alone is found without arithmetic, and a random difference of the same length shows what an
arbitrary change does. All vectors are scaled to length 1. The intervals are those of the battery on the page Evidence,
with pairs of words instead of words. Since many cells are compared with nearness to c, their p-values are corrected by
Holm's method. For a vector in a layer, BERT reads the word alone between [CLS] and [SEP], something it never did in
training. Each pair is combined with at most 50 other pairs.

*In sentences* takes the vectors of words from the sentences of a text: one sentence per word, or the mean over all
sentences. Usually the three words themselves are excluded from the answers. But then queen is often also the word
nearest to king itself, without any arithmetic. This baseline is shown next to every result. The built-in corpus has
1,004 sentences about few subjects, so the nearest occurrence in it is not the nearest possible one.
""",
}
SOURCES = (
    "[“BERT Embedding Math”](https://go281.user.srcf.net/blog/embedding-math/) (after [Pennington et al. 2014](https://aclanthology.org/D14-1162/))",
    "[Devlin et al. 2018](https://arxiv.org/abs/1810.04805)",
    "[Meng et al. 2022](https://arxiv.org/abs/2202.05262) (controls)",
    "[“Operations on contextual word embeddings”]"
    "(https://lars76.github.io/2021/06/16/operations-contextual-embeddings.html)",
    "[Mikolov et al. 2013](https://aclanthology.org/N13-1090/) (3CosAdd)",
    "[Levy & Goldberg 2014](https://aclanthology.org/W14-1618/) (3CosMul)",
    "[Linzen 2016](https://aclanthology.org/W16-2503/) and [Rogers et al. 2017](https://aclanthology.org/S17-1017/)"
    " (nearness to c and b alone)",
    "[Korn & Graubard 1998](https://www150.statcan.gc.ca/n1/en/catalogue/12-001-X19980024356)"
    " (confidence intervals for proportions)",
    "[Holm 1979](https://www.jstor.org/stable/4615733) (many tests)",
    "[nostalgebraist 2020](https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru/interpreting-gpt-the-logit-lens)"
    " (logit lens)",
    "[Belrose et al. 2023](https://arxiv.org/abs/2303.08112) (tuned lens)",
)

page.show("arithmetic", PANELS, EXPLANATION, SOURCES)
