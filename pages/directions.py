"""Directions: a concept as a direction between two groups of words, found, erased and added."""

from embtools.ui import page
from embtools.ui.directions.panels import PANELS

EXPLANATION = {
    "": """
BERT gives every word a vector in every layer. If two groups of words differ in one concept, such as bad and good, the
vectors of the groups may differ in one **direction**. Then you can read the concept from a vector, erase it, or add
it.

**What can be concluded.** A direction that separates held-out words shows that the concept can be read there, not that
BERT uses it. Steering shows that the layers above react to it. The direction depends on your words and on the sentence.
If the groups also differ in topic, frequency or part of speech, this difference becomes part of the direction. After
erasure, traces that are not linear can remain, and later layers can compute the concept again from other tokens. You
choose the layer and the method. If you try many and report only the best, the reported accuracy is misleading: too low
after an erasure, and too high for a direction. *Choose layer and method* on Erase therefore chooses on one half of the
words and reports on the other half. It first looks for the combinations after which a new classifier finds least, and
of these chooses the one with the smallest cost.
""",
    "find": """
Each word is read in the same sentence, and its vector after one layer is taken (the mean over its tokens).
The direction is the difference of the two means, the weight vector of a logistic regression, or the first principal
component of pairs such as *he* and *she*. It is tested on *held-out* words: for each of five folds, the direction is
made from the other four. A word is on the right side if it is nearer to the mean of its own group along the direction.
The control shuffles the groups; with pairs, it swaps the two words of randomly chosen pairs. In hundreds of
dimensions, a few words can always be separated, so only held-out words count.
""",
    "erase": """
*Projection* subtracts the component along the difference of the means. *INLP* trains a classifier, projects out its
weight vector, and repeats this. *LEACE* is a closed-form method that subtracts one direction. On the words that it was
fitted on, no linear classifier is then better than a constant answer, and the vectors change as little as possible. The
eraser is fitted on one half of the words. Then a new classifier is trained and tested on the other half. It can still
find something there: an eraser that was fitted on a few words does not know the whole concept. The control removes
random directions, as many as the method removes: one for projection and LEACE, several for INLP. Erasing changes the
vectors of all words, so its costs are shown as well. One is measured at *masked words of other sentences*: 60 sentences
of the built-in text, with 15% of their tokens masked, as in BERT's training. If there are enough sentences without a
word of your groups, only such sentences are used. The 60 sentences contain more than a hundred masked words, enough to
see a change of a tenth of a nat if one direction is removed. The other cost is measured with *other probes*: a new
probe for a word's part of speech, tense or grammatical number, before and after the erasure.
""",
    "steer": """
A multiple of the direction is added to the states of a sentence, and the layers above continue from there.
Strength 1 is the distance between the means of the two groups. One chart shows how the odds of one list of answers over
another change; the other shows what the same strength costs in built-in sentences about other things. A large strength
breaks any sentence. The control adds directions between shuffled groups of the same words, made equally long. Such a
direction means nothing, but it lies where the words differ. Directions that are drawn without the words are beaten too
easily. With fewer than 8 sentences there is no interval, and the chart shows each sentence.
""",
}
SOURCES = (
    "[Bolukbasi et al. 2016](https://arxiv.org/abs/1607.06520) (the first component of pairs)",
    "[Kim et al. 2018](https://arxiv.org/abs/1711.11279) (concepts as directions)",
    "[Ravfogel et al. 2020](https://aclanthology.org/2020.acl-main.647/) (INLP)",
    "[Belrose et al. 2023](https://arxiv.org/abs/2306.03819) (LEACE)",
    "[Turner et al. 2023](https://arxiv.org/abs/2308.10248) (adding a direction to the states)",
    "[Elazar et al. 2021](https://aclanthology.org/2021.tacl-1.10/) (an answer need not depend on what a probe finds)",
)

page.show("directions", PANELS, EXPLANATION, SOURCES)
