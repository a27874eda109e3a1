"""Paper: claims of five articles about BERT's embeddings, the results of this model, and studies over full lists."""

from embtools.ui import page
from embtools.ui.paper.panels import PANELS

EXPLANATION = {
    "": """
This app grew out of five articles. *Claims* has a card for each of their claims; *Studies* repeats three of them with
full lists of words.
""",
    "claims": """
A card shows the **claim** in plain words,
the **published** figure, the figure of **the model you have chosen**, and a **verdict**.

**How a verdict follows.** Every card lists the conditions of its claim. Each condition is shown with its numbers, what
they are compared with, and the test. If all conditions hold, the claim *holds*. If some hold and some fail, it *holds
in part*. If none holds, it *fails*. If the numbers do not decide a condition that could change the verdict, the claim
is *undecided*. It is also undecided if a model lacks a part (segments, a next-sentence head) or a word.

**How a condition is decided.** If no chance is involved, an exact comparison decides. For shares and paired results, an
exact test or a 95% interval over all available items decides. If random draws are needed, twenty of them must agree;
otherwise the condition is undecided. A head or a layer that was chosen because it is best is measured on data that was
not used to choose it.

**Published figures** come from the model that the card names, mostly bert-base-uncased with 110 million parameters. The
model that comes with the app is a fifth of that size. Its probabilities are often lower, and a claim that fails in it
may hold in the larger model. You can choose the larger model under *settings* in the menu, or run `python -m
embtools.paper --model google-bert/bert-base-uncased`.

For the bundled model the results are **stored** together with the checksum of its weights, so that they are shown at
once. *Compute now* runs the model again. For other models no results are stored.

**Limits.** Each condition is a choice, and another condition might be just as reasonable. This is why the card states
it. Many claims are about a single sentence, and then the verdict is about that sentence only. The link on a card opens
the page where you can try the claim with your own words.
""",
    "studies": """
The studies test three statements from the articles, using full lists of words instead of one example. A cosine also
depends on how common the words are. So the cosine of a capital and its country, for example, is compared with the
cosines of the same capital and other countries. The uses of colour words were counted in a text, without BERT; that
text is part of the bundled model's training text.
""",
}
SOURCES = (
    "[Devlin et al. 2019](https://aclanthology.org/N19-1423/) (BERT)",
    "[Understanding BERT — Word Embeddings](https://medium.com/@dhartidhami/understanding-bert-word-embeddings-7dc4d2ea54ca)",
    "[Wilson 1927](https://doi.org/10.1080/01621459.1927.10502953) (confidence intervals for proportions)",
    "[McNemar 1947](https://doi.org/10.1007/BF02295996) (paired test of two methods on the same items)",
    "[Bullinaria & Levy 2007](https://doi.org/10.3758/BF03193020) (use of words in text)",
    "[Phipson & Smyth 2010](https://doi.org/10.2202/1544-6115.1585) (p-values from random controls)",
)

page.show("paper", PANELS, EXPLANATION, SOURCES)
