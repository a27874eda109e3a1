"""Concepts in BERT's vectors: read by a probe, found as a direction, erased, and added."""

from embtools.ui import page
from embtools.ui.concepts.panels import PANELS

EXPLANATION = {
    "": """
BERT gives every word a vector in every layer. A **concept**, such as the tense of a verb, is in these vectors if
something simple can find it there. *Probe* trains a classifier to read it, with two or more labels. If two groups of
words differ in one concept, such as bad and good, the vectors of the groups may also differ in one **direction**. Then
you can read the concept along this direction, erase it, or add it.

**What can be concluded.** A probe, or a direction that separates held-out words, shows that the concept can be read
there, not that BERT uses it. Steering shows that the layers above react to it. The direction depends on your words and
on the sentence. If the groups also differ in topic, frequency or part of speech, this difference becomes part of the
direction. After erasure, traces that are not linear can remain, and later layers can compute the concept again from
other tokens. You choose the layer and the method. If you try many and report only the best, the reported accuracy is
misleading: too low after an erasure, and too high for a direction. *Choose layer and method* on Erase therefore chooses
on one half of the words and reports on the other half. It first looks for the combinations after which a new classifier
finds least, and of these chooses the one with the smallest cost.
""",
    "probe": """
A **probe** is a very simple classifier, logistic regression, trained on BERT's *frozen* vectors: only the probe learns.
If it separates past from present on words it has not seen, the vectors hold the tense in a form that a linear boundary
can find. The vectors then serve as *features for another model*, without fine-tuning.

**Guessing** always gives the most frequent label. A probe is called better only if the 95% interval of its accuracy is
above that of guessing. With two equally frequent labels, guessing gets 50%.

**Never seen**: all occurrences of a word are in the same fold (one of five), so the probe is always tested on words
that it was not trained on. **Possibly seen**: each occurrence is assigned to a fold independently, so a probe can also
memorise words.

**The control task** (Hewitt & Liang 2019) gives every word a random label. It is a check. On words never seen, this
probe can only guess: if it did better, test items would have leaked into training. On words possibly seen, it shows
what accuracy memorising alone can reach. **Selectivity** is the accuracy minus the accuracy on the control task.

**Divisions.** Which words share a fold is drawn at random, and another draw moves the accuracy by about a point. All
accuracies are therefore means over eight divisions into folds. Random labels are tested with one division.

**The best layers.** Several layers are often equally good. The headline names all that cannot be distinguished from the
one with the highest accuracy. All pairs of layers are compared at once on the same items (95%, bootstrap over the
words), because the best one was chosen among all. The highest of several accuracies overestimates the true one on
average. The caption therefore also gives the accuracy if the best layer is chosen again in each bootstrap resample and
tested on the words that are not in it (Tsamardinos et al. 2018).

**Description length** (Voita & Titov 2020; choose it under *Measure*) asks how many bits it takes to send the labels to
somebody who has the vectors. The items are put in a random order and sent in growing portions. In the first portion,
each label takes log2(k) bits, where k is the number of different labels. For each further portion, a probe is trained
on all portions before it, and each label costs −log2 of the probability that this probe gives it. **Compression** is
the number of bits that would be needed if every label had a code of equal length, divided by the description length.
Two layers with equal accuracy can differ here: if the labels are easy to find, a probe needs few examples, and the code
is short. The page shows the mean and the range of five orders, for the true labels and for random ones. It also shows
the length of a code that uses only the frequencies of the labels. This is a baseline, as guessing is for accuracy.

The portions end at the fractions used in the article (0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.25, 12.5, 25, 50 and 100%),
rounded to whole words; fractions with fewer words than labels are left out. The article has tens of thousands of items
per task, whereas this page has a few hundred. A larger part of the code is therefore spent before the probe knows
anything, and compressions cannot be compared with published ones. A label that has not been sent yet gets a small fixed
probability, because a probe that has never met a label cannot code it. The vectors are standardised together, because
the receiver has all of them. With words never seen, all occurrences of a word are in one portion. The orders share
their items, so their range is not a confidence interval. Regularisation keeps the probabilities of the probe away from
0 and 1. The description length depends on these probabilities, whereas the accuracy depends only on which label has the
highest one. A weaker or stronger regularisation therefore has a larger effect on the description length than on the
accuracy.

**Limits.** A probe finds what *can* be read from the vectors, not what BERT *uses*. Layer 0 has no context: what a
probe finds there comes from the word itself, such as the ending *-ed*, and from its position. The built-in items come
from short, simple sentences, in which grammar is easy to recognise. With two hundred items, intervals are several
percentage points wide. For the accuracy, vectors are standardised on the training folds; the strength of the
regularisation is fixed.
""",
    "direction": """
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
    "[Devlin et al. 2019](https://aclanthology.org/N19-1423/), section 5.3 (features without fine-tuning)",
    "[Hewitt & Liang 2019](https://aclanthology.org/D19-1275/) (control tasks, selectivity)",
    "[Voita & Titov 2020](https://aclanthology.org/2020.emnlp-main.14/) (description length)",
    "[Tsamardinos et al. 2018](https://doi.org/10.1007/s10994-018-5714-4) (correcting the accuracy of the best of"
    " several models)",
    "[Alain & Bengio 2016](https://arxiv.org/abs/1610.01644) (linear probes)",
    "[Tenney et al. 2019](https://aclanthology.org/P19-1452/) (which layer holds which information)",
    "[Belinkov 2022](https://aclanthology.org/2022.cl-1.7/) (what probes can and cannot show)",
    "[Bolukbasi et al. 2016](https://arxiv.org/abs/1607.06520) (the first component of pairs)",
    "[Kim et al. 2018](https://arxiv.org/abs/1711.11279) (concepts as directions)",
    "[Ravfogel et al. 2020](https://aclanthology.org/2020.acl-main.647/) (INLP)",
    "[Belrose et al. 2023](https://arxiv.org/abs/2306.03819) (LEACE)",
    "[Turner et al. 2023](https://arxiv.org/abs/2308.10248) (adding a direction to the states)",
    "[Elazar et al. 2021](https://aclanthology.org/2021.tacl-1.10/) (an answer need not depend on what a probe finds)",
)

page.show("concepts", PANELS, EXPLANATION, SOURCES)
