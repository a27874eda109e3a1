"""The sentences about an erasure, and layer and method chosen on one half of the items: numbers, and verdicts that can fail."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from embtools.chance import generator
from embtools.charts import concepts as charts
from embtools.charts.style import BLUE, GREY
from embtools.concepts import left_over
from embtools.concepts.effects import held_out_text, text_costs
from embtools.concepts.erased import NONE, Sweep
from embtools.concepts.erasing import SWEEP_LEAST, choose, erase, sweep, sweep_effort
from embtools.concepts.groups import folds, group_states
from embtools.concepts.left_over import halves
from embtools.spaces.erasers import ERASURES, INLP, LEACE, fit_eraser, random_eraser
from embtools.spaces.two_groups import classifier
from embtools.statistics.decimals import decimal
from embtools.statistics.intervals import wilson
from embtools.ui import fields
from embtools.ui.concepts import groups as shared
from tests import kept
from tests.concepts.lists import BAD, GOOD
from tests.concepts.test_erase import by_hand

TEXT = "Your idea is [MASK]."


@pytest.fixture(scope="module")
def found(bundled):
    return kept.once(erase, BAD, GOOD, bundled, layer=3, text=TEXT, rounds=3, draws=2)


def changed(found, method, **values):
    """The result with other numbers in a row."""
    rows = found.methods.copy()
    for name, value in values.items():
        rows.loc[rows["method"] == method, name] = value
    return replace(found, methods=rows)


def test_sentences_about_the_result_hold_its_numbers(found):
    row = found.of(LEACE)
    assert found.headline.startswith("After LEACE in layer 3, a new classifier is right for ")
    assert "; before: " in found.headline and "; after removing 1 random direction: " in found.headline
    assert f"interval {row['accuracy_low']:.0%} to {row['accuracy_high']:.0%}" in found.headline
    assert "right for 50%. LEACE guarantees" in found.guarantee and "1 random direction" in found.guarantee
    strong = changed(found, "1 random direction", accuracy=0.9, accuracy_lowest=0.71)
    assert "after removing 1 random direction: 71% in the strongest of 2 draws, 90% on average)." in strong.headline
    lower = changed(found, LEACE, difference=-0.034)
    assert "3.4 points lower than after removing 1 random" in lower.guarantee
    assert f"“{found.answers.loc[found.answers['probability_after'].idxmax(), 'token']}”" in found.answer
    assert f" stays the top answer in {found.stays} of {found.draws} draws (mean probability: " in found.answer
    assert " in 0 of 7 draws " in replace(found, stays=0, draws=7).answer
    assert f"In {found.sentences} other sentences, the log probability of {found.masks} masked words" in found.costs
    assert "probe for the part of speech" in found.costs
    low, high = (decimal(100 * row[f"other_difference_{end}"], 1, signed=True) for end in ("low", "high"))
    guessing = "Guessing would give the right answer for 25%."
    assert f"95% interval of the difference: {low} to {high} points). {guessing}" in found.costs
    other = changed(found, LEACE, cost_difference=-0.21, cost_difference_low=-0.34, cost_difference_high=0.05)
    assert "(difference −0.21, 95% interval −0.34 to +0.05). A newly" in other.costs
    other = replace(found, method=INLP)
    assert "After INLP" in other.headline and "LEACE" not in other.guarantee
    assert all("3 random directions" in text for text in (other.headline, other.guarantee, other.costs))


@pytest.mark.slow
def test_an_erasure_that_removes_no_more_than_random_directions_is_called_that(found, bundled):
    none = changed(found, LEACE, difference=-0.05, difference_low=-0.15, difference_high=0.05)
    assert not none.removes
    assert none.headline.endswith("So nothing shows that LEACE removes more than expected by chance.")
    strong = changed(found, LEACE, difference=-0.3, difference_low=-0.5, difference_high=-0.1)
    assert strong.removes and strong.headline.endswith("). So LEACE removes more than expected by chance.")
    mixed = [*BAD, *GOOD]
    first, second = mixed[::2], mixed[1::2]  # groups that do not differ
    real = erase(first, second, bundled, layer=3, text=TEXT, rounds=2, draws=2)
    assert not real.removes and not real.differs and real.headline.startswith("These words are too few to show")


def test_without_a_difference_there_is_nothing_to_erase(found):
    assert found.differs
    weak = changed(found, NONE, accuracy=0.42, accuracy_low=0.24, accuracy_high=0.62)
    assert not weak.differs and weak.headline.startswith(
        "These words are too few to show that layer 3 holds the difference, so nothing can be said about erasing it."
        " Before, a new classifier is right for 42% of the held-out words (95% interval 24% to 62%; guessing: 50%), and"
        " after LEACE for "
    )
    below = {"difference": -0.192, "difference_low": -0.352, "difference_high": -0.04}
    less = changed(weak, LEACE, accuracy=0.4, **below)  # one verdict, whatever the difference
    assert not less.removes and less.headline.startswith("These words are too few")
    assert "points). But without an accuracy above guessing before, this does not show" in less.guarantee
    under = changed(found, LEACE, accuracy=0.4, **below)
    assert not under.removes and under.guarantee.endswith("a lower accuracy does not show that more was erased.")


def test_an_interval_without_a_width_is_said_in_words(found):
    same = changed(found, LEACE, other_change=0.0, other_change_low=0.0, other_change_high=0.0)
    assert "(no change for any word)" in same.costs
    near = changed(found, LEACE, other_change=0.0, other_change_low=-2e-4, other_change_high=2e-4)
    assert "(95% interval of the change: less than 0.1 points)" in near.costs


def test_sentences_with_words_of_the_groups_are_counted(found):
    assert found.seen == 0 and "too few" not in found.costs
    assert f" 2 of the {found.sentences} sentences contain one of your words" in replace(found, seen=2).costs
    assert f" 1 of the {found.sentences} sentences contains one of your words" in replace(found, seen=1).costs


def test_the_caption_says_whether_the_sentences_are_new(found):
    assert found.text == "60 built-in sentences without a word of your groups"
    assert replace(found, seen=55).text == "60 built-in sentences (55 of them contain a word of your groups)"
    assert replace(found, seen=1).text == "60 built-in sentences (1 of them contains a word of your groups)"
    sentences = replace(found, kind="sentences")
    assert sentences.text == "60 built-in sentences that are not among yours"
    assert replace(sentences, seen=2).text == "60 built-in sentences (2 of them contain one of your sentences)"


def test_the_charts_show_every_method_next_to_its_control(found):
    names = found.methods["method"].tolist()
    for draw, column in (
        (charts.left_over, "accuracy"),
        (charts.erasure_cost, "cost"),
        (charts.other_property, "other_accuracy"),
    ):
        chart = draw(found)
        mark, *_ = chart.figure.data
        assert list(mark.x) == pytest.approx(found.methods[column].tolist(), abs=1e-6)
        assert list(chart.figure.layout.yaxis.ticktext) == names and all(name in chart.alt for name in names)
        assert list(mark.marker.color) == [GREY if "random" in name else BLUE for name in names]
    assert "masked words" in charts.erasure_cost(found).alt and "part of speech" in charts.other_property(found).alt


FIRST, SECOND = fields.words(shared.MALE), fields.words(shared.FEMALE)


@pytest.fixture(scope="module")
def swept(bundled):
    return sweep(FIRST, SECOND, bundled, rounds=2, draws=2)


@pytest.mark.thorough
def test_every_layer_and_method_is_judged_on_the_half_that_chooses(swept, bundled):
    assert len(swept.choices) == 3 * (bundled.layers + 1) and swept.choices["chosen"].sum() == 1
    read = group_states(FIRST, SECOND, bundled)
    choosing, _ = halves(read.second)
    groups, text = read.second[choosing], held_out_text(read.items, bundled).half(0)
    for layer in (0, 4):
        x = read.states[layer].astype(float)[choosing]
        rows = swept.choices[swept.choices["layer"] == layer].set_index("method")
        fitted = [fit_eraser(x, groups, method=each, rounds=2) for each in ERASURES]
        lost = text_costs(text, bundled, changes=fitted, layer=layer).mean(axis=0)
        np.testing.assert_allclose(rows.loc[list(ERASURES), "cost"], lost, atol=1e-5)
        assert rows["accuracy_before"].iloc[0] == pytest.approx(by_hand(x, groups, lambda a, b: lambda v: v).mean())
        for method in ERASURES:
            own = by_hand(x, groups, lambda a, b, method=method: fit_eraser(a, b, method=method, rounds=2))
            assert rows.loc[method, "accuracy"] == pytest.approx(own.mean())


@pytest.mark.thorough
def test_what_was_chosen_is_reported_on_items_and_sentences_that_did_not_choose(swept, bundled):
    read = group_states(FIRST, SECOND, bundled)
    choosing, testing = halves(read.second)
    assert not (choosing & testing).any() and swept.items == (choosing.sum(), testing.sum()) == (20, 20)
    x, groups = read.states[swept.layer].astype(float), read.second[testing]
    eraser = fit_eraser(x[choosing], read.second[choosing], method=swept.method, rounds=2)
    random = generator(0, eraser.count)
    drawn = [random_eraser(x[choosing], count=eraser.count, random=random) for _ in range(2)]

    def right(vectors):
        result = np.zeros(len(vectors))
        for learn, test in folds(groups):
            centre, weights, intercept = classifier(vectors[learn], groups[learn])
            result[test] = ((vectors[test] - centre) @ weights + intercept > 0) == groups[test]
        return result

    before, after, *control = (right(each(x[testing])) for each in (lambda v: v, eraser, *drawn))
    chance = np.mean(control, axis=0)
    assert swept.reported["accuracy"].tolist() == pytest.approx([before.mean(), after.mean(), chance.mean()])
    assert swept.reported.loc[2, "accuracy_lowest"] == pytest.approx(min(each.mean() for each in control))
    assert swept.draws == 2 and swept.reported.loc[:1, "accuracy_lowest"].isna().all()
    assert swept.reported.loc[1, "difference"] == pytest.approx((after - chance).mean())
    assert swept.reported.loc[[0, 2], "difference"].isna().all()
    assert tuple(swept.reported.loc[1, ["accuracy_low", "accuracy_high"]]) == wilson(int(after.sum()), 20)
    text = held_out_text(read.items, bundled)
    lost = text_costs(text.half(1), bundled, changes=[eraser, *drawn], layer=swept.layer)
    assert swept.reported["cost"].tolist() == pytest.approx([0, lost[:, 0].mean(), lost[:, 1:].mean()], abs=1e-5)
    assert swept.masks == (len(text.half(0).of), len(lost))
    assert swept.sentences == (30, 30) and swept.seen == (text.half(0).seen, text.half(1).seen)


@pytest.mark.thorough
def test_the_reported_items_choose_nothing(bundled, monkeypatch):
    """Other states and other groups of the half that reports leave the choice as it is."""
    own = sweep(FIRST, SECOND, bundled, rounds=1, draws=1)
    states = group_states(FIRST, SECOND, bundled)
    fixed, random = halves(states.second), np.random.default_rng(0)
    testing = fixed[1]
    changed, second = states.states.copy(), states.second.copy()
    changed[:, testing] = random.standard_normal(changed[:, testing].shape)
    second[testing] = random.permutation(second[testing])
    assert (second != states.second).sum() > 5
    monkeypatch.setattr("embtools.concepts.erasing.halves", lambda *_, **__: fixed)
    for x, groups in ((changed, states.second), (states.states, second)):
        replaced = type(states)(states.items, groups, x, states.kind)
        monkeypatch.setattr("embtools.concepts.erasing.group_states", lambda *_, replaced=replaced, **__: replaced)
        other = sweep(FIRST, SECOND, bundled, rounds=1, draws=1)
        pd.testing.assert_frame_equal(other.choices, own.choices)
        assert (other.layer, other.method, other.limit) == (own.layer, own.method, own.limit)
        assert other.reported["accuracy"].tolist() != own.reported["accuracy"].tolist()


def test_of_the_settings_that_leave_least_the_cheapest_is_chosen():
    rows = pd.DataFrame({"accuracy_before": [0.9, 0.9, 0.9, 0.58], "accuracy": [0.60, 0.60, 0.75, 0.5]})
    rows = rows.assign(cost=[-0.5, -0.2, -0.1, 0.0])
    assert choose(rows, guess=0.5, count=25) == (1, 0.6)  # a standard error is 10 points, so the last row swept nothing
    assert choose(rows, guess=0.5, count=1_000) == (3, 0.5)
    below = rows.assign(accuracy=[0.5, 0.1, 0.45, 0.5])  # below guessing is no better than guessing
    assert choose(below, guess=0.5, count=25) == (2, 0.5)
    nothing = rows.assign(accuracy_before=0.5)  # nothing to erase in any layer: all are possible
    assert choose(nothing, guess=0.5, count=25)[0] == 3


@pytest.mark.thorough
def test_groups_that_do_not_differ_are_not_erased(bundled):
    mixed = [*FIRST, *SECOND]
    result = sweep(mixed[::2], mixed[1::2], bundled, rounds=1, draws=1)
    assert "too few to show the difference, so nothing can be said about erasing it" in result.headline


def test_halves_of_a_half_can_be_divided_into_folds():
    second = np.arange(2 * SWEEP_LEAST) >= SWEEP_LEAST
    half = second[halves(second)[0]]
    assert min(part[half == group].sum() for part in halves(half) for group in (False, True)) >= 5
    assert left_over.right_in_folds(np.random.default_rng(0).random((10, 3)), np.arange(10) > 4).shape == (10,)


def test_wrong_arguments_are_refused_and_more_draws_take_longer(bundled):
    with pytest.raises(ValueError, match="One of the groups has 19 items. .* at least 20"):
        sweep(FIRST[:19], SECOND, bundled)
    with pytest.raises(ValueError, match="nothing to choose from"):
        choose(pd.DataFrame({"accuracy_before": [], "accuracy": [], "cost": []}), guess=0.5, count=5)
    assert sweep_effort(FIRST, SECOND, bundled, draws=30) > sweep_effort(FIRST, SECOND, bundled) > 0


CHOICES = pd.DataFrame(
    [
        (0, "projection", 0.6, 0.6, -0.01, False),
        (0, "INLP", 0.6, 0.5, -0.3, False),
        (0, "LEACE", 0.6, 0.6, -0.01, False),
        (1, "projection", 0.9, 0.6, -0.02, False),
        (1, "INLP", 0.9, 0.5, -0.4, False),
        (1, "LEACE", 0.9, 0.5, -0.03, True),
    ],
    columns=["layer", "method", "accuracy_before", "accuracy", "cost", "chosen"],
)
NAN = float("nan")
REPORTED = pd.DataFrame(
    [
        ("nothing removed", 0.92, 0.74, 0.98, NAN, NAN, NAN, 0.0, 0.0, 0.0),
        ("LEACE", 0.63, 0.43, 0.79, -0.27, -0.4, -0.1, -0.05, -0.09, -0.01),
        ("1 random direction", 0.9, 0.7, 0.96, NAN, NAN, NAN, 0.01, 0.0, 0.02),
    ],
    columns=["method", *(f"{n}{e}" for n in ("accuracy", "difference", "cost") for e in ("", "_low", "_high"))],
).assign(accuracy_lowest=[NAN, NAN, 0.82])
FOUND = Sweep(("“a”", "“b”"), 1, "LEACE", CHOICES, 0.6, REPORTED, 0.5, (24, 26), (57, 59), (30, 30), (0, 0), 5)


def test_the_headline_is_about_the_half_that_did_not_choose():
    assert FOUND.headline == (
        "One half of the words chooses LEACE in layer 1. On the other half, a new classifier is then right for 63%"
        " (95% interval 43% to 79%; before: 92%; after removing 1 random direction: 82% in the strongest of 5 draws,"
        " 90% on average). So LEACE removes more than expected by chance."
    )


def test_the_verdict_about_a_choice_can_fail():
    weak = REPORTED.assign(difference_high=[NAN, 0.02, NAN])
    text = replace(FOUND, reported=weak).headline
    assert text.endswith("So nothing shows that LEACE removes more than expected by chance.")
    nothing = REPORTED.assign(accuracy_low=[0.45, 0.43, 0.7])
    text = "the words are too few to show the difference, so nothing can be said about erasing it: before"
    assert text in replace(FOUND, reported=nothing).headline


def test_the_rule_holds_the_numbers_of_both_halves():
    assert FOUND.rule.startswith("24 of the 50 words chose among 6 combinations of layer and method")
    for part in ("up to 60%", "at 57 masked words", "the accuracy is 50%", "change −0.03 nats", "59 masked words"):
        assert part in FOUND.rule
    assert "is −0.05 nats (95% interval −0.09 to −0.01; 1 random direction: +0.01)." in FOUND.rule


def test_sentences_with_words_of_the_groups_are_counted_in_both_halves():
    assert FOUND.rule.endswith("+0.01).")
    text = " 55 of the 60 sentences contain one of your words, because too few others exist."
    assert replace(FOUND, seen=(28, 27)).rule == FOUND.rule + text


def test_the_chart_marks_what_was_chosen_and_its_number_on_the_other_half():
    chart = charts.choices(FOUND)
    traces = {trace.name: trace for trace in chart.figure.data}
    assert [*traces["LEACE"].y, *traces["before"].y] == pytest.approx([0.6, 0.5, 0.6, 0.9])
    assert (traces["chosen"].x[0], traces["chosen"].y[0]) == (1, 0.5)
    star = traces["chosen, on the other half"]
    assert star.y[0] == pytest.approx(0.63)
    assert chart.alt.endswith("Chosen: LEACE in layer 1, 50%; on the other half 63%.")
