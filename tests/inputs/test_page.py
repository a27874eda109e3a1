"""The Inputs page without a browser."""

import numpy as np
import pandas as pd
import pytest

from embtools import fill_mask
from embtools.inputs import comparison, input_terms
from embtools.inputs import lookup as numbers
from embtools.inputs import masking as rule
from embtools.inputs import position_vectors as embeddings
from embtools.inputs import vocabulary as entries
from embtools.ui.inputs import lookup
from embtools.ui.inputs import terms as terms_tab

ROCK = ("I found a rock.", "I only listen to rock.")
ROME = "Rome is the capital of [MASK]."


# One word, two positions


def test_page_opens_with_rock_at_two_positions(page, bundled):
    at = page()
    found = input_terms.terms(input_terms.pieces(ROCK, bundled), bundled, piece="rock")
    assert at.finding == found.headline
    assert at.finding.endswith("Only its position (4 and 5) differs.")
    assert not at.problems and len(at.charts) == 1
    assert "The same at both positions: token, segment. Different: position" in at.charts[0].alt
    listing = at.table("segment_in_article")
    assert listing["token"].tolist()[:7] == ["[CLS]", "i", "found", "a", "rock", ".", "[SEP]"]
    assert (listing["segment"] == 0).all() and (listing["segment_in_article"] == 1).all()
    shape = f"{bundled.layers + 1} × 1 × 7 × {bundled.dimensions} = {(bundled.layers + 1) * 7 * bundled.dimensions:,}"
    assert at.says(shape, "“Understanding BERT” gives it segment 1")
    assert "inputs_piece" not in at.query_params
    at.prints_what_it_shows(bundled)


def test_a_button_makes_both_positions_equal(page):
    at = page().press("use-same")
    assert at.finding == (
        "Moved to position 4, “rock” is the same vector both times: only its position made the difference."
    )
    assert "Different: none" in at.charts[0].alt
    assert at.query_params["inputs_position"] in ("4", ["4"])
    at.press("use-back")
    assert "two different vectors" in at.finding and "inputs_position" not in at.query_params
    at.put("inputs-at", 9)
    assert "position (4 and 9)" in at.finding
    at.put("inputs-in", 1)
    assert "position (4 and 9) and segment (0 and 1)" in at.finding
    at.put("inputs_piece", "i")  # another token has its own position
    assert "enters the encoder as the same vector both times" in at.finding and "inputs_segment" not in at.query_params


def test_a_pair_has_two_segments_and_the_button_makes_them_equal_too(page):
    at = page().put("inputs_reading", "as a pair")
    assert "position (4 and 11) and segment (0 and 1)" in at.finding
    assert at.table("segment_in_article")["segment"].tolist() == [0] * 7 + [1] * 7
    at.press("use-same")
    assert at.finding == (
        "Moved to position 4 and segment 0, “rock” is the same vector both times: only its position and segment made the"
        " difference."
    )
    assert at.session_state["inputs_segment"] == 0


def test_your_own_texts(page, bundled):
    at = page().put("inputs_first", "The cold river is cold.").put("inputs_second", "")
    assert (
        at.finding == comparison.compare_positions(("The cold river is cold.",), bundled, piece="cold").terms.headline
    )
    at.put("inputs_first", "A boat.")
    assert at.finding == (
        "“boat” enters the encoder as the sum of its token, segment and position embeddings (position 2)."
    )
    assert at.session_state["inputs_piece"] == "boat"
    assert not at.put("inputs_first", "very " * 400).problems


def test_a_position_that_the_model_does_not_have(page, bundled):
    at = page(inputs_position="900")
    assert f"positions 0 to {bundled.max_tokens - 1}" in at.problems[0]
    assert "two different vectors" in at.finding and len(at.charts) == 1


def test_terms_are_compared_with_a_change_of_word(page, bundled):
    at = page(inputs_more="terms")
    assert at.says(comparison.compare_words(ROCK, bundled, piece="rock").sentence)
    assert not page(inputs_more="terms", inputs_piece="i").says("Changing the word")


def test_a_dimension_that_this_model_does_not_have_is_replaced_by_its_last_one(page):
    assert page(inputs_more="numbers", inputs_dimension="4000").session_state["inputs_dimension"] == 383


def test_the_answer_changes_with_positions_and_segments(page, bundled):
    at = page(inputs_first=ROME, inputs_second="", inputs_piece="rome", inputs_position="5", inputs_more="answer")
    table = at.table("arrangement")
    assert table["arrangement"].tolist()[:2] == ["as written", "token moved"] and len(at.charts) == 2
    assert table["probability"].iloc[0] == pytest.approx(fill_mask(ROME, bundled, k=1)["probability"].iloc[0], abs=1e-5)
    assert table["total_variation"].iloc[0] == 0 and (table["total_variation"].iloc[1:] > 0).all()
    assert at.says(comparison.Arrangements(table).headline)


def test_without_a_mask_one_is_offered(page):
    at = page(inputs_more="answer")
    assert "no [MASK]" in at.problems[0]
    at.press("use-mask")
    assert at.session_state["inputs_first"] == "I found [MASK] rock." and not at.problems and len(at.charts) == 2


def test_a_model_without_segments(page, lend, tiny_distil):
    lend(tiny_distil)
    at = page(inputs_first="The king is red.", inputs_second="A king.", inputs_piece="king", inputs_segment="1")
    assert at.says("has no segments") and not at.problems
    assert "segment" not in at.table("position", "id") and not any(f.key == "inputs-in" for f in at.get("button_group"))
    at = page(open="positions", inputs_positions="32", inputs_first="The king is red.", inputs_piece="king")
    assert len(at.table("embedding")) == 32 and not at.problems


# The other tabs


def test_embedding_lookup_and_output(page, bundled):
    at = page(inputs_tab="lookup")
    back = numbers.output(lookup.SENTENCE.default, bundled, word="sun")
    assert at.finding == numbers.round_trip(lookup.SENTENCE.default, bundled, word="sun").headline
    dot, logit = (f"{value:.3f}".replace("-", "−") for value in (back.dot, back.logit))
    assert at.says(dot, logit, f"The result is {numbers.percentage(back.probability)}.", "11,720,448")
    before = at.finding
    at.put("inputs_word", "sunn")
    assert "sunn" in at.problems[0] and at.finding == before and at.says("Showing the previous result")
    at.press("Use sun")
    assert not at.problems
    at.put("inputs_sentence", "No mask.")
    assert "Write ___ or [MASK]" in at.problems[0] and at.finding == before
    at.put("inputs_sentence", lookup.SENTENCE.default.replace("[MASK]", "___"))
    assert not at.problems and at.finding == before


def test_the_vocabulary_by_id_part_and_kind(page, bundled):
    at = page(open="vocabulary")
    assert at.says("20 of the 30,522 tokens have ids 5,000 to 5,019.")
    assert at.named_tables["entries"]["token"].tolist()[:3] == ["knight", "lap", "survey"]
    at.put("inputs_part", "r?ck")
    found = entries.search(entries.entries(bundled), pattern="r?ck")
    assert at.named_tables["entries"]["token"].tolist() == found["token"].tolist()
    assert at.says(f"{len(found)} of the 30,522 tokens match “r?ck”.")
    at.put("inputs_part", "").put("inputs_kind", "special")
    assert set(at.named_tables["entries"]["token"]) == bundled.special
    at.put("inputs_kind", "every kind").put("inputs_start", 40_000)
    assert "ids 0 to 30521" in at.problems[0]


def test_folds_compute_when_they_are_open(page):
    at = page()
    assert not at.says("of the 30,522 tokens") and not at.says("Neighbouring positions") and len(at.charts) == 1
    at.press(f"example-{terms_tab.TAB}-Vocabulary: *ing")
    assert at.says("tokens match “*ing”.") and not at.says("Neighbouring positions")
    at.press("The first 16 positions")
    assert at.says("Neighbouring positions") and not at.says("of the 30,522 tokens")
    at.put("inputs_first", " " * 3)  # the folds do not depend on the texts
    assert at.problems and at.says("Neighbouring positions")


def test_the_button_draws_again_and_the_seed_is_in_the_address(page, bundled):
    at = page(inputs_tab="masking")
    first = at.table("treatment", "input")
    at.press("inputs-again")
    assert at.query_params["inputs_seed"] in ("1", ["1"])
    drawn = rule.draw(terms_tab.BANK, bundled, seed=1)
    assert at.finding == rule.Application(drawn).headline
    shown = at.table("treatment", "input")
    pd.testing.assert_frame_equal(shown, drawn[drawn["treatment"] != rule.ALONE].reset_index(drop=True))
    assert not shown.equals(first)
    # The reason for the rule does not contradict what is said about the bundled model, which was trained without it.
    assert at.says(
        "because the texts that BERT reads later have no [MASK]", "trained with [MASK] every time, so it never learnt"
    )
    assert at.says("It can still read texts without a mask") and not at.says("learn nothing")


def titles(at) -> list[str]:
    """The titles of the expanders."""
    return [each.label for each in at.test.expander]


def test_impossible_shares_are_explained(page):
    at = page(inputs_tab="masking", open="rule")
    before = at.finding
    assert "Rule: 15% selected, of these 80% masked, 10% replaced, 10% unchanged · seed 0" in titles(at)
    at.put("inputs_swap", 50)
    assert "must together be 0% to 100%" in at.problems[0] and at.finding == before
    assert "Rule: 15% selected, of these 80% masked, 50% replaced (together more than 100%) · seed 0" in titles(at)
    at.put("inputs_hide", 50)
    assert not at.problems
    assert "Rule: 15% selected, of these 50% masked, 50% replaced, 0% unchanged · seed 0" in titles(at)


def test_positions(page, bundled):
    at = page(open="positions")
    found = embeddings.positions(64, bundled)
    assert at.says(found.headline) and len(at.charts) == 4
    pd.testing.assert_frame_equal(at.table("x", "y"), found.points)
    at.put("inputs_positions", 16)
    assert len(at.table("embedding")) == 18


# The code


@pytest.mark.parametrize(
    "query",
    [
        {"inputs_more": "terms", "inputs_position": "9"},
        {"inputs_more": "numbers", "inputs_dimension": "3", "inputs_reading": "pair"},
        {"inputs_more": "answer", "inputs_first": ROME, "inputs_second": "", "inputs_piece": "rome"},
        {"open": "vocabulary", "inputs_part": "*ing", "inputs_kind": "word"},
        {"open": "positions", "inputs_positions": "16"},
    ],
    ids=lambda query: " ".join(query.values()),
)
def test_copied_code_gives_every_number_shown(page, query, bundled):
    page(**query).prints_what_it_shows(bundled)


def test_copied_code_gives_the_rounded_numbers_of_a_look_up(page, bundled):
    at = page(inputs_tab="lookup")
    found = at.copied(bundled)
    assert at.finding in found.printed
    frames = *found.frames, *(frame.round(3) for frame in found.frames)
    for table in at.tables:
        same = [frame[table.columns] for frame in frames if set(table.columns) <= set(frame.columns)]
        assert any(np.array_equal(table.to_numpy(), frame.to_numpy()) for frame in same), list(table.columns)


def test_copied_code_also_gives_tokens_that_were_left_alone(page, bundled):
    at = page(inputs_tab="masking", inputs_seed="3", inputs_rate="40")
    found = at.copied(bundled)
    assert at.finding in found.printed
    for table in at.tables:
        frames = (frame[frame["treatment"] != rule.ALONE] if "top_answer" in frame else frame for frame in found.frames)
        same = [frame[table.columns] for frame in frames if set(table.columns) <= set(frame.columns)]
        assert any(np.array_equal(table.to_numpy(), frame.to_numpy()) for frame in same), list(table.columns)
