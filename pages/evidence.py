"""Evidence: the same edit for hundreds of words, with controls and intervals."""

from embtools.ui import page
from embtools.ui.evidence.panels import PANELS

EXPLANATION = """
One sentence about Rome convinces nobody. A **battery** makes the same edit for many words and counts how often it
works. For each pair (a, b), such as Rome and Italy, other words c are taken from the list, such as France. The edit
should change the answer from b to c.

Three rates are reported, as in the literature on editing models. **Efficacy**: the top answer to the first sentence
becomes c. **Paraphrase**: the same for the other sentences, which say the same in other words. **Specificity**: the
answers to sentences about a that should not change stay the same. The table also has weaker forms: whether c becomes
more probable than b (for specificity: whether the old answer stays more probable than c), and the mean change in the
log odds of c, ln(p / (1 − p)).

Each rate is shown next to those of the five **controls** of the Arithmetic page, for the same cases. An edit is only
convincing if it does better than every one of them. In each case, each control is run once.

**Intervals.** Cases that share a word are not independent, so the words a and the words c are resampled, not the cases.
If a rate is 0% or 100%, the interval still has a width, as if each word were one trial. With fewer than twenty words of
a kind, the intervals are only a rough guide.

**Limits.** Only words that are single tokens can be tested; the page says how many pairs are left out. The training
text of the bundled model contains many sentences about capitals, languages, colours, opposites and young animals, made
by rules. *Sentences and settings* names the sentences that are similar to them. A file has at most 1,000 pairs and
160,000 bytes. This page makes at most 100,000 forward passes for one battery. The command line,
`python -m embtools.evidence`, makes up to 500,000. A high rate says that an edit works in these sentences. It does not
say how. The sources of the built-in word lists are in `embtools/wordlists/SOURCES.md`.
"""
SOURCES = (
    "[Meng et al. 2022](https://arxiv.org/abs/2202.05262) (efficacy, paraphrase, specificity)",
    "[Owen 2007](https://arxiv.org/abs/0712.1111) (resampling of crossed words)",
    "[Korn & Graubard 1998](https://www150.statcan.gc.ca/n1/en/catalogue/12-001-X19980024356) (intervals of shares)",
)

page.show("evidence", PANELS, EXPLANATION, SOURCES)
