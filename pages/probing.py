"""Probing: what a small classifier can read out of BERT's frozen vectors, layer by layer."""

from embtools.ui import page
from embtools.ui.probing import probe

EXPLANATION = """
A **probe** is the simplest of classifiers, logistic regression, trained on BERT's *frozen* vectors: only the probe
learns. If it tells past from present on words it has never seen, the vectors hold the tense where a straight cut can
find it. The vectors serve as *features for another model* in this way, without fine-tuning.

**Never seen**: all occurrences of a word stand in one of five folds, so that the probe is always tried on other words
than those it has learnt from. **May have met**: each occurrence is dealt for itself; then a probe can also learn words
by heart.

**The control task** (Hewitt & Liang 2019) gives every word a random label. On words never seen, that probe can only
guess: if it did better, the folds would leak. On words it may have met, it shows what memory alone can reach.
**Selectivity** is the accuracy minus that of the control. With sentences, each a type of its own, the control only
shuffles the labels.

Limits. A probe finds what *can* be read, not what BERT *uses*. Layer 0 has no context: what it reaches is in the word
and its place, such as an ending *-ed*. The built-in items come from simple, short sentences, on which grammar is easy;
two hundred items leave intervals of several points. The best of several layers looks a little too good, because it was
chosen for its accuracy. Vectors are standardised on the training folds; C is fixed, not tuned.
"""
SOURCES = (
    "[Devlin et al. 2019](https://aclanthology.org/N19-1423/), section 5.3 (features without fine-tuning)",
    "[Hewitt & Liang 2019](https://aclanthology.org/D19-1275/) (control tasks, selectivity)",
    "[Alain & Bengio 2016](https://arxiv.org/abs/1610.01644) (linear probes)",
    "[Tenney et al. 2019](https://aclanthology.org/P19-1452/) (which layer holds what)",
    "[Belinkov 2022](https://aclanthology.org/2022.cl-1.7/) (what probes can and cannot tell)",
)

page.show("probing", [probe], EXPLANATION, SOURCES)
