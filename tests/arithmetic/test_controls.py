"""Controls: every patch worked out by hand from the model's rows; draws, seed and ranks."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from embtools import wordlists
from embtools.arithmetic import controls
from embtools.mask_filling import edits, forward
from embtools.mask_filling.controls import CONTROLS, WRITTEN
from embtools.mask_filling.edits import Change, Patch

ROME = "Rome is the capital of [MASK]."
EDIT = "rome = rome - italy + france"
CHANGE = Change.of((EDIT,))


def row(model, word):
    return model.matrix[model.ids[word]].astype(np.float64)


def by_name(model, text, change, **named):
    found: dict[str, list[controls.Control]] = {}
    for control in controls.controls(text, model, change=change, **named):
        found.setdefault(control.name, []).append(control)
    return found


def only_vector(control):
    ((target, vector),) = control.patch.vectors.items()
    return target, vector.astype(np.float64)


def applied(original, value, change):
    vector = original + change.strength * (value - original)
    return vector * np.linalg.norm(original) / np.linalg.norm(vector) if change.keep_length else vector


@pytest.mark.parametrize(
    "change",
    [
        Change.of((EDIT,), "tied"),
        Change.of((EDIT,), strength=1.7, keep_length=True),
        Change.of((EDIT,), positions=(1,)),
    ],
)
def test_each_control_by_hand(tiny, change):
    found = by_name(tiny, ROME, change, draws=4)
    assert set(found) == set(CONTROLS)
    rome, italy, france = (row(tiny, w) for w in ("rome", "italy", "france"))
    once = replace(change, strength=1.0)
    # How far the edit goes before a kept length pulls it back: the controls without parts go as far.
    free = applied(rome, rome - italy + france, replace(change, keep_length=False)) - rome

    target, vector = only_vector(*found["added only"])
    assert tiny.vocabulary[target] == "rome"
    np.testing.assert_allclose(vector, applied(rome, rome + france, change), atol=1e-5)
    target, vector = only_vector(*found["subtracted only"])
    np.testing.assert_allclose(vector, applied(rome, rome - italy, change), atol=1e-5)

    assert len(found["another word subtracted"]) == 4
    for control in found["another word subtracted"]:
        wrong = control.detail.removeprefix("rome = rome - ").removesuffix(" + france")
        assert wrong not in ("rome", "italy", "france") and tiny.whole_words[tiny.ids[wrong]]
        _, vector = only_vector(control)
        np.testing.assert_allclose(vector, applied(rome, rome - row(tiny, wrong) + france, change), atol=1e-5)
    assert len({c.detail for c in found["another word subtracted"]}) == 4

    (control,) = found["another word edited"]
    other, vector = only_vector(control)
    assert tiny.vocabulary[other] in ("is", "the", "capital", "of")
    assert other == max(tiny.ids[w] for w in ("is", "the", "capital", "of"))  # the rarest of the sentence
    np.testing.assert_allclose(vector, applied(tiny.matrix[other], tiny.matrix[other] + free, once), atol=1e-5)

    assert len(found["random difference"]) == 4
    for control in found["random difference"]:
        plus, minus = control.detail.removesuffix(", scaled to the same length").removeprefix("+ ").split(" - ")
        difference = row(tiny, plus) - row(tiny, minus)
        _, vector = only_vector(control)
        step = difference / np.linalg.norm(difference) * np.linalg.norm(free)
        np.testing.assert_allclose(vector, applied(rome, rome + step, once), atol=1e-4)

    for control in (c for group in found.values() for c in group):
        assert control.patch.tied == (change.scope == "tied")
        if control.name != "another word edited":
            assert control.patch.positions == change.positions


def test_the_wrong_word_is_one_of_the_same_kind(bundled):
    """For a country, it is another country, and not one of the formula."""
    countries = set(wordlists.load("countries")["country"]) | set(wordlists.load("cities")["country"])
    for seed in range(5):
        found = by_name(bundled, ROME, CHANGE, draws=5, seed=seed)["another word subtracted"]
        drawn = [c.detail.removeprefix("rome = rome - ").removesuffix(" + france") for c in found]
        assert len(set(drawn)) == 5 and set(drawn) <= countries - {"italy", "france"}
        assert [c.clause for c in found] == [f"{word} is subtracted instead of italy" for word in drawn]


@pytest.mark.parametrize(
    ("edit", "clause"),
    [
        ("rome = france", "france is written instead of rome"),
        ("rome = (france + france) / 2", "france is written instead of rome"),
        ("rome = rome", ""),
        ("rome = rome - italy + france", ""),
    ],
)
def test_an_edit_that_writes_another_word_is_compared_with_its_sentence(bundled, edit, clause):
    result = controls.experiment(ROME, bundled, change=Change.of((edit,)), draws=1)
    written = result.controls[result.controls["control"] == WRITTEN]
    assert written["clause"].tolist() == [clause] * bool(clause)
    if clause:
        france = controls.experiment("France is the capital of [MASK].", bundled, change=edits.NO_CHANGE)
        top = france.answers.loc[france.answers["rank_before"] == 1].iloc[0]
        assert written["answer"].tolist() == [top["token"]]
        assert written["probability"].to_numpy() == pytest.approx(top["probability_before"], abs=1e-6)


@pytest.mark.parametrize(
    ("texts", "replaced"), [(("rome = france",), ()), (("rome = france", "london = paris"), "london")]
)
def test_nothing_is_written_instead_of_a_tied_word_that_is_not_in_the_sentence(bundled, texts, replaced):
    change = Change.of(texts, "tied")
    result = controls.experiment("London is in [MASK].", bundled, change=change, draws=1)
    written = result.controls.loc[result.controls["control"] == WRITTEN, "clause"].tolist()
    assert written == [f"paris is written instead of {replaced}"] * bool(replaced)
    assert result.replaced == (((replaced, "paris"),) if replaced else ())


def test_draws_follow_the_seed(tiny):
    first, again, other = (controls.controls(ROME, tiny, change=CHANGE, draws=5, seed=seed) for seed in (3, 3, 4))
    assert [c.detail for c in first] == [c.detail for c in again]
    assert [c.detail for c in first] != [c.detail for c in other]
    for one, two in zip(first, again, strict=True):
        for target, vector in one.patch.vectors.items():
            np.testing.assert_array_equal(vector, two.patch.vectors[target])


@pytest.mark.parametrize(
    ("edit", "names"),
    [
        ("he = he + she", {"another word edited", "random difference"}),
        ("he = reject(he, she - he)", {"another word edited", "random difference"}),
        ("he = king - man + woman", set(CONTROLS)),
        ("he = he - she", {"another word subtracted", "another word edited", "random difference"}),
    ],
)
def test_only_controls_that_make_sense(tiny, edit, names):
    assert set(by_name(tiny, "he works as a [MASK].", Change.of((edit,)))) == names


def test_a_sentence_without_another_word(tiny):
    assert "another word edited" not in by_name(tiny, "Rome [MASK].", CHANGE)


def test_several_edits_are_controlled_together(tiny):
    change = Change.of((EDIT, "king = king - man + woman"))
    found = by_name(tiny, "Rome is the king of [MASK].", change)
    (added,) = found["added only"]
    assert added.detail == "rome = rome + france, king = king + woman"
    np.testing.assert_allclose(added.patch.vectors[tiny.ids["king"]], row(tiny, "king") + row(tiny, "woman"), atol=1e-5)
    (moved,) = found["another word edited"]
    other, vector = only_vector(moved)
    shift = row(tiny, "france") - row(tiny, "italy") + row(tiny, "woman") - row(tiny, "man")
    np.testing.assert_allclose(vector, tiny.matrix[other] + shift, atol=1e-5)


def test_two_subtracted_words_are_never_replaced_by_one(tiny):
    change = Change.of(("rome = rome - red - green + france",))
    for seed in range(20):
        for control in by_name(tiny, ROME, change, draws=10, seed=seed)["another word subtracted"]:
            ((_, vector),) = control.patch.vectors.items()
            signs = control.detail.count(" - ")
            assert signs == 2, control.detail
            assert np.isfinite(vector).all()


def test_an_edit_to_nothing_next_to_another_edit(tiny):
    result = controls.experiment("Rome is the king of [MASK].", tiny, change=Change.of((EDIT, "king = king - king")))
    assert not result.answers.empty


def test_the_experiment_is_the_same_as_each_run_alone(tiny):
    change = Change.of((EDIT,), "tied")
    text = "[MASK] is the capital of rome [MASK]."
    result = controls.experiment(text, tiny, change=change, k=4, draws=3, seed=1)
    runs = controls.controls(text, tiny, change=change, draws=3, seed=1)
    patches = [Patch(), edits.resolve(change, tiny)]
    before, after = (forward.probabilities(forward.mask_logits(text, tiny, patches=[p]))[0] for p in patches)
    alone = [forward.probabilities(forward.mask_logits(text, tiny, patches=[run.patch]))[0] for run in runs]
    for shown in result.answers.itertuples():
        i = tiny.ids[shown.token]
        assert shown.probability_before == pytest.approx(before[shown.mask - 1, i], abs=1e-6)
        assert shown.probability_after == pytest.approx(after[shown.mask - 1, i], abs=1e-6)
    assert len(result.controls) == 2 * len(runs)
    for mask, lines in result.controls.groupby("mask"):
        for line, run, chances in zip(lines.itertuples(), runs, alone, strict=True):
            assert (line.control, line.detail) == (run.name, run.detail)
            assert line.answer == tiny.vocabulary[int(chances[mask - 1].argmax())]
            assert line.token == tiny.vocabulary[int(after[mask - 1].argmax())]
            assert line.probability == pytest.approx(chances[mask - 1, tiny.ids[line.token]], abs=1e-6)


def test_words_left_out_are_no_answers_of_the_controls(tiny):
    first = controls.experiment(ROME, tiny, change=CHANGE).answers["token"].iloc[0]
    result = controls.experiment(ROME, tiny, change=CHANGE, leave_out=(first,))
    assert first not in set(result.answers["token"]) | set(result.controls["answer"])


def test_the_leading_answers_are_the_first_after_and_those_that_fell_out():
    answers = pd.DataFrame({"token": list("abcd"), "rank_after": [3, 1, 2, 9], "rank_before": [2, 8, 9, 1]})
    assert controls.leading(answers, 2, 1)["token"].tolist() == ["b", "c", "d"]
    assert controls.leading(answers, 4, 0)["token"].tolist() == ["b", "c", "a", "d"]


def test_the_summary_is_pandas_own_grouping(bundled):
    result = controls.experiment("rome is in [MASK] and [MASK] .", bundled, change=CHANGE, draws=3)
    same = result.controls.assign(same=result.controls["answer"] == result.controls["token"])
    grouped = same.groupby(["mask", "control"], sort=False).agg(
        draws=("probability", "size"), same_answer=("same", "mean"), mean=("probability", "mean"),
        lowest=("probability", "min"), highest=("probability", "max"),
    )  # fmt: skip
    pd.testing.assert_frame_equal(result.summary, grouped.reset_index(), check_dtype=False)


def test_nothing_edited_has_no_controls(tiny):
    result = controls.experiment(ROME, tiny, change=edits.NO_CHANGE)
    assert result.controls.empty and result.summary.empty
    np.testing.assert_array_equal(result.answers["change"], 0)
    columns = ["control", "detail", "clause", "mask", "answer", "token", "probability", "left_out"]
    assert list(result.controls.columns) == columns


@pytest.mark.parametrize("text", ["Pakistan is the south of [MASK].", "[MASK] is the south of pakistan, says [MASK]."])
def test_words_left_out_are_noted_where_they_would_be_the_first_answer(bundled, text):
    change = Change.of(("pakistan = pakistan - asia + europe",), "tied")
    runs = controls.controls(text, bundled, change=change)
    patches = [Patch(), edits.resolve(change, bundled), *(run.patch for run in runs)]
    top = np.array([p.argmax(1) for p in forward.mask_probabilities(text, bundled, patches=patches)])  # (runs, masks)
    hidden = [bundled.vocabulary[top[0, -1]], bundled.vocabulary[top[2, 0]], "he"]  # of the original, and of a control
    result = controls.experiment(text, bundled, change=change, leave_out=hidden)
    masks = text.count("[MASK]")
    words = [[bundled.vocabulary[i] if bundled.vocabulary[i] in hidden else "" for i in row] for row in top]
    for mask in range(1, masks + 1):
        assert result.left_out.get(mask, ("", "")) == (words[0][mask - 1], words[1][mask - 1])
        noted = result.controls.loc[result.controls["mask"] == mask, "left_out"]
        assert noted.tolist() == [row[mask - 1] for row in words[2:]]
    assert result.left_out[masks][0] == hidden[0]  # the case that the headline must name
    assert not controls.experiment(text, bundled, change=change).left_out


def test_words_left_out_have_a_limit_that_the_offensive_list_does_not_count_to(bundled):
    own = [w for i, w in enumerate(bundled.vocabulary) if bundled.whole_words[i]][1000:1200]
    offensive = list(wordlists.load("offensive")["word"])
    named = {"model": bundled, "draws": 1}
    controls.experiment(ROME, change=edits.NO_CHANGE, leave_out=[*own, *offensive], **named)
    for count in (201, 5_000):
        with pytest.raises(ValueError, match=rf"There are {count:,} words to leave out; at most 200"):
            controls.experiment(ROME, change=CHANGE, leave_out=[f"w{i}" for i in range(count)], **named)


def test_many_masks_and_draws_stay_small(bundled):
    """All answers of 46 runs at ten masks at once took 385 MB."""
    text = " ".join(["Rome is the capital of", *["[MASK]"] * 10])
    controls.experiment(text, bundled, change=CHANGE, draws=1)
    tracemalloc.start()
    controls.experiment(text, bundled, change=CHANGE, draws=20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6
