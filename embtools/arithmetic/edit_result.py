"""The answers before and after an edit and with its controls, at one mask: the result of `edit.edited_answers`."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from embtools.arithmetic import controls, verdict
from embtools.arithmetic.controls import Experiment
from embtools.drawing import Displayed
from embtools.formula import expression
from embtools.mask_filling.controls import DESCRIPTIONS
from embtools.mask_filling.edits import Change
from embtools.mask_filling.typed_input import with_full_stop


@dataclass(frozen=True)
class EditedAnswers(Displayed):
    """The answers before and after an edit, and with its controls, at one mask of a sentence.

    text        the sentence as the model read it
    change      the edits that apply to it
    experiment  the results at all its masks
    mask        the number of the mask that is described, from 1
    k           the number of answers
    left_out    the words that cannot be answers
    """

    text: str
    change: Change
    experiment: Experiment
    mask: int
    k: int
    left_out: tuple[str, ...]

    @cached_property
    def headline(self) -> str:
        """How the edit changed the top answer, and the strongest control with this effect: see `verdict.finding`."""
        return verdict.finding(self.experiment, mask=self.mask)

    @cached_property
    def reason(self) -> str:
        """How the edit compares with its controls: see `verdict.reason`."""
        return verdict.reason(self.experiment, mask=self.mask)

    @cached_property
    def verdict(self) -> tuple[str, ...]:
        """The change of the top answer, and the comparison with all controls: see `verdict.verdict`."""
        return tuple(filter(None, verdict.verdict(self.experiment, mask=self.mask)))

    @cached_property
    def edited(self) -> bool:
        """Whether an edit applies to the sentence."""
        return bool(self.change.edits)

    @cached_property
    def masks(self) -> int:
        """The number of masks of the sentence."""
        return int(self.experiment.answers["mask"].max())

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words in the edits, each once."""
        named = (word for edit in self.change.edits for word in (edit.target, *expression.words(edit.expression)))
        return tuple(dict.fromkeys(named))

    @cached_property
    def answers(self) -> pd.DataFrame:
        """All ranked answers at the mask; with a column for its number if the sentence has several masks."""
        rows = self._at_mask(self.experiment.answers)
        return rows if self.masks > 1 else rows.drop(columns="mask")

    @cached_property
    def bars(self) -> pd.DataFrame:
        """The k top answers after the edit, and the top answer before it."""
        return controls.leading(self.answers, self.k, 1 if self.edited else 0)

    @cached_property
    def word(self) -> str:
        """The top answer after the edit."""
        return str(self._top["token"])

    @cached_property
    def word_before(self) -> str:
        """The top answer before the edit."""
        return str(self.answers.loc[self.answers["rank_before"].idxmin(), "token"])

    @cached_property
    def probability(self) -> float:
        """The probability of the top answer after the edit."""
        return float(self._top["probability_after"])

    @property
    def with_full_stop(self) -> str:
        """The sentence with a full stop, if BERT answers a punctuation mark where it ends at its last mask; else ""."""
        tops = self.experiment.answers.query(f"mask == {self.masks} and rank_before == 1")["token"]
        return "" if any(map(str.isalnum, "".join(tops))) else with_full_stop(self.text)

    @cached_property
    def leading(self) -> tuple[str, ...]:
        """The top three answers after the edit and the top two before it, each once."""
        return tuple(controls.leading(self.answers, 3, 2)["token"])

    @cached_property
    def compared(self) -> pd.DataFrame:
        """One row per control with its description: `Experiment.summary` at the mask; empty without an edit."""
        lines = self._at_mask(self.experiment.summary).drop(columns="mask")
        return lines.assign(description=lines["control"].map(DESCRIPTIONS))

    @cached_property
    def runs(self) -> pd.DataFrame:
        """One row per run of a control at the mask; with the column left_out if a left-out word would be first."""
        rows = self._at_mask(self.experiment.controls).drop(columns=["mask", "clause"])
        return rows if rows["left_out"].any() else rows.drop(columns="left_out")

    @cached_property
    def _top(self) -> pd.Series:
        return self.answers[self.answers["rank_after"] == 1].iloc[0]

    def _at_mask(self, frame: pd.DataFrame) -> pd.DataFrame:
        return frame[frame["mask"] == self.mask]
