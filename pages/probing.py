"""Probing: what a small classifier can find in BERT's frozen vectors, layer by layer."""

from embtools.ui import page
from embtools.ui.probing.panels import PANELS

EXPLANATION = """
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
what memory alone can reach. **Selectivity** is the accuracy minus the accuracy on the control task.

**The best layer** is chosen because its accuracy is the highest, so this accuracy is too high on average. The headline
about the best layer therefore uses another figure: for each fold, the layer is chosen on the other folds
(Tsamardinos et al. 2018).

**Limits.** A probe finds what *can* be read from the vectors, not what BERT *uses*. Layer 0 has no context: what a
probe finds there comes from the word itself, such as the ending *-ed*, and from its position. The built-in items come
from short, simple sentences, which make grammar easy. With two hundred items, intervals are several percentage points
wide. Vectors are standardised on the training folds; C is fixed, not tuned.
"""
SOURCES = (
    "[Devlin et al. 2019](https://aclanthology.org/N19-1423/), section 5.3 (features without fine-tuning)",
    "[Hewitt & Liang 2019](https://aclanthology.org/D19-1275/) (control tasks, selectivity)",
    "[Tsamardinos et al. 2018](https://doi.org/10.1007/s10994-018-5714-4) (the best of several, corrected)",
    "[Alain & Bengio 2016](https://arxiv.org/abs/1610.01644) (linear probes)",
    "[Tenney et al. 2019](https://aclanthology.org/P19-1452/) (which layer holds which information)",
    "[Belinkov 2022](https://aclanthology.org/2022.cl-1.7/) (what probes can and cannot show)",
)

page.show("probing", PANELS, EXPLANATION, SOURCES)
