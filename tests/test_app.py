"""The app without a browser: every page on its defaults, every preset, every bad input, any formula and sentence."""

import subprocess
import sys
from pathlib import Path

import pytest
import streamlit as st
from hypothesis import HealthCheck, given, settings, strategies
from streamlit.testing.v1 import AppTest

from embtools.ui import page as ui_page
from embtools.ui.arithmetic import examples

ROOT = Path(__file__).parent.parent
PRESETS = {name: state for group in examples.EXAMPLES.values() for name, state in group.items()}
ROME = "Rome is the capital of [MASK]."


@pytest.fixture(autouse=True, scope="module")
def share_the_model(bundled):
    """Every page gets the session's model: loading it once is enough."""
    from embtools.models import loading

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "load_model", lambda name="bundled": bundled)
        yield


def page(script, **state):
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in state.items():
        test.session_state[key] = value
    if script != "app.py":
        test.switch_page(script)
    return test.run()


def arithmetic(**state):
    return page("pages/arithmetic.py", **state)


def sentences(test):
    """Everything that is shown as plain text: errors are."""
    return [element.value for element in test.text]


def answers(test):
    """The words of the headline: original and, with an edit, edited."""
    return [(metric.label, metric.value) for metric in test.metric]


def assert_whole(test):
    assert not test.exception, [e.value for e in test.exception]


# Every page


@pytest.mark.parametrize("script", ["app.py", *sorted(f"pages/{p.name}" for p in (ROOT / "pages").glob("*.py"))])
def test_every_page_opens_on_its_defaults(script):
    test = page(script)
    assert_whole(test)
    assert test.title
    assert test.selectbox(key="model").value == "bundled"


def test_the_menu_and_the_pages_are_the_same():
    assert {p.script for p in ui_page.PAGES} == {f"pages/{p.name}" for p in (ROOT / "pages").glob("*.py")}


def test_home_paints_before_it_loads_a_model():
    code = """
import sys
from streamlit.testing.v1 import AppTest
from embtools.ui import home
seen = []
home.first_result = lambda place, model: seen.append(sorted({name.partition('.')[0] for name in sys.modules}))
home.warm_examples = lambda model: None
test = AppTest.from_file("app.py", default_timeout=60).run()
assert not test.exception and len(seen) == 1
late = {"torch", "transformers", "sklearn", "umap", "tokenizers", "safetensors"} & set(seen[0])
assert not late, late
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_model_that_cannot_be_loaded_leaves_the_bundled_one(monkeypatch, bundled):
    from embtools.models import loading

    def load(name="bundled"):
        if name != "bundled":
            raise ValueError(f"{name} could not be downloaded: the Hugging Face hub does not answer.")
        return bundled

    st.cache_resource.clear()
    monkeypatch.setattr(loading, "load_model", load)
    test = arithmetic(model="google-bert/bert-base-uncased")
    assert_whole(test)
    assert any("does not answer" in sentence for sentence in sentences(test))
    assert answers(test)
    st.cache_resource.clear()


# Presets


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_shows_its_result(name):
    test = arithmetic(**PRESETS[name])
    assert_whole(test)
    state = PRESETS[name]
    assert not problems(test)
    if state["arithmetic_tab"] == examples.EDIT_TAB:
        shown = [label for label, _ in answers(test)]
        assert shown == (["Original", "Edited"] if state["arithmetic_edits"] else ["Original"])
        assert test.text_input(key="arithmetic_text").value == state["arithmetic_text"]
    else:
        assert [label for label, _ in answers(test)] == ["Nearest"]
    assert test.get("plotly_chart")


def test_preset_buttons_load_and_reset():
    test = arithmetic()
    for name in examples.FIRST:
        test.button(key=f"first-{name}").click().run()
        assert_whole(test)
        for key, value in PRESETS[name].items():
            if key != "arithmetic_positions":  # shown only where a word stands twice
                assert test.session_state[key] == value
    (reset,) = [b for b in test.button if b.label == "Reset"]
    reset.click().run()
    assert_whole(test)
    assert test.text_input(key="arithmetic_text").value == ROME


def test_presets_stay_editable():
    test = arithmetic(**PRESETS["Orange grass"])
    test.text_area(key="arithmetic_edits").set_value("grass = grass - green + blue").run()
    assert_whole(test)
    assert not problems(test)


# Bad input


def problems(test):
    """The sentences of frame.problem: plain text that follows an error sign."""
    return [s for s in sentences(test) if any(sign in s for sign in SIGNS)]


@pytest.fixture(scope="module")
def edit_page():
    """A page that has shown a good result, used by many cases in turn."""
    return arithmetic()


@pytest.fixture(scope="module")
def formula_page():
    return arithmetic(arithmetic_tab=examples.FORMULA_TAB)


BAD_SENTENCES = {
    "": "The text is empty",
    "   ": "The text is empty",
    "x" * 10_000: "10,000 characters; at most 5,000 are read",
    "a " * 510 + "[MASK]": "513 pieces with [CLS] and [SEP]; this model reads 512",
    "Rome is the capital.": "The sentence has no [MASK]",
    "Rome [MASK] " * 11: "The sentence has 11 masks; at most 10",
    "The king is [MASK].": "'rome' is not in the sentence",
}
BAD_EDITS = {
    "rome": "An edit needs a word, '=' and an expression",
    "rome =": "The right side of '=' is empty",
    "= rome": "The left side of '=' is empty",
    "rome = rome -": "something is missing",
    "rome = rome * italy": "multiplies two words",
    "rome = rome / 0": "divides by zero",
    "rome = lodnon": "Did you mean london?",
    "rome = 2": "is a number, not a vector",
    "king = queen": "'king' is not in the sentence",
    "[CLS] = king": "[CLS] is a sign of the model",
    "[MASK] = king": "[MASK] is a sign of the model",
    "##ing = king": "'##ing' is not in the sentence",
    "rome = italy\nRome = france": "'rome' is edited twice",
    "rome = " + "king + " * 100 + "king": "at most 500 are read",
    "rome = " + "9" * 60 + " * king": "Use smaller numbers",
    "rome = project(king, man - man)": "The direction has no length",
    "rome = a = b": "there is a second '='",
    "\n".join(f"rome = king{i}" for i in range(11)): "There are 11 edits; at most 10",
    "<img> = rome": "the sign '<' has no meaning in a formula",
    "**rome** = italy": "two signs follow each other",
}
BAD_FORMULAS = {
    "": "The formula is empty",
    "king -": "something is missing",
    "king - king": "zero vector",
    "king + unabled": "is not one word piece",
    "king = queen": "there is an '='",
    "king " * 2_000: "10,000 characters; at most 500 are read",
    "9" * 60 + " * king": "Use smaller numbers",
    "reject(king, man - man)": "The direction has no length",
    "2": "is a number, not a vector",
    "man is to king as": "there is no sign before 'is'",
}
SIGNS = tuple({*BAD_SENTENCES.values(), *BAD_EDITS.values(), *BAD_FORMULAS.values()}) + (
    "choose 1 to",
    "not one word piece",
    "not in the vocabulary",
    "separate words",
)


@pytest.mark.parametrize(("text", "sentence"), BAD_SENTENCES.items(), ids=lambda v: v[:20])
def test_a_bad_sentence(edit_page, text, sentence):
    test = edit_page
    before = answers(test)
    test.text_input(key="arithmetic_text").set_value(text).run()
    assert_whole(test)
    assert len([s for s in sentences(test) if sentence in s]) == 1, sentences(test)
    assert answers(test) == before  # the last good result stays
    test.text_input(key="arithmetic_text").set_value(ROME)


@pytest.mark.parametrize(("edits", "sentence"), BAD_EDITS.items(), ids=lambda v: v[:20])
def test_a_bad_edit(edit_page, edits, sentence):
    test = edit_page
    before = answers(test)
    test.text_area(key="arithmetic_edits").set_value(edits).run()
    assert_whole(test)
    assert len([s for s in sentences(test) if sentence in s]) == 1, sentences(test)
    assert answers(test) == before


@pytest.mark.parametrize(("formula", "sentence"), BAD_FORMULAS.items(), ids=lambda v: v[:20])
@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_a_bad_formula(formula_page, formula, sentence, metric):
    test = formula_page
    test.text_input(key="arithmetic_formula").set_value("queen - woman + man")
    test.session_state["arithmetic_metric"] = metric
    test.run()
    before = answers(test)
    test.text_input(key="arithmetic_formula").set_value(formula).run()
    assert_whole(test)
    if (formula, metric) == ("king - king", "euclidean"):
        return  # nothing has a direction, but everything has a distance
    assert len([s for s in sentences(test) if sentence in s]) == 1, sentences(test)
    assert answers(test) == before


def test_bad_input_on_a_cold_page():
    """A link may hold nonsense: there is no last good result then, the first example stands in."""
    for state in (
        {"arithmetic_text": "no mask here"},
        {"arithmetic_edits": "rome = "},
        {"arithmetic_text": "", "arithmetic_edits": ""},
        {"arithmetic_tab": examples.FORMULA_TAB, "arithmetic_formula": "king +"},
    ):
        test = arithmetic(**state)
        assert_whole(test)
        assert answers(test)


def test_a_mask_inside_a_word():
    test = arithmetic(arithmetic_text="Rome is un[MASK]able.")
    assert_whole(test)
    assert any("reads the parts of 'un[MASK]able.' as separate words" in s for s in sentences(test))
    assert answers(test)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("arithmetic_leave_out", "unabled", "is not one word piece"),
        ("arithmetic_candidates", "x" * 6_000, "at most 5,000 are read"),
        ("arithmetic_candidates", ", ".join(f"word{i}" for i in range(40)), "at most 30 are scored"),
        ("arithmetic_candidates", "☃", "is not in the vocabulary"),
    ],
)
def test_bad_settings(key, value, sentence):
    test = arithmetic(**{key: value})
    assert_whole(test)
    assert any(sentence in s for s in sentences(test)), sentences(test)
    assert answers(test)


def test_a_bad_expected_word():
    test = arithmetic(arithmetic_tab=examples.FORMULA_TAB, arithmetic_expected="qeen")
    assert_whole(test)
    assert any("Did you mean queen?" in s for s in sentences(test))


# The controls of the page


@pytest.mark.parametrize(
    "state",
    [
        {"arithmetic_scope": "tied", "arithmetic_keep": True, "arithmetic_strength": 2.0},
        {"arithmetic_strength": 0.0, "arithmetic_draws": 1, "arithmetic_k": 20, "arithmetic_temperature": 0.2},
        {"arithmetic_hide": True, "arithmetic_leave_out": "france, paris", "arithmetic_candidates": "france, new york"},
        {
            "arithmetic_text": "[MASK] is [MASK].",
            "arithmetic_edits": "king = king - man + woman",
            "arithmetic_scope": "tied",
        },
        {"arithmetic_text": "Rome, Rome and Rome [MASK].", "arithmetic_positions": [1, 5]},
        {"arithmetic_edits": "rome = rome - rome"},
        {"arithmetic_edits": "rome = unit(reject(rome, italy))\ncapital = mean(capital, city)"},
        {"arithmetic_edits": ""},
        {"arithmetic_curve_as": "log_odds", "arithmetic_find": "lodnon", "picture": "png"},
        {"arithmetic_tab": examples.FORMULA_TAB, "arithmetic_metric": "euclidean", "arithmetic_whole": True},
        {"arithmetic_tab": examples.FORMULA_TAB, "arithmetic_inputs": False, "arithmetic_neighbours": 50},
        {"arithmetic_tab": examples.FORMULA_TAB, "arithmetic_formula": "Rome"},
        {"arithmetic_tab": examples.FORMULA_TAB, "arithmetic_formula": '"1990" + "-" - "="'},
        {"arithmetic_tab": examples.FORMULA_TAB, "arithmetic_formula": "man is to king as woman is to ?"},
    ],
)
def test_settings(state):
    test = arithmetic(**state)
    assert_whole(test)
    assert answers(test)
    assert not problems(test)


def test_click_a_word_to_mask_it():
    test = arithmetic(arithmetic_text="Rome is the capital of Italy.")
    (pills,) = [p for p in test.get("button_group") if p.key == "arithmetic_mask_word"]
    assert_whole(test)
    pills.set_value(5).run()
    assert_whole(test)
    assert test.text_input(key="arithmetic_text").value == ROME


def test_the_second_spelling_writes_the_first():
    test = arithmetic(arithmetic_tab=examples.FORMULA_TAB)
    assert test.text_input(key="arithmetic_analogy").value == "man is to king as woman is to ?"
    test.text_input(key="arithmetic_analogy").set_value("france is to paris as italy is to ?").run()
    assert_whole(test)
    assert test.text_input(key="arithmetic_formula").value == "paris - france + italy"
    test.text_input(key="arithmetic_formula").set_value("queen - woman + man").run()
    assert test.text_input(key="arithmetic_analogy").value == "woman is to queen as man is to ?"


def test_copy_as_python_gives_the_numbers_shown(bundled):
    test = arithmetic(arithmetic_scope="tied", arithmetic_strength=1.5, arithmetic_leave_out="italy")
    (code,) = [block.value for block in test.code if "experiment(" in block.value]
    space = {"model": bundled}
    exec("\n".join(line for line in code.splitlines() if "load_model" not in line), space)
    first = space["result"].answers.query("rank_after == 1").iloc[0]
    assert answers(test)[1][1].replace("\\", "").split() == [first["token"], f"{first['probability']:.1%}"]


PIECES = strategies.sampled_from(
    [
        "rome",
        "italy",
        "France",
        "[MASK]",
        "[CLS]",
        "##ing",
        "the",
        "unabled",
        ".",
        "é",
        "*",
        "_x_",
        "<b>",
        "$",
        "2",
        "🦉",
    ]
)
TOKENS = strategies.sampled_from(
    ["rome", "italy", "king", "=", "+", "-", "*", "/", "(", ")", "2", "unit(", "mean(", ","]
)
ANY = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@ANY
@given(
    text=strategies.lists(PIECES, max_size=10).map(" ".join),
    edits=strategies.lists(TOKENS, max_size=8).map(lambda t: "rome = " + " ".join(t)),
)
def test_any_sentence_and_edit(edit_page, text, edits):
    test = edit_page
    test.text_input(key="arithmetic_text").set_value(text)
    test.text_area(key="arithmetic_edits").set_value(edits).run()
    assert_whole(test)
    assert answers(test)


@ANY
@given(formula=strategies.lists(TOKENS, max_size=8).map(" ".join) | strategies.text(max_size=30))
def test_any_formula(formula_page, formula):
    test = formula_page
    test.text_input(key="arithmetic_formula").set_value(formula).run()
    assert_whole(test)
    assert answers(test)
