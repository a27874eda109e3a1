"""The Decomposition page without a browser."""

import numpy as np
import pandas as pd
import pytest

from embtools.decomposition import controls, dictionary, patching, targets, verdict
from embtools.decomposition import word as numbers
from embtools.decomposition.clamping import clamp
from embtools.decomposition.feature_examples import features_of_examples
from embtools.decomposition.feature_uses import feature_occurrences
from embtools.decomposition.feature_words import features_of_word
from embtools.decomposition.features_of_text import sentence_features
from embtools.decomposition.parts import decompose
from embtools.layer_combinations import SUM_FOUR
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.progress import silent
from embtools.ui import warm
from embtools.ui.decomposition import formula, learned, word
from embtools.ui.decomposition import patching as patching_tab

pytestmark = pytest.mark.usefixtures("as_shipped")

COLD = built_in_corpus().having("cold").sentences


@pytest.fixture(scope="module")
def page(visit):
    """Open the Decomposition page; the fields go by their names without "decomposition_" in front."""
    return lambda **fields: visit(
        "decomposition",
        **{name if name in ("open", "compare") else f"decomposition_{name}": value for name, value in fields.items()},
    )


def said(at) -> str:
    return at.header[0].value.replace("\\", "")


def expected(target, atoms, **asked) -> str:
    """The finding, computed without the page."""
    rules = {name: asked.pop(name) for name in ("same_word", "same_sentence") if name in asked}
    mix = decompose(target, atoms, **asked, **rules)
    return verdict.finding(target.name, mix, controls.nearest(target, atoms, mix, **rules))


@pytest.fixture(scope="module")
def read(bundled):
    return encode_corpus(built_in_corpus(), bundled, combination=SUM_FOUR)


@pytest.fixture(scope="module")
def atoms(read):
    return dictionary.of_occurrences(read)


@pytest.mark.slow
def test_the_first_view_decomposes_cold(page, read, atoms, bundled):
    at = page()
    target = targets.occurrence(read, bundled, word="cold")
    assert said(at) == expected(target, atoms)
    assert not at.problems and len(at.charts) == 3
    mix = decompose(target, atoms)
    assert at.says(
        verdict.trust(controls.compare(target, atoms, mix)), f"the weights to {mix.table['weight'].sum():.2f}."
    )
    assert at.says("This mix is the exact optimum.")
    shown = at.table("part", "weight", "sentence")
    np.testing.assert_allclose(shown["share"], mix.table["share"], atol=1e-5)
    assert at.says(f"{mix.table['share'].iat[0]:.0%}{mix.table['sentence'].iat[0]}")  # its sentence is shown below
    assert set(dict(at.query_params)) == {"tables", "weights"}


@pytest.mark.slow("Static embeddings")
@pytest.mark.parametrize("name", word.PRESETS)
def test_every_example_of_the_first_tab(page, name, read, atoms, bundled):
    at = page(word="war", share=0.6)
    at.press(f"example-{word.TAB}-{name}")
    assert not at.problems and len(at.charts) == 3
    target = {
        "bank (money)": lambda: targets.occurrence(read, bundled, word="bank"),
        "bank (river)": lambda: targets.occurrence(read, bundled, word="bank", number=5),
        "A cold look": lambda: targets.from_sentence(
            "She gave him a cold look and said nothing.", bundled, word="cold", combination=SUM_FOUR
        ),
    }.get(name, lambda: targets.occurrence(read, bundled, word="cold"))()
    asked = {"alpha": 0.9} if name == "As in the article" else {}
    into = dictionary.of_vocabulary(bundled) if name == "Static embeddings" else atoms
    assert said(at.links_to_itself()) == expected(target, into, **asked)


@pytest.mark.slow
@pytest.mark.parametrize("name", formula.PRESETS)
def test_every_example_of_the_second_tab(page, name, bundled):
    at = page(tab="formula")
    at.press(f"example-{formula.TAB}-{name}")
    assert not at.problems and len(at.charts) == 3
    text = name if name != "Own words allowed" else "king - man + woman"
    target = targets.formula(text, bundled)
    allowed = name == "Own words allowed"
    assert said(at.links_to_itself()) == expected(target, dictionary.of_vocabulary(bundled), same_word=allowed)


@pytest.mark.slow
def test_the_penalty_the_sentence_and_the_rules_change_the_result(page, read, atoms, bundled):
    at = page(open="decomposition")
    at.put("decomposition_share", 0.6)
    at.put("decomposition_occurrence", 7)
    at.put("decomposition_same_word", True)
    at.put("decomposition_same_sentence", False)
    target = targets.occurrence(read, bundled, word="cold", number=7)
    assert said(at) == expected(target, atoms, share=0.6, same_word=True, same_sentence=False)
    at.put("decomposition_recipe", "layer 4")
    other = encode_corpus(built_in_corpus(), bundled, combination="layer 4")
    target = targets.occurrence(other, bundled, word="cold", number=7)
    rules = {"same_word": True, "same_sentence": False}
    assert said(at) == expected(target, dictionary.of_occurrences(other), share=0.6, **rules)
    at.put("decomposition_word", "warm")
    assert at.session_state["decomposition_occurrence"] == 1 and "close to warm (" in said(at)


def test_an_occurrence_number_that_is_too_large_becomes_the_last(page, read, bundled):
    at = page(occurrence=40_000)
    assert not at.problems
    assert at.session_state["decomposition_occurrence"] == len(read.of("cold"))


def test_the_visitors_own_sentence(page, read, atoms, bundled):
    at = page(open="decomposition")
    at.put("decomposition_sentence", "My hands are cold <b>and</b> blue.")
    target = targets.from_sentence("My hands are cold <b>and</b> blue.", bundled, word="cold", combination=SUM_FOUR)
    assert said(at) == expected(target, atoms)
    at.put("decomposition_sentence", "")
    assert said(at) == expected(targets.occurrence(read, bundled, word="cold"), atoms)


@pytest.mark.usefixtures("computing")
@pytest.mark.slow("A capital", "A cold wind", "At the input", "The bank of a river")
@pytest.mark.parametrize("name", patching_tab.PRESETS)
def test_every_example_of_the_third_tab(page, name, bundled):
    at = page(tab="patching", put_word="warm", put_sentence="A warm [MASK].")
    at.press(f"example-{patching_tab.TAB}-{name}")
    asked = {field.key: field.default for field in patching_tab.FIELDS} | patching_tab.PRESETS[name]
    text, hidden = {"Sentence without a mask": ("The king lived with his queen in an old [MASK].", "castle")}.get(
        name, (asked[patching_tab.SENTENCE.key], "")
    )
    layer = asked[patching_tab.LAYER.key]
    number = None if layer == patching_tab.STATIC else int(layer[-1])
    place = patching.patch_site(text, bundled, word=asked[patching_tab.WORD.key], layer=number)
    pool = dictionary.of_vocabulary(bundled)
    if number is not None:
        pool = dictionary.of_occurrences(encode_corpus(built_in_corpus(), bundled, combination=layer))
    runs = patching.patch(place, bundled, dictionary=pool, parts=decompose(place.target, pool))
    assert said(at) == verdict.patching_finding(asked[patching_tab.WORD.key], runs)
    assert not at.problems and len(at.charts) == 2 and at.says(f"BERT read “{text}”", verdict.distance(runs))
    assert at.says(f"The sentence had no mask, so “{hidden}” was masked.") == bool(hidden)
    np.testing.assert_allclose(at.table("draw", "kl_bits")["kl_bits"], runs["kl_bits"], atol=1e-6)
    at.links_to_itself()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"put_word": "warm"}, "'warm' is not a separate word in the sentence"),
        ({"put_sentence": " "}, "The text is empty"),
        ({"put_mask": 3}, "There is no mask 3"),
        ({"put_layer": "layer 99"}, ""),
        ({"share": 1.0}, "Lower it"),
        ({"put_word": "unbelievably", "put_sentence": "It is unbelievably [MASK].", "put_layer": "static"},
         "not a single token"),
    ],
)  # fmt: skip
def test_an_invalid_patching_query_shows_an_error_and_keeps_a_result(page, asked, message):
    at = page(tab="patching", **asked)
    assert len(at.charts) == 2 and "With rome replaced by the " in said(at)
    assert [message in problem for problem in at.problems] == ([True] if message else [])


BAD = {
    "nothing": ({"word": " "}, "The word is missing"),
    "a word that does not occur": ({"word": "xylophone"}, "does not occur in the built-in sentences"),
    "an emoji": ({"word": "🦄"}, "contains a character that this model does not know"),
    "a sentence without the word": ({"sentence": "It is warm."}, "is not a separate word in your sentence"),
    "an alpha of nothing": ({"by": "alpha", "alpha": 0.0}, "too small for a sparse mix"),
    "other dimensions": (
        {"recipe": "concat-four", "dictionary": "static"}, "Choose a single layer",
    ),
}  # fmt: skip


@pytest.mark.slow("other dimensions")
@pytest.mark.parametrize("case", BAD)
def test_an_invalid_query_shows_an_error_and_keeps_a_result(page, case):
    asked, message = BAD[case]
    at = page(**asked)
    assert len(at.problems) == 1 and message in at.problems[0]
    assert (
        at.says("Showing the page's example, for: cold")
        and " of cold" in said(at).replace("close to", "of")
        and len(at.charts) == 3
    )


@pytest.mark.parametrize("text", ["", "king -", "king - king", "kign", "x" * 400])
def test_an_unreadable_formula_shows_an_error(page, text):
    at = page(tab="formula", formula=text or " ")
    assert len(at.problems) == 1 and at.says("Showing the page's example, for: king - man + woman")


def test_an_alpha_above_its_maximum_gives_an_empty_mix(page):
    at = page(by="alpha", alpha=1000.0)
    assert not at.problems and said(at).startswith("The mix for cold is empty") and not at.charts
    assert at.says("The mix is empty for every alpha from ")


@pytest.mark.slow("asked1", "asked2", "asked3", "asked4")
@pytest.mark.parametrize(
    "asked",
    [
        {"open": "parts-figures", "by": "alpha", "alpha": 1.5, "same_sentence": False},
        {"open": "parts-figures", "sentence": "A cold look.", "dictionary": "static"},
        {"open": "formula-parts-figures", "tab": "formula", "same_word": True, "share": 0.4},
        {"tab": "patching", "put_layer": "layer 3", "put_length": True, "share": 0.4},
        {"tab": "patching", "put_layer": "static", "by": "alpha", "alpha": 0.0005},
    ],
)  # fmt: skip
def test_the_copied_code_gives_every_figure(page, bundled, asked):
    at = page(**asked)
    printed = at.copied(bundled).printed
    assert said(at) in printed
    frames = [value for value in printed if isinstance(value, pd.DataFrame)]
    assert len(at.tables) == (4 if asked.get("tab") == "patching" else 5)
    for table in at.tables:
        columns = list(table.columns)
        (same,) = [f for f in frames if set(columns) <= set(f.columns) and len(f) == len(table)][:1]
        pd.testing.assert_frame_equal(table, same[columns], check_dtype=False, rtol=1e-6, atol=1e-9)


def test_a_rerun_does_not_run_the_model(page, bundled, monkeypatch):
    at = page()
    monkeypatch.setattr(type(bundled), "_arguments", lambda *_, **__: pytest.fail("the model was asked again"))
    at.run()
    at.put("decomposition_share", 0.45)
    assert not at.problems


@pytest.mark.slow
def test_the_result_appears_before_the_controls_and_stays_if_they_are_stopped(page, stop, monkeypatch):
    drawn: list[int] = []
    compare = controls.compare

    def watched(*asked, **named):
        drawn.append(len(drawn))
        return compare(*asked, **named)

    monkeypatch.setattr(controls, "compare", watched)
    stop("Comparing with controls")
    at = page(share=0.37)
    assert " of cold" in said(at).replace("close to", "of") and len(at.charts) == 2  # the bars, and the path
    assert "Comparing with controls was stopped." in at.problems[0]
    at.press("Run again")
    assert not at.problems and len(at.charts) == 3 and at.says("than chance: with the same number of parts")
    assert len(drawn) == 1
    at.put("decomposition_share", 0.38)  # another penalty: other parts and controls
    assert len(drawn) == 2 and not at.problems


@pytest.mark.slow
def test_a_mix_that_is_not_exact_is_not_called_so(page, monkeypatch):
    monkeypatch.setattr("embtools.decomposition.lasso.MAX_PASSES", 1)
    at = page(word="war", share=0.02)
    assert at.says("This mix is not the exact optimum: its objective can be up to ")
    assert not at.says("is the exact optimum.")


@pytest.mark.slow
def test_the_first_view_is_computed_while_the_server_is_idle(page, cold, bundled, monkeypatch):
    for query in warm.first_queries("decomposition"):
        warm.ask(query, "bundled", silent)
    monkeypatch.setattr(type(bundled), "_arguments", lambda *_, **__: pytest.fail("the model was asked again"))
    for module, name in ((controls, "compare"), (numbers, "decomposed"), (numbers, "sparsity_path")):
        monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("it was computed again"))
    at = page()
    assert not at.problems and len(at.charts) == 3 and " of cold" in said(at).replace("close to", "of")


def test_another_model_answers_too(page, lend, tiny):
    lend(tiny)
    at = page(tab="formula", formula="king")
    assert " of king" in said(at).replace("close to", "of")
    at = page()
    assert at.problems and not at.charts  # it can read neither the word nor the first example


@pytest.mark.slow
def test_an_occurrence_of_a_folder_is_decomposed_into_a_sample_of_it(page, folder, bundled, stored_folder, monkeypatch):
    monkeypatch.setenv("EMBTOOLS_CORPORA", str(stored_folder))
    monkeypatch.chdir(stored_folder.parent)
    at = page(dictionary="weather", occurrence=2, open=["decomposition"])
    atoms = dictionary.of_folder(folder, bundled)
    assert (
        said(at) == expected(targets.from_folder(folder, bundled, word="cold", number=2, atoms=atoms), atoms)
        and not at.problems
    )
    assert at.says(dictionary.coverage(folder, atoms)) and len(at.charts) == 3
    assert f"Occurrence (1 to {folder.count('cold')})" in " ".join(field.label for field in at.number_input)
    printed = at.copied(bundled).printed
    assert said(at) in printed and dictionary.coverage(folder, atoms) in printed
    at.put("decomposition_sentence", "It was a cold look.")
    assert not at.problems and at.says("It was a", dictionary.coverage(folder, atoms))
    at.put("decomposition_sentence", "").put("decomposition_words", "winter, warm, Summer")
    atoms = dictionary.of_words(folder, bundled, words=("winter", "warm", "summer"))
    assert (
        said(at) == expected(targets.from_folder(folder, bundled, word="cold", number=2, atoms=atoms), atoms)
        and not at.problems
    )
    assert at.says("occurrences of the 3 chosen words in the folder.")
    assert said(at) in at.copied(bundled).printed
    at.put("decomposition_words", "winter, xylophone")
    assert "do not occur in the folder: xylophone" in at.problems[0] and at.says(
        "Showing the previous result, for: cold"
    )
    at.put("decomposition_words", "").put("decomposition_word", "xylophone")
    assert "does not occur in this folder" in at.problems[0] and at.says("Showing the previous result, for: cold")
    monkeypatch.setenv("EMBTOOLS_CORPORA", str(stored_folder / "words"))
    assert "has no corpus.json" in page(dictionary="words").problems[0]


def test_a_folder_is_compared_with_no_second_model_and_says_why(page, stored_folder, lend_second, monkeypatch):
    monkeypatch.setenv("EMBTOOLS_CORPORA", str(stored_folder))
    monkeypatch.chdir(stored_folder.parent)
    at = page(dictionary="weather", compare="distilbert/distilbert-base-uncased")
    assert at.says("To compare Pocket BERT with DistilBERT, the same text must be encoded with DistilBERT, too")
    assert not at.problems and len(at.charts) == 3


@pytest.mark.parametrize("name", learned.PRESETS)
def test_every_example_of_the_learned_dictionary(page, name, bundled):
    at = page(tab="learned", learned_sentence="The sea is [MASK].")
    at.press(f"example-{learned.TAB}-{name}")
    asked = {field.key: field.default for field in learned.FIELDS} | learned.PRESETS[name]
    text = asked[learned.SENTENCE.key]
    result = sentence_features(text, bundled, dictionary="layer 3")
    assert said(at) == result.headline and not at.problems
    clamped = clamp(text, bundled, dictionary="layer 3", feature=result.feature)
    assert at.says(clamped.headline, clamped.comparison)
    np.testing.assert_allclose(at.table("times_0", "unchanged")["rank"], range(1, 6))
    at.links_to_itself()


def test_the_sentences_of_a_feature_are_read_and_searched(page, bundled):
    at = page(tab="learned", learned_search="bank", learned_feature=7, learned_sentence="She read a <b>book</b>.")
    at = searched(at)  # one press for all parts
    text = built_in_corpus()
    result = feature_occurrences(text, bundled, dictionary="layer 3", feature=7)
    assert not at.problems and at.says(result.headline, "Write [MASK] in the sentence to ask BERT again.")
    found = features_of_word("bank", bundled, corpus=text, dictionary="layer 3")
    assert list(at.table("share", "words")["feature"]) == list(found["feature"])
    assert not any((button.key or "").startswith("requested-feature") for button in at.button)
    at.put("learned-open", int(found["feature"].iloc[1]))
    assert at.field("decomposition_learned_feature").value == found["feature"].iloc[1]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"learned_sentence": " "}, "The text is empty"),
        ({"learned_mask": 3}, "There is no mask 3"),
        ({"learned_dictionary": "<b>"}, ""),
    ],
)
def test_an_invalid_query_about_features_shows_an_error(page, asked, message):
    at = page(tab="learned", **asked)
    assert said(at).startswith("After layer 3, ")
    assert [message in problem for problem in at.problems] == ([True] if message else [])


def test_a_feature_that_does_not_exist_becomes_the_last_one(page):
    at = page(tab="learned", learned_feature=5_000)
    assert at.field("decomposition_learned_feature").value == 4_096
    assert not any("There is no feature" in problem for problem in at.problems)
    assert at.says("5000 is not possible here, so 4096 is used. Choose 0 to 4096.")


@pytest.mark.parametrize("word", ["qqqqzz", "red, blue"])
def test_a_search_for_a_word_that_the_text_lacks_says_what_to_write(page, word):
    at = page(tab="learned", learned_search=word)
    assert [problem.partition(" Write one word")[0] for problem in at.problems] == [
        f"⚠ The text does not contain '{word}'."
    ]


def searched(at):
    """The page after the text was read, if that waits for its button."""
    button = "requested-feature-table-button"
    return at.press(button) if any(each.key == button for each in at.button) else at


def test_features_are_searched_by_example(page, bundled):
    at = searched(page(tab="learned", learned_examples="uncle | His uncle sang.\n\nwife | My <b>wife</b> left."))
    lines = "uncle | His uncle sang.", "wife | My <b>wife</b> left."
    result = features_of_examples(lines, bundled, corpus=built_in_corpus(), dictionary="layer 3")
    assert not at.problems and at.says(result.headline, result.comparison)
    np.testing.assert_allclose(at.table("share_examples")["difference"], result.features["difference"])
    assert list(at.table("draws", "reached")["highest"]) == list(result.summary["highest"])
    at.links_to_itself()
    printed = [value for value in at.copied(bundled).printed if isinstance(value, str)]
    assert result.headline in printed and result.comparison in printed


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ("uncle | His uncle sang.", "At least 2 examples are needed"),
        ("His uncle sang.\nMy wife left.", "Example 1 cannot be read"),
        ("uncel | His uncle sang.\nwife | My wife left.", "Did you mean 'uncle'?"),
    ],
)
def test_examples_that_cannot_be_used_show_an_error_next_to_their_field(page, examples, message):
    at = page(tab="learned", learned_examples=examples)
    assert [message in problem for problem in at.problems] == [True]
    at.put("decomposition_learned_examples", "")
    assert not at.problems and at.says("Write examples of a meaning to find the features that are active at most")


@pytest.mark.slow
def test_two_models_search_their_own_dictionaries_by_example(page, bundled, tiny, small, lend_second):
    arguments = {"learned_sentence": "The king is a man.", "learned_examples": "king | The king.\nqueen | The queen."}
    at = searched(page(tab="learned", compare="distilbert/distilbert-base-uncased", **arguments))
    lines, text = tuple(arguments["learned_examples"].splitlines()), built_in_corpus()
    ours = features_of_examples(lines, bundled, corpus=text, dictionary="layer 3")
    other = features_of_examples(lines, tiny, corpus=text, dictionary="layer 1, small")
    assert not at.problems and at.says(ours.headline, other.headline)
    names = at.named_tables
    for name, result in (("learned-examples", ours), ("learned-examples-second", other)):
        assert list(names[name]["feature"]) == list(result.features["feature"])
