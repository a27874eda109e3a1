"""Dose curves against `fill_mask`, hooks on a separate network and plain loops; where they start, reach half and do harm."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from embtools import fill_mask, memory
from embtools.charts import evidence as charts
from embtools.evidence import doses as module
from embtools.evidence.dose_result import Dose, Outcomes, reaches, two_doses
from embtools.evidence.dose_runs import CONDITIONS, EDIT, INPUT, RANDOM, TIED, _cases, dose_block
from embtools.evidence.doses import checked_strengths, dose, effort, places_of
from embtools.mask_filling.cases import plan
from tests.evidence.made import finished as stored
from tests.evidence.made import over
from tests.hooked import Hooked

EDITED = "{a} = {a} - {b} + {c}"
PAIRS = (("rome", "italy"), ("paris", "france"), ("king", "man"), ("queen", "woman"))
SENTENCES, STAY = ("the {a} is in [MASK] .", "{a} is the capital of [MASK] ."), ("{a} is a [MASK] .",)
STRENGTHS = (-1.0, 0.0, 0.5, 1.0, 2.0)
CAPITALS = (("Rome", "Italy"), ("Paris", "France"), ("Berlin", "Germany"), ("Madrid", "Spain"))


def block(model, layers=None):  # type: ignore[no-untyped-def]
    planned = plan(PAIRS, model, others=2)
    places = places_of(model, layers=layers)
    named = {"templates": (*SENTENCES, *STAY), "strengths": STRENGTHS, "places": places, "seed": 0}
    return planned, places, dose_block(planned.pairs, model, edit=EDITED, **named)


@pytest.mark.slow
def test_the_answers_at_the_input_are_those_of_fill_mask(tiny) -> None:  # type: ignore[no-untyped-def]
    planned, places, found = block(tiny, layers=())
    assert places == (INPUT, TIED)
    cases = [(pair, c) for pair in planned.pairs for c, _ in pair.others]
    assert found.words == tuple((pair.a, c) for pair, c in cases)
    for i, (pair, c) in enumerate(cases):
        for t, template in enumerate((*SENTENCES, *STAY)):
            text, edit = template.replace("{a}", pair.a), f"{pair.a} = {pair.a} - {pair.b} + {c}"
            assert tiny.vocabulary[found.before[i, t]] == fill_mask(text, tiny, k=1)["token"].iloc[0]
            for p, scope in enumerate(("input", "tied")):
                for s, strength in enumerate(STRENGTHS[1:], 1):
                    alone = fill_mask(text, tiny, k=1, edits=[edit], scope=scope, strength=strength)["token"].iloc[0]
                    assert tiny.vocabulary[found.tops[i, t, p, 0, s]] == alone


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_the_answers_after_a_layer_are_those_of_hooks(name, request) -> None:  # type: ignore[no-untyped-def]
    model = request.getfixturevalue(name)
    planned, places, found = block(model)
    hooked, i, differs = Hooked(model), 0, 0
    assert places == (INPUT, TIED, "layer 1")
    for pair in planned.pairs:
        for _, c_id in pair.others:
            original = model.matrix[pair.a_id]
            shift = model.matrix[c_id] - model.matrix[pair.b_id]
            for t, template in enumerate((*SENTENCES, *STAY)):
                text = template.replace("{a}", pair.a)
                tokens = model.tokenize(text)["id"].tolist()
                at, mask = tokens.index(pair.a_id), tokens.index(model.mask_id)
                state = hooked.states(text)[1, at]
                for s, strength in enumerate(STRENGTHS):
                    moved = state + strength * shift * np.linalg.norm(state) / np.linalg.norm(original)
                    logits = hooked.logits(text, replace={1: [(at, moved.astype(np.float32))]})[mask]
                    assert int(logits.argmax()) == found.tops[i, t, 2, 0, s]
                    differs += found.tops[i, t, 2, 0, s] != found.before[i, t]
            i += 1
    assert differs > 5


def test_a_random_difference_is_as_long_as_the_edit(bundled) -> None:  # type: ignore[no-untyped-def]
    for pair in plan(CAPITALS, bundled, others=2).pairs:
        for case in _cases(pair, bundled, EDITED, 0):
            edit, drawn = np.linalg.norm(case.shifts, axis=1)
            assert edit == pytest.approx(drawn, rel=1e-5) and not np.allclose(*case.shifts)


ASKED = {"edit": EDITED, "sentences": SENTENCES, "must_stay": STAY, "others": 2, "strengths": STRENGTHS}


def measured(model, **changed):  # type: ignore[no-untyped-def]
    return over(dose, PAIRS, model, **ASKED | changed)


def finished(model, **changed):  # type: ignore[no-untyped-def]
    return stored(module.blocks, PAIRS, model, **ASKED | changed)


def test_the_curve_is_a_plain_loop_over_the_cases(tiny) -> None:  # type: ignore[no-untyped-def]
    result = measured(tiny)
    planned, places, found = block(tiny)
    ids = [c_id for pair in planned.pairs for _, c_id in pair.others]
    for place in places:
        for k, condition in enumerate(CONDITIONS):
            for measure, templates in (("efficacy", [0]), ("paraphrase", [1]), ("specificity", [2])):
                rows = result.of(place, condition, measure)
                assert rows["strength"].tolist() == list(STRENGTHS)
                for s, row in enumerate(rows.itertuples()):
                    good, n = 0, 0
                    for i, c_id in enumerate(ids):
                        for t in templates:
                            if found.before[i, t] == c_id:
                                continue
                            top = found.tops[i, t, places.index(place), k, s]
                            good += top == found.before[i, t] if measure == "specificity" else top == c_id
                            n += 1
                    assert (row.rate, row.n) == (pytest.approx(good / n), n)
                    assert row.low <= row.rate <= row.high
    unedited = result.curve[result.curve["strength"] == 0]
    assert (unedited.loc[unedited["measure"] == "specificity", "rate"] == 1).all()
    assert (unedited.loc[unedited["measure"] != "specificity", "rate"] == 0).all()


def test_stopped_work_keeps_its_finished_blocks(tiny, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(module, "BLOCK", 1)
    memory.forget()

    def stop(done: float) -> None:
        if done >= 0.5:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        measured(tiny, progress=stop)
    assert finished(tiny) == finished(tiny, first=4) == finished(tiny, first=1) == 1
    assert finished(tiny, seed=1) == 0
    computed = memory.counts().times.get("embtools.evidence.dose_runs.dose_block", 0)
    whole = measured(tiny)
    again = memory.counts().times["embtools.evidence.dose_runs.dose_block"] - computed
    assert again < 4 and len(whole.outcomes.words) == 8


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"strengths": (0.5, 1)}, "must include 0"),
        ({"strengths": (0, float("nan"))}, "choose −1 to 2"),
        ({"strengths": tuple(np.linspace(-1, 2, 40))}, "strengths"),
        ({"layers": (2,)}, "cannot be added after layer 2. Choose 1 to 1"),
        ({"layers": (True,)}, "cannot be added after layer True"),
    ],
)
def test_what_cannot_be_run_is_refused(tiny, changed, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=words):
        measured(tiny, **changed)


def test_too_many_runs_are_refused_and_effort_grows(tiny, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    small = over(effort, PAIRS, tiny, sentences=SENTENCES[:1], others=1)
    assert over(effort, PAIRS, tiny, sentences=SENTENCES, must_stay=STAY) > small > 0
    assert checked_strengths([1, 0, 1]) == (0.0, 1.0)
    monkeypatch.setattr(module, "MAX_RUNS", 10)
    with pytest.raises(ValueError, match="480 forward passes; at most 10"):
        measured(tiny)


def test_charts_show_the_curve_of_a_place_and_efficacy_of_all(tiny) -> None:  # type: ignore[no-untyped-def]
    result = measured(tiny)
    drawn = charts.dose_curves(result, "layer 1")
    lines = {trace.name: trace for trace in drawn.figure.data if trace.name}
    assert set(lines) == {"efficacy", "paraphrase", "specificity", "efficacy of a random difference"}
    for measure in result.measures:
        np.testing.assert_allclose(lines[measure].y, result.of("layer 1", EDIT, measure)["rate"], rtol=1e-6)
    other = lines["efficacy of a random difference"].y
    np.testing.assert_allclose(other, result.of("layer 1", RANDOM, "efficacy")["rate"], rtol=1e-6)
    assert drawn.frame is result.curve and "layer 1" in drawn.alt
    heat, clicks = charts.dose_places(result).figure.data
    assert heat.z.shape == (3, 5) and set(clicks.customdata) == set(result.places)
    np.testing.assert_allclose(heat.z[2], result.of("layer 1", EDIT, "efficacy")["rate"], rtol=1e-6)


def made(efficacy: np.ndarray, specificity: np.ndarray, random: np.ndarray | None = None) -> Dose:
    """A result with these shares of cases that change, (s,) for the strengths 0, 0.5, 1, over 20 × 20 crossed cases."""
    n = 400
    words = tuple((f"a{i}", f"c{j}") for i in range(20) for j in range(20))
    changed = np.zeros((n, 2, 1, 2, 3), bool)
    order = np.random.default_rng(0).permutation(n) / n
    for s in range(3):
        changed[:, 0, 0, 0, s] = order < efficacy[s]
        changed[:, 1, 0, 0, s] = order < 1 - specificity[s]
        changed[:, 0, 0, 1, s] = order < (0 if random is None else random[s])
    outcomes = Outcomes(words, changed, np.zeros((n, 2), bool), np.ones(n, bool), 1)
    empty = pd.DataFrame(columns=["a", "b", "reason"])
    return Dose(EDITED, ("x",), ("y",), (0.0, 0.5, 1.0), (INPUT,), outcomes, empty)


def test_the_lines_of_the_chart_do_not_cross_their_labels_and_one_has_a_band() -> None:
    drawn = charts.dose_curves(made(np.array([0, 0.2, 0.8]), np.array([1, 0.5, 0.2])), INPUT).figure
    assert [line.legendgroup for line in drawn.data if line.fill] == ["efficacy"]
    half, harm = drawn.layout.annotations
    assert half.x == pytest.approx(0.75) and harm.x == pytest.approx(0.1, abs=0.01)
    assert 1 <= half.y < harm.y and {half.yanchor, harm.yanchor} == {"bottom"}  # above the plot, where no line is
    assert all(line.y1 == 1 and line.yref == "y domain" for line in drawn.layout.shapes)
    assert (half.xanchor, harm.xanchor) == ("right", "left")  # towards the middle, so that nothing is cut off


def test_one_place_alone_has_the_same_numbers_and_says_how_many_cases() -> None:
    result = made(np.array([0, 0.2, 0.8]), np.array([1, 0.5, 0.2]))
    assert result.size == "400 cases with 20 different words a"
    both = np.concatenate([result.outcomes.changed, ~result.outcomes.changed], 2)
    two = replace(result, places=(INPUT, "layer 1"), outcomes=replace(result.outcomes, changed=both))
    assert two.only(INPUT).curve.equals(result.curve)
    own = two.curve[two.curve["place"] == "layer 1"].reset_index(drop=True)
    pd.testing.assert_frame_equal(two.only("layer 1").curve, own)
    with pytest.raises(ValueError, match="not added at 'layer 2'. Choose one of: input, layer 1"):
        two.only("layer 2")


def test_the_strengths_below_the_places_have_room() -> None:
    result = made(np.array([0, 0.2, 0.8]), np.array([1, 0.5, 0.2]))
    assert charts.dose_places(result).figure.layout.xaxis.ticktext == ("0", "0.5", "1")
    many = tuple(-1 + 0.25 * n for n in range(13))
    grid = result.outcomes.changed[..., [0] * 13]
    wide = replace(result, strengths=many, outcomes=replace(result.outcomes, changed=grid))
    axis = charts.dose_places(wide).figure.layout.xaxis
    assert axis.ticktext == ("−1", "−0.5", "0", "0.5", "1", "1.5", "2") and axis.tickvals == tuple(range(0, 13, 2))


def test_points_are_where_the_curves_cross_their_levels() -> None:
    result = made(np.array([0, 0.4, 0.8]), np.array([1, 0.95, 0.75]))
    row = result.at(INPUT)
    assert row["half"] == pytest.approx(0.625) and row["harm"] == pytest.approx(0.625, abs=0.01)
    assert row["half_low"] < 0.625 < row["half_high"] and row["starts"] == 0.5
    assert (row["best"], row["best_rate"]) == (1.0, 0.8)
    text = result.headline
    assert text.startswith("Added at the input, the edit changes half of the answers at strength 0.62 (95% interval")
    assert "; at strength 0.62 (95% interval" in text
    assert text.endswith("), a tenth of the answers that should stay the same have changed.")
    assert (row["starts"], row["ends"]) == (0.5, 1.0)
    assert result.start(INPUT) == (
        "From strength 0.5 to 1, the edit is better than a random difference of the same length (p < 0.05, tested at each"
        " strength). It works best at strength 1 (80%)."
    )
    equal = made(np.array([0, 0.8, 0.8]), np.ones(3))
    assert equal.start(INPUT).endswith("It works best at strengths 0.5 and 1 (80%).")
    assert ". The highest is 80%, at the input." in charts.dose_places(equal).alt


def test_a_large_strength_at_which_the_edit_fails_is_in_no_range_in_which_it_is_better() -> None:
    """At 1, the random difference changes as many answers; 0.5 works best, but not clearly better than 1."""
    result = made(np.array([0, 0.405, 0.4]), np.ones(3), random=np.array([0, 0, 0.4]))
    assert (result.at(INPUT)["starts"], result.at(INPUT)["ends"]) == (0.5, 0.5)
    assert result.start(INPUT).startswith("At strength 0.5, the edit is better than a random difference")
    assert result.start(INPUT).endswith("best at strength 0.5 (41%), but the results at 1 cannot be told from that.")
    gap = made(np.array([0.4, 0.4, 0.8]), np.ones(3), random=np.array([0, 0.4, 0]))
    assert gap.start(INPUT).startswith("At strengths 0 and 1, the edit is better")


def test_the_pairs_of_an_own_list_are_counted_and_a_level_that_is_passed_at_first_is_reached() -> None:
    assert reaches(np.array([0.0, 1.0]), np.array([0.7, 0.9]), 0.5) == 0
    result = replace(made(np.array([0, 0.2, 0.8]), np.ones(3)), pairs=(10, 59))
    assert result.size == "400 cases with 20 different words a, from 10 of 59 pairs, drawn at random"


def test_few_cases_have_no_interval_and_none_no_strength() -> None:
    all_of = made(np.array([0, 0.4, 0.8]), np.ones(3))
    few = replace(all_of.outcomes, already=np.arange(400)[:, None] >= [7, 400])
    assert "0.44 (too few cases for an interval); fewer than" in replace(all_of, outcomes=few).headline
    one = replace(few, already=np.arange(400)[:, None] != [-1, 7])
    none = replace(all_of, outcomes=one)
    assert none.headline == none.sentence(INPUT) and "already the new word, so no strength" in none.headline
    assert none.cautions == ("In 799 sentences, the unedited answer is already the new word; no rate counts them.",)
    assert two_doses(all_of, none, INPUT, ("A", "B")) == "For one of the models, no case is counted."


def test_levels_that_are_not_reached_are_named() -> None:
    result = made(np.array([0, 0.1, 0.3]), np.ones(3), random=np.array([0, 0.1, 0.3]))
    row = result.at(INPUT)
    assert np.isinf(row["half"]) and np.isinf(row["harm"]) and np.isinf(row["starts"])
    assert "no strength from 0 to 1 changes half of the answers (at most 30%, at strength 1)" in result.headline
    assert "; fewer than a tenth of the answers that should stay the same change." in result.headline
    assert result.start(INPUT).startswith("At no strength from 0 to 1 is the edit clearly better")
    good = made(np.array([0, 0.4, 0.8]), np.ones(3))
    assert two_doses(good, result, INPUT, ("A", "B")) == (
        "Half of the answers change at strength 0.62 in A and at no strength from 0 to 1 in B."
    )


def test_an_edit_that_works_in_reverse_is_described_as_such() -> None:
    """The formula has its terms the wrong way round: at −0.5 and −1, it changes the answers."""
    result = replace(made(np.array([0.8, 0.3, 0]), np.ones(3)), strengths=(-1.0, -0.5, 0.0))
    assert "no strength from 0 to 0 changes half of the answers (at most 0%, at strength 0)" in result.headline
    assert result.start(INPUT).endswith(" Negative strengths, which reverse the edit, change up to 80% of the answers.")
    weak = replace(made(np.array([0.3, 0.1, 0]), np.ones(3)), strengths=(-1.0, -0.5, 0.0))
    for other in (weak, made(np.array([0, 0.4, 0.8]), np.ones(3))):
        assert "Negative" not in other.start(INPUT)


@pytest.mark.slow
def test_the_interval_of_half_covers_the_truth() -> None:
    """Each case changes at its own threshold, a + c + noise around 1: half of all possible cases change at 1."""
    rng, covered, rounds = np.random.default_rng(5), 0, 100
    strengths = np.arange(0, 2.01, 0.25)
    words = tuple((f"a{i}", f"c{j}") for i in range(25) for j in range(25))
    for seed in range(rounds):
        thresholds = 1 + rng.normal(0, 0.25, (25, 1)) + rng.normal(0, 0.25, (1, 25)) + rng.normal(0, 0.2, (25, 25))
        changed = (strengths >= thresholds.reshape(-1, 1))[:, None, None, None, :].repeat(2, axis=3)
        outcomes = Outcomes(words, changed, np.zeros((625, 1), bool), np.ones(625, bool), 1)
        empty = pd.DataFrame(columns=["a", "b", "reason"])
        row = Dose(EDITED, ("x",), (), tuple(strengths), (INPUT,), outcomes, empty, seed).at(INPUT)
        covered += row["half_low"] <= 1 <= row["half_high"]
    assert covered >= 93


def test_the_deepest_layer_may_be_the_last_one_that_was_tried() -> None:
    result = made(np.array([0, 0.4, 0.8]), np.ones(3))
    changed = np.repeat(result.outcomes.changed, 3, axis=2)
    deep = replace(result, places=(INPUT, "layer 1", "layer 2"), outcomes=replace(result.outcomes, changed=changed))
    assert deep.deepest == (
        "Even if it is added after layer 2, the last layer at which this is possible, the edit changes at least half of the"
        " answers at some strength."
    )
    changed = changed.copy()
    changed[:, :, 2] = False
    shallow = replace(deep, outcomes=replace(deep.outcomes, changed=changed))
    assert shallow.deepest == (
        "The last layer after which the edit can be added and still change at least half of the answers is layer 1."
    )
