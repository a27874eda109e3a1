"""Examples with a cased model: its own spelling, a badge, and nothing of a visitor's own changed."""

import pytest

from embtools.arithmetic import controls
from embtools.arithmetic import verdict as arithmetic_verdict
from embtools.mask_filling.edits import Change
from embtools.models.loading import load_model
from embtools.ui import spelling
from embtools.ui.bias import association, groups, published_tests
from embtools.ui.similarity import odd_one_out
from tests.conftest import CASED, make_tiny

BASE = "google-bert/bert-base-uncased"


@pytest.fixture(scope="module")
def cased(tmp_path_factory):
    """A tiny random BERT that knows names with capitals alone, and small words."""
    words = [*CASED, "Portugal", "Berlin", "Germany", "Greece", "Vienna", "##i", "##t", "##a"]
    return load_model(str(make_tiny(tmp_path_factory.mktemp("cased"), words=words, cased=True)))


def test_examples_get_the_capitals_of_a_cased_model_and_a_badge(visit, second, cased):
    second(cased)
    at = visit("arithmetic", model=BASE)
    assert at.field("arithmetic_edits").value == "rome = rome - italy + france"  # and so the link stays as it is
    assert at.says("Capitalised for this cased model: BERT base", "Rome, Italy, France") and not at.problems
    result = controls.experiment(
        "Rome is the capital of [MASK].", cased, change=Change.of(["Rome = Rome - Italy + France"]), k=5
    )
    assert at.says(arithmetic_verdict.finding(result))
    assert "Rome = Rome - Italy + France" in at.copied(cased, cased).code
    assert not visit("arithmetic").says("Capitalised for this cased model")


def test_your_own_words_are_not_changed_but_corrected_on_request(visit, second, cased):
    second(cased)
    at = visit("arithmetic", model=BASE, arithmetic_edits="rome = rome - italy + spain")
    assert "Did you mean Rome?" in at.problems[0] and not any("capitalised" in text for text in at.texts)
    at.press("Use Rome")
    assert at.field("arithmetic_edits").value == "Rome = Rome - italy + spain"


def test_each_of_two_models_is_asked_in_its_own_spelling(visit, second, bundled, cased):
    second(cased)
    at = visit("arithmetic", compare=BASE)
    assert at.says("Capitalised for this cased model: BERT base") and not at.problems
    assert not at.says("One token in Pocket BERT")  # Rome here is rome there
    assert "Rome = Rome - Italy + France" in at.copied(bundled, cased).code


def test_the_guess_on_home_works_with_a_cased_model(visit, second, cased):
    second(cased)
    at = visit("", model=BASE, guess="Italy", french=True)
    change = Change.of(["Rome = Rome - Italy + France"])
    result = controls.experiment("Rome is the capital of [MASK].", cased, change=change, k=5)
    assert at.says(arithmetic_verdict.finding(result))
    assert not [problem for problem in at.problems if "'cat'" not in problem]  # this model lacks words of the map


def test_lists_behind_buttons_are_asked_in_the_models_own_spelling(visit, second, tmp_path):
    names = ["Nigerian", "American", "Chinese", "French", "Iranian"]
    words = [*CASED, *names, "The", "neighbour", "works", "as"]
    second(load_model(str(make_tiny(tmp_path, words=words, cased=True))))
    query = {"model": BASE, "bias_template": "The {group} neighbour works as a [MASK].", "bias_k": "3"}
    listed = "nigerian, american, chinese, french, iranian"
    assert {"bias_groups": listed} in groups.button_texts()
    at = visit("bias", bias_groups=listed, **query)  # the link has the query of the press
    assert at.field("bias_groups").value == listed and not at.problems
    assert at.says("Capitalised for this cased model: BERT base") and set(names) <= set(at.table("rank").columns)
    mine = visit("bias", bias_groups="american, chinese", **query)
    assert not mine.says("Capitalised for this cased model") and mine.problems


@pytest.mark.slow
def test_all_that_buttons_put_into_fields_is_known(visit):
    ours = spelling._of_panels((groups, association, odd_one_out))
    assert {published_tests.values(n)["bias_x"] for n in range(1, 11)} <= ours["bias_x"]
    assert odd_one_out.button_texts()[0]["similarity_odd"] in ours["similarity_odd"]
    at = visit("bias")
    at.session_state["bias-list"] = True
    for key in [button.key for button in at.run().button if str(button.key).startswith("use-")]:
        assert at.press(key).field("bias_groups").value in ours["bias_groups"]
