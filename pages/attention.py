"""Attention: what a word attends to in every head, which head does a task best, and whether that explains answers."""

from embtools.ui import page
from embtools.ui.attention import answer, best, head, word

EXPLANATION = """
In every layer each token makes its new vector out of all tokens of the text. How much it takes from each is its
**attention**: shares that sum to 100%, computed again for every text. Each layer has several **heads**, and every head
divides its attention in its own way: `softmax(q · k / √d)`, where q is made of the attending token, k of the one that
receives attention, and d is the width of the head. What is passed on is the head's third vector, the value.

**Words and tokens.** A word of several tokens gets what its tokens get together; if it attends itself, the mean of its
tokens is shown (Clark et al. 2019). *Rollout* multiplies the layers and lets half of every vector pass unchanged: an
estimate of what has flowed from word to word, under the assumption that vectors only mix.

**The well-known picture**, in which *it* attends to *animal*, is from a translating Transformer (Vaswani et al. 2017,
and the article in Google's blog of the same year), not from BERT. Here BERT reads the sentence, and its twin (*too
wide*) is the control: what *it* stands for changes with one word. A head that attends to *animal* in both follows the
form of the sentence, not its meaning.

**Two targets.** With a *second target* you see how much the same head gives to two words, such as *dog* and *cat*, for
every head. One sentence cannot show that a head knows which of them is meant: the third tab tests that.

**Controls.** The strongest of many heads is strong partly by chance. So the third tab chooses each head on one half of
the sentences and measures it on the other half, next to a random head, a fixed distance and, for two nouns, guessing.
For your own sentence, the controls are the mean of all heads and the control sentence that you write: the same
sentence with one word changed. Without one, the text below the headline says so.

**Is attention an explanation?** That a head attends to a word does not show that the answer needs it (Jain & Wallace
2019); what may be concluded is disputed (Wiegreffe & Pinter 2019). The fourth tab compares attention with gradients and
with the plain test: leave the word out. Many heads attend to [CLS], [SEP] or the full stop when they find nothing to
do.
"""
SOURCES = (
    "[Vaswani et al. 2017](https://arxiv.org/abs/1706.03762) (attention, equation 1)",
    "[Clark et al. 2019](https://aclanthology.org/W19-4828/) (what heads of BERT look at)",
    "[Abnar & Zuidema 2020](https://aclanthology.org/2020.acl-main.385/) (rollout)",
    "[Jain & Wallace 2019](https://aclanthology.org/N19-1357/) (attention is not explanation)",
    "[Wiegreffe & Pinter 2019](https://aclanthology.org/D19-1002/) (attention is not not explanation)",
    "[Sundararajan et al. 2017](https://proceedings.mlr.press/v70/sundararajan17a.html) (integrated gradients)",
    "[Simonyan et al. 2013](https://arxiv.org/abs/1312.6034) (gradients as saliency)",
)

page.show("attention", [word, head, best, answer], EXPLANATION, SOURCES)
