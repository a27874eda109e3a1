"""Tracing: where in BERT an answer comes from, by copying, blocking, leaving out and switching off."""

from embtools.ui import page
from embtools.ui.tracing.panels import PANELS

EXPLANATION = {
    "": """
Where in BERT does an answer come from? Every test on this page changes something and compares the answers. *Map*,
*Components* and *Average* compare two runs and copy or block what happens inside. *Attribution* leaves out words of the
sentence, and compares this with gradients and with attention. *Switch off* removes a part of one layer.
""",
    "map": """
An edit changes one word, and BERT gives another answer. What happens in between? Each layer gives every word a new
vector, its hidden state. **Activation patching** compares two runs: the sentence without and with the edit, or two
sentences that differ by one or more words. It copies the state of one word after one layer from one run into the other,
lets the network continue, and looks at the answer.

**Sufficiency.** The second run's state is copied into the first run. If the whole effect appears (100%), this state
alone is sufficient for it. **Necessity.** The first run's state is copied into the second run. If the whole effect is
lost (100%), the effect depends on this state. After the last layer only the state of the mask matters, because the
answer is computed from it.

**Metric.** By default the effect is the change in log p(second answer) − log p(first answer), in nats. The two answers
are the top answers of the two runs; you can choose others. If the effect is smaller than 0.1 nats in either direction
(or smaller than 0.01 if the metric is the probability of the second answer), its shares are undefined. Instead of
shares of the effect, the page then shows changes in the metric itself. A sentence can have at most 64 tokens.

**What can be concluded.** Patching is causal, but only for this metric and this pair of runs: a different pair, or a
different answer, can lead to a different conclusion. Shares of heads need not sum to 100%, because later layers are not
linear. Some networks have backup heads, which take over when others are removed; then the loss caused by a knockout is
smaller than what the head normally contributes (Wang et al. 2023). An edited vector is not a vector that BERT was
trained with, so later layers can react in unusual ways (Zhang & Nanda 2024). This is why you can also compare two
ordinary sentences on this page.
""",
    "components": """
**Components.** A layer consists of attention and a feed-forward part. The attention is the sum of several heads. This
tab copies the output of one head or part at one position. **Knockout** is another test: in both runs, the
position is prevented from attending to the changed word, in one head, in one layer or in all layers. The page reports
how much of the effect is lost, and whether the two runs still have different answers.
""",
    "average": """
A trace of one sentence is a single case. This tab repeats it over the cases of a battery, as on the *Evidence* page. A
case is a pair (a, b), taken from a relation or supplied by you, together with another word c, an edit and a sentence.
Positions are aligned by their role. For a share, what appears of the effect, or what is lost of it, is added up
over all cases and divided by the sum of all effects, so that cases with a small effect cannot dominate. Two controls
are shown on the same scale: a random difference of the same length, and the same difference added to another word.
The headline is about the layer in which the share at [MASK] grows most over all cases. For the heads, of which there
are many, the cases are divided into two halves that share no word a and no word c: the heads are selected on one half,
and their results are reported for the other half. The heads, the attention and feed-forward parts of each layer, and
blocked attention from [MASK] to the edited word are averaged in the same way. A case takes as much work as about
270 ordinary forward passes with the bundled model, or about 570 with BERT base.

**Limits.** A sentence can have at most 300 characters. You choose how many pairs (a, b) are drawn at random, from 4 to
60, and how many new words c are drawn for each pair, from 1 to 5. A list of your own can have at most 1,000 pairs and
40,000 characters. With few words, the intervals are wide. An interval has zero width only if the share is the same in
every case: before the first layer, for example, the whole effect is at the edited word.
""",
    "attribution": """
If a head attends to a word, this does not show that the answer needs the word (Jain & Wallace 2019). Researchers
disagree on what follows from this (Wiegreffe & Pinter 2019). This tab compares attention with gradients and with a
direct test, in which the word is left out. Many heads attend to [CLS], [SEP] or the full stop when they find nothing
relevant.
""",
    "off": """
**Switching off.** What does BERT answer without a part: the strongest neurons of a token, one neuron, one head, or the
attention or feed-forward network of a whole layer? The part is set to zero, or to its mean over 200 built-in sentences.
Almost every change moves the answer a little. So the same is done with parts of the same kind that were drawn at
random; for a whole layer, with all other layers. The part matters for this sentence if few of them move the answer as
much.
""",
}
SOURCES = (
    "[Vig et al. 2020](https://arxiv.org/abs/2004.12265) (causal mediation by patched activations)",
    "[Geva et al. 2023](https://aclanthology.org/2023.emnlp-main.751/) (attention knockout)",
    "[Wang et al. 2023](https://arxiv.org/abs/2211.00593) (paths through heads, backup heads)",
    "[Zhang & Nanda 2024](https://arxiv.org/abs/2309.16042) (metrics and methods of activation patching)",
    "[Jain & Wallace 2019](https://aclanthology.org/N19-1357/) (attention is not explanation)",
    "[Wiegreffe & Pinter 2019](https://aclanthology.org/D19-1002/) (attention is not not explanation)",
    "[Abnar & Zuidema 2020](https://aclanthology.org/2020.acl-main.385/) (rollout)",
    "[Sundararajan et al. 2017](https://proceedings.mlr.press/v70/sundararajan17a.html) (integrated gradients)",
    "[Simonyan et al. 2013](https://arxiv.org/abs/1312.6034) (gradients as saliency)",
)

page.show("tracing", PANELS, EXPLANATION, SOURCES)
