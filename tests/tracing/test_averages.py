"""Averages over cases, against traces and components of single cases, which are tested against hooks."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from embtools import memory, trace, trace_heads
from embtools.charts import tracing as charts
from embtools.mask_filling.relations import relation
from embtools.rooms.question import SHARES
from embtools.tracing.averages import average, blocks
from embtools.tracing.cases import EDIT, EDITED, MASK, OTHER, RANDOM, SENTENCE, DrawnCases
from embtools.tracing.components import trace_components
from embtools.tracing.positions import trace_positions
from embtools.tracing.runs import two_runs
from tests import kept

# The average over cases, against traces of single cases, which are tested against hooks

PAIRS = relation("capital").pairs


@pytest.fixture(scope="module")
def result(bundled):
    return kept.once(average, DrawnCases(PAIRS, count=4, others=1), bundled)


@pytest.fixture(scope="module")
def singles(bundled, result):
    """The traces and heads of the same cases, one by one."""
    found = []
    for row in result.cases.itertuples():
        text = SENTENCE.replace("{a}", row.a)
        given = {"edits": (f"{row.a} = {row.a} - {row.b} + {row.c}",), "answers": (row.b, row.c)}
        found.append(
            (trace(text, bundled, **given), trace_heads(text, bundled, **given), two_runs(text, bundled, **given))
        )
    return found


@pytest.mark.slow
def test_shares_are_ratios_of_sums_of_single_traces(result, singles):
    effects = np.array([runs.effect for _, _, runs in singles])
    np.testing.assert_allclose(result.cases[EDIT], effects, atol=1e-3)
    for role, position in ((EDITED, 1), (MASK, 6)):
        for column in ("sufficiency", "necessity"):
            parts = [frame.loc[frame["position"] == position, f"{column}_difference"] for frame, _, _ in singles]
            np.testing.assert_allclose(result.of(EDIT, role)[column], np.sum(parts, axis=0) / effects.sum(), atol=1e-4)


def test_heads_are_selected_on_one_half_and_reported_on_the_other(result, singles):
    halves = result.cases["half"].to_numpy()
    assert sorted(halves) == [1, 1, 2, 2]
    effects = np.array([runs.effect for _, _, runs in singles])
    table = np.stack([heads["sufficiency_difference"] for _, heads, _ in singles])
    first, second = (table[halves == half].sum(axis=0) / effects[halves == half].sum() for half in (1, 2))
    best = np.argsort(-first)[:5]
    assert (12 * (result.heads["layer"] - 1) + result.heads["head"] - 1).tolist() == best.tolist()
    np.testing.assert_allclose(result.heads["selected"], first[best], atol=1e-4)
    np.testing.assert_allclose(result.heads["sufficiency"], second[best], atol=1e-4)
    # The same heads as in an earlier measurement with 24 capitals.
    assert set(zip(result.heads["layer"], result.heads["head"], strict=True)) >= {(6, 6), (6, 8), (6, 4)}


def test_the_selected_layer_and_its_numbers_are_in_the_headline(result, singles):
    row = result.layers.iloc[0]
    effects = np.array([runs.effect for _, _, runs in singles])
    mask = np.stack([f.loc[f["position"] == 6, "sufficiency_difference"] for f, _, _ in singles])
    word = np.stack([f.loc[f["position"] == 1, "sufficiency_difference"] for f, _, _ in singles])
    drawn = result.of("edit", "edited word").set_index("layer")["sufficiency"]  # the same cases as in the chart
    assert row["stays"] == pytest.approx(drawn[5])
    assert row["layer"] == 6
    assert row["moves"] == pytest.approx((mask[:, 6] - mask[:, 5]).sum() / effects.sum(), abs=1e-4)
    assert row["stays"] == pytest.approx(word[:, 5].sum() / effects.sum(), abs=1e-4)
    assert (
        f"state after layer 5 produces {row['stays']:.0%} of the effect (95% interval" in result.headline
        and "layer 6 moves" in result.headline
    )


@pytest.mark.thorough
def test_the_first_cases_have_both_halves_and_stay_after_a_stop(bundled, result):
    given = DrawnCases(PAIRS, "{a} = {a} + {c}", count=6)
    memory.forget()
    recorded = []

    def stop(done):
        recorded.append(done)
        if done > 0.7:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        average(given, bundled, progress=stop)
    assert recorded == sorted(recorded) and blocks(given, bundled).finished(bundled) == 4
    assert blocks(replace(given, seed=1), bundled).finished(bundled) == 0
    computed = memory.counts().times["embtools.tracing.case_blocks.moved_in"]
    part = average(replace(given, first=4), bundled)
    assert memory.counts().times["embtools.tracing.case_blocks.moved_in"] == computed
    whole = average(given, bundled)
    assert part.cases.drop(columns=[EDIT, RANDOM, OTHER]).equals(whole.cases[:4].drop(columns=[EDIT, RANDOM, OTHER]))
    np.testing.assert_allclose(part.cases[EDIT], whole.cases[EDIT][:4], atol=1e-5)
    assert sorted(part.cases["half"]) == [1, 1, 2, 2] and result.partial == whole.partial == ""
    assert part.partial == f"4 of the {len(whole.cases)} cases were traced."
    for odd in (3, 7, True, 4.5):
        with pytest.raises(ValueError, match="Choose 4 to"):
            average(replace(given, first=odd), bundled)


def test_controls_are_smaller_than_the_edit_and_on_its_scale(result, bundled):
    shares = result.effects.set_index("condition")["share"]
    assert shares[EDIT] == 1 and shares[OTHER] < 0.5 and shares[RANDOM] < 0.6
    row = result.cases.iloc[0]
    text, edit = SENTENCE.replace("{a}", row["a"]), f"capital = capital - {row['b']} + {row['c']}"
    runs = two_runs(text, bundled, edits=(edit,), answers=(row["b"], row["c"]))
    assert row[OTHER] == pytest.approx(runs.effect, abs=1e-3)
    assert result.of(OTHER, EDITED)["sufficiency"].iloc[0] == pytest.approx(shares[OTHER], abs=1e-4)
    assert f"{result.effects['effect'][0]:.1f} nats" in result.controls
    assert result.of(EDIT, EDITED)["sufficiency_low"].le(result.of(EDIT, EDITED)["sufficiency"] + 1e-9).all()


@pytest.mark.slow
def test_an_edit_without_effect_has_no_shares(bundled):
    found = average(DrawnCases(PAIRS, count=4, strength=0.0), bundled)
    assert found.frame["sufficiency"].isna().all() and found.heads["sufficiency"].isna().all()
    assert found.headline == "The edit has no effect in 4 cases, so there is nothing to trace."
    assert "no effect" in charts.average_lines(found, "sufficiency").alt
    assert charts.average_heads(found).alt.count("undefined") == 5 and found.components == ""
    assert "no shares" in charts.average_parts(found).alt + charts.average_knockouts(found).alt
    with pytest.raises(ValueError, match="too small to compare"):
        found.question(sentence="x", edit="x")


def test_an_effect_that_is_too_small_is_reported_instead_of_shares(result):
    cases = result.cases.assign(**{EDIT: result.cases[EDIT] / 1000})
    weak = replace(result, cases=cases, effects=result.effects.assign(effect=result.effects["effect"] / 1000))
    effect = cases[EDIT].mean()
    assert 0 < abs(effect) < 0.1 and not weak.defined
    size = f"{effect:+.2f}".replace("-", "−")
    assert weak.headline == f"The effect of the edit is too small to be traced: {size} nats on average in 4 cases."
    assert "nats" not in weak.controls and "%" not in weak.controls


def test_an_effect_needs_one_sign_in_both_halves_and_has_a_minus_sign(result):
    signs = np.where(result.cases["half"] == 1, 3.0, -2.0)
    assert result.defined and not replace(result, cases=result.cases.assign(edit=signs)).defined
    lower = replace(result, effects=result.effects.assign(effect=-result.effects["effect"]))
    assert f"by −{result.effects['effect'][0]:.1f} nats" in lower.controls


def test_few_words_are_a_caution(result):
    """Those of the half that is reported, not of all cases."""
    assert result.few == (
        "In the half on which the heads are reported, there are only 2 different words a and 2 different words c, so the intervals are"
        " only a rough guide."
    )
    many = pd.DataFrame({"a": [f"w{n}" for n in range(40)], "c": [f"v{n}" for n in range(40)], "half": [1, 2] * 20})
    assert replace(result, cases=many).few == ""
    assert "only 19 different words a and 19" in replace(result, cases=many[:38]).few


def test_pairs_that_are_left_out_are_named(result):
    excluded = pd.DataFrame([("Ouagadougou", "Burkina", "Not a token.")] * 4, columns=["a", "b", "reason"])
    left_out = replace(result, excluded=excluded[:1]).left_out
    assert left_out == "1 pair cannot be tested: Ouagadougou–Burkina (Not a token)."
    assert replace(result, excluded=excluded).left_out.endswith("; …")


@pytest.mark.thorough
def test_24_capitals_repeat_the_reference(bundled):
    """99 to 104% at the capital through layer 5; heads 6, 8 and 4 carry 38, 26 and 15%, all others under 25%.

    Earlier weights had 98 to 100% there, and the same three heads with 39, 20 and 16%.
    """
    result = average(DrawnCases(PAIRS, count=24, others=1), bundled)
    assert result.of(EDIT, EDITED)["sufficiency"][:-1].between(0.98, 1.05).all()
    shares = result.heads.set_index(["layer", "head"])["sufficiency"]
    for head, share in ((6, 0.38), (8, 0.26), (4, 0.15)):
        assert shares[(6, head)] == pytest.approx(share, abs=0.06)
    assert 1 - shares[[(6, 6), (6, 8), (6, 4)]].sum() < 0.25


# The tables of an average, against components of single cases, which are tested against hooks


@pytest.fixture(scope="module")
def components(bundled, result):
    """The parts and knockouts of the same cases, one by one: of the edit, and of the edit of another word."""
    found = {EDIT: [], OTHER: []}
    for row in result.cases.itertuples():
        text = SENTENCE.replace("{a}", row.a)
        for condition, word in ((EDIT, row.a), (OTHER, "capital")):
            edit = f"{word} = {word} - {row.b} + {row.c}"
            found[condition].append(trace_components(text, bundled, edits=(edit,), answers=(row.b, row.c)))
    return found


@pytest.mark.slow("edit")
@pytest.mark.parametrize("condition", [EDIT, OTHER])
def test_parts_and_blocked_attention_are_ratios_of_sums_of_single_traces(result, components, condition):
    effect = result.cases[EDIT].sum()
    singles = components[condition]
    rows = result.parts[result.parts["condition"] == condition]
    expected = sum(each.layers["sufficiency_difference"].to_numpy() for each in singles) / effect
    assert rows["component"].tolist() == singles[0].layers["component"].tolist()
    assert rows["layer"].tolist() == singles[0].layers["layer"].astype(str).tolist()
    np.testing.assert_allclose(rows["sufficiency"], expected, atol=1e-4)
    rows = result.knockouts[result.knockouts["condition"] == condition]
    expected = sum(each.knockouts["knockout_difference"].to_numpy() for each in singles) / effect
    assert rows["layer"].tolist() == singles[0].knockouts["layer"].tolist()
    np.testing.assert_allclose(rows["knockout"], expected, atol=1e-4)
    for frame, name in ((result.parts, "sufficiency"), (result.knockouts, "knockout")):
        assert frame["low"].le(frame[name] + 1e-9).all() and frame["high"].ge(frame[name] - 1e-9).all()


def test_selected_heads_have_their_controls_and_knockouts_on_the_other_half(result, components):
    second = result.cases["half"].to_numpy() == 2
    effect = result.cases[EDIT][second].sum()
    chosen = (12 * (result.heads["layer"] - 1) + result.heads["head"] - 1).to_numpy()

    def shares(condition, column):
        table = np.stack([each.heads[column].to_numpy() for each in components[condition]])
        return table[second].sum(axis=0)[chosen] / effect

    np.testing.assert_allclose(result.heads["knockout"], shares(EDIT, "knockout_difference"), atol=1e-4)
    other = result.head_controls[result.head_controls["condition"] == OTHER]
    np.testing.assert_allclose(other["sufficiency"], shares(OTHER, "sufficiency_difference"), atol=1e-4)
    assert result.head_controls.groupby("condition").size().to_dict() == {RANDOM: 5, OTHER: 5}
    assert other["head"].tolist() == result.heads["head"].tolist()


def test_the_layer_that_moves_most_has_its_parts_over_all_cases(result, components):
    effect, layer = result.cases[EDIT].sum(), int(result.layers["layer"].iloc[0])
    own = components[EDIT]
    parts = sum(each.layers["sufficiency_difference"].to_numpy().reshape(-1, 2)[layer - 1] for each in own) / effect
    lost = sum(each.knockouts["knockout_difference"].to_numpy()[[layer - 1, -1]] for each in own) / effect
    np.testing.assert_allclose(result.of_layer["share"], [*parts, *lost], atol=1e-4)
    assert result.of_layer["layer"].tolist() == [str(layer)] * 3 + ["all"]
    for share in result.of_layer["share"]:
        assert f"{share:.0%}" in result.components


# Questions for a class about traces: their answers are those of the views

ROME, ROME_EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
TEXTS = "The capital of France is [MASK].", "The capital of Poland is [MASK]."


def picked(question):
    """The choice that is BERT's answer."""
    return question.choices[question.picked]


@pytest.mark.parametrize("given", [{"edits": (ROME_EDIT,)}, {"second_text": TEXTS[1]}])
def test_the_layer_is_the_one_that_brings_most_to_the_mask(bundled, given):
    text = ROME if "edits" in given else TEXTS[0]
    frame, result = trace(text, bundled, **given), trace_positions(text, bundled, **given)
    question = result.question(edits=given.get("edits", ()))
    mask = frame[frame["token"] == "[MASK]"]["sufficiency"].to_numpy()
    layer = int(np.diff(mask).argmax()) + 1
    assert result.arrives == layer and question.answer == f"layer {layer}"
    assert question.choices == ("layers 1 and 2", "layers 3 and 4", "layers 5 and 6") and str(layer) in picked(question)
    assert (ROME_EDIT if "edits" in given else "france → poland") in question.context and "____" in question.context


def test_the_share_is_that_of_the_strongest_head(bundled):
    question = trace_components(ROME, bundled, edits=(ROME_EDIT,)).question(edits=(ROME_EDIT,))
    heads = trace_heads(ROME, bundled, edits=(ROME_EDIT,))
    best = heads.loc[heads["sufficiency"].idxmax()]
    assert question.answer == f"{best['sufficiency']:.0%} (head {best['layer']}.{best['head']})"
    assert "72 heads" in question.text and picked(question) == SHARES[int(best["sufficiency"] * 4)]


def test_the_random_change_is_that_of_the_average(result):
    question, share = result.question(sentence=SENTENCE, edit="x"), result.effects["share"].iloc[1]
    assert question.answer == f"{share:.0%}" and picked(question) == SHARES[max(int(share * 4), 0)]
    assert "{a} is the capital of [MASK]." in question.context and question.whose == "The answer"


def test_effects_near_zero_cannot_be_asked(bundled):
    for function in (trace_positions, trace_components):
        with pytest.raises(ValueError, match="too small"):
            function(ROME, bundled, second_text=ROME).question()


@pytest.mark.slow
def test_long_sentences_and_other_choices(bundled):
    text = "We all know that the very big city of Rome, where I was last year with friends, is the capital of [MASK]."
    question = trace_positions(text, bundled, edits=(ROME_EDIT,)).question(("yes", "no"), edits=(ROME_EDIT,))
    assert (
        "very big city of rome" in question.context.lower()
        and not any(question.shares)
        and question.answer.startswith("layer ")
    )
