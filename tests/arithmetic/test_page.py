"""The Arithmetic page without a browser: examples, own sentences, bad input, and that the copied code gives its numbers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings, strategies

import embtools
from embtools import memory, stored_scores
from embtools.arithmetic import controls, scopes, verdict
from embtools.arithmetic.logit_lens import both_lenses
from embtools.mask_filling import sampling
from embtools.mask_filling.edits import Change
from embtools.statistics.decimals import decimal
from embtools.ui.arithmetic import details, examples

FORMULA, MANY = "analogies", "many"
FOLDS = {
    "Tokens": "tokens", "Settings": "edit-settings", "Other scope": "scopes", "Chosen words": "words",
    "Random answers": "random", "Edited vectors": "edited-vectors",
}  # fmt: skip
DETAIL = {option: {"arithmetic_more": key} for key, option in details.MORE.keys if key != "more"}
DETAIL |= {label: {"arithmetic_more": "more", "open": name} for label, name in FOLDS.items()}
ROME = "Rome is the capital of [MASK]."
EDIT = "rome = rome - italy + france"
NOT_APPLIED = "The edit of “{}” is not applied, because the word is not in the sentence."


def link(test):
    """The parameters in the page's address, without those that tests add and the model's checksum."""
    return {k: [v] if isinstance(v, str) else v for k, v in test.query_params.items() if k not in ("tables", "weights")}


# Examples


def test_the_headline_and_the_comparison_with_the_controls_are_those_of_the_library(page, bundled):
    for name in ("Orange grass", "Pakistan moved to Oceania"):
        state = examples.EDITED[name]
        change = Change.of(tuple(state["arithmetic_edits"].splitlines()), state["arithmetic_scope"])
        left = [state["arithmetic_leave_out"]] if state["arithmetic_leave_out"] else []
        alone = controls.experiment(state["arithmetic_text"], bundled, change=change, k=5, leave_out=left)
        test = page(**state)
        assert test.finding == verdict.finding(alone)
        assert test.says(verdict.reason(alone), *verdict.verdict(alone))
        assert [chart.alt.split(" ")[0] for chart in test.charts] == ["Probability", "Probability"]


# Own sentences


def test_an_own_sentence_is_answered_at_once_without_the_edit_that_does_not_apply(page, bundled):
    test = page().put("arithmetic_text", "Niklas works in Berlin as a ___.")
    best = embtools.fill_mask("Niklas works in Berlin as a [MASK].", bundled, k=1).iloc[0]
    assert not test.problems and test.says(NOT_APPLIED.format("rome"))
    assert test.finding.startswith(f"BERT answers {best['token']} (")
    assert test.slider(key="arithmetic_strength").disabled
    assert test.says(
        "No edit is applied. Press “Build an edit” above, or type one that begins with a word of the sentence"
    )

    test.press("Apply it to “berlin”")
    assert test.text_area(key="arithmetic_edits").value == "berlin = berlin - italy + france"
    assert not test.says("is not applied") and not test.slider(key="arithmetic_strength").disabled

    test.put("arithmetic_text", "The king is ___.")
    test.press("Go back to “Niklas works in Berlin as a [MASK].”".translate({ord(c): f"\\{c}" for c in "[]."}))
    assert test.text_input(key="arithmetic_text").value == "Niklas works in Berlin as a [MASK]."
    assert not test.says("is not applied")


def test_on_a_cold_page_the_first_edit_goes_back_to_its_sentence(page):
    test = page(arithmetic_text="The king is ___.").press("aside-0-back")
    assert test.text_input(key="arithmetic_text").value == ROME


def test_a_long_sentence_to_go_back_to_is_cut_with_an_ellipsis(page):
    sentence = "My brother bought an apple because he likes fresh [MASK]."
    test = page(arithmetic_text=sentence, arithmetic_edits="apple = apple - fruit + company")
    test.put("arithmetic_text", "The king is ___.")
    test.press("Go back to “My brother bought an apple because he…”")
    assert test.text_input(key="arithmetic_text").value == sentence


def test_an_empty_sentence_is_not_an_error(page):
    for text in ("", "   "):
        test = page(arithmetic_text=text, arithmetic_edits="")
        assert test.finding == "Type a sentence with a missing word" and not test.problems and not test.charts
        assert test.says("Type a sentence above", "press Enter") and not test.says("Showing the p")
    test.links_to_itself()
    test.press("begin-Amazon is a ___.")
    assert test.text_input(key="arithmetic_text").value == "Amazon is a ___." and test.finding.startswith(
        "BERT answers "
    )
    assert test.put("arithmetic_text", "").says("Type a sentence above") and not test.problems


# Building an edit


def test_an_edit_is_built_from_the_words_of_the_sentence(page, bundled):
    test = page(arithmetic_text="Amazon is a ___.", arithmetic_edits="")
    test.session_state["edit-builder-open"] = True
    words = test.run().field("edit-builder-word")
    assert words.options == ["amazon", "is", "a"] and words.value == "amazon"
    answers = embtools.fill_mask("Amazon is a [MASK].", bundled, k=8)["token"].tolist()
    assert test.field("edit-builder-less").options == answers
    assert next(b for b in test.button if b.key == "edit-builder-use").disabled
    # Picked: what is typed, which AppTest cannot do, a test in the browser tries.
    test.put("edit-builder-less", less := answers[1])
    near = embtools.nearest(less, bundled, k=8, inputs=False, whole_words=True)["token"].tolist()
    assert test.field("edit-builder-more").options == near
    test.put("edit-builder-more", near[0])
    edit = f"amazon = amazon - {less} + {near[0]}"
    assert test.says(edit) and test.press("Use this edit").text_area(key="arithmetic_edits").value == edit
    alone = controls.experiment("Amazon is a [MASK].", bundled, change=Change.of((edit,)), k=5)
    assert test.finding == verdict.finding(alone)
    test.links_to_itself()


def test_a_built_edit_replaces_those_that_do_not_apply(page):
    test = page(arithmetic_text="Amazon is a ___.", arithmetic_edits=f"{EDIT}\na = the\namazon = amazon + river")
    test.session_state["edit-builder-open"] = True
    offered = test.run().selectbox(key="edit-builder-less").options
    (word,) = [word for word in offered if word.isalpha() and word != "river"][:1]
    test.put("edit-builder-less", word).press("Use this edit")
    assert test.text_area(key="arithmetic_edits").value == f"a = the\namazon = amazon - {word}"
    assert not test.problems and not test.says("is not applied")


def test_the_builder_needs_a_word_that_is_one_token(page):
    test = page(arithmetic_text="?!", arithmetic_edits="")
    test.session_state["edit-builder-open"] = True
    assert not test.run().exception


def test_a_formula_without_a_left_side_is_completed_by_a_button(page):
    test = page(arithmetic_text="The doctor said that ___ was tired.", arithmetic_edits="doctor - man + woman")
    complaint(test, "An edit needs a word, '=' and an expression")
    assert link(test)["arithmetic_edits"] == ["doctor - man + woman"]  # nothing is changed behind the visitor's back
    test.press("complete-0-doctor = doctor - man + woman")
    assert test.text_area(key="arithmetic_edits").value == "doctor = doctor - man + woman" and not test.problems
    test.links_to_itself()


# Evidence beyond one sentence


def test_the_evidence_of_many_edits_is_shown_for_the_model_that_it_was_measured_with(page, bundled, lend, tiny):
    text = stored_scores.evidence(stored_scores.read(bundled))
    trained = "The bundled model was trained **not to copy** words from the sentence"
    assert "536 edits" in text and page().says("One sentence is little evidence.", text, trained, "look better")
    assert not page(arithmetic_edits="").says("One sentence is little evidence.")
    lend(tiny)
    test = page(arithmetic_text="Rome is the king [MASK].")
    assert test.charts and not test.says("One sentence is little evidence.") and not test.says("536")


def test_each_edit_that_does_not_apply_is_named(page):
    test = page(arithmetic_text="The king is ___.", arithmetic_edits=f"{EDIT}\nking = king - man + woman\nqueen = king")
    assert test.says(NOT_APPLIED.format("rome"), NOT_APPLIED.format("queen")) and test.finding.startswith("BERT")
    assert not test.slider(key="arithmetic_strength").disabled
    assert not test.says("The edit of “king”")


def test_without_a_mask_the_last_word_is_guessed_and_another_can_be_clicked(page):
    test = page(arithmetic_text="Rome is the capital of Italy.")
    assert (
        test.says("The sentence has no mask, so BERT guesses its last word, “Italy”.")
        and test.finding == page().finding
    )
    test.put("arithmetic_mask_word", 5)
    assert test.text_input(key="arithmetic_text").value == ROME and not test.says("The sentence has no mask")
    assert page(arithmetic_text="Rome is the capital of Italy.").put("arithmetic_mask_word", 0).says("is not applied")
    it = page(arithmetic_text="Cafe\u0301: 5.00.").put("arithmetic_mask_word", 1).put("arithmetic_mask_word", 0)
    assert it.text_input(key="arithmetic_text").value == "[MASK]: [MASK]."


def test_a_button_corrects_a_misspelled_word(page):
    test = page(arithmetic_edits="rome = rome - itly + france\ncapital = itlys")
    assert test.says("'itly' is not a single token (it ##ly). Did you mean italy?")
    test.press("Use italy")
    assert test.text_area(key="arithmetic_edits").value == "rome = rome - italy + france\ncapital = itlys"


def test_an_error_about_a_foreign_word_names_the_language_of_the_model(page):
    test = page(arithmetic_edits="rome = rome - italy + frankreich")
    assert len(test.problems) == 1 and "This model reads English" in test.problems[0]
    assert not [b for b in test.button if b.label.startswith("Use ")]


def test_one_occurrence_of_several_is_chosen(page, bundled):
    text = "Rome, Rome and Rome [MASK]."
    test = page(arithmetic_text=text).put("arithmetic_positions", [1, 5])
    alone = controls.experiment(text, bundled, change=Change.of((EDIT,), positions=(1, 5)), k=5)
    assert test.finding == verdict.finding(alone) and link(test)["arithmetic_positions"] == ["1", "5"]
    test.put("arithmetic_text", ROME)  # the choice was about another sentence
    assert not test.problems and test.finding == page().finding


def test_several_masks_have_a_switch(page, bundled):
    text = "[MASK] says rome is the capital of [MASK]."
    alone = controls.experiment(text, bundled, change=Change.of((EDIT,)), k=5)
    test = page(arithmetic_text=text)
    assert test.finding == verdict.finding(alone, mask=1)
    test.put("arithmetic_mask", 2)
    assert test.finding == verdict.finding(alone, mask=2) and link(test)["arithmetic_mask"] == ["2"]
    test.put("arithmetic_text", ROME)
    assert test.finding == page().finding
    test = page(arithmetic_text=f"[MASK], {text}", arithmetic_mask=3).put("arithmetic_text", text)  # one mask fewer
    assert test.finding == verdict.finding(alone, mask=2) and link(test)["arithmetic_mask"] == ["2"]


# Bad input


@pytest.fixture(scope="module")
def edit_page(page):
    """A page that has shown a good result, used by many cases in turn."""
    return page()


@pytest.fixture(scope="module")
def formula_page(page):
    return page(arithmetic_tab=FORMULA)


def complaint(test, sentence):
    """This is the only error on the page."""
    assert len(test.problems) == 1 and sentence in test.problems[0], test.problems


def test_a_zero_vector_has_distances_but_no_direction(formula_page):
    formula_page.session_state["arithmetic_metric"] = "euclidean"
    before = formula_page.put("arithmetic_formula", "queen - woman + man").finding
    test = formula_page.put("arithmetic_formula", "king - king")
    complaint(test, "zero vector")  # the map needs a direction
    assert test.finding != before


def test_a_mask_inside_a_word(page):
    test = page(arithmetic_text="Rome is un[MASK]able.")
    complaint(test, "reads the parts of “un[MASK]able.” as separate words")
    assert test.finding


def test_a_length_that_cannot_be_kept_leaves_the_last_answer(page):
    test = page(arithmetic_edits="rome = rome - rome", arithmetic_strength=0.5)
    before = test.finding
    test.put("arithmetic_strength", 1.0)
    assert not test.problems  # nothing is a vector, too
    test.session_state["arithmetic_keep"] = True
    complaint(test.run(), "its length cannot be kept")
    assert test.says("Showing the previous result") and before.startswith("BERT")


def test_a_bad_expected_word(page):
    test = page(arithmetic_tab=FORMULA, arithmetic_expected="qeen")
    complaint(test, "Did you mean queen?")
    assert not test.press("Use queen").problems


PIECES = strategies.sampled_from("rome italy France [MASK] [CLS] ##ing the unabled . é * _x_ <b> $ 2 🦉".split())
TOKENS = strategies.sampled_from("rome italy king = + - * / ( ) 2 unit( mean( ,".split())
ANY = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


@ANY
@given(
    text=strategies.lists(PIECES, max_size=10).map(" ".join),
    edits=strategies.lists(TOKENS, max_size=8).map(lambda t: "rome = " + " ".join(t)),
)
def test_any_sentence_and_edit(edit_page, text, edits):
    edit_page.text_input(key="arithmetic_text").set_value(text)
    assert edit_page.put("arithmetic_edits", edits).finding


@ANY
@given(text=strategies.lists(TOKENS, max_size=8).map(" ".join) | strategies.text(max_size=30))
def test_any_formula(formula_page, text):
    assert formula_page.put("arithmetic_formula", text).finding


def test_the_analogy_writes_the_formula(page):
    test = page(arithmetic_tab=FORMULA)
    assert test.text_input(key="arithmetic_analogy").value == "man is to king as woman is to ?"
    test.put("arithmetic_analogy", "france is to paris as italy is to ?")
    assert test.text_input(key="arithmetic_formula").value == "paris - france + italy"
    test.put("arithmetic_formula", "queen - woman + man")
    assert test.text_input(key="arithmetic_analogy").value == "woman is to queen as man is to ?"
    complaint(test.put("arithmetic_analogy", "king is to"), "an operator is missing before 'is'")


def test_the_expected_word_belongs_to_its_formula(page):
    """It once stayed queen when another formula was typed, of which queen is only the 18,693rd nearest word."""
    test = page(arithmetic_tab=FORMULA)
    assert test.says("queen ranks") and "arithmetic_expected" not in link(test)
    test.put("arithmetic_expected", "princess")
    assert test.says("princess ranks") and link(test)["arithmetic_expected"] == ["princess"]
    for key, other in (
        ("arithmetic_formula", "doctor - man + woman"),
        ("arithmetic_analogy", "woman is to nurse as man is to ?"),
    ):
        test.put("arithmetic_expected", "princess").put(key, other)
        assert test.field("arithmetic_expected").value == "" and "arithmetic_expected" not in link(test)
        assert not any(map(test.says, ("queen ranks", "princess ranks", "Rank of the expected word")))
    test.put("arithmetic_formula", "paris - france + italy")  # known: its own expected word
    assert test.says("rome ranks") and not test.says("queen ranks")


def test_an_expected_word_survives_in_links_and_an_example_has_its_own(page):
    test = page(arithmetic_tab=FORMULA, arithmetic_formula="doctor - man + woman", arithmetic_expected="nurse")
    assert test.says("nurse ranks") and test.field("arithmetic_expected").value == "nurse"
    test.links_to_itself()
    assert test.press(f"example-{examples.ANALOGIES_TAB}-queen - woman + man").says("king ranks") and not test.says(
        "nurse ranks"
    )
    test.links_to_itself()


def test_a_model_that_does_not_know_the_expected_word_is_not_asked_for_it(page, lend, tiny):
    lend(tiny)
    test = page(arithmetic_tab=FORMULA, arithmetic_formula="green - red + blue", arithmetic_expected="")
    assert not test.problems
    complaint(test.put("arithmetic_expected", "yellow"), "'yellow' is not in the vocabulary")


@pytest.mark.slow
def test_only_the_open_detail_is_computed(page, cold):
    """At first only one experiment is computed: no curve, no layers, no other scope, no nearest words."""

    def asked():
        return {entry[0].rpartition(".")[2] for entry in memory.entries()} - {"_drawn"}

    page()
    first = {"read_edit", "edited_answers", "experiment", "read", "cited", "same_kind", "_kinds"}
    assert {"edited_answers"} <= asked() <= first
    page(arithmetic_more="more")
    assert asked() <= first
    for detail in DETAIL.values():
        page(**detail)
    every = {"strength_curve", "both_lenses", "edits_by_layer", "edited_vectors", "first_answers", "draw_answers"}
    assert every <= asked()


def test_all_folds_can_be_open_together(page):
    test = page(arithmetic_more="more", arithmetic_candidates="paris", open=tuple(FOLDS.values()))
    assert not test.problems and test.says("Random answer: ", "Nearest to the original vector of “rome”")


def test_tabs_that_need_an_edit_are_not_shown_without_one(page):
    test = page(arithmetic_edits="", arithmetic_more="controls")
    assert [tab.label for tab in test.tabs if tab.label in details.TABS] == ["Logit lens", "More"]
    folds = {each.label for each in test.expander}
    assert "Chosen words" in folds and not {"Other scope", "Edited vectors"} & folds and not test.problems
    test.put("arithmetic_edits", EDIT)
    assert test.table("control", "detail", "answer").shape[0] and test.says("Each row is one run of a control")
    assert page(arithmetic_edits="rome = paris", arithmetic_more="controls").says("Other word written: ")


def test_the_tuned_lens_is_next_to_the_logit_lens(page, bundled, lend, tiny):
    test = page(arithmetic_edits="", arithmetic_more="lens", arithmetic_lens="paris")
    table = test.table("lens", "layer", "run", "token", "probability", "top_answer")
    expected = both_lenses(ROME, bundled, change=Change(), words=("paris",), mask=1, temperature=1.0)
    pd.testing.assert_frame_equal(table, expected)
    assert test.says("Left: the logit lens.", "Right: the tuned lens first translates each state")
    assert "Tuned lens, original: " in test.charts[-1].alt and not test.problems
    lend(tiny)
    other = page(arithmetic_edits="", arithmetic_text="rome is [MASK]", arithmetic_more="lens")
    assert not other.problems and other.says("This is the logit lens.", "no tuned lens")


def test_another_press_draws_another_answer(page, bundled):
    test = page(arithmetic_temperature=3.0, **DETAIL["Random answers"])
    seen = set()
    for seed in range(1, 5):
        draws = sampling.random_answers(ROME, bundled, change=Change.of([EDIT]), draws=100, temperature=3.0, seed=seed)
        assert test.says(f"Random answer: {draws['token'].iloc[0]}")
        seen.add(draws["token"].iloc[0])
        test.press("Draw another answer")
    assert len(seen) > 1


# Copy as Python


def same(shown, found):
    """The table on the page holds the numbers of the code; the page may show fewer columns."""
    pd.testing.assert_frame_equal(
        shown.reset_index(drop=True), found[list(shown.columns)].reset_index(drop=True), check_dtype=False, rtol=1e-6
    )


ANSWERS = ("token", "probability_before", "probability_after", "change", "rank_before", "rank_after")
STATES = [
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
        "arithmetic_k": 6,
    },
    {"arithmetic_edits": f"{EDIT}\ncapital = mean(capital, city)", "arithmetic_candidates": "paris"},
    {
        "arithmetic_edits": "rome = rome - rome",
        "arithmetic_draws": 1,
        "arithmetic_k": 20,
        "arithmetic_temperature": 0.2,
    },
    {"arithmetic_edits": "", "arithmetic_candidates": "paris, new york", "arithmetic_hide": True},
]


# Every detail of an edit with all settings; of the others those that they show otherwise.
DETAILS = [
    ("Tokens", "Edit in later layers", "Other scope"),
    tuple(DETAIL),
    ("Edited vectors", "Each control"),
    ("Strength curve", "Edited vectors"),
    ("Chosen words", "Settings", "Logit lens", "Random answers"),
]


@pytest.mark.slow("0-Edit in later layers")
@pytest.mark.parametrize(("state", "tab"), [(n, tab) for n, tabs in enumerate(DETAILS) for tab in tabs])
def test_copy_as_python_gives_every_number_of_the_edit(page, bundled, state, tab):
    state = STATES[state]
    test = page(**DETAIL[tab], **state)
    found = test.copied(bundled)
    assert "\n\n\n" not in found.code and max(map(len, found.code.splitlines())) < 200
    answers, mask = found.answers, state.get("arithmetic_mask", 1)
    result, edited = answers.experiment, bool(answers.change.edits)
    rest = list(test.tables)

    def table(*columns):
        """The next table of the page; it has exactly these columns."""
        shown = rest.pop(0)
        assert list(shown.columns) == list(columns)
        return shown

    many_masks = result.answers["mask"].nunique() > 1
    same(table(*(("mask",) if many_masks else ()), *ANSWERS), result.answers[result.answers["mask"] == mask])
    texts = found.sentences
    assert texts[0] == test.finding and test.says(*texts) and (not edited or answers.reason in texts)
    if edited:
        shown = table("control", "draws", "same_answer", "mean", "lowest", "highest", "description")
        same(shown.drop(columns="description"), result.summary[result.summary["mask"] == mask])
    if tab == "Chosen words" and "arithmetic_candidates" in state:
        same(table("word", "tokens", "probability_before", "probability_after", "change", "ratio"), found.scored)
    elif tab == "Tokens":
        same(table("position", "token", "id", "segment", "word"), bundled.tokenize(answers.text))
        same(found.tokens, bundled.tokenize(answers.text))
    elif tab == "Settings" and "arithmetic_hide" in state:
        assert test.says(f"{found.hidden} of the top {state.get('arithmetic_k', 5)} answers are hidden")
    elif edited and tab == "As numbers":
        assert answers.verdict == tuple(filter(None, verdict.verdict(result, mask=mask))) in found.printed[-1:]
        assert test.says(*answers.verdict)
    elif edited and tab == "Strength curve":
        same(table("strength", "token", "probability", "log_odds"), found.curve)
    elif tab == "Logit lens":
        same(table("lens", "layer", "run", "token", "probability", "top_answer"), found.layers)
    elif edited and tab == "Edit in later layers":
        same(table("layer", "run", "draws", "probability", "lowest", "highest", "changed"), found.after.lines)
        assert test.says(found.after.sentence)
    elif tab == "Random answers":
        same(table("token", "count", "share", "probability"), found.draws.counts)
        assert test.says(f"Random answer: {found.draws.first}")
    elif edited and tab == "Edited vectors":
        lengths, nearest = found.vectors
        near = [table("rank", "token", "cosine") for _ in range(2 * len(lengths))]
        same(pd.concat([frame for frame in near if not frame.empty]), nearest)
        for line in lengths.itertuples():
            assert test.says(f"Nearest to the original vector of “{line.word}” (length {line.original:.2f})")
            assert test.says(f"Nearest to the edited vector of “{line.word}” (length {line.edited:.2f})")
    elif edited and tab == "Each control":
        runs = result.controls[result.controls["mask"] == mask]
        # Which words were left out is shown where any was.
        more = ("left_out",) if runs["left_out"].any() else ()
        same(table("control", "detail", "answer", "token", "probability", *more), runs)
        assert any(value is answers.runs for value in found.printed)
    elif edited and tab == "Other scope":
        same(table("scope", "token", "probability"), found.scopes[found.scopes["mask"] == mask])
        assert test.says(scopes.sentence(found.scopes, answers.change.scope, mask=mask))
    assert not rest, "a table that no code reproduces"


@pytest.mark.parametrize(
    "state",
    [
        {},
        {
            "arithmetic_formula": "paris - france + italy",
            "arithmetic_expected": "rome",
            "arithmetic_whole": True,
            "arithmetic_metric": "euclidean",
            "arithmetic_neighbours": 5,
        },
        {"arithmetic_formula": 'unit("the" + "-" - "=")', "arithmetic_neighbours": 50},
        {"arithmetic_formula": "king - king", "arithmetic_metric": "euclidean"},
    ],
)
def test_copy_as_python_gives_every_number_of_the_formula(page, bundled, state):
    test = page(arithmetic_tab=FORMULA, open=["vectors", "which"], **state)
    found = test.prints_what_it_shows(bundled)
    assert test.finding == found.printed[0] and test.says(*found.sentences)
    assert len(test.tables) == 4 + hasattr(found, "ranks") + hasattr(found, "points")


def test_the_strips_are_described_and_their_table_holds_what_is_drawn(page, bundled):
    test = page(arithmetic_tab=FORMULA).unfold("vectors")
    numbers = test.table("vector", "dimension", "value")
    assert len(numbers) == 4 * bundled.dimensions
    (alt,) = [chart.alt for chart in test.charts if "strips" in chart.alt]
    value = embtools.evaluate("king - man + woman", bundled)
    largest = int(np.abs(value).argmax())
    assert f"king - man + woman: {largest} ({decimal(value[largest], signed=True)})" in alt


# Many at once


@pytest.fixture(scope="module")
def many_page(page):
    """A page that has shown a good table, used by many cases in turn."""
    return page(arithmetic_tab=MANY)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"arithmetic_many_k": 3, "arithmetic_many_controls": False},
        {"arithmetic_many_targets": "she, he", "arithmetic_rows": f"{ROME} | {EDIT}\nHe is ___. | he = she"},
    ],
)
def test_copy_as_python_gives_the_whole_table(page, bundled, state):
    test = page(arithmetic_tab=MANY, **state)
    found = test.prints_what_it_shows(bundled)
    assert len(test.tables) == 3 and test.says(*found.results.findings)
    assert state or (found.results.summary["run"] == "edit").sum() == 1  # the added word
    assert ("targets" in str(state)) == (set(found.results.summary["target"]) == {"she", "he"})


def test_a_misspelled_target_word_is_reported_and_the_added_words_are_measured(page):
    test = page(arithmetic_tab=MANY, arithmetic_many_targets="frnce")
    complaint(test, "Did you mean france?")
    assert test.says("The log odds of the added word rise by") and link(test)["arithmetic_many_targets"] == ["frnce"]
    test.press("Use france")
    assert not test.problems and test.says("The log odds of “france” ")


def test_edits_that_add_no_word_need_target_words(page):
    rows = "The nurse is [MASK]. | nurse = reject(nurse, she - he)\nHe is [MASK]."
    test = page(arithmetic_tab=MANY, arithmetic_rows=rows)
    assert test.says("There is no target word") and len(test.tables) == 1
    assert test.put("arithmetic_many_targets", "tired").says("The log odds of “tired” ", "With 1 sentence")
    assert not page(arithmetic_tab=MANY, arithmetic_rows="He is [MASK].").says(
        "Target words", "There is no target word"
    )


@ANY
@given(
    rows=strategies.lists(
        strategies.tuples(
            strategies.lists(PIECES, max_size=6).map(" ".join), strategies.lists(TOKENS, max_size=5).map(" ".join)
        ).map(" | ".join),
        max_size=3,
    ).map("\n".join),
    targets=strategies.lists(PIECES, max_size=3).map(", ".join),
)
def test_any_table(many_page, rows, targets):
    many_page.session_state["arithmetic_many_targets"] = targets
    test = many_page.put("arithmetic_rows", rows)
    assert test.header or test.problems
