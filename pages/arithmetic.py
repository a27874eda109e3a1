"""Arithmetic: change a word's embedding with a formula, ask BERT again, compare the answers."""

from embtools.ui import page
from embtools.ui.arithmetic import edit, formula, many

EXPLANATION = """
An edit replaces the **input vector** of a word with the value of your formula; then the model fills the mask again. The
scope *tied* also replaces the word's own output score, because BERT uses one matrix for both. The original experiments
overwrote the row of that matrix, which is the same. The tab *Other scope* compares the two.

That the top answer changes proves little by itself. Look at the **controls**. If *added only* changes the answer too,
the new word may simply have been copied; if *random difference* does, any change would have done it. To conclude that
directions carry meaning, the edit must be clearly stronger than its controls. One sentence proves little: try several,
or use *Many at once*.

The bundled model was trained **not to copy** words of the sentence, and the mix of its training texts was chosen with
edits of capitals. How rarely *added only* changes its answer is therefore flattering: before this training it happened
more often. The model's scores on Home give both rates.

A sum of three vectors is longer than one. It then outweighs position and segment in the sum that BERT reads; the
setting *Keep the vector's length* prevents this. A probability is a habit of the model, not a fact about the world.
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
