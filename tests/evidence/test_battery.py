"""Batteries against a plain loop with `fill_mask`, in blocks, stopped and resumed; rates, headline and grid worked out by hand."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from embtools import fill_mask, memory
from embtools.charts import evidence as charts
from embtools.evidence import batteries as module
from embtools.evidence import result as results
from embtools.evidence.batteries import battery, block_cases, effort, runs
from embtools.evidence.rates import COLUMNS, FORMS, rates_of
from embtools.mask_filling.cases import plan
from embtools.mask_filling.controls import ADDED, CONTROLS, OTHER_EDITED, OTHER_SUBTRACTED, RANDOM, SUBTRACTED
from embtools.mask_filling.edits import Patch
from embtools.mask_filling.forward import mask_logits
from embtools.mask_filling.relations import relation
from tests.evidence.made import FIRST, LINES, STAYS, finished, line, made, over

PAIRS = (("Rome", "Italy"), ("Paris", "France"), ("Berlin", "Germany"), ("Madrid", "Spain"))
EDIT = "{a} = {a} - {b} + {c}"
SENTENCES = ("{a} is the capital of [MASK].", "There is one capital in [MASK], and that is {a}.")
STAY = ("{a} is a [MASK].",)


@pytest.fixture(scope="module", params=["input", "tied"])
def result(request, bundled):  # type: ignore[no-untyped-def]
    named = {"edit": EDIT, "sentences": SENTENCES, "must_stay": STAY, "others": 2, "scope": request.param}
    return request.param, over(battery, PAIRS, bundled, **named, strength=0.9)


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


@pytest.mark.parametrize("result", ["tied"], indirect=True)
def test_rates_are_means_of_the_cases(result) -> None:  # type: ignore[no-untyped-def]
    _, found = result
    counted = found.cases[found.cases["answer_before"] != found.cases["c"].str.lower()]
    assert (found.cases["already"] == (found.cases["answer_before"] == found.cases["c"].str.lower())).all()
    for rates, cases in ((found.rates, counted), (found.rates_of_correct, counted.query("correct"))):
        assert len(rates) == 18
        for row in rates.itertuples():
            part = cases[(cases["measure"] == row.measure) & (cases["condition"] == row.condition)]
            changed = part["changed"].mean()
            rate = 1 - changed if row.measure == "specificity" else changed
            assert row.n == len(part) and row.rate == pytest.approx(rate)
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
    computed, original = [], module.logits_of
    monkeypatch.setattr(module, "logits_of", lambda *a, **k: computed.append(1) or original(*a, **k))
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
@pytest.mark.parametrize("result", ["tied"], indirect=True)
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
        ({"strength": float("nan")}, "choose −1 to 2"),
        ({"scope": "output"}, "no scope"),
        ({"sentences": ("x{a} is in [MASK].",)}, "not a word of its own"),
        ({"must_stay": SENTENCES[:1]}, "in both lists"),
    ],
)
def test_what_cannot_be_run_is_refused(bundled, changed, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=words):
        over(battery, PAIRS, bundled, **{"edit": EDIT, "sentences": SENTENCES[:1]} | changed)


def test_effort_grows_with_the_work_and_too_much_is_refused_before_any_is_done(bundled, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    assert over(runs, PAIRS, bundled, sentences=SENTENCES) == 4 * 3 * 2 * 6
    assert over(runs, PAIRS, bundled, sentences=SENTENCES[:1], others=1) == 24
    more, less = {"sentences": SENTENCES}, {"sentences": SENTENCES[:1], "others": 1}
    assert over(effort, PAIRS, bundled, **more) > over(effort, PAIRS, bundled, **less) > 0
    monkeypatch.setattr(module, "MAX_RUNS", 50)
    with pytest.raises(ValueError, match="72 forward passes; at most 50"):
        over(battery, PAIRS, bundled, edit=EDIT, sentences=SENTENCES[:1])


def test_a_built_in_relation_is_given_by_its_key(bundled) -> None:  # type: ignore[no-untyped-def]
    named = {"edit": EDIT, "sentences": ["Then {a} put on [MASK] coat."], "others": 1, "controls": False}
    one, other = (over(battery, pairs, bundled, **named) for pairs in ("pronoun", relation("pronoun").pairs))
    pd.testing.assert_frame_equal(one.cases, other.cases)


NAMED = {
    "edit": "{a} = {a} - {b} + {c}", "asked": ("the {a} is in [MASK] .", "{a} [MASK]"), "stay": ("{a} is [MASK] .",),
    "scope": "input", "strength": 1.0, "controls": True, "seed": 0,
}  # fmt: skip
TINY_PAIRS = (("rome", "italy"), ("paris", "france"), ("king", "man"))


def test_parts_of_a_battery_draw_their_controls_by_the_seed_and_have_the_cases_of_the_whole(tiny) -> None:  # type: ignore[no-untyped-def]
    pairs = plan(TINY_PAIRS, tiny).pairs
    together = block_cases(pairs, tiny, **NAMED)
    alone = pd.concat([block_cases((pair,), tiny, **NAMED) for pair in pairs], ignore_index=True)
    assert len(together) == 6 * 3 * 6 - 6  # the sentence with one word has no other word that could be edited
    np.testing.assert_allclose(together.pop("log_odds_after"), alone.pop("log_odds_after"), atol=1e-5)
    np.testing.assert_allclose(together.pop("log_odds_before"), alone.pop("log_odds_before"), atol=1e-5)
    pd.testing.assert_frame_equal(together, alone)
    pairs = plan(TINY_PAIRS, tiny).pairs
    details = [list(block_cases(pairs, tiny, **NAMED | {"seed": seed})["detail"]) for seed in (0, 0, 1)]
    assert details[0] == details[1] != details[2]


def test_cases_that_already_have_the_new_answer_are_in_no_rate() -> None:
    already = (
        line("rome", "italy", "chad", True, already=True),
        line("rome", "italy", "chad", False, already=True, sentence=STAYS, measure="specificity"),
    )
    found, without = made(*LINES, *already), made(*LINES)
    numbers = ["rate", "n", "preferred", "log_odds_change"]
    pd.testing.assert_frame_equal(found.rates[numbers], without.rates[numbers])
    text = (
        "In all 2 sentences together, 2 results are left out of the rates, because the unedited answer was already the"
    )
    assert f"{text} new word." in found.findings
    assert found.grid.query("c == 'chad'")["state"].tolist() == ["already the answer"]
    assert found.by_word.query("a == 'rome'")["cases"].tolist() == [2]


def test_measures_are_counted_by_condition() -> None:
    rates = rates_of(made(*LINES).cases)
    assert tuple(rates.columns) == COLUMNS
    assert rates[["measure", "condition", "rate", "n"]].to_numpy().tolist() == [
        ["efficacy", "edit", 0.5, 6],
        ["efficacy", "added only", 0.5, 2],
        ["efficacy", "random difference", 0.0, 1],
        ["paraphrase", "edit", 1.0, 1],
        ["specificity", "edit", 0.5, 2],
    ]
    assert rates_of(made(*LINES).cases.iloc[:0]).empty


def test_the_headline_names_the_rate_the_strongest_control_and_specificity() -> None:
    found = made(*LINES)
    assert found.headline.startswith("The edit makes the new word the answer in 50% (95% interval ")
    assert "of 6 cases; the strongest control, adding only the new word, does so in 50%. " in found.headline
    assert found.headline.endswith("The edit also does damage: 50% of the answers that should stay have changed.")
    kept = made(*LINES[:10], *(line("rome", "italy", c, False, sentence=STAYS, measure="specificity") for c in "xyz"))
    assert kept.headline.endswith("Of the answers that should stay the same, 100% do.")
    assert found.rate("specificity", "edit")["rate"] == 0.5
    with pytest.raises(KeyError):
        found.rate("specificity", "random edit")
    with pytest.raises(ValueError, match="no rate 'odds'. Choose one of: rate, preferred, log_odds_change"):
        found.sentence("odds")
    alone = made(*LINES[:6], must_stay=(), sentences=(FIRST,))
    assert "control" not in alone.headline and "stay the same" not in alone.headline


def test_the_grid_begins_with_the_words_that_fail() -> None:
    found = made(*LINES)
    assert found.by_word["a"].tolist() == ["paris", "oslo", "rome"]
    assert found.by_word["rate"].tolist() == [0, 0.5, 1]
    grid = found.grid
    assert grid["a"].tolist() == ["paris", "paris", "oslo", "oslo", "rome", "rome"]
    assert grid["state"].tolist() == [
        "not changed", "not changed", "wrong before the edit", "changed", "changed", "changed",
    ]  # fmt: skip
    assert len(found.case("rome", "italy", "spain")) == 4 and found.case("rome", "lazio", "spain").empty


def test_two_models_are_compared_by_efficacy() -> None:
    text = results.two_batteries(made(*LINES), made(*LINES[:2]), "rate", ("A", "B"))
    assert text.startswith("The edit makes the new word the answer in 50% (95% interval ")
    assert " of the cases for A and in 100% (95% interval " in text and text.endswith(" for B.")
    text = results.two_batteries(made(*LINES), made(*LINES[:2]), "log_odds_change", ("A", "B"))
    assert text.startswith("The edit changes the log odds of the new word on average by +2.0 (")
    assert "on average by +2.0 (too few cases for an interval) for A and by +2.0 (" in text
    nothing = made(*LINES[4:6]).of_correct
    text = results.two_batteries(made(*LINES), nothing, "rate", ("A", "B"))
    assert text.endswith("no case is counted.")


def test_only_the_pairs_that_were_right_before_the_edit_are_counted() -> None:
    """Rome changes in 2 of 2 cases, Paris in none of 2; Oslo was wrong before the edit."""
    found = made(*LINES).of_correct
    assert found.headline.startswith("The edit makes the new word the answer in 50% (95% interval ")
    assert " of 4 cases; the strongest control, adding only the new word, does so in 50%. " in found.headline
    assert found.by_word["a"].tolist() == ["paris", "rome"] and found.pairs == found.done == 2
    pd.testing.assert_frame_equal(found.rates, made(*LINES).rates_of_correct)
    assert not any("left out" in text or "were tested" in text for text in found.findings)
    nothing = made(*LINES[4:6]).of_correct
    assert nothing.headline == "BERT's answer was right for 0 pairs before the edit, so no case is counted."
    assert nothing.findings == () and nothing.grid.empty and nothing.by_word.empty
    assert made(*LINES[4:6]).counted_pairs.startswith("Of 1 pair, 0 are counted: those that BERT answered correctly")
    assert made(*LINES).counted_pairs.startswith("Of 3 pairs, 2 are counted: those that BERT answered correctly")


def test_the_sentence_is_about_the_measure_that_is_chosen() -> None:
    lines = [list(each) for each in LINES]
    preferred, after = results.COLUMNS.index("preferred"), results.COLUMNS.index("log_odds_after")
    for number, each in enumerate(lines):
        each[preferred] = number < 3 or each[5] != "edit"
        each[after] = -2.5 if each[4] == "specificity" else 3.0 if number < 6 else 1.5
    found = made(*map(tuple, lines))
    text = found.sentence("preferred")
    assert text.startswith("The edit makes the new word more probable than the old one in 50% (95% interval ")
    assert "; the strongest control, adding only the new word, does so in 100%. " in text
    assert text.endswith("Of the answers that should stay the same, 0% stay more probable than the new word.")
    assert found.sentence("log_odds_change") == (
        "The edit changes the log odds of the new word by +4.0 on average (too few cases for an interval) in 6 cases;"
        " the strongest control, adding only the new word, does so by +2.5. Where the answer should stay the same, the"
        " log odds of the new word change by −1.5."
    )


def test_the_strongest_control_is_chosen_again_in_each_resample() -> None:
    """Two controls have almost equal rates, by words a that differ: which one is the strongest depends on the words."""
    rng, lines = np.random.default_rng(0), []
    for a, c in product(range(20), range(25, 45)):
        for condition, rate in (("edit", 0.9), ("added only", a < 10), ("random difference", a >= 10 and c > 25)):
            lines.append(line(f"a{a}", "b", f"c{c}", rng.random() < rate, condition=condition))
    found = made(*lines, must_stay=(), sentences=(FIRST,))
    value, low, high = found.advantage("rate")
    edit, best = found.rate("efficacy", "edit"), found.strongest
    assert best is not None and value == edit["rate"] - best["rate"] and low < value
    alone = [each for each in lines if each[5] != "random difference"]
    _, other_low, other_high = made(*alone, must_stay=(), sentences=(FIRST,)).advantage("rate")
    assert high < other_high - 0.05 and low == pytest.approx(other_low, abs=0.02)  # another control takes over
    assert f"does so in 50% (difference {100 * value:.0f} points, 95% interval " in found.headline


def test_a_difference_of_all_cases_keeps_a_width() -> None:
    both = ("edit", True), ("added only", False)
    lines = [line(f"a{n}", "b", f"c{n}", edit, condition=name) for n in range(12) for name, edit in both]
    value, low, high = made(*lines, must_stay=(), sentences=(FIRST,)).advantage("rate")
    assert value == 1 and 0.5 < low < 0.7 and high == 1
    close = ("edit", 51), ("added only", 50)
    lines = [line(f"a{n}", "b", f"c{n}", n < count, condition=name) for n in range(100) for name, count in close]
    assert "(difference 1 point, 95% interval " in made(*lines, must_stay=(), sentences=(FIRST,)).headline
