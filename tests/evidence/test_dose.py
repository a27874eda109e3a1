"""Dose curves against `fill_mask`, against hooks on a separate network, and against plain loops."""

import numpy as np
import pytest

from embtools import memory
from embtools.charts import evidence as charts
from embtools.evidence import doses as module
from embtools.evidence.dose_runs import CONDITIONS, EDIT, RANDOM, dose_block
from embtools.evidence.doses import checked_strengths, dose, effort, places_of
from embtools.mask_filling.cases import plan
from tests.evidence.made import finished as stored
from tests.evidence.made import over

EDITED = "{a} = {a} - {b} + {c}"
PAIRS = (("rome", "italy"), ("paris", "france"), ("king", "man"), ("queen", "woman"))
SENTENCES, STAY = ("the {a} is in [MASK] .", "{a} is the capital of [MASK] ."), ("{a} is a [MASK] .",)
STRENGTHS = (-1.0, 0.0, 0.5, 1.0, 2.0)
CAPITALS = (("Rome", "Italy"), ("Paris", "France"), ("Berlin", "Germany"), ("Madrid", "Spain"))


def measured(model, **changed):  # type: ignore[no-untyped-def]
    named = {"edit": EDITED, "sentences": SENTENCES, "must_stay": STAY, "others": 2, "strengths": STRENGTHS}
    return over(dose, PAIRS, model, **named | changed)


def finished(model, **changed):  # type: ignore[no-untyped-def]
    named = {"edit": EDITED, "sentences": SENTENCES, "must_stay": STAY, "others": 2, "strengths": STRENGTHS}
    return stored(module.blocks, PAIRS, model, **named | changed)


def block(model, layers=None):  # type: ignore[no-untyped-def]
    planned = plan(PAIRS, model, others=2)
    places = places_of(model, layers=layers)
    named = {"templates": (*SENTENCES, *STAY), "strengths": STRENGTHS, "places": places, "seed": 0}
    return planned, places, dose_block(planned.pairs, model, edit=EDITED, **named)


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
        ({"strengths": (0, 3)}, "choose −1 to 2"),
        ({"strengths": (0, float("nan"))}, "choose −1 to 2"),
        ({"strengths": (0,)}, "strengths"),
        ({"strengths": tuple(np.linspace(-1, 2, 40))}, "strengths"),
        ({"layers": (2,)}, "cannot be added after layer 2. Choose 1 to 1"),
        ({"layers": (True,)}, "cannot be added after layer True"),
        ({"must_stay": SENTENCES[:1]}, "in both lists"),
        ({"edit": "{a} = {c} + qqqq"}, "qqqq"),
        ({"seed": -1}, "seed"),
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
