"""Bias: which prejudices a model has learnt, how they are measured, and what taking them out costs and leaves."""

from embtools.ui import page
from embtools.ui.bias import association, counterfactual, groups, mitigation, notes, occupations

EXPLANATION = """
A language model learns which words go together in its texts, and with them their prejudices and omissions. Here you see
**what this model answers and how its vectors lie**, by several published measures, none of which measures harm.

Ask three things of every difference. Does it hold in **several sentences**? Does it stand above its **control**
(unrelated words, shuffled words, a random direction)? Is it a stereotype at all: one between *actor* and *actress* is
grammar, one between *nurse* and *doctor* is not. Averaging two words makes their answers alike **in that sentence**;
what the layers have learnt stays, and other words still carry the lean.

Limits. The lists are English, short and mostly from the United States; two genders, or a handful of religions, are what
the published lists contain, not what there is. Templates are not the sentences people write, and the measures do not
always agree. A test that finds nothing does not show that a model is fair (May et al. 2019), and a number without a
statement of what harm it stands for says little (Blodgett et al. 2020, 2021).
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

page.show("bias", [groups, counterfactual, occupations, association, mitigation], EXPLANATION, SOURCES, above=notes)
