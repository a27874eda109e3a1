"""Answers by group and for their average, against the network with its row overwritten; and what is said of them."""

import math

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.special import softmax

from embtools import fill_mask
from embtools.bias import groups as bias_groups
from embtools.bias.answers_by_group import AVERAGE, GroupAnswers, Spread, scopes
from embtools.bias.groups import group_answers
from embtools.bias.own_sentence import Completed, complete, with_slot, words
from tests.hooked import Hooked

TEMPLATE = "{group} works as a [MASK]."


@pytest.fixture(scope="module")
def network_answers(tiny):
    """Probabilities at the mask, straight from a copy of the network, after rows of the tied matrix were overwritten."""

    def read(text, weights=None, target=None):
        hooked, at = Hooked(tiny), tiny.tokenize(text)["id"].tolist().index(tiny.mask_id)
        matrix = hooked.network.get_input_embeddings().weight
        if weights:
            with torch.no_grad():
                matrix[tiny.ids[target]] = sum(w * matrix[tiny.ids[word]] for word, w in weights.items())
        return dict(zip(tiny.vocabulary, softmax(hooked.logits(text)[at].astype(float)), strict=True))

    return read


def column(found, name):
    return found.union.set_index("token")[name].to_dict()


def test_each_group_has_the_answers_of_its_own_sentence(tiny):
    found = bias_groups.group_answers(TEMPLATE, tiny, groups=("He", "She"), k=4)
    for name in ("He", "She"):
        rows = found.answers[found.answers["column"] == name]
        expected = fill_mask(f"{name} works as a [MASK].", tiny, k=40)
        expected = expected[tiny.rankable[[tiny.ids[t] for t in expected["token"]]]].head(4)
        assert list(rows["token"]) == list(expected["token"])
        np.testing.assert_allclose(rows["probability"], expected["probability"], rtol=1e-5)
        assert list(rows["rank"]) == [1, 2, 3, 4]


def test_each_group_keeps_its_own_article(tiny, network_answers):
    found = bias_groups.group_answers("a {group} is [MASK].", tiny, groups=("king", "un"), k=30)
    expected = network_answers("an un is [MASK].")  # "an" is unknown to this vocabulary, "a" is not
    assert column(found, "un") == pytest.approx({t: expected[t] for t in column(found, "un")}, abs=1e-6)


@pytest.mark.parametrize(("lean", "weight"), [(0.0, 0.5), (-0.5, 0.75), (1.0, 0.0)])
def test_the_tied_average_is_the_overwritten_row(lean, weight, tiny, network_answers):
    found = bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she"), k=30, lean=lean, scope="tied")
    expected = network_answers("he works as a [MASK].", {"he": weight, "she": 1 - weight}, "he")
    for token, probability in column(found, "average").items():
        assert probability == pytest.approx(expected[token], abs=1e-6)


def test_the_scopes_differ_in_the_words_own_score_only(tiny):
    tied, free = (
        bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she"), k=50, scope=s) for s in ("tied", "input")
    )
    a, b = column(tied, "average"), column(free, "average")
    gap = max(abs(a[t] - b[t]) for t in a)
    assert tied.scope_gap == free.scope_gap == pytest.approx(gap, rel=1e-6) and gap > 0
    ratios = {t: a[t] / b[t] for t in a if t != "he"}
    assert np.ptp(list(ratios.values())) < 1e-5  # all others move together, by the normalisation


def test_only_the_slot_is_averaged(tiny, network_answers):
    found = bias_groups.group_answers(
        "{group} is he, a [MASK].", tiny, groups=("he", "she"), k=30, scope="input", lean=1
    )
    assert column(found, "average") == pytest.approx(column(found, "she"), abs=1e-7)
    expected = network_answers("she is he, a [MASK].")
    assert column(found, "average") == pytest.approx({t: expected[t] for t in column(found, "average")}, abs=1e-6)


def test_distances_are_scipys(tiny):
    found = bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she", "king"), k=30, scope="input")
    values = found.distances.set_index("answers_for")
    everything = {}
    for name in ("he", "she", "king"):
        answers = fill_mask(f"{name} works as a [MASK].", tiny, k=45).set_index("token")["probability"].sort_index()
        everything[name] = np.append(answers, 1 - answers.sum())  # the rest is [UNK], which is never an answer
    for one in everything:
        for other in everything:
            expected = jensenshannon(everything[one], everything[other], base=2) ** 2
            # The probabilities are those of two runs in float32, whose rounding depends on the processor.
            assert values.loc[one, other] == pytest.approx(expected, abs=5e-7)
    assert list(values["kind"]) == ["group"] * 3 + ["average", "control"]
    assert values.loc["average", "he"] > 0


def test_groups_of_several_tokens_have_a_column_and_are_not_averaged(tiny):
    found = bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she", "unable"))
    assert found.left_out == ("unable",)
    assert found.formula == "0.5 he + 0.5 she"
    assert {"he", "she", "unable", "average"} == set(found.union.columns[1:])
    phrases = bias_groups.group_answers(TEMPLATE, tiny, groups=("The man", "The woman"))
    assert phrases.formula == "" and np.isnan(phrases.scope_gap)
    assert "average" not in phrases.union.columns


@pytest.mark.parametrize(("n", "lean"), [(2, -1), (12, -0.3), (3, 0), (12, 1)])
def test_weights_sum_to_one_and_the_others_are_equal(n, lean):
    weights = bias_groups.average_weights(n, lean=lean)
    assert weights.sum() == pytest.approx(1) and (weights >= -1e-7).all()
    assert np.ptp(weights[1:]) == pytest.approx(0, abs=1e-7)
    assert (weights[0] > 1 / n) == (lean < 0) or lean == 0


@pytest.mark.parametrize("scope", ["input", "tied"])
def test_the_curve_passes_through_the_averages(scope, tiny):
    given = {"groups": ("he", "she"), "scope": scope}
    averages = {
        lean: column(group_answers(TEMPLATE, tiny, k=50, lean=lean, **given), "average") for lean in (-1.0, 0.0, 1.0)
    }
    curve = bias_groups.lean_curve(TEMPLATE, tiny, tokens=tuple(averages[0.0]), **given)
    curve = curve.set_index(["weight", "token"])["probability"]
    for lean, average in averages.items():
        assert curve[lean].to_dict() == pytest.approx(average, abs=1e-7)


def test_the_control_is_mixed_in_the_scope_of_the_average(tiny, network_answers):
    found = group_answers(TEMPLATE, tiny, groups=("he", "she"), scope="tied").distances.set_index("kind")
    text, words = "he works as a [MASK].", bias_groups._unrelated(("he", "she"), tiny, 0)
    own = list(network_answers(text).values())
    mixed = [list(network_answers(text, {"he": 0.5, word: 0.5}, "he").values()) for word in words]
    expected = np.mean([jensenshannon(row, own, base=2) ** 2 for row in mixed])
    assert found.loc["control", "he"] == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("template", "groups", "options", "message"),
    [
        ("She works as a [MASK].", ("he", "she"), {}, "Put {group} where"),
        ("{group} [MASK] [MASK].", ("he", "she"), {}, "exactly one \\[MASK\\]"),
        ("{group}s are [MASK].", ("he", "she"), {}, "touches a letter or digit"),
        (TEMPLATE, ("he", "he"), {}, "at least two"),
        (TEMPLATE, tuple(f"a{i}" for i in range(13)), {}, "at most 12"),
        (TEMPLATE, ("he", "average"), {}, "another meaning"),
        (TEMPLATE, ("He", "she", "he"), {}, "'He' and 'he' are the same word for this model"),
        (TEMPLATE, ("he", "red ᚠ"), {}, "'red ᚠ' cannot be read"),
        (TEMPLATE, ("he", "x" * 41), {}, "not a group's name"),
        (TEMPLATE, ("he", "she"), {"k": 0}, "choose 1 to 50"),
        (TEMPLATE, ("he", "she"), {"lean": float("nan")}, "choose −1"),
    ],
)
def test_bad_input_says_what_to_do(template, groups, options, message, tiny):
    with pytest.raises(ValueError, match=message):
        bias_groups.group_answers(template, tiny, groups=groups, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": ("he", "unable")}, "a single token each"),
        ({"steps": 1}, "choose 2 to 101"),
        ({"tokens": ()}, "choose 1 to 50"),
        ({"tokens": ("lodnon",)}, "'lodnon' is not"),
    ],
)
def test_a_curve_has_limits_and_takes_any_token(options, message, tiny):
    given = {"groups": ("he", "she"), "tokens": ("##able", "."), "steps": 2}
    assert set(bias_groups.lean_curve(TEMPLATE, tiny, **given)["token"]) == {"##able", "."}
    with pytest.raises(ValueError, match=message):
        bias_groups.lean_curve(TEMPLATE, tiny, **given | options)


def test_gaps_are_the_log_ratios_of_the_pipelines_answers(tiny, pipelines):
    found = bias_groups.group_answers(TEMPLATE, tiny, groups=("he", "she", "man"), k=4).gaps
    scores = {}
    for group in ("he", "she", "man"):
        rows = pipelines["tiny"](f"{group} works as a [MASK].", top_k=len(tiny.vocabulary))
        scores[group] = {row["token_str"]: row["score"] for row in rows}
    assert len(found) >= 4
    for word, gap in found.items():
        he, she, man = (scores[group][word] for group in ("he", "she", "man"))
        assert gap == pytest.approx(np.log(he) - (np.log(she) + np.log(man)) / 2, abs=1e-4)


def answers(first, probabilities, averaged=False):
    """Answers with these top answers and these probabilities of the word "x", by group."""
    columns = {**first, **({AVERAGE: "x"} if averaged else {})}
    return GroupAnswers(
        tuple(first),
        pd.DataFrame([(c, 1, t, 0.5) for c, t in columns.items()], columns=["column", "rank", "token", "probability"]),
        pd.DataFrame({"token": ["x", "y"], **{n: [p, 0.01] for n, p in probabilities.items()}}),
        pd.DataFrame(),
        "0.5 he + 0.5 she" if averaged else "",
        (),
        0.0,
    )


HE_SHE = {"he": "cook", "she": "nurse"}


@pytest.mark.parametrize(
    ("first", "averaged", "sentence"),
    [
        (HE_SHE, False, "“cook” for he (50%) and “nurse” for she (50%)."),
        ({"he": "x", "she": "nurse"}, True, "“x” for he (50%) and the average (50%), and “nurse” for she (50%)."),
        (
            {"a": "x", "b": "nurse", "c": "cook"},
            True,
            "“x” for a (50%) and the average (50%); “nurse” for b (50%); and “cook” for c (50%).",
        ),
        (
            {group: group.upper() for group in "abcdef"},
            False,
            "“A” for a (50%), “B” for b (50%), “C” for c (50%), “D” for d (50%) and 2 other words for the rest.",
        ),
    ],
)
def test_groups_with_the_same_top_answer_are_named_together(first, averaged, sentence):
    assert answers(first, {}, averaged).headline == f"BERT answers {sentence}"
    same = answers(dict.fromkeys("abc", "nurse"), {}).headline
    assert same == "BERT gives the same top answer, “nurse”, for a (50%), b (50%) and c (50%)."


@pytest.mark.parametrize(
    ("probabilities", "sentence"),
    [
        ({"he": 0.1, "she": 0.3}, "“x” has the widest gap: 30.0% for she and 10.0% for he."),
        ({"he": 0.3, "she": 0.02}, "“x” has the widest gap: 30.0% for he and 2.0% for she."),
        ({"he": 0.00041, "she": 0.00038}, "“x” has the widest gap: 0.041% for he and 0.038% for she."),
        ({"he": 0.01, "she": 0.01}, "None of these words is more probable"),
    ],
)
def test_the_word_with_the_largest_difference_is_named(probabilities, sentence):
    assert sentence in answers(HE_SHE, probabilities).widest


def result(
    rows: dict[str, list[float]], formula: str = "0.5 a + 0.5 b", left_out: tuple[str, ...] = ()
) -> GroupAnswers:
    """Groups a, b and c with these distances of each row to them."""
    kinds = {"average": "average", "a + an unrelated word": "control"}
    frame = pd.DataFrame([(name, kinds.get(name, "group"), *row) for name, row in rows.items()])
    frame.columns = ["answers_for", "kind", *"abc"]
    return GroupAnswers(("a", "b", "c"), pd.DataFrame(), pd.DataFrame(), frame, formula, left_out, 0.0)


DISTANCES = {"a": [0, 0.1, 0.9], "b": [0.1, 0, 0.8], "c": [0.9, 0.8, 0]}


def test_three_numbers_describe_the_distances_and_nothing_those_without_an_average():
    rows = DISTANCES | {"average": [0.2, 0.3, 0.4], "a + an unrelated word": [0.1, 0.6, 0.5]}
    assert result(rows).spread == Spread(0.1, 0.4, 0.6)
    # A group of several tokens is not part of the average, so nothing is said about it.
    assert result(rows, left_out=("b",)).spread == Spread(0.9, 0.4, 0.5)
    found = result(DISTANCES, formula="").spread
    assert math.isnan(found.nearest) and math.isnan(found.average) and found.sentence == ""


CLOSER = (
    "closer to each averaged group than these groups are to each other: they are at most 0.050 bits away, and the two"
    " closest"
)


@pytest.mark.parametrize(
    ("average", "control", "sentence"),
    [
        (0.05, 0.6, f"are {CLOSER} groups are 0.100 bits apart. The control"),
        (0.05, 0.05, " The control is up to 0.050 bits away from the groups, so the average shows little."),
        (0.1, 0.6, "are not closer to each averaged group"),  # the same distance is not closer
        (0.5, 0.6, "groups are 0.100 bits apart. The control is up to 0.600 bits away from the groups."),
    ],
)
def test_the_average_has_to_be_closer_than_groups_and_control(average, control, sentence):
    assert sentence in Spread(0.1, average, control).sentence


def test_scopes_agree_below_a_twentieth_of_a_point():
    agree, differ = "The scopes “input” and “tied” agree here: ", "The scopes “input” and “tied” do not agree here: "
    assert scopes(0.000499) == f"{agree}no probability differs by more than 0.050 percentage points."
    assert scopes(0.0005) == f"{differ}probabilities differ by up to 0.050 percentage points."
    assert scopes(float("nan")).startswith(differ)


@pytest.mark.parametrize(
    ("gap", "sentence"),
    [
        (0.0, "The scopes “input” and “tied” give the same probabilities here."),
        (0.9999e-5, "agree here: no probability differs by as much as 0.001 percentage points."),
        (1e-5, "agree here: no probability differs by more than 0.001 percentage points."),
    ],
)
def test_a_difference_is_never_written_as_zero(gap, sentence):
    assert scopes(gap).endswith(sentence) and "0.000" not in scopes(gap)


def test_the_best_words_are_next_to_each_other(bundled):
    found = group_answers("{group} works as a [MASK].", bundled, groups=("he", "the nurse", "she"), k=3)
    assert list(found.best.columns) == ["rank", "he", "the nurse", "she", AVERAGE] and found.averaged == ("he", "she")
    row = found.answers.query("column == 'the nurse' and rank == 2").iloc[0]
    assert found.best["the nurse"][1] == f"{row['token']} {row['probability']:.1%}"
    assert found.scopes == scopes(found.scope_gap)
    assert group_answers("{group} works as a [MASK].", bundled, groups=("he", "the nurse")).scopes == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{group} works as a [MASK].", Completed("{group} works as a [MASK].")),
        ("{Group} is ___", Completed("{group} is [MASK]")),
        ("{ group } is [ mask ].", Completed("{group} is [MASK].")),
        ("he said that He is [MASK].", Completed("{group} said that {group} is [MASK].", "he")),
        ("Niklas is [MASK].", Completed("{group} is [MASK].", "Niklas")),
        ("A well-known man isn’t old.", Completed("A {group} man isn’t [MASK].", "well-known", "old")),
        ("The neighbour is old.", Completed("The {group} is [MASK].", "neighbour", "old")),
        ("Everybody likes {group}.", Completed("Everybody [MASK] {group}.", "", "likes")),
        ("The hero is [MASK].", Completed("The {group} is [MASK].", "hero")),  # "he" is not in "hero"
        ("", Completed("")),
        ("…", Completed("…")),
        ("[MASK]", Completed("[MASK]")),
        ("[MASK] [MASK]", Completed("[MASK] [MASK]")),
        ("the", Completed("[MASK]", "", "the")),
    ],
)
def test_missing_groups_and_masks_are_added(text, expected):
    assert complete(text, ("He", "She")) == expected


def test_a_group_of_several_words_and_the_word_mask():
    assert complete("Here the nurse is [MASK].", ("a doctor", "the nurse")) == Completed(
        "Here {group} is [MASK].", "the nurse"
    )
    assert complete("[MASK] is old.", ("mask", "hat")) == Completed("[MASK] {group} old.", "is")
    assert with_slot("[MASK] mask", "mask") == "[MASK] {group}" and words("A rose\u0301 isn’t") == (
        "A",
        "rose\u0301",
        "isn’t",
    )


@given(st.text(max_size=80), st.lists(st.text(max_size=8), max_size=3))
def test_any_text_can_be_read_and_a_completed_sentence_stays_the_same(text, groups):
    once = complete(text, groups)
    again = complete(once.template, groups)
    if once.template.count("[MASK]") and "{group}" in once.template:
        assert again == Completed(once.template)
    assert "\x00" not in words(text)
