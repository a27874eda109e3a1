"""All mitigation methods on the built-in sentences: what they gain, what they cost, and the residual bias."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from embtools import wordlists
from embtools.bias import mitigation, residual, verdict
from embtools.bias.mitigated import METHODS
from embtools.drawing import Displayed
from embtools.mask_filling.edits import Scope
from embtools.progress import Progress, part, silent
from embtools.statistics.percentages import rounded
from embtools.wordlists import WordList

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

OCCUPATIONS = WordList("occupations", "occupation")
SENTENCES = WordList("neutral_sentences", "sentence")
_ANSWERS = WordList("neutral_sentences", "answer")


@dataclass(frozen=True)
class Methods(Displayed):
    """Gains, costs and residual bias of every method.

    pair       the first pair, for which the answers about occupations are compared
    gains      frame of `mitigation.gain`
    costs      frame of `mitigation.cost`
    summary    frame of `mitigation.cost_summary`
    residuals  frame of `residual.residual_bias`
    """

    pair: tuple[str, str]
    gains: pd.DataFrame
    costs: pd.DataFrame
    summary: pd.DataFrame
    residuals: pd.DataFrame

    @property
    def headline(self) -> str:
        """The gain and the residual bias of “project away”."""
        return verdict.mitigation(self.gains, self.summary, self.residuals, self.pair)[0]

    @property
    def control(self) -> str:
        """The cost of “project away”, and what the control leaves."""
        return verdict.mitigation(self.gains, self.summary, self.residuals, self.pair)[1]

    @property
    def erasers(self) -> str:
        """What a classifier finds after LEACE and INLP: on the words of the pairs, and on other words."""
        return verdict.erasers(self.residuals)

    @property
    def neutral(self) -> str:
        """How often the top answer of a neutral sentence is acceptable before and after “project away”."""
        before, after = (self.summary.set_index("method").loc[method] for method in ("none", "project away"))
        return (
            f"The top answer is acceptable in {rounded(before['top_acceptable'])} of the sentences before “project"
            f" away” and in {rounded(after['top_acceptable'])} after. All acceptable words together get"
            f" {rounded(before['probability'], 1)} of the probability before and"
            f" {rounded(after['probability'], 1)} after."
        )

    @property
    def by_sentence(self) -> pd.DataFrame:
        """The probability of all acceptable words in each neutral sentence: sentence, then one column per method."""
        table = self.costs.pivot(index="sentence", columns="method", values="probability")
        return table[list(METHODS)].reset_index()


def compare_methods(
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    scope: Scope = "tied",
    per_side: int = 200,
    progress: Progress = silent,
) -> Methods:
    """Gains, costs and residual bias of every mitigation method.

    Parameters
    ----------
    first, second : sequence of str
        The words of the pairs first[i] : second[i], which define the direction.
    model : EmbeddingModel
    scope : {"input", "tied"}, default "tied"
        "input" changes only what BERT reads, "tied" also the output scores.
    per_side : int, default 200
        Number of biased words at each end of the direction.
    progress : callable, optional

    Returns
    -------
    Methods
        The gains are for the built-in occupations, the costs for the built-in sentences that mention no group.

    Raises
    ------
    ValueError
        For sides of different length, too many pairs, a word that is used twice or is not one token, a scope that the
        model does not have, a number of words per side out of range, and if the model does not know the built-in words.
    """
    gains = mitigation.gain(
        _templates(),
        model,
        occupations=OCCUPATIONS,
        first=first,
        second=second,
        scope=scope,
        progress=part(progress, 0, 0.1),
    )
    costs = mitigation.cost(
        SENTENCES, model, answers=_ANSWERS, first=first, second=second, scope=scope, progress=part(progress, 0.1, 0.4)
    )
    residuals = residual.residual_bias(first, second, model, per_side=per_side, progress=part(progress, 0.5, 0.5))
    return Methods((first[0], second[0]), gains, costs, mitigation.cost_summary(costs), residuals)


def effort(model: "EmbeddingModel", *, per_side: int = 200) -> float:
    """About how many seconds one core takes for `compare_methods`."""
    return mitigation.effort(_templates(), model, sentences=SENTENCES) + residual.effort(per_side, model)


def _templates() -> tuple[str, ...]:
    rows = wordlists.load("bias_templates").query("kind == 'fill_occupation' and slot == 'noun'")
    return tuple(rows["template"])
