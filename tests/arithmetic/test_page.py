"""The Arithmetic page without a browser: every preset, every bad input, any formula; its code gives its numbers."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings, strategies

import embtools
from embtools import wordlists
from embtools.arithmetic.scopes import first_answers
from embtools.mask_filling.edits import Change
from embtools.ui.arithmetic import examples

PRESETS = {name: state for group in examples.EXAMPLES.values() for name, state in group.items()}
FORMULA = examples.FORMULA_TAB
ROME = "Rome is the capital of [MASK]."
EDIT = "rome = rome - italy + france"


@pytest.fixture(scope="module")
def page(visit):
    """Open the Arithmetic page."""
    return partial(visit, "arithmetic")


def answers(test):
    """The words of the headline: original and, with an edit, edited."""
    return [(metric.label, metric.value) for metric in test.metric]


# Presets


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_shows_its_result(page, name):
    test = page(**PRESETS[name])
    state = PRESETS[name]
    assert not test.problems
    if state["arithmetic_tab"] == examples.EDIT_TAB:
        shown = [label for label, _ in answers(test)]
        assert shown == (["Original", "Edited"] if state["arithmetic_edits"] else ["Original"])
        assert test.text_input(key="arithmetic_text").value == state["arithmetic_text"]
    else:
        assert [label for label, _ in answers(test)] == ["Nearest"]
    assert test.charts


def test_preset_buttons_load_and_reset(page):
    test = page()
    for name in examples.FIRST:
        test.press(f"first-{name}")
        for key, value in PRESETS[name].items():
            if key != "arithmetic_positions":  # shown only where a word stands twice
                assert test.session_state[key] == value
    test.press("Reset")
    assert test.text_input(key="arithmetic_text").value == ROME


def test_presets_stay_editable(page):
    test = page(**PRESETS["Orange grass"])
    test.put("arithmetic_edits", "grass = grass - green + blue")
    assert not test.problems


# Bad input


@pytest.fixture(scope="module")
def edit_page(page):
    """A page that has shown a good result, used by many cases in turn."""
    return page()


@pytest.fixture(scope="module")
def formula_page(page):
    return page(arithmetic_tab=FORMULA)


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


@pytest.mark.parametrize(("text", "sentence"), BAD_SENTENCES.items(), ids=lambda v: v[:20])
def test_a_bad_sentence(edit_page, text, sentence):
    test = edit_page
    before = answers(test)
    test.put("arithmetic_text", text)
    assert len([s for s in test.problems if sentence in s]) == 1, test.problems
    assert answers(test) == before  # the last good result stays
    test.text_input(key="arithmetic_text").set_value(ROME)


@pytest.mark.parametrize(("edits", "sentence"), BAD_EDITS.items(), ids=lambda v: v[:20])
def test_a_bad_edit(edit_page, edits, sentence):
    test = edit_page
    before = answers(test)
    test.put("arithmetic_edits", edits)
    assert len([s for s in test.problems if sentence in s]) == 1, test.problems
    assert answers(test) == before


@pytest.mark.parametrize(
    ("metric", "formula", "sentence"),
    [
        *(("cosine", *case) for case in BAD_FORMULAS.items()),
        *(("euclidean", *case) for case in BAD_FORMULAS.items() if case[0] != "king - king"),
    ],
    ids=lambda v: v[:20],
)
def test_a_bad_formula(formula_page, metric, formula, sentence):
    test = formula_page
    test.session_state["arithmetic_metric"] = metric
    test.put("arithmetic_formula", "queen - woman + man")
    before = answers(test)
    test.put("arithmetic_formula", formula)
    assert len([s for s in test.problems if sentence in s]) == 1, test.problems
    assert answers(test) == before


def test_nothing_has_no_direction_but_a_distance_from_everything(formula_page):
    formula_page.session_state["arithmetic_metric"] = "euclidean"
    before = answers(formula_page.put("arithmetic_formula", "queen - woman + man"))
    test = formula_page.put("arithmetic_formula", "king - king")
    assert [label for label, _ in answers(test)] == ["Nearest"] and answers(test) != before
    assert len(test.problems) == 1 and test.says("zero vector")  # the map needs a direction


def test_bad_input_on_a_cold_page(page):
    """A link may hold nonsense: there is no last good result then, the first example stands in."""
    for state in (
        {"arithmetic_text": "no mask here"},
        {"arithmetic_edits": "rome = "},
        {"arithmetic_text": "", "arithmetic_edits": ""},
        {"arithmetic_tab": FORMULA, "arithmetic_formula": "king +"},
    ):
        test = page(**state)
        assert answers(test)


def test_a_mask_inside_a_word(page):
    test = page(arithmetic_text="Rome is un[MASK]able.")
    assert test.says("reads the parts of 'un[MASK]able.' as separate words")
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
def test_bad_settings(page, key, value, sentence):
    test = page(**{key: value})
    assert test.says(sentence), test.problems
    assert answers(test)


def test_a_bad_expected_word(page):
    test = page(arithmetic_tab=FORMULA, arithmetic_expected="qeen")
    assert test.says("Did you mean queen?")


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
        {"arithmetic_curve_as": "log-odds", "arithmetic_find": "lodnon", "picture": "png"},
        {"arithmetic_tab": FORMULA, "arithmetic_metric": "euclidean", "arithmetic_whole": True},
        {"arithmetic_tab": FORMULA, "arithmetic_inputs": False, "arithmetic_neighbours": 50},
        {"arithmetic_tab": FORMULA, "arithmetic_formula": "Rome"},
        {"arithmetic_tab": FORMULA, "arithmetic_formula": '"1990" + "-" - "="'},
        {"arithmetic_tab": FORMULA, "arithmetic_formula": "man is to king as woman is to ?"},
    ],
)
def test_settings(page, state):
    test = page(**state)
    assert answers(test)
    assert not test.problems


def test_click_a_word_to_mask_it(page):
    test = page(arithmetic_text="Rome is the capital of Italy.")
    test.put("arithmetic_mask_word", 5)
    assert test.text_input(key="arithmetic_text").value == ROME


def test_the_second_spelling_writes_the_first(page):
    test = page(arithmetic_tab=FORMULA)
    assert test.text_input(key="arithmetic_analogy").value == "man is to king as woman is to ?"
    test.put("arithmetic_analogy", "france is to paris as italy is to ?")
    assert test.text_input(key="arithmetic_formula").value == "paris - france + italy"
    test.put("arithmetic_formula", "queen - woman + man")
    assert test.text_input(key="arithmetic_analogy").value == "woman is to queen as man is to ?"


def test_copy_as_python_gives_the_numbers_shown(page, bundled):
    test = page(arithmetic_scope="tied", arithmetic_strength=1.5, arithmetic_leave_out="italy")
    first = test.copied(bundled).result.answers.query("rank_after == 1").iloc[0]
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
    test.put("arithmetic_edits", edits)
    assert answers(test)


@ANY
@given(formula=strategies.lists(TOKENS, max_size=8).map(" ".join) | strategies.text(max_size=30))
def test_any_formula(formula_page, formula):
    test = formula_page
    test.put("arithmetic_formula", formula)
    assert answers(test)


# Copy as Python


def exactly(test, *columns):
    """The tables that have exactly these columns, in the order of the page."""
    return [table for table in test.tables if list(table.columns) == list(columns)]


def same(shown, found):
    """The table on the page holds the numbers of the code; the page may show fewer columns."""
    pd.testing.assert_frame_equal(
        shown.reset_index(drop=True), found[list(shown.columns)].reset_index(drop=True), check_dtype=False, rtol=1e-6
    )


ANSWERS = ("token", "before", "probability", "change", "rank_before", "rank_after")


@pytest.mark.parametrize(
    "state",
    [
        {},
        {
            "arithmetic_text": "[MASK] says rome is the capital of [MASK].",
            "arithmetic_mask": 2,
            "arithmetic_scope": "tied",
            "arithmetic_strength": 1.5,
            "arithmetic_keep": True,
            "arithmetic_candidates": "france, new york, burkina faso",
            "arithmetic_curve": "paris, italy, spain",
            "arithmetic_leave_out": "france, he",
            "arithmetic_temperature": 0.6,
            "arithmetic_hide": True,
            "arithmetic_draws": 2,
            "arithmetic_k": 5,
        },
        {"arithmetic_edits": f"{EDIT}\ncapital = mean(capital, city)", "arithmetic_candidates": "paris"},
        {"arithmetic_edits": "rome = rome - rome"},
        {"arithmetic_edits": "", "arithmetic_candidates": "paris, new york", "arithmetic_hide": True},
    ],
)
def test_copy_as_python_gives_every_number_of_the_edit(page, bundled, state):
    test = page(**state).unfold("lens", "pieces")
    found = test.copied(bundled)
    assert "\n\n\n" not in found.code and max(map(len, found.code.splitlines())) < 200
    result, edited = found.result, bool(found.change.edits)
    masks = sorted(result.answers["mask"].unique())
    shown = exactly(test, "mask", *ANSWERS) if len(masks) > 1 else exactly(test, *ANSWERS)
    assert len(shown) == len(masks)
    for mask, table in zip(masks, shown, strict=True):
        same(table, result.answers[result.answers["mask"] == mask])
    same(*exactly(test, "position", "token", "id", "segment", "word"), bundled.tokenize(found.text))
    if hasattr(found, "candidates"):
        same(*exactly(test, "word", "pieces", "before", "probability", "change", "ratio"), found.scored)
    if hasattr(found, "hidden"):
        assert any(text.startswith(f"{found.hidden.sum()} of the first") for text in test.texts)
    assert ("arithmetic_candidates" in state) == hasattr(found, "candidates")
    assert ("arithmetic_hide" in state) == hasattr(found, "hidden")
    if not edited:
        return
    summaries = exactly(test, "control", "same_answer", "mean", "low", "high", "draws", "question")
    for mask, table in zip(masks, summaries, strict=True):
        same(table.drop(columns="question"), result.summary[result.summary["mask"] == mask])
    for mask, table in zip(
        masks, exactly(test, "control", "detail", "mask", "answer", "token", "probability"), strict=True
    ):
        same(table, result.controls[result.controls["mask"] == mask])
    same(*exactly(test, "strength", "token", "probability", "log_odds"), found.curve)
    same(*exactly(test, "layer", "run", "token", "probability", "first"), found.layers)
    near = [table for table in exactly(test, "rank", "token", "cosine") if not table.empty]
    same(pd.concat(near), found.near)
    for line in found.lengths.itertuples():
        assert f"{line.word}, original (length {line.original:.2f})" in test.texts
        assert f"{line.word}, edited (length {line.edited:.2f})" in test.texts
    other = found.scopes[found.scopes["scope"] != found.change.scope]
    for line in other.itertuples():
        assert any(f"{line.scope}: {line.token} {line.probability:.1%};" in text for text in test.texts)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {
            "arithmetic_formula": "paris - france + italy",
            "arithmetic_expected": "rome",
            "arithmetic_whole": True,
            "arithmetic_inputs": False,
            "arithmetic_metric": "euclidean",
            "arithmetic_neighbours": 5,
        },
        {"arithmetic_formula": "reject(nurse, she - he)", "arithmetic_expected": ""},
        {"arithmetic_formula": 'unit("the")'},
        {"arithmetic_formula": "king - king", "arithmetic_metric": "euclidean"},
    ],
)
def test_copy_as_python_gives_every_number_of_the_formula(page, bundled, state):
    test = page(arithmetic_tab=FORMULA, **state)
    found = test.copied(bundled)
    measure = "distance" if state.get("arithmetic_metric") == "euclidean" else "cosine"
    same(*exactly(test, "rank", "token", measure), found.near)
    ranks = exactly(test, "method", "best_in", "rank_in", "best_out", "rank_out")
    assert len(ranks) == hasattr(found, "ranks")
    for table in ranks:
        same(table, found.ranks)
    maps = exactly(test, "label", "kind", "x", "y")
    assert len(maps) == hasattr(found, "points")
    for table in maps:
        same(table, found.points)
    same(*exactly(test, "vector", "dimension", "value"), found.numbers)
    same(*exactly(test, "vector", "length"), found.lengths.rename("length").reset_index())


def test_the_strips_are_described_and_their_table_holds_what_is_drawn(page, bundled):
    test = page(arithmetic_tab=FORMULA)
    (numbers,) = exactly(test, "vector", "dimension", "value")
    assert len(numbers) == 4 * bundled.dimensions
    (alt,) = [chart.alt for chart in test.charts if "strips" in chart.alt]
    value = embtools.evaluate("king - man + woman", bundled)
    largest = int(np.abs(value).argmax())
    assert f"king - man + woman: {largest} ({value[largest]:+.2f})" in alt


# The two scopes


def test_the_other_scope_is_told_for_every_edit(page, bundled):
    for text, edit, verb in (
        (ROME, EDIT, "agree"),
        ("Berlin" + ROME[4:], "berlin = berlin - germany + greece", "differ"),
    ):
        test = page(arithmetic_text=text, arithmetic_edits=edit)
        best = embtools.fill_mask(text, bundled, 1, edits=[edit], scope="tied").iloc[0]
        line = f"With scope tied: {best['token']} {best['probability']:.1%}; the scopes {verb} on the first answer."
        assert line in test.texts
        found = first_answers(text, Change.of((edit,)), model=bundled).set_index("scope")
        assert found.loc["tied", "probability"] == pytest.approx(best["probability"], abs=1e-6)


def test_a_word_that_only_one_scope_reaches_has_no_comparison(page):
    test = page(arithmetic_scope="tied", arithmetic_edits="paris = paris - france + italy")
    assert not test.says("the scopes")
    assert not page(arithmetic_edits="").says("the scopes")


def test_the_papers_average_overwrites_the_row():
    people = examples.EXAMPLES["People and work"]
    assert {people[name]["arithmetic_scope"] for name in ("He, averaged with she", "She, averaged with he")} == {"tied"}
    continents = examples.EXAMPLES["Continents"].values()
    assert {state["arithmetic_scope"] for state in continents} == {"tied"}
    assert examples.EXAMPLES["Cities and countries"]["Rome in France"]["arithmetic_scope"] == "input"


# Limits and stops


MANY = ", ".join(wordlists.load("capitals")["capital"].head(13))


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({"arithmetic_leave_out": ", ".join(f"w{i}" for i in range(5_000))}, "5,000 words to leave out; at most 200"),
        ({"arithmetic_curve": MANY}, "13 words for the curve; choose 1 to 12"),
        (
            {"arithmetic_text": "the " * 480 + "[MASK]", "arithmetic_edits": "", "arithmetic_draws": 1,
             "arithmetic_candidates": ", ".join(f"{w}{'x' * 7}" for w in "abcdefghijklmnopqrstuvwxyz")},
            "at most 40,000 are read at once",
        ),
    ],
)  # fmt: skip
def test_limits_are_told(page, state, sentence):
    test = page(**state)
    assert len([text for text in test.texts if sentence in text]) == 1, test.texts
    assert [metric.label for metric in test.metric]


def test_two_hundred_words_left_out_go_with_the_offensive_list(page, bundled):
    words = [w for i, w in enumerate(bundled.vocabulary) if bundled.whole_words[i]][3000:3200]
    test = page(arithmetic_leave_out=", ".join(words), arithmetic_hide=True, arithmetic_draws=1)
    assert not test.problems


def test_the_finder_is_in_the_address(page):
    assert "3 pieces: lo ##d ##non" in page(arithmetic_find="lodnon").texts
