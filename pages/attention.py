"""Attention: what a word looks at in every head, which head does a job best, and whether that explains the answer."""

from embtools.ui import page
from embtools.ui.attention import answer, best, head, word

EXPLANATION = """
In every layer each token makes its new vector out of all tokens of the text. How much it takes from each is its
**attention**: shares that sum to 100%, worked out anew for every text. Each layer has several **heads**, and every
head parts its attention in its own way: `softmax(q · k / √d)`, where q is made of the token that looks, k of the one
that is looked at, and d is the width of the head. What is taken over is the head's third vector, the value.

**Words and pieces.** A word of several pieces gets what its pieces get together; where it looks, the mean of its pieces
is shown (Clark et al. 2019). *Rollout* multiplies the layers and takes half of every vector to pass unchanged: an
estimate of what has flowed from word to word, under the assumption that vectors only mix.

**The figure everybody knows**, in which *it* looks at *animal*, is from a translating Transformer (Vaswani et al. 2017,
and the article in Google's blog of the same year), not from BERT. Here the sentence is read by BERT, and its twin (*too
wide*) is the control: what *it* stands for changes with one word; a head that looks at *animal* in both follows the
sentence's shape, not its meaning.

**Controls.** The strongest of many heads is strong partly by luck. So the third tab chooses each head on one half of
the sentences and judges it on the other, beside a head drawn at random and a rule that always looks equally far.

**Attention is no explanation.** That a head looks at a word does not show that the answer needs it (Jain & Wallace
2019); what may be concluded is disputed (Wiegreffe & Pinter 2019). The fourth tab sets attention beside gradients and
beside the plain test: leave the word out. Many heads rest on [CLS], [SEP] or the full stop when they find nothing to
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
