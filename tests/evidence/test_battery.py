"""Batteries against a plain loop with `fill_mask`, in blocks, stopped and resumed."""

import numpy as np
import pandas as pd
import pytest

import embtools
from embtools import fill_mask, memory
from embtools.charts import evidence as charts
from embtools.evidence import batteries as module
from embtools.evidence.batteries import battery, block_cases, effort, runs
from embtools.evidence.rates import FORMS
from embtools.mask_filling.cases import plan
from embtools.mask_filling.controls import ADDED, CONTROLS, OTHER_EDITED, OTHER_SUBTRACTED, RANDOM, SUBTRACTED
from embtools.mask_filling.edits import Patch
from embtools.mask_filling.forward import logits_of, mask_logits
from embtools.mask_filling.relations import relation
from tests.evidence.made import finished, over

PAIRS = (("Rome", "Italy"), ("Paris", "France"), ("Berlin", "Germany"), ("Madrid", "Spain"))
EDIT = "{a} = {a} - {b} + {c}"
SENTENCES = ("{a} is the capital of [MASK].", "There is one capital in [MASK], and that is {a}.")
STAY = ("{a} is a [MASK].",)


@pytest.fixture(scope="module", params=["input", "tied"])
def result(request, bundled):  # type: ignore[no-untyped-def]
    scope = request.param
    return scope, over(
        battery, PAIRS, bundled, edit=EDIT, sentences=SENTENCES, must_stay=STAY, others=2, scope=scope, strength=0.9
    )


def looked_up(frame: pd.DataFrame, word: str, column: str) -> float:
    """The log odds of a word among all words of the vocabulary."""
    p = dict(zip(frame["token"], frame[column], strict=True)).get(word)
    return float("nan") if p is None else float(np.log(p / (1 - p)))


@pytest.mark.slow
def test_every_case_is_what_fill_mask_gives(result, bundled) -> None:  # type: ignore[no-untyped-def]
    scope, found = result
    assert found.cases["condition"].value_counts().to_dict() == dict.fromkeys(["edit", *CONTROLS], 4 * 2 * 3)
    unedited = {}
    for row in found.cases[(found.cases["c"] != "Germany") & (found.cases["a"] != "Madrid")].itertuples():
        text = row.sentence.replace("{a}", row.a)
        typed = {
            "edit": f"{row.a} = {row.a} - {row.b} + {row.c}",
            ADDED: f"{row.a} = {row.a} + {row.c}",
            SUBTRACTED: f"{row.a} = {row.a} - {row.b}",
            OTHER_SUBTRACTED: row.detail,
        }.get(row.condition)
        if typed is None:
            continue
        alone = fill_mask(text, bundled, k=100, edits=[typed], scope=scope, strength=0.9)
        before = unedited.setdefault(text, fill_mask(text, bundled, k=100) if text not in unedited else None)
        c, b = row.c.lower(), row.b.lower()
        p = dict(zip(alone["token"], alone["probability"], strict=True))
        assert row.answer == alone["token"].iloc[0] and row.answer_before == before["token"].iloc[0]
        if row.measure == "specificity":
            assert row.changed == (row.answer != row.answer_before)
            assert row.preferred == (p.get(row.answer_before, 0) > p.get(c, 0))
        else:
            assert row.changed == (alone["token"].iloc[0] == c)
            assert c not in p or row.preferred == (p[c] > p.get(b, 0))
        for odds, frame in ((row.log_odds_after, alone), (row.log_odds_before, before)):
            expected = looked_up(frame, c, "probability")
            assert np.isnan(expected) or odds == pytest.approx(expected, abs=1e-3)
        if row.measure == "efficacy":
            assert row.correct == (before["token"].iloc[0] == b)


def test_the_other_controls_move_as_far(result, bundled) -> None:  # type: ignore[no-untyped-def]
    scope, found = result
    rows = found.cases[(found.cases["a"] == "Rome") & (found.cases["measure"] == "efficacy")]
    for row in rows[rows["condition"].isin([OTHER_EDITED, RANDOM])].itertuples():
        a, b, c = (bundled.ids[word.lower()] for word in (row.a, row.b, row.c))
        shift = 0.9 * (bundled.matrix[c] - bundled.matrix[b])
        if row.condition == OTHER_EDITED:
            assert row.detail == "capital changed by the same difference"
            target = bundled.ids["capital"]
        else:
            plus, minus = row.detail.removeprefix("+ ").removesuffix(", scaled to the same length").split(" - ")
            drawn = bundled.matrix[bundled.ids[plus]] - bundled.matrix[bundled.ids[minus]]
            target, shift = a, drawn * np.linalg.norm(shift) / np.linalg.norm(drawn)
        patch = Patch({target: bundled.matrix[target] + shift}, (), scope == "tied")
        scores = mask_logits("Rome is the capital of [MASK].", bundled, patches=[patch])[0, 0].astype(float)
        assert bundled.vocabulary[int(scores.argmax())] == row.answer
        others = np.delete(scores, c)
        expected = scores[c] - others.max() - np.log(np.exp(others - others.max()).sum())
        assert row.log_odds_after == pytest.approx(expected, abs=1e-3)


def test_rates_are_means_of_the_cases(result) -> None:  # type: ignore[no-untyped-def]
    _, found = result
    counted = found.cases[found.cases["answer_before"] != found.cases["c"].str.lower()]
    assert (found.cases["already"] == (found.cases["answer_before"] == found.cases["c"].str.lower())).all()
    for rates, cases in ((found.rates, counted), (found.rates_of_correct, counted.query("correct"))):
        assert len(rates) == 18
        for row in rates.itertuples():
            part = cases[(cases["measure"] == row.measure) & (cases["condition"] == row.condition)]
            changed = part["changed"].mean()
            assert row.n == len(part) and row.rate == pytest.approx(
                1 - changed if row.measure == "specificity" else changed
            )
            assert row.low <= row.rate <= row.high
            assert row.preferred == pytest.approx(part["preferred"].mean())
            difference = (part["log_odds_after"] - part["log_odds_before"]).mean()
            assert row.log_odds_change == pytest.approx(difference)
            assert row.log_odds_low <= difference <= row.log_odds_high


def test_a_part_has_the_same_cases_and_says_so(bundled) -> None:  # type: ignore[no-untyped-def]
    named = {"edit": EDIT, "sentences": SENTENCES[:1], "others": 2}
    whole, half = (over(battery, PAIRS, bundled, **named, first=first) for first in (None, 2))
    pd.testing.assert_frame_equal(half.cases, whole.cases[: len(half.cases)])
    assert half.done == 2 and "2 of the 4 pairs were tested, drawn at random." in half.findings
    assert whole.done == 4 and not any("were tested" in text for text in whole.findings)


def test_stopped_work_keeps_its_finished_blocks(bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(module, "BLOCK", 1)
    memory.forget()
    named = {"edit": EDIT, "sentences": ("In {a}, people say that it is in [MASK].",), "others": 2}
    recorded: list[float] = []

    def stop(done: float) -> None:
        recorded.append(done)
        if done > 0.6:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        over(battery, PAIRS, bundled, **named, progress=stop)
    assert recorded == sorted(recorded) and finished(module.blocks, PAIRS, bundled, **named) == 2
    assert finished(module.blocks, PAIRS, bundled, **named | {"seed": 1}) == 0
    computed = []
    original = module.logits_of
    monkeypatch.setattr(
        module, "logits_of", lambda jobs, *a, **k: computed.append(len(jobs)) or original(jobs, *a, **k)
    )
    again = over(battery, PAIRS, bundled, **named)
    assert again.done == 4 and len(computed) == 2 * 2  # the unedited and the edited rows of two blocks


def test_without_controls_and_at_strength_zero(bundled) -> None:  # type: ignore[no-untyped-def]
    named = {"edit": EDIT, "sentences": SENTENCES[:1], "must_stay": STAY, "controls": False}
    nothing = over(battery, PAIRS, bundled, **named, strength=0.0)
    assert set(nothing.cases["condition"]) == {"edit"} and len(nothing.cases) == 4 * 3 * 2
    np.testing.assert_allclose(nothing.cases["log_odds_after"], nothing.cases["log_odds_before"], atol=1e-4)
    assert nothing.rate("specificity", "edit")["rate"] == 1 and nothing.rate("efficacy", "edit")["rate"] == 0
    assert nothing.strongest is None and "strongest" not in nothing.headline
    away = over(battery, PAIRS, bundled, **named, strength=-1.0)
    change = away.cases["log_odds_after"] - away.cases["log_odds_before"]
    assert change[away.cases["measure"] == "efficacy"].mean() < 0


def test_results_do_not_depend_on_the_other_pairs(bundled) -> None:  # type: ignore[no-untyped-def]
    named = {"edit": EDIT, "sentences": SENTENCES[:1]}
    all_pairs, fewer = (over(battery, pairs, bundled, **named).cases for pairs in (PAIRS, PAIRS[1:]))
    both = all_pairs.merge(fewer, on=["a", "b", "c", "sentence", "condition", "detail"], suffixes=("", "_fewer"))
    assert len(both) == len(fewer) == 3 * 2 * 6
    np.testing.assert_allclose(both["log_odds_after"], both["log_odds_after_fewer"], atol=1e-4)


@pytest.mark.parametrize("form", FORMS)
def test_rates_are_drawn_in_every_form(result, form: str) -> None:  # type: ignore[no-untyped-def]
    _, found = result
    for correct, rates in ((False, found.rates), (True, found.rates_of_correct)):
        shown = charts.rates(found, form=form, correct=correct)
        drawn = sorted(float(x) for trace in shown.figure.data for x in trace.x)
        assert shown.frame is rates and drawn == pytest.approx(sorted(rates[form]), abs=1e-6)
    assert ("log odds" in charts.rates(found, form=form).alt) == (form == "log_odds_change")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"strength": 3}, "choose −1 to 2"),
        ({"strength": float("nan")}, "choose −1 to 2"),
        ({"scope": "output"}, "no scope"),
        ({"edit": "{a} = {a} + {c} + qqqq"}, "qqqq"),
        ({"sentences": ("x{a} is in [MASK].",)}, "not a word of its own"),
        ({"must_stay": SENTENCES[:1]}, "in both lists"),
        ({"others": 0}, "whole number"),
    ],
)
def test_what_cannot_be_run_is_refused(bundled, changed, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=words):
        over(battery, PAIRS, bundled, **{"edit": EDIT, "sentences": SENTENCES[:1]} | changed)


def test_too_many_runs_are_refused_before_any_is_made(bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(module, "MAX_RUNS", 50)
    with pytest.raises(ValueError, match="72 forward passes; at most 50"):
        over(battery, PAIRS, bundled, edit=EDIT, sentences=SENTENCES[:1])


def test_effort_grows_with_the_work(bundled) -> None:  # type: ignore[no-untyped-def]
    assert over(runs, PAIRS, bundled, sentences=SENTENCES) == 4 * 3 * 2 * 6
    assert over(runs, PAIRS, bundled, sentences=SENTENCES[:1], others=1) == 24
    assert (
        over(effort, PAIRS, bundled, sentences=SENTENCES)
        > over(effort, PAIRS, bundled, sentences=SENTENCES[:1], others=1)
        > 0
    )


def test_a_built_in_relation_is_given_by_its_key(bundled) -> None:  # type: ignore[no-untyped-def]
    named = {"edit": EDIT, "sentences": ["Then {a} put on [MASK] coat."], "others": 1, "controls": False}
    one, other = (over(battery, pairs, bundled, **named) for pairs in ("pronoun", relation("pronoun").pairs))
    pd.testing.assert_frame_equal(one.cases, other.cases)
    with pytest.raises(ValueError, match="no relation 'city'"):
        over(battery, "city", bundled, **named)


def test_it_is_a_function_of_the_library(bundled) -> None:  # type: ignore[no-untyped-def]
    assert embtools.battery is battery
    frame = pd.DataFrame(PAIRS, columns=["a", "b"])
    found = over(embtools.battery, frame, bundled, edit=EDIT, sentences=["{a} is the capital of ___."])
    assert len(found.cases) == 4 * 3 * 6


NAMED = {
    "edit": "{a} = {a} - {b} + {c}", "asked": ("the {a} is in [MASK] .", "{a} [MASK]"), "stay": ("{a} is [MASK] .",),
    "scope": "input", "strength": 1.0, "controls": True, "seed": 0,
}  # fmt: skip
TINY = (("rome", "italy"), ("paris", "france"), ("king", "man"))


def test_pairs_alone_have_the_same_cases_as_together(tiny) -> None:  # type: ignore[no-untyped-def]
    pairs = plan(TINY, tiny).pairs
    together = block_cases(pairs, tiny, **NAMED)
    alone = pd.concat([block_cases((pair,), tiny, **NAMED) for pair in pairs], ignore_index=True)
    assert len(together) == 6 * 3 * 6 - 6  # the sentence with one word has no other word that could be edited
    np.testing.assert_allclose(together.pop("log_odds_after"), alone.pop("log_odds_after"), atol=1e-5)
    np.testing.assert_allclose(together.pop("log_odds_before"), alone.pop("log_odds_before"), atol=1e-5)
    pd.testing.assert_frame_equal(together, alone)


def test_controls_are_drawn_by_the_seed(tiny) -> None:  # type: ignore[no-untyped-def]
    pairs = plan(TINY, tiny).pairs
    details = [list(block_cases(pairs, tiny, **NAMED | {"seed": seed})["detail"]) for seed in (0, 0, 1)]
    assert details[0] == details[1] != details[2]
    with pytest.raises(ValueError, match="seed"):
        block_cases(pairs, tiny, **NAMED | {"seed": -1})


def test_equal_rows_are_computed_once(tiny, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """Without anything added, the edited vector is the same for every new word c."""
    counted = []

    def count(runs, *rest, **named):  # type: ignore[no-untyped-def]
        counted.append(len(runs))
        return logits_of(runs, *rest, **named)

    monkeypatch.setattr(module, "logits_of", count)
    pair = plan(TINY, tiny).pairs[:1]
    cases = block_cases(pair, tiny, **NAMED | {"stay": (), "asked": NAMED["asked"][:1]})
    same = cases[cases["condition"] == SUBTRACTED]
    assert len(same) == 2
    assert same["answer"].nunique() == 1
    assert sum(counted) == 1 + len(cases) - 1
