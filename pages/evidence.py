"""Evidence: the same edit for hundreds of words, with controls and intervals."""

from embtools.ui import page
from embtools.ui.evidence.panels import PANELS

EXPLANATION = """
One sentence about Rome convinces nobody. A **battery** makes the same edit for many words and counts how often it
works. For each pair (a, b), such as Rome and Italy, other words c are drawn from the list, such as France. The edit
should change the answer from b to c.

Three rates are reported, as in the literature on editing models. **Efficacy**: the top answer to the first sentence
becomes c. **Paraphrase**: the same for the other sentences, which say the same in other words. **Specificity**: the
answers to sentences about a that should not change stay the same. *Measure* also offers two weaker forms: whether c
becomes more probable than b (for specificity: whether the old answer stays more probable than c), and the mean change
in the log odds of c, ln(p / (1 − p)). A case whose unedited answer is already c cannot change to c, so it is in no
rate.

Each rate is shown next to those of the five **controls** of the Arithmetic page, for the same cases. An edit is only
convincing if it does better than every one of them. In each case, each control is run once.

**Intervals.** Cases that share a word are not independent, so the words a and the words c are resampled, not the cases.
If a rate is 0% or 100%, the interval still has a width, as if each word were one trial. With fewer than twenty words of
a kind, the intervals are only a rough guide.

**Limits.** Only words that are single tokens can be tested; the page says how many pairs are left out, and why. If the
model does not know a relation, the page says so first: changing an answer that was wrong shows little. The past tense
is such a relation for the included model. The training text of that model contains sentences about capitals, languages,
continents, colours, opposites and young animals that were made by rules; a mark below the relation says so, and names
your sentences that are similar to them. Running text about the same facts is not compared.

**Dose.** The same cases at thirteen strengths from −1 to 2. The difference that the edit makes is added to what BERT
reads, also to the word's output score, or to the word's hidden state after a layer, scaled as that state is to the
input vector. *Starts*: the smallest strength at which the 95% interval of the difference from a random change of the
same length is above 0; each strength is tested separately, without a correction. *Half*: where half of the answers have
changed. *Harm*: where a tenth of the answers that should stay has changed. Both are interpolated between the tested
strengths; their intervals come from the same resamples of words.

**Analogies in bulk.** The word that completes “a is to b as c is to …” is searched for among 3,000 frequent words and
all words of the relations. With a, b and c allowed, the nearest word is often one of them. Nearness to c or to b alone
needs no arithmetic, and a random difference of the same length shows what any change does. Intervals resample the pairs
of words. Since many cells are compared with nearness to c, their p-values are corrected by Holm's method. In a layer, a
word stands alone between [CLS] and [SEP], where BERT never saw it in training.

**Minimal pairs.** The score of a sentence is its pseudo-log-likelihood: each token is masked once, and the log
probabilities of all tokens are added (Salazar et al. 2020). The other tokens of a word often give a token away, which
favours words of several tokens; *with the rest of its word* also masks those that follow (Kauf & Ivanova 2023). *Shared
tokens only* leaves out the words that differ, as CrowS-Pairs does. Longer sentences get lower scores, so pairs of the
same length are compared most safely. The tokens of both sentences are aligned, and the part with the largest
contribution to the preference is marked.

A battery counts in how many pairs the first sentence is preferred; by chance this is 50%. The tests are exact, and
Holm's correction is for all groups. The 64 built-in pairs are of four kinds and were written for this project. They
differ in one word. A high rate does not show that the model knows a rule, since a frequent phrase can decide as well.
**Files**: for BLiMP, the published figures use the first method. For CrowS-Pairs, choose *shared tokens only* to get
its own metric; the first sentence is the more stereotyping one. For StereoSet, only the intrasentence part is read, and
whole sentences are scored, while the article scores the filled word; so the three scores are not those of its table.
Both collections contain many unclear pairs (Blodgett et al. 2021). A sentence has at most 64 tokens, and a list 2,500
pairs and 500,000 characters.

**Studies** measure three sentences of the articles over full lists instead of one example. A cosine also depends on how
common the words are, so ties are compared with those to other partners. How colours are used was counted in a text, not
in BERT; that text is part of the included model's training text.

A list has at most 1,000 pairs and 40,000 characters, and a file 160,000 bytes. Up to five sentences of each kind are
used. This page makes at most 100,000 forward passes for one battery, and 200,000 for a dose curve. The command line,
`python -m embtools.evidence`, makes up to 500,000. A high rate says that an edit works in these sentences. It does not
say how. The sources of the built-in word lists are in `embtools/wordlists/SOURCES.md`.
"""
SOURCES = (
    "[Meng et al. 2022](https://arxiv.org/abs/2202.05262) (efficacy, paraphrase, specificity)",
    "[Owen 2007](https://arxiv.org/abs/0712.1111) (resampling of crossed words)",
    "[Korn & Graubard 1998](https://www150.statcan.gc.ca/n1/en/catalogue/12-001-X19980024356) (intervals of shares)",
    "[Mikolov et al. 2013](https://aclanthology.org/N13-1090/) (3CosAdd)",
    "[Levy & Goldberg 2014](https://aclanthology.org/W14-1618/) (3CosMul)",
    "[Linzen 2016](https://aclanthology.org/W16-2503/) and [Rogers et al. 2017](https://aclanthology.org/S17-1017/)"
    " (nearness to c and b alone)",
    "[Holm 1979](https://www.jstor.org/stable/4615733) (many tests)",
    "[Salazar et al. 2020](https://aclanthology.org/2020.acl-main.240/) and"
    " [Kauf & Ivanova 2023](https://aclanthology.org/2023.acl-short.80/) (pseudo-log-likelihood)",
    "[Warstadt et al. 2020](https://aclanthology.org/2020.tacl-1.25/) (BLiMP)",
    "[Nangia et al. 2020](https://aclanthology.org/2020.emnlp-main.154/) (CrowS-Pairs)",
    "[Nadeem et al. 2021](https://aclanthology.org/2021.acl-long.416/) (StereoSet)",
    "[Blodgett et al. 2021](https://aclanthology.org/2021.acl-long.81/) (what is wrong with such pairs)",
    "[Bullinaria & Levy 2007](https://doi.org/10.3758/BF03193020) (use of words in text)",
)

page.show("evidence", PANELS, EXPLANATION, SOURCES)
