"""Many sentences with their edits: the answers to each, and the effects of the edits on target words."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from embtools.arithmetic import effects
from embtools.arithmetic.effects import MAX_TARGETS
from embtools.arithmetic.one_row import ANSWERS, CONTROLS, Line, Targets, answer_row
from embtools.arithmetic.rows import checked
from embtools.chance import checked_seed
from embtools.drawing import Displayed
from embtools.limits import within
from embtools.mask_filling.answers import MAX_ANSWERS, answer_ids
from embtools.mask_filling.edits import Change, Scope
from embtools.mask_filling.typed_input import normalise_masks
from embtools.messages import counted
from embtools.progress import Progress, silent
from embtools.statistics.percentages import percent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_FOUND = ("finding", "matching_control", "strongest_run", "strongest")
_SECONDS = 2e-11  # per token and model parameter, on one core


@dataclass(frozen=True)
class ManyResults(Displayed):
    """The results of many sentences.

    answers  row (1, 2, …), sentence, edits, mask, rank, answer_before, probability_before, answer_after,
             probability_after; with controls also `finding`, `matching_control`, `strongest_run` (what it changes),
             `strongest` (the probability that it gives to the edit's top answer) and, for each control, the mean of
             this probability; then `problem`, the reason why a row could not be answered, or ""
    effects  the columns of `effects.COLUMNS`: for each sentence with an edit, mask, target and run (the edit, and each
             control averaged over its draws), the probability and log odds before and after, the change in log odds,
             and its lowest and highest value in a single draw
    """

    answers: pd.DataFrame
    effects: pd.DataFrame

    @property
    def headline(self) -> str:
        """State in how many sentences the top answer changes, and how often a control does this.

        >>> rows = {"row": [1, 2], "edits": "a = b", "rank": 1, "problem": ""}
        >>> rows |= {"answer_before": ["a", "b"], "answer_after": ["c", "d"], "strongest": [0.62, 0.1]}
        >>> rows |= {"matching_control": ["added only", ""], "strongest_run": ["x alone is added", "y is subtracted"]}
        >>> print(ManyResults(pd.DataFrame(rows), pd.DataFrame()).headline)
        The top answer changes in 2 of 2 sentences. In 1 of them, at least one control run leads to the same answer or \
has more than half of the edit's effect. The strongest run: if x alone is added, c gets 62% (sentence 1).
        """
        answers = self.answers
        n, failed = answers["row"].nunique(), answers[answers["problem"] != ""]["row"].nunique()
        if failed == n:
            return f"None of the {n:,} sentences could be answered." if n > 1 else "The sentence could not be answered."
        first = answers[answers["rank"].eq(1).fillna(False).astype(bool)]
        edited = first[first["edits"] != ""]
        unanswered = f" {failed:,} of {counted(n, 'sentence')} could not be answered." if failed else ""
        if edited.empty:
            return f"BERT answered {counted(n - failed, 'sentence')} without an edit.{unanswered}"
        changed = edited[edited["answer_before"] != edited["answer_after"]]
        n_changed, n_edited = changed["row"].nunique(), edited["row"].nunique()
        text = f"The top answer changes in {n_changed:,} of {counted(n_edited, 'sentence')}"
        text += "." if n_edited == n - failed else " with an edit."
        if n_changed and "matching_control" in answers:
            matched = changed[changed["matching_control"] != ""]["row"].nunique()
            effect = "leads to the same answer or has more than half of the edit's effect"
            start = f"In {matched:,} of them, at least one control run" if matched else "No control run"
            text += f" {start} {effect}.{_strongest(changed)}"
        return text + unanswered

    @cached_property
    def summary(self) -> pd.DataFrame:
        """The change in log odds of each target and run over all sentences: see `effects.summary`."""
        return effects.summary(self.effects)

    @property
    def findings(self) -> tuple[str, ...]:
        """The result for each target in a sentence; () if no effect was measured."""
        return tuple(effects.findings(self.summary))

    @property
    def caution(self) -> str:
        """What an effect over few sentences cannot show; "" if there are enough sentences, or no effects."""
        return "" if self.summary.empty else effects.caution(self.summary)

    @property
    def edited(self) -> bool:
        """Whether any of the sentences has an edit."""
        return bool(self.answers["edits"].astype(bool).any())

    @property
    def answered(self) -> bool:
        """Whether any of the sentences could be answered."""
        return bool((self.answers["problem"] == "").any())


def _strongest(changed: pd.DataFrame) -> str:
    """Name the run of a control that gives the answer after an edit the highest probability of all sentences."""
    named = changed[changed["strongest_run"] != ""]
    if named.empty:
        return ""
    best = named.loc[named["strongest"].idxmax()]
    gets = f"{best['answer_after']} gets {percent(best['strongest'])}"
    return f" The strongest run: if {best['strongest_run']}, {gets} (sentence {best['row']})."


def effort(rows: Sequence[tuple[str, Sequence[str]]], model: "EmbeddingModel", *, with_controls: bool = False) -> float:
    """Return about how many seconds `answer_rows` takes, with four characters per token."""
    runs = 17 if with_controls else 2
    tokens = sum((2 + len(sentence) / 4) * (runs if edits else 1) for sentence, edits in rows)
    return tokens * model.parameters * _SECONDS


def answer_rows(
    rows: Sequence[tuple[str, Sequence[str]]],
    model: "EmbeddingModel",
    *,
    k: int = 1,
    targets: Sequence[str] = (),
    scope: Scope = "input",
    strength: float = 1.0,
    leave_out: Sequence[str] = (),
    with_controls: bool = False,
    draws: int = 5,
    seed: int = 0,
    progress: Progress = silent,
) -> ManyResults:
    """Answer sentences before and after their edits, and measure the effects of the edits on target words.

    Parameters
    ----------
    rows : sequence of (str, sequence of str)
        Sentences, each with its edits, such as ("Rome is in ___.", ["rome = italy"]); `read_table` reads them from a
        file.
    model : EmbeddingModel
    k : int, default 1
        Answers per sentence.
    targets : sequence of str, optional
        Words whose change in log odds is measured in each sentence, each separately. Without target words, it is that
        of the word that the edit adds (of any of them if it adds several), which does not depend on the answers.
    scope : {"input", "tied"}, default "input"
        "input" changes what BERT reads; "tied" changes its output scores too.
    strength : float, default 1.0
        0 is the original vector, 1 the result of the formula.
    leave_out : sequence of str, optional
        Words that are skipped; the others keep their probability.
    with_controls : bool, default False
        Whether each edit is run with its controls.
    draws : int, default 5
        Number of runs of each control that chooses words at random.
    seed : int, default 0
    progress : callable, optional

    Returns
    -------
    ManyResults
        The answers, and the effects of the edits and of their controls.

    Raises
    ------
    ValueError
        If there are too many rows, answers or targets, or a target is not one token.
    """
    checked_seed(seed)
    within(k, MAX_ANSWERS, "answers")
    named = target_words(targets, model)
    rows = checked(rows)
    texts = ["answer_before", "answer_after", "problem", *(_FOUND[:3] if with_controls else [])]
    answers: list[Line] = []
    measured: list[Line] = []
    for number, (sentence, edits) in enumerate(rows, 1):
        row: Line = {"row": number, "sentence": sentence, "edits": "; ".join(edits)}
        try:
            lines, effect = answer_row(
                normalise_masks(sentence),
                model,
                change=Change.of(edits, scope, strength),
                k=k,
                targets=named,
                leave_out=leave_out,
                with_controls=with_controls,
                draws=draws,
                seed=seed,
            )
            answers += [row | line for line in lines]
            measured += [row | line for line in effect]
        except ValueError as error:
            answers.append(row | {"problem": str(error)})
        progress(number / len(rows))
    columns = [*ANSWERS, *([*_FOUND, *CONTROLS.values()] if with_controls else []), "problem"]
    frame = pd.DataFrame(answers).reindex(columns=columns)
    frame[texts] = frame[texts].astype(object).fillna("")  # also if every row failed or no row has an edit
    frame = frame.astype({"mask": "Int64", "rank": "Int64"})
    return ManyResults(frame, pd.DataFrame(measured, columns=list(effects.COLUMNS)))


def target_words(words: Sequence[str], model: "EmbeddingModel") -> Targets:
    """Return target words as `Targets`, each once.

    >>> from embtools import load_model
    >>> target_words(["she", "he"], model=load_model())
    (('she', ('she',)), ('he', ('he',)))
    """
    if len(words) > MAX_TARGETS:
        raise ValueError(f"There are {len(words):,} target words; at most {MAX_TARGETS} are measured. Remove some.")
    return tuple((model.vocabulary[i], (model.vocabulary[i],)) for i in answer_ids(words, model))
