"""Evidence: the same edit for hundreds of words, with controls and intervals."""

from embtools.ui import page
from embtools.ui.evidence.panels import PANELS

EXPLANATION = {
    "": """
One sentence about Rome proves little. A **battery** makes the same edit for many words and counts how often it
works. For each pair (a, b), such as Rome and Italy, other words c are drawn from the list, such as France. The edit
should change the answer from b to c.

**Intervals.** Cases that share a word are not independent. So the variance of a rate is that between the words a, plus
that between the words c, minus that between single cases, which both contain. From it follows how many independent
trials would say as much, and the interval is the exact one for that number. If a rate is 0% or 100%, each word counts
as one trial, so that the interval does not shrink to a point. In simulations, these intervals held the true rate in 93%
to 99% of cases, and with few words in up to 100%. If a few words c differ very much, they can hold it less often: with
fewer than twenty different words a or c, the intervals are only a rough guide. For the difference to the strongest
control, the words are drawn again 1,000 times, and the strongest control is chosen again each time. Means have
Student's t with fewer than twenty words of a kind, and none below eight cases.

If you test a part of a list, the pairs are drawn at random, always the same ones.

A list of word pairs can have up to 1,000 pairs and 40,000 characters, and its file up to 160,000 bytes. Up to five
sentences of each kind are used. A pair that is in a list twice is tested once. This page makes at most 100,000 forward
passes for one battery, and 200,000 for a dose curve. A long computation shows each result as soon as it is ready.
*Stop* ends it and keeps these results until the end of your visit. The command line, `python -m embtools.evidence`,
makes up to 6,000,000 forward passes and resumes after an interruption. A high rate shows that an edit works in these
sentences. It does not show how. The sources of the built-in word lists are in `embtools/wordlists/SOURCES.md`.
""",
    "battery": """
Three rates are reported, as in the literature on model editing. **Efficacy**: the top answer to the first sentence
becomes c. **Paraphrase**: the same for the other sentences, which say the same thing in other words. **Specificity**:
in other sentences about the word a, the answers, which should not change, stay the same. *Measure* also offers two
weaker forms: whether c becomes more probable than b (for specificity: whether the old answer stays more probable than
c), and the mean change in the log odds of c, ln(p / (1 − p)). A case whose unedited answer is already c cannot change
to c, so it is not counted in any rate.

Each rate is shown next to those of the five **controls** of the Arithmetic page, for the same cases. An edit is only
convincing if it does better than every one of them. Each control is run once per case.

**Limits.** Only words that are single tokens can be tested; the page says how many pairs are left out, and why. If the
model does not know a relation, the page says so first: changing an answer that was wrong shows little. The past tense
is such a relation for the bundled model. The training text of that model contains rule-generated sentences about
capitals, languages, continents, colours, opposites and young animals; a note below the charts says so, and lists
those of your sentences that are similar to these training sentences. The note does not cover running text that states
the same facts.
""",
    "dose": """
This tab runs the same cases as the battery at thirteen strengths from −1 to 2. The difference that the edit makes to
the word's vector is added in one of three ways: only to the vector that BERT reads at the input; to that vector and
also to the vector that gives the word's output score; or to the word's hidden state after a layer. In the last case, it
is scaled by the ratio of the lengths of the hidden state and the input vector. *Better*: the strengths at which the
edit works more often than a random change of the same length (p < 0.05, by Student's t with the variance between the
words a and c); each strength is tested separately, without a correction. *Half*: where half of the answers have
changed. *Harm*: where a tenth of the answers that should stay the same have changed. *Half* and *Harm* are interpolated
between the tested strengths; for their intervals, the words are drawn again 1,000 times.
""",
    "minimal": """
The score of a sentence is its pseudo-log-likelihood: each token is masked once, and the log probabilities of all tokens
are added (Salazar et al. 2020). If a word has several tokens, they often give each other away, which favours such
words; the option *with the rest of its word* therefore also masks the following tokens of the same word (Kauf & Ivanova
2023). *Shared tokens only* leaves out the words that differ, as CrowS-Pairs does. Longer sentences get lower scores, so
it is safest to compare sentences of the same length. The tokens of both sentences are aligned, and the part with the
largest contribution to the preference is marked.

A battery counts the pairs in which the first sentence is preferred; 50% are expected by chance. The tests are exact,
and Holm's correction takes all groups into account. The 64 built-in pairs are of four kinds and were written for this
project. The two sentences of a pair differ in one word. A high rate does not show that the model knows a rule, since a
frequent phrase can also decide the answer. **Files**: for BLiMP, the published figures use *each token alone*.
CrowS-Pairs and StereoSet are scored by the methods of their authors; the first sentence is the more stereotypical one.
CrowS-Pairs counts only the shared tokens. StereoSet uses the probability of the word that differs or, in its
intersentence part, the probability that the sentence follows its context. Without *Published method*, whole sentences
are scored, and the results cannot be compared with published ones. CrowS-Pairs and StereoSet contain many unclear pairs
(Blodgett et al. 2021). A sentence can have at most 64 tokens, and a list at most 2,500 pairs and 500,000 characters.
""",
}
SOURCES = (
    "[Meng et al. 2022](https://arxiv.org/abs/2202.05262) (efficacy, paraphrase, specificity)",
    "[Cameron, Gelbach & Miller 2011](https://doi.org/10.1198/jbes.2010.07136) (variance with two kinds of words)",
    "[Owen 2007](https://arxiv.org/abs/0712.1111) (drawing both kinds of words again)",
    "[Korn & Graubard 1998](https://www150.statcan.gc.ca/n1/en/catalogue/12-001-X19980024356)"
    " (confidence intervals for proportions)",
    "[Holm 1979](https://www.jstor.org/stable/4615733) (many tests)",
    "[Salazar et al. 2020](https://aclanthology.org/2020.acl-main.240/) and"
    " [Kauf & Ivanova 2023](https://aclanthology.org/2023.acl-short.80/) (pseudo-log-likelihood)",
    "[Warstadt et al. 2020](https://aclanthology.org/2020.tacl-1.25/) (BLiMP)",
    "[Nangia et al. 2020](https://aclanthology.org/2020.emnlp-main.154/) (CrowS-Pairs)",
    "[Nadeem et al. 2021](https://aclanthology.org/2021.acl-long.416/) (StereoSet)",
    "[Blodgett et al. 2021](https://aclanthology.org/2021.acl-long.81/) (what is wrong with such pairs)",
)

page.show("evidence", PANELS, EXPLANATION, SOURCES)
