"""An edit: how it is suggested and typed, its answers at one mask, in both scopes and at each strength."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies

from embtools import fill_mask, nearest, wordlists
from embtools.arithmetic import controls, drafts, phrases, verdict
from embtools.arithmetic.edit import (
    MOST_WORDS,
    SentenceProblem,
    edited_answers,
    hidden_answers,
    offensive_words,
    read_edit,
)  # fmt: skip
from embtools.arithmetic.scopes import first_answers, sentence
from embtools.arithmetic.strength import MAX_CURVE_WORDS, strength_curve
from embtools.formula.expression import coefficients
from embtools.formula.parser import parse_equation
from embtools.mask_filling import answers as mask_filling_answers
from embtools.mask_filling import edits, forward
from embtools.mask_filling.controls import DESCRIPTIONS, RANDOM
from embtools.mask_filling.edits import Change

TEXT = "The doctor in Rome said that [MASK] was tired."
WORD = strategies.text("abcdé -'9", min_size=1, max_size=6).map(str.strip).filter(lambda word: word.strip(" -'"))


def test_an_edit_is_built_as_it_is_typed_of_words_that_can_be_edited(bundled) -> None:
    assert drafts.built("amazon", [], ["company", "new york"]) == 'amazon = amazon + company + "new york"'
    assert drafts.built("amazon", [], []) == drafts.built("", ["river"], []) == ""
    words = drafts.editable("The unabled doctor, the [MASK] doctor!", bundled)
    assert words == ("the", "doctor")  # neither punctuation marks, nor the mask, nor a word of several tokens
    assert drafts.rarest(words, bundled) == "doctor"


@given(word=WORD, less=strategies.lists(WORD, max_size=2), more=strategies.lists(WORD, max_size=2))
def test_what_is_built_is_read_as_it_was_meant(word: str, less: list[str], more: list[str]) -> None:
    line = drafts.built(word, less, more)
    if line:
        edit = parse_equation(line)
        expected: dict[str, float] = {word: 1.0}
        for words, sign in ((less, -1), (more, 1)):
            for other in words:
                expected[other] = expected.get(other, 0) + sign
        assert edit.target == word and coefficients(edit.expression) == expected


def test_words_to_subtract_are_the_answers_and_words_to_add_their_neighbours(bundled) -> None:  # type: ignore[no-untyped-def]
    two = "[MASK] is the capital of [MASK]."
    answers = fill_mask(two, bundled, k=drafts.SUGGESTIONS)
    assert list(drafts.to_subtract(two, bundled)) == answers[answers["mask"] == 1]["token"].tolist()
    near = nearest("italy", bundled, k=drafts.SUGGESTIONS, inputs=False, whole_words=True)
    assert list(drafts.to_add("Italy", bundled)) == near["token"].tolist()
    for word in ("unabled", "☃", "new york", ""):
        assert drafts.to_add(word, bundled) == ()


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("king - doctor + Rome", ("Rome = king - doctor + Rome",)),  # subtracted words are no targets
        ("doctor + rome", ("doctor = doctor + rome", "rome = doctor + rome")),
        ("king - man + woman", ("king = king - man + woman",)),  # none in the text: it will be set aside
        ("reject(doctor, she - he)", ("doctor = reject(doctor, she - he)",)),
        ("man is to doctor as woman is to ?", ("doctor = doctor - man + woman",)),
        ("doctor -", ()),
        ("", ()),
        ("rome = italy", ()),
    ],
)
def test_a_formula_without_a_left_side_is_completed(bundled, line, completed) -> None:  # type: ignore[no-untyped-def]
    assert drafts.completed(line, bundled, text=TEXT) == completed
    for edit in completed:
        parse_equation(edit)


def test_an_edit_that_is_added_replaces_those_of_its_word_and_those_that_do_not_apply(bundled) -> None:  # type: ignore[no-untyped-def]
    lines = ("king = queen", "Doctor = nurse", "tired = happy", "not an edit")
    new = "doctor = doctor - man"
    assert drafts.merged(lines, bundled, line=new, text=TEXT) == ("tired = happy", "not an edit", new)
    assert drafts.merged((), bundled, line=new, text=TEXT) == (new,)


def test_the_builder_offers_words_of_the_sentence_and_the_top_answers(bundled):
    options = drafts.edit_options("Amazon is a river.", bundled)
    assert options.words == ("amazon", "is", "a") and options.first == "amazon"  # "river" is masked
    assert options.to_subtract == drafts.to_subtract("Amazon is a [MASK].", bundled)
    assert drafts.edit_options("?! [MASK]", bundled).words == ()


ROME, ROME_EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
TWO = "[MASK] says rome is the capital of [MASK]."


def test_a_sentence_without_a_mask_is_read_with_its_last_word_masked(bundled):
    read = read_edit("Rome is the capital of Italy.", (ROME_EDIT,), bundled)
    assert (read.text, read.masked_word, read.masks) == (ROME, "Italy", 1)
    assert read.change == Change.of([ROME_EDIT]) and read.not_applied == () == read.positions == read.editable


def test_edits_of_absent_words_are_not_applied_and_the_rarest_words_are_offered(bundled):
    read = read_edit("The king lives in Berlin near an old [MASK].", (ROME_EDIT, "king = queen"), bundled)
    assert [edit.target for edit in read.not_applied] == ["rome"] and len(read.change.edits) == 1
    words = {"the", "king", "lives", "in", "berlin", "near", "an", "old"} & set(bundled.ids)
    expected = sorted((word for word in words if len(word) > 2), key=lambda word: -bundled.ids[word])
    assert list(read.editable) == expected[:MOST_WORDS]
    assert not read_edit("The king is [MASK].", (ROME_EDIT,), bundled, scope="tied").not_applied


def test_the_occurrences_of_a_repeated_word_are_listed(bundled):
    text = "Rome, Rome and Rome [MASK]."
    positions = dict(read_edit(text, (ROME_EDIT,), bundled).positions)
    tokens = bundled.tokenize(text)
    assert list(positions) == tokens.loc[tokens["token"] == "rome", "position"].tolist() and len(positions) == 3
    found = edited_answers(text, (ROME_EDIT,), bundled, positions=(1, 5, 400))  # 400 is no occurrence
    assert found.change.positions == (1, 5)


@pytest.mark.parametrize("text", ["?!", "a " * 510 + "[MASK]", "Rome [MASK] " * 11])
def test_a_problem_of_the_sentence_is_distinguished_from_one_of_the_edits(bundled, text):
    with pytest.raises(SentenceProblem):
        read_edit(text, ("rome =",), bundled)
    with pytest.raises(ValueError, match="right side") as error:
        read_edit(ROME, ("rome =",), bundled)
    assert not isinstance(error.value, SentenceProblem)


def test_offensive_words_are_left_out_on_request_and_counted(bundled):
    known = [word for word in wordlists.load("offensive")["word"] if word in bundled.ids]
    assert list(offensive_words(bundled)) == known
    found = edited_answers(ROME, (ROME_EDIT,), bundled, leave_out=("paris",), hide_offensive=True)
    assert found.left_out == ("paris", *known) and "paris" not in set(found.answers["token"])
    text = "You are a [MASK]."
    top = fill_mask(text, bundled, k=20)["token"]
    assert hidden_answers(text, bundled, change=Change(), k=20) == sum(word in known for word in top)


@pytest.mark.parametrize("mask", [1, 9])
def test_the_answers_are_those_of_the_experiment_at_a_mask(bundled, mask):
    found = edited_answers(TWO, (ROME_EDIT,), bundled, mask=mask, k=4, draws=2, temperature=0.7)
    change, own = Change.of([ROME_EDIT]), min(mask, 2)
    alone = controls.experiment(TWO, bundled, change=change, k=4, draws=2, temperature=0.7)
    assert (found.mask, found.masks, found.edited) == (own, 2, True) and found.words == ("rome", "italy", "france")
    assert (found.headline, found.reason) == (verdict.finding(alone, mask=own), verdict.reason(alone, mask=own))
    assert found.verdict == tuple(filter(None, verdict.verdict(alone, mask=own)))
    rows = alone.answers[alone.answers["mask"] == own]
    pd.testing.assert_frame_equal(found.answers, rows)
    top = rows.sort_values("rank_after").iloc[0]
    assert (found.word, found.probability) == (top["token"], top["probability_after"])
    pd.testing.assert_frame_equal(found.bars, controls.leading(rows, 4, 1).reset_index(drop=True))
    assert set(rows.nsmallest(3, "rank_after")["token"]) | set(rows.nsmallest(2, "rank_before")["token"]) == set(
        found.leading
    )
    assert found.compared["control"].tolist() == alone.summary.loc[alone.summary["mask"] == own, "control"].tolist()
    assert found.compared["description"].tolist() == [DESCRIPTIONS[name] for name in found.compared["control"]]
    assert len(found.runs) == (alone.controls["mask"] == own).sum() and "mask" not in found.runs


def test_one_mask_needs_no_column_and_no_edit_has_no_controls(bundled):
    found = edited_answers(ROME, (), bundled)
    assert "mask" not in found.answers and not found.edited and found.reason == "" and found.words == ()
    assert found.compared.empty and found.runs.empty
    assert found.bars["token"].tolist() == fill_mask(ROME, bundled, k=5)["token"].tolist()
    with pytest.raises(ValueError, match="There is no mask 0"):
        edited_answers(ROME, (), bundled, mask=0)


def test_a_full_stop_is_offered_where_the_sentence_ends_at_its_mask(bundled):
    assert edited_answers("The sky is [MASK]", (), bundled).with_full_stop == "The sky is [MASK]."
    assert edited_answers("The sky is [MASK].", (), bundled).with_full_stop == ""
    assert edited_answers("Rome is the capital of [MASK] and", (), bundled).with_full_stop == ""


def test_words_of_edits_are_named_once_and_every_control_but_the_random_one_has_a_phrase():
    edits = [
        parse_equation(text) for text in ("rome = rome - italy + france", "ROME = rome + 2 * france - 0.5 * italy")
    ]
    assert phrases.parts(edits) == (("france",), ("italy",))
    assert phrases.parts([parse_equation("he = (he + she) / 2")]) == (("she",), ())
    assert phrases.parts([parse_equation("nurse = reject(nurse, she - he)")]) == ((), ())
    assert phrases.parts([]) == ((), ())
    assert set(phrases.CONTROL_PHRASES) == set(DESCRIPTIONS) - {RANDOM}


def test_offensive_words_are_not_named():
    bad, worse = wordlists.load("offensive")["word"].head(2)
    assert phrases.left_out(["rome", bad, worse]) == "rome and offensive words"
    assert phrases.left_out([bad]) == "offensive words"
    assert phrases.left_out(["rome"]) == "rome"


TWO_MASKS = "[MASK] is the capital of rome [MASK]."


@pytest.mark.parametrize("leave_out", [(), ("king", "red", "france")])
def test_each_scope_is_fill_mask_in_it(tiny, leave_out):
    change = Change.of((ROME_EDIT,), "tied", 1.5, keep_length=True)
    found = first_answers(TWO_MASKS, tiny, change=change, leave_out=leave_out, temperature=0.7)
    assert list(found["mask"]) == [1, 1, 2, 2] and list(found["scope"]) == ["input", "tied"] * 2
    for line in found.itertuples():
        answers = fill_mask(TWO_MASKS, tiny, k=1, edits=[ROME_EDIT], scope=line.scope, strength=1.5, keep_length=True, leave_out=leave_out, temperature=0.7)  # fmt: skip
        best = answers[answers["mask"] == line.mask].iloc[0]
        assert line.token == best["token"]
        assert line.probability == pytest.approx(best["probability"], abs=1e-6)


def test_the_sentence_names_the_other_scope(tiny):
    found = first_answers(TWO_MASKS, tiny, change=Change.of((ROME_EDIT,)))
    for mask, scope, other in ((1, "input", "tied"), (2, "tied", "input")):
        lines = found[found["mask"] == mask].set_index("scope")
        text = sentence(found, scope, mask=mask)
        token = lines.loc[other, "token"]
        same = lines.loc["input", "token"] == lines.loc["tied", "token"]
        start = (
            f"The top answer is {token} with both scopes: "
            if same
            else f"With the scope {other}, the top answer is {token} ("
        )
        assert text.startswith(start) and (f" with {other}." in text if same else f"; with {scope}, it is " in text)


def test_nearly_equal_probabilities_of_two_scopes_have_enough_digits():
    lines = {"mask": 1, "scope": ["input", "tied"], "token": ["a", "b"], "probability": [0.1234, 0.1236]}
    assert sentence(pd.DataFrame(lines), "input") == (
        "With the scope tied, the top answer is b (12.36%); with input, it is a (12.34%)."
    )
    assert sentence(pd.DataFrame(lines | {"token": "."}), "input").startswith("The top answer is “.” with both scopes")


def test_a_word_that_only_one_scope_can_edit_is_refused(tiny):
    with pytest.raises(ValueError, match=r"'king' is not in the sentence.* Edit a word of the sentence\.$"):
        first_answers(TWO_MASKS, tiny, change=Change.of(("king = queen",), "tied"))


CHANGE = Change.of((ROME_EDIT,))


def test_the_curve_is_fill_mask_at_each_strength(tiny):
    words = ["france", "italy", "rome"]
    for scope in ("input", "tied"):
        curve = strength_curve(
            ROME, tiny, change=Change.of((ROME_EDIT,), scope, 0.3), words=words, steps=5, temperature=2
        )
        assert list(curve["token"].unique()) == words and len(curve) == 15
        original = mask_filling_answers.fill_mask(ROME, tiny, k=39, temperature=2).set_index("token")["probability"]
        for point in curve.itertuples():
            answers = mask_filling_answers.fill_mask(
                ROME, tiny, k=39, edits=[ROME_EDIT], scope=scope, strength=point.strength, temperature=2
            ).set_index("token")["probability"]
            assert point.probability == pytest.approx(answers[point.token], abs=1e-6)
            expected = np.log(answers[point.token] / answers[original.idxmax()])
            assert point.log_odds == pytest.approx(expected, abs=1e-4)
        assert sorted(curve["strength"].unique()) == [0, 0.5, 1, 1.5, 2]


def test_the_curve_takes_every_word_that_an_answer_can_be(tiny):
    """Answers are pieces of the vocabulary, among them some that nobody can type; the rest is [UNK], no answer."""
    every = list(controls.experiment(ROME, tiny, change=CHANGE, k=39).answers["token"])
    assert {"[unused0]", "##ing"} <= set(every) and "[UNK]" not in every
    every.append("[UNK]")
    parts = [every[i : i + 12] for i in range(0, len(every), 12)]
    curve = pd.concat([strength_curve(ROME, tiny, change=CHANGE, words=part, steps=3) for part in parts])
    np.testing.assert_allclose(curve.groupby("strength")["probability"].sum(), 1)


def test_the_answer_shown_as_the_original_begins_at_zero(bundled):
    """The first answer is left out: the reference is the first of the others."""
    text, change = "Pakistan is the south of [MASK].", Change.of(("pakistan = pakistan - asia + africa",), "tied")
    hidden = (mask_filling_answers.fill_mask(text, bundled, k=1)["token"][0],)
    shown = controls.experiment(text, bundled, change=change, leave_out=hidden, draws=1).answers
    original = shown.loc[shown["rank_before"].idxmin(), "token"]
    curve = strength_curve(
        text, bundled, change=change, words=[original, "table"], leave_out=hidden, steps=3, temperature=2.0
    )
    start = curve[curve["strength"] == 0].set_index("token")["log_odds"]
    assert start[original] == 0 and start["table"] < 0
    top = mask_filling_answers.fill_mask(text, bundled)
    behind = np.log(top["probability"][1] / top["probability"][0])  # if nothing is left out
    kept = strength_curve(text, bundled, change=change, words=[original], steps=2)["log_odds"].iloc[0]
    assert kept == pytest.approx(behind, rel=1e-4) and kept < -0.1


def test_one_mask_of_several(tiny):
    text = "[MASK] is the capital of rome [MASK]."
    for mask in (1, 2):
        curve = strength_curve(text, tiny, change=CHANGE, words=["france"], mask=mask, steps=3)
        patches = [edits.resolve(Change.of((ROME_EDIT,), strength=s), tiny) for s in (0.0, 1.0, 2.0)]
        expected = forward.probabilities(forward.mask_logits(text, tiny, patches=patches))[
            :, mask - 1, tiny.ids["france"]
        ]
        np.testing.assert_allclose(curve["probability"], expected, atol=1e-7)


@pytest.mark.parametrize(
    ("words", "named", "sentence"),
    [
        (["france"], {"mask": 0}, "There is no mask 0; the sentence has 1"),
        (["france"], {"steps": 42}, "The number of steps is 42; choose 2 to 41."),
        (["unable"], {}, "not a single token"),
        ([], {}, "There are 0 words for the chart; enter 1 to 12"),
        (["france"] * (MAX_CURVE_WORDS + 1), {}, "There are 13 words for the chart; enter 1 to 12"),
    ],
)
def test_refusals(tiny, words, named, sentence):
    with pytest.raises(ValueError) as error:
        strength_curve(ROME, tiny, change=CHANGE, words=words, **named)
    assert sentence in str(error.value)
