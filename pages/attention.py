"""Attention: what a word attends to, which head does a task best, and what a whole layer computes."""

from embtools.ui import lenses, page
from embtools.ui.attention.panels import PANELS

EXPLANATION = {
    "": """
In every layer, each token computes its new vector from all tokens of the text. How much it takes from each of them is
its **attention**: shares that add up to 100% and are computed anew for every text. Each layer has several **heads**,
and every head divides its attention in its own way: `softmax(q · k / √d)`, where q is computed from the attending
token, k from the token that receives attention, and d is the width of the head. What the head passes on is a third
vector, the value.

**Words and tokens.** A word of several tokens receives the sum of the attention to its tokens. When such a word
attends, the attention of its tokens is averaged (Clark et al. 2019). *Rollout* multiplies the attention of all layers,
on the assumption that half of every vector passes through each layer unchanged. It estimates how much
information has flowed from word to word.
""",
    "words": """
**The well-known picture**, in which *it* attends to *animal*, shows a Transformer trained for translation (Vaswani et
al. 2017, and an article of that year on Google's blog), not BERT. Here BERT reads the same sentence. The control is a
second sentence with *wide* instead of *tired*: one word changes what *it* refers to. A head that attends to *animal* in
both sentences follows their form, not their meaning.

**Two targets.** With a *second target* you see, for every head, how much attention each of two words gets, such as
*dog* and *cat*. One sentence cannot show that a head knows which of them is meant. The tab *Best head per task* tests
that.

**Controls.** The strongest of many heads is strong partly by chance. For your own sentence, the controls are the mean
of all heads and a control sentence that you write: the same sentence with one word changed. If there is none, the text
below the headline says so.
""",
    "tasks": """
**Controls.** The strongest of many heads is strong partly by chance. So this tab chooses each head on one half of the
sentences and measures it on the other half. There it is compared with a random head, with a rule that uses a fixed
distance and, where there are two nouns to choose from, with guessing.
""",
    "layer": lenses.EXPLAINED,
}
SOURCES = (
    "[Vaswani et al. 2017](https://arxiv.org/abs/1706.03762) (attention, equation 1)",
    "[Clark et al. 2019](https://aclanthology.org/W19-4828/) (what BERT's heads attend to)",
    "[Abnar & Zuidema 2020](https://aclanthology.org/2020.acl-main.385/) (rollout)",
    "[Geva et al. 2021](https://aclanthology.org/2021.emnlp-main.446/) and"
    " [2022](https://aclanthology.org/2022.emnlp-main.3/) (what neurons respond to and promote)",
    "[Bolukbasi et al. 2021](https://arxiv.org/abs/2104.07143) (an interpretability illusion)",
    "[nostalgebraist 2020](https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru/interpreting-gpt-the-logit-lens)"
    " (logit lens)",
    "[Belrose et al. 2023](https://arxiv.org/abs/2303.08112) (tuned lens)",
)

page.show("attention", PANELS, EXPLANATION, SOURCES)
