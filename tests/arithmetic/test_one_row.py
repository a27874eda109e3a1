"""The rows of one sentence: its answers are those of the experiment, and the changes in log odds those of the logits."""

import numpy as np
import pandas as pd
import pytest

from embtools.arithmetic import controls, effects
from embtools.arithmetic.effects import ADDED_WORD, EDIT
from embtools.arithmetic.many import target_words
from embtools.arithmetic.one_row import ANSWERS, answer_row
from embtools.mask_filling.edits import Change, Patch, resolve
from embtools.mask_filling.forward import mask_logits

ROME, ROME_EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
TWO = "[MASK] is the capital of rome [MASK]."


def log_odds(model, text, patch, words, mask=0):  # type: ignore[no-untyped-def]
    """From the logits: the log of the sum over the words, minus that over all others."""
    logits = mask_logits(text, model, patches=[patch])[0, mask].astype(np.float64)
    inside = np.isin(np.arange(len(logits)), [model.ids[word] for word in words])
    return np.logaddexp.reduce(logits[inside]) - np.logaddexp.reduce(logits[~inside])


@pytest.mark.parametrize("with_controls", [False, True])
def test_the_answers_are_the_first_of_the_experiment_before_and_after(tiny, with_controls) -> None:  # type: ignore[no-untyped-def]
    change = Change.of((ROME_EDIT,))
    lines, _ = answer_row(TWO, tiny, change=change, k=2, with_controls=with_controls, draws=1)
    ranked = controls.experiment(TWO, tiny, change=change, k=2, draws=1).answers
    assert [(line["mask"], line["rank"]) for line in lines] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    for line in lines:
        at_mask = ranked[ranked["mask"] == line["mask"]]
        for run in ("before", "after"):
            (row,) = at_mask[at_mask[f"rank_{run}"] == line["rank"]].itertuples()
            assert line[f"answer_{run}"] == row.token
            assert line[f"probability_{run}"] == pytest.approx(getattr(row, f"probability_{run}"), abs=1e-6)
        more = line.keys() - set(ANSWERS)
        assert bool(more) == (with_controls and line["rank"] == 1)  # a finding belongs to the first answer alone


@pytest.mark.parametrize("scope", ["input", "tied"])
@pytest.mark.parametrize(("text", "edits"), [(ROME, (ROME_EDIT,)), (TWO, (ROME_EDIT, "the = a"))])
def test_the_change_in_log_odds_is_that_of_the_logits(tiny, text, edits, scope) -> None:  # type: ignore[no-untyped-def]
    change, targets = Change.of(edits, scope, 0.7), target_words(["she", "king"], tiny)
    _, lines = answer_row(text, tiny, change=change, k=1, targets=targets)
    found = pd.DataFrame(lines)
    assert list(found.columns) == list(effects.COLUMNS[3:])
    assert (found["run"] == EDIT).all() and set(found["target"]) == {"she", "king"}
    assert len(found) == 2 * text.count("[MASK]")
    patch = resolve(change, tiny)
    for line in found.itertuples():
        before = log_odds(tiny, text, Patch(), [line.word], line.mask - 1)
        after = log_odds(tiny, text, patch, [line.word], line.mask - 1)
        assert (line.log_odds_before, line.log_odds_after) == pytest.approx((before, after), abs=1e-5)
        assert line.change == pytest.approx(after - before, abs=1e-5)
        for p, odds in ((line.probability_before, before), (line.probability_after, after)):
            assert p == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-6)


def test_without_target_words_the_word_that_the_edit_adds_is_measured(bundled) -> None:  # type: ignore[no-untyped-def]
    text, change = "John was a [MASK].", Change.of(("john = john + strong + quick",))
    _, (line,) = answer_row(text, bundled, change=change, k=1)
    assert (line["target"], line["word"]) == (ADDED_WORD, "strong or quick")
    before, after = (
        log_odds(bundled, text, patch, ["strong", "quick"]) for patch in (Patch(), resolve(change, bundled))
    )
    assert line["change"] == pytest.approx(after - before, abs=1e-4)
    function = Change.of(("nurse = reject(nurse, she - he)",))  # adds no word
    assert answer_row("The nurse is [MASK].", bundled, change=function, k=1)[1] == []
    assert answer_row("Berlin is in [MASK].", bundled, change=Change(), k=1)[1] == []


def test_each_control_is_measured_as_the_mean_of_its_draws(bundled) -> None:  # type: ignore[no-untyped-def]
    change = Change.of((ROME_EDIT,))
    _, lines = answer_row(
        ROME, bundled, change=change, k=1, targets=(("paris", ("paris",)),), with_controls=True, draws=3, seed=2
    )
    runs = controls.controls(ROME, bundled, change=change, draws=3, seed=2)
    assert [line["run"] for line in lines] == [EDIT, *dict.fromkeys(run.name for run in runs)]
    before = log_odds(bundled, ROME, Patch(), ["paris"])
    for line in lines[1:]:
        draws = [log_odds(bundled, ROME, run.patch, ["paris"]) for run in runs if run.name == line["run"]]
        assert line["draws"] == len(draws)
        assert line["change"] == pytest.approx(np.mean(draws) - before, abs=1e-4)
