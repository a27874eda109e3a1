"""Bias: which prejudices a model has learnt, how to measure them, and what mitigation gains, costs and leaves."""

from embtools.ui import page
from embtools.ui.bias import notes
from embtools.ui.bias.panels import PANELS

EXPLANATION = """
A language model learns which words occur together in its training texts, and with them the prejudices and omissions of
these texts. This page shows **what this model answers and how its vectors are arranged**, using several published
measures. None of them measures harm.

Ask three questions about every difference. Does it hold in **several sentences**? Is it larger than its **control**
(unrelated words, shuffled words, a random direction)? Is it a stereotype at all? A difference between *actor* and
*actress* is grammar; a difference between *nurse* and *doctor* is not. Averaging two words makes their answers the same
**in that sentence**. What the layers have learnt stays, and other words are still biased.

**Limits.** The word lists are English, short and mostly from the United States. They contain two genders and a handful
of religions because the published lists do, not because there are no others. Templates are not sentences that people
write, and the measures do not always agree. A test that finds nothing does not show that a model is fair (May et al.
2019), and a number says little unless someone states which harm it represents (Blodgett et al. 2020, 2021).
"""
SOURCES = (
    "[“BERT Embedding Math”](https://go281.user.srcf.net/blog/embedding-math/), figure 5",
    "[Bolukbasi et al. 2016](https://arxiv.org/abs/1607.06520)",
    "[Caliskan et al. 2017](https://doi.org/10.1126/science.aal4230)",
    "[May et al. 2019](https://arxiv.org/abs/1903.10561)",
    "[Kurita et al. 2019](https://arxiv.org/abs/1906.07337)",
    "[Ethayarajh et al. 2019](https://arxiv.org/abs/1908.06361)",
    "[Gonen & Goldberg 2019](https://arxiv.org/abs/1903.03862)",
    "[Blodgett et al. 2020](https://arxiv.org/abs/2005.14050)",
    "[Blodgett et al. 2021](https://aclanthology.org/2021.acl-long.81)",
)

page.show("bias", PANELS, EXPLANATION, SOURCES, above=notes)
