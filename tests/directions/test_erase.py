"""What a new classifier finds after erasure, and what erasure costs."""

import numpy as np
import pandas as pd
import pytest

from embtools.chance import generator
from embtools.directions.effects import masks_after, same
from embtools.directions.erased import NONE, random_name
from embtools.directions.erasing import COST_DRAWS, _answers, effort, erase
from embtools.directions.groups import WHOLE, group_states
from embtools.directions.held_out_text import held_out_text, text_costs
from embtools.directions.new_classifier import halves
from embtools.directions.other_property import labelled_states, probes_after
from embtools.mask_filling.forward import probabilities
from embtools.models.patching import with_rows
from embtools.spaces.erasers import ERASURES, INLP, LEACE, PROJECTION, fit_eraser, random_eraser
from tests import kept
from tests.directions.lists import BAD, FIRST_SENTENCES, GOOD, SECOND_SENTENCES
from tests.directions.test_new_classifier import by_hand

TEXT = "Your idea is [MASK]."


@pytest.fixture(scope="module")
def found(bundled):
    return kept.once(erase, BAD, GOOD, bundled, layer=3, text=TEXT, rounds=3, draws=2)


def test_a_new_classifier_never_sees_its_words_and_neither_does_the_eraser(found, bundled):
    read = group_states(BAD, GOOD, bundled)
    x, second = read.states[3].astype(float), read.second
    assert not (halves(second)[0] & halves(second)[1]).any() and halves(second)[0][second].sum() == 5
    own = by_hand(x, second, lambda a, b: fit_eraser(a, b, method=LEACE))
    assert found.of(LEACE)["accuracy"] == pytest.approx(own.mean())
    for method, count in ((LEACE, 1), (INLP, 3)):
        random = generator(0, count)
        drawn = [random_eraser(x, count=count, random=random) for _ in range(2)]
        control = np.mean([by_hand(x, second, lambda a, b, eraser=eraser: eraser) for eraser in drawn], axis=0)
        assert found.of(random_name(count))["accuracy"] == pytest.approx(control.mean())
        lowest = min(by_hand(x, second, lambda a, b, eraser=eraser: eraser).mean() for eraser in drawn)
        assert found.of(random_name(count))["accuracy_lowest"] == pytest.approx(lowest)
        other = by_hand(x, second, lambda a, b, method=method: fit_eraser(a, b, method=method, rounds=3))
        row = found.of(method)
        assert row["difference"] == pytest.approx((other - control).mean())
        assert row["difference_low"] <= row["difference"] <= row["difference_high"]


def test_erasure_leaves_nothing_on_its_own_words_but_random_directions_do(found):
    assert found.methods["method"].tolist() == [NONE, PROJECTION, LEACE, random_name(1), INLP, random_name(3)]
    assert found.methods["directions"].tolist() == [0, 1, 1, 1, 3, 3]
    assert found.of(LEACE)["accuracy_fitted"] == found.of(PROJECTION)["accuracy_fitted"] == found.guess == 0.5
    for each in (NONE, random_name(1), random_name(3)):
        assert found.of(each)["accuracy_fitted"] == 1.0 and np.isnan(found.of(each)["difference"])
    assert found.of(NONE)[["moved", "cost", "cost_low", "other_change", "other_change_high"]].tolist() == [0] * 5
    assert 0 < found.of(random_name(1))["moved"] < found.of(random_name(3))["moved"] < found.of(INLP)["moved"]


@pytest.mark.slow
def test_each_method_is_compared_with_the_same_number_of_random_directions(bundled):
    one = erase(BAD, GOOD, bundled, layer=1, text=TEXT, rounds=1, draws=1, method=INLP)
    assert one.methods["method"].tolist() == [NONE, *ERASURES, random_name(1)]
    assert one.control == "1 random direction" and "1 random direction" in one.guarantee


@pytest.mark.slow
def test_costs_and_answers_are_those_of_the_eraser_of_all_words(found, bundled):
    read = group_states(BAD, GOOD, bundled)
    eraser = fit_eraser(read.states[3], read.second, method=LEACE)
    (states,) = masks_after([TEXT], bundled, changes=[same, eraser], layer=3)
    before, after = probabilities(bundled.logits(states))
    for row in found.answers.itertuples():
        i = bundled.ids[row.token]
        assert (row.probability_before, row.probability_after) == pytest.approx((before[i], after[i]), abs=1e-6)
    text = held_out_text(read.items, bundled)
    lost = text_costs(text, bundled, changes=[eraser], layer=3)[:, 0]
    row = found.of(LEACE)
    assert row["cost"] == pytest.approx(lost.mean(), abs=1e-5)
    assert row["cost_low"] <= lost.mean() <= row["cost_high"]
    assert (found.sentences, found.masks, found.seen) == (len(text.sentences), len(lost), text.seen)
    labelled = labelled_states("part of speech", bundled)
    first, after = probes_after(labelled, changes=[same, eraser], layer=3)
    assert found.of(NONE)["other_accuracy"] == pytest.approx(first.mean())
    assert (row["other_accuracy"], row["other_change"]) == pytest.approx(
        (after.mean(), (after - first).mean()), abs=0.01
    )
    assert row["other_change_low"] <= row["other_change"] <= row["other_change_high"]
    assert (found.other, found.other_guess) == ("part of speech", 0.25)


@pytest.mark.slow
def test_answers_after_random_directions_are_those_of_a_plain_loop(bundled):
    found = erase(BAD, GOOD, bundled, layer=5, text=TEXT, method=INLP, rounds=3, draws=2, k=3)
    x, random = group_states(BAD, GOOD, bundled).states[5].astype(float), generator(0, 3)
    stays, shares = 0, []
    states = bundled.hidden_states(TEXT)
    mask = bundled.tokenize(TEXT)["token"].tolist().index("[MASK]")
    before = probabilities(bundled.logits(bundled.transform(states[-1, [mask]])))[0]
    for _ in range(2):
        eraser, own = random_eraser(x, count=3, random=random), states[5].copy()
        own[1:-1] = eraser(own[1:-1])
        last = with_rows(own[None], bundled, layer=5, positions=[mask])[:, 0]
        shares.append(probabilities(bundled.logits(bundled.transform(last)))[0])
        stays += int(shares[-1].argmax() == before.argmax())
    assert (found.stays, found.draws) == (stays, 2)
    mean = np.mean(shares, axis=0)
    for row in found.answers.itertuples():
        assert row.probability_random == pytest.approx(mean[bundled.ids[row.token]], abs=1e-6)
    best = {bundled.vocabulary[i] for i in np.argsort(-mean)[:3]}
    assert best <= set(found.answers["token"])
    top = bundled.vocabulary[int(before.argmax())]
    assert f"After removing 3 random directions instead, “{top}” stays the top answer in {stays} of 2" in found.answer


def test_a_large_change_by_random_directions_moves_the_top_answer(bundled):
    """The count can be below the number of draws: if every dimension is removed at random, only the centre is left."""
    every = bundled.dimensions
    x = group_states(BAD, GOOD, bundled).states[4].astype(float)
    drawn = [random_eraser(x, count=every, random=generator(number)) for number in range(2)]
    answers, stays = _answers(TEXT, bundled, fit_eraser(x, np.arange(20) >= 10, method=LEACE), drawn, 4, 5)
    assert stays == 0 and (answers["probability_random"] != answers["probability_before"]).all()


@pytest.mark.slow
def test_costs_of_random_directions_are_means_over_a_few_draws(bundled):
    assert COST_DRAWS == 3
    found = erase(BAD, GOOD, bundled, layer=5, text=TEXT, rounds=1, draws=4, other="tense")
    x, random = group_states(BAD, GOOD, bundled).states[5].astype(float), generator(0, 1)
    drawn = [random_eraser(x, count=1, random=random) for _ in range(4)][:3]
    lost = text_costs(held_out_text((*BAD, *GOOD), bundled), bundled, changes=drawn, layer=5)
    assert found.of(random_name(1))["cost"] == pytest.approx(lost.mean(), abs=1e-5)
    after = probes_after(labelled_states("tense", bundled), changes=drawn, layer=5)
    assert found.of(random_name(1))["other_accuracy"] == pytest.approx(after.mean())


def test_costs_are_compared_with_those_of_the_same_number_of_random_directions(found, bundled):
    read = group_states(BAD, GOOD, bundled)
    x, text, labelled = (
        read.states[3].astype(float),
        held_out_text(read.items, bundled),
        labelled_states("part of speech", bundled),
    )
    for method, count in ((LEACE, 1), (INLP, 3)):
        random = generator(0, count)
        every = [
            fit_eraser(x, read.second, method=method, rounds=3),
            *(random_eraser(x, count=count, random=random) for _ in range(2)),
        ]
        row = found.of(method)
        lost = text_costs(text, bundled, changes=every, layer=3)
        right = probes_after(labelled, changes=every, layer=3)
        for name, own, of in (
            ("cost_difference", lost[:, 0] - lost[:, 1:].mean(axis=1), text.of),
            ("other_difference", right[0] - right[1:].mean(axis=0), labelled.words),
        ):
            low, high = row[f"{name}_low"], row[f"{name}_high"]
            assert row[name] == pytest.approx(own.mean(), abs=1e-5 if "cost" in name else 0.01)
            sums = pd.DataFrame({"own": own, "of": of}).groupby("of")["own"].agg(["sum", "count"])
            mean = sums["sum"].sum() / sums["count"].sum()
            error = np.sqrt((((sums["sum"] - mean * sums["count"]) / sums["count"].mean()).var(ddof=0)) / len(sums))
            assert (low, high) == pytest.approx((mean - 1.96 * error, mean + 1.96 * error), abs=0.35 * error + 0.005)
        control = found.of(random_name(count))
        assert np.isnan(control[["cost_difference", "other_difference_low"]].astype(float)).all()
        assert row["cost_difference"] == pytest.approx(row["cost"] - control["cost"], abs=1e-9)
        assert row["other_difference"] == pytest.approx(row["other_accuracy"] - control["other_accuracy"], abs=1e-9)


@pytest.mark.slow
def test_sentences_are_erased_like_words(bundled):
    found = erase(FIRST_SENTENCES, SECOND_SENTENCES, bundled, layer=2, text=TEXT, template=WHOLE, rounds=2, draws=1)
    x = np.array([bundled.hidden_states(text)[2, 1:-1].mean(axis=0) for text in FIRST_SENTENCES + SECOND_SENTENCES])
    eraser = fit_eraser(x, np.arange(20) >= 10, method=LEACE)
    (states,) = masks_after([TEXT], bundled, changes=[eraser], layer=2)
    after = probabilities(bundled.logits(states))[0]
    for row in found.answers.itertuples():
        assert row.probability_after == pytest.approx(after[bundled.ids[row.token]], abs=1e-4)
    assert found.kind == "sentences" and "of the held-out sentences" in found.headline
    assert "for other sentences there is no guarantee" in found.guarantee
    assert found.of(LEACE)["accuracy_fitted"] == 0.5


def test_more_draws_take_longer(bundled):
    assert effort(BAD, GOOD, bundled, draws=30) > effort(BAD, GOOD, bundled) > 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"layer": 9}, "no layer 9"),
        ({"text": "Rome."}, "MASK"),
        ({"method": "magic"}, "no method|magic"),
        ({"draws": 0}, "draws"),
        ({"k": 0}, "answers"),
        ({"other": "colour"}, "no property"),
    ],
)
def test_wrong_arguments_are_refused(bundled, changed, message):
    with pytest.raises(ValueError, match=message):
        erase(BAD, GOOD, bundled, **({"layer": 1, "text": TEXT} | changed))
