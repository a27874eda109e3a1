"""Arithmetic: change a word's embedding with a formula, ask BERT again, compare the answers."""

from embtools.ui import page
from embtools.ui.arithmetic import edit, formula, many

EXPLANATION = """
An edit replaces the **input vector** of a word by the value of your formula and lets the model fill the mask again. The
scope *tied* also replaces the word's own output score, because BERT uses one matrix for both: that is what overwriting
the row did in the original experiments. The tab *Other scope* shows what both give.

A turned answer alone proves little. Look at the **controls**: if *added only* turns the answer as well, the new word
may simply have been copied; if *random difference* turns it, any change would. The claim that directions carry meaning
needs the edit to stand clearly above them. One sentence is an anecdote: try several.

A sum of three vectors is longer than one and then outweighs position and segment in the sum that BERT reads;
*keep the length* takes that away. A probability is the model's habit, not a fact about the world.
"""
SOURCES = (
    "[“BERT Embedding Math”](https://go281.user.srcf.net/blog/embedding-math/) (after [Pennington et al. 2014](https://aclanthology.org/D14-1162/))",
    "[Devlin et al. 2018](https://arxiv.org/abs/1810.04805)",
    "[Meng et al. 2022](https://arxiv.org/abs/2202.05262) for the controls",
    "[Levy & Goldberg 2014](https://aclanthology.org/W14-1618/) (3CosMul)",
    "[Linzen 2016](https://aclanthology.org/W16-2503/) (baselines of analogies)",
    "[Rogers et al. 2017](https://aclanthology.org/S17-1017/) (the nearest to the first word alone)",
)

page.show("arithmetic", [edit, formula, many], EXPLANATION, SOURCES)
