"""The Features page without a browser."""

import numpy as np
import pytest

from embtools.features import controls, dictionary, patched, patching, results, targets
from embtools.features.clamping import clamp
from embtools.features.examples import features_of_examples
from embtools.features.parts import decompose
from embtools.features.sentences import sentence_features
from embtools.features.uses import feature_occurrences, features_of_word
from embtools.layer_combinations import SUM_FOUR
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.ui.features import formula, learned, word

pytestmark = pytest.mark.usefixtures("as_shipped")


@pytest.fixture(scope="module")
def page(visit):
    """Open the Features page, by default at a word as a mix; the fields have their names without "features_"."""
    return lambda **fields: visit(
        "features",
        **{
            name if name in ("open", "compare") else f"features_{name}": value
            for name, value in ({"tab": "word"} | fields).items()
        },
    )


def expected(target, atoms, **asked) -> str:
    """The finding, computed without the page."""
    rules = {name: asked.pop(name) for name in ("same_word", "same_sentence") if name in asked}
    mix = decompose(target, atoms, **asked, **rules)
    return results.finding(target.name, mix, controls.nearest(target, atoms, mix, **rules))


@pytest.fixture(scope="module")
def read(bundled):
    return encode_corpus(built_in_corpus(), bundled, combination=SUM_FOUR)


@pytest.fixture(scope="module")
def atoms(read):
    return dictionary.of_occurrences(read)


@pytest.mark.slow
def test_an_example_with_another_dictionary(page, read, bundled):
    at = page(word="war", share=0.6).press(f"example-{word.TAB}-Static embeddings")
    target = targets.occurrence(read, bundled, word="cold")
    assert at.finding == expected(target, dictionary.of_vocabulary(bundled))
    assert not at.problems and len(at.charts) == 3


def test_a_formula_is_decomposed_with_its_own_words(page, bundled):
    at, target = page(tab="formula", same_word=True), targets.formula("king - man + woman", bundled)
    assert at.finding == expected(target, dictionary.of_vocabulary(bundled), same_word=True)
    assert not at.problems and len(at.charts) == 3


@pytest.mark.thorough
def test_the_penalty_the_sentence_and_the_rules_change_the_result(page, read, atoms, bundled):
    at = page(open="mix")
    at.put("features_share", 0.6)
    at.put("features_occurrence", 7)
    at.put("features_same_word", True)
    at.put("features_same_sentence", False)
    target = targets.occurrence(read, bundled, word="cold", number=7)
    assert at.finding == expected(target, atoms, share=0.6, same_word=True, same_sentence=False)
    at.put("features_recipe", "layer 4")
    other = encode_corpus(built_in_corpus(), bundled, combination="layer 4")
    target = targets.occurrence(other, bundled, word="cold", number=7)
    rules = {"same_word": True, "same_sentence": False}
    assert at.finding == expected(target, dictionary.of_occurrences(other), share=0.6, **rules)
    at.put("features_word", "warm")
    assert at.session_state["features_occurrence"] == 1 and "close to warm (" in at.finding


def test_an_occurrence_number_that_is_too_large_becomes_the_last(page, read, bundled):
    at = page(occurrence=40_000)
    assert not at.problems
    assert at.session_state["features_occurrence"] == len(read.of("cold"))


def test_the_visitors_own_sentence(page, read, atoms, bundled):
    at = page(open="mix")
    at.put("features_sentence", "My hands are cold <b>and</b> blue.")
    target = targets.from_sentence("My hands are cold <b>and</b> blue.", bundled, word="cold", combination=SUM_FOUR)
    assert at.finding == expected(target, atoms)
    heaviest = decompose(target, atoms).table.iloc[0]
    assert at.says(f"{heaviest['share']:.0%}{heaviest['sentence']}")  # its sentence is shown below
    at.put("features_sentence", "")
    assert at.finding == expected(targets.occurrence(read, bundled, word="cold"), atoms)


PUT_BACK = {
    "Read by BERT: no mask": (word, "The king lived with his queen in an old [MASK].", "castle", "king", 2),
    "Read by BERT: a capital at the input": (formula, "Rome is the capital of [MASK].", "", "rome", None),
}


@pytest.mark.usefixtures("computing")
@pytest.mark.slow("Read by BERT: no mask")
@pytest.mark.parametrize("name", PUT_BACK)
def test_a_mix_is_put_back_into_bert(page, name, bundled):
    panel, text, hidden, replaced, layer = PUT_BACK[name]
    at = page(tab="word" if panel is word else "formula")
    assert not at.says("BERT read “")  # nothing is computed before the expander is opened
    at.press(f"example-{panel.TAB}-{name}")
    place = patching.patch_site(text, bundled, word=replaced, layer=layer)
    pool = dictionary.of_vocabulary(bundled)
    if layer is not None:
        pool = dictionary.of_occurrences(encode_corpus(built_in_corpus(), bundled, combination=f"layer {layer}"))
    runs = patching.patch(place, bundled, dictionary=pool, parts=decompose(place.target, pool))
    assert at.says(patched.finding(replaced, runs), f"BERT read “{text}”", patched.distance(runs))
    assert not at.problems and len(at.charts) == 5
    assert at.says(f"The sentence had no mask, so “{hidden}” was masked.") == bool(hidden)
    np.testing.assert_allclose(at.table("draw", "kl_bits")["kl_bits"], runs["kl_bits"], atol=1e-6)


@pytest.mark.slow("word")
@pytest.mark.parametrize("tab", ["word", "formula"])
def test_the_default_example_can_test_the_mix(page, tab):
    at = page(tab=tab, open="put-back")
    assert not at.problems and at.says("so the mix contains what BERT needs for this answer.")


def test_a_sentence_without_a_word_of_the_formula_says_what_to_write(page):
    at = page(tab="formula", open="put-back", put_sentence="Rome is the capital of [MASK].")
    assert "Write a sentence with king, man or woman." in at.problems[0] and len(at.charts) == 3


def test_an_alpha_above_its_maximum_gives_an_empty_mix(page):
    at = page(by="alpha", alpha=1000.0)
    assert not at.problems and at.finding.startswith("The mix for cold is empty") and not at.charts
    assert at.says("The mix is empty for every alpha from ")


@pytest.mark.slow("asked1", "asked2", "asked3")
@pytest.mark.parametrize(
    "asked",
    [
        {"open": "parts-figures", "by": "alpha", "alpha": 1.5, "same_sentence": False},
        {"open": "parts-figures", "sentence": "A cold look.", "dictionary": "static"},
        {"open": "formula-parts-figures", "tab": "formula", "same_word": True, "share": 0.4},
        {"open": "put-back", "recipe": "layer 3", "put_length": True, "share": 0.4},
    ],
)  # fmt: skip
def test_the_copied_code_gives_every_figure(page, bundled, asked):
    at = page(**asked)
    at.prints_what_it_shows(bundled)
    assert len(at.tables) == (7 if asked["open"] == "put-back" else 5)


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
    assert " of cold" in at.finding.replace("close to", "of") and len(at.charts) == 2  # the bars, and the path
    assert "Comparing with controls was stopped." in at.problems[0]
    at.press("Run again")
    assert not at.problems and len(at.charts) == 3 and at.says("than chance: with the same number of parts")
    assert len(drawn) == 1
    at.put("features_share", 0.38)  # another penalty: other parts and controls
    assert len(drawn) == 2 and not at.problems


@pytest.mark.slow
def test_a_mix_that_is_not_exact_is_not_called_so(page, monkeypatch):
    monkeypatch.setattr("embtools.features.lasso.MAX_PASSES", 1)
    at = page(word="war", share=0.02)
    assert at.says("This mix is not the exact optimum: its objective can be up to ")
    assert not at.says("is the exact optimum.")


@pytest.mark.slow
def test_an_occurrence_of_a_folder_is_decomposed_into_a_sample_of_it(page, folder, bundled, stored_folder, monkeypatch):
    monkeypatch.setenv("EMBTOOLS_CORPORA", str(stored_folder))
    monkeypatch.chdir(stored_folder.parent)
    at = page(dictionary="weather", occurrence=2, open=["mix"])
    atoms = dictionary.of_folder(folder, bundled)
    assert (
        at.finding
        == expected(targets.from_folder(folder, bundled, word="cold", number=2, atoms=atoms.positions), atoms)
        and not at.problems
    )
    assert at.says(dictionary.coverage(folder, atoms)) and len(at.charts) == 3
    assert f"Occurrence (1 to {folder.count('cold')})" in " ".join(field.label for field in at.number_input)
    printed = at.copied(bundled).printed
    assert at.finding in printed and dictionary.coverage(folder, atoms) in printed
    at.put("features_sentence", "It was a cold look.")
    assert not at.problems and at.says("It was a", dictionary.coverage(folder, atoms))
    at.put("features_sentence", "").put("features_words", "winter, warm, Summer")
    atoms = dictionary.of_words(folder, bundled, words=("winter", "warm", "summer"))
    assert (
        at.finding
        == expected(targets.from_folder(folder, bundled, word="cold", number=2, atoms=atoms.positions), atoms)
        and not at.problems
    )
    assert at.says("occurrences of the 3 chosen words in the folder.")
    assert at.finding in at.copied(bundled).printed
    at.put("features_words", "winter, xylophone")
    assert "do not occur in the folder: xylophone" in at.problems[0] and at.says(
        "Showing the previous result, for: cold"
    )
    at.put("features_words", "").put("features_word", "xylophone")
    assert "does not occur in this folder" in at.problems[0] and at.says("Showing the previous result, for: cold")
    monkeypatch.setenv("EMBTOOLS_CORPORA", str(stored_folder / "words"))
    assert "has no corpus.json" in page(dictionary="words").problems[0]


def test_a_folder_is_compared_with_no_second_model_and_says_why(page, stored_folder, lend_second, monkeypatch):
    monkeypatch.setenv("EMBTOOLS_CORPORA", str(stored_folder))
    monkeypatch.chdir(stored_folder.parent)
    at = page(dictionary="weather", compare="distilbert/distilbert-base-uncased")
    assert at.says("To compare Pocket BERT with DistilBERT, the same text must be encoded with DistilBERT, too")
    assert not at.problems and len(at.charts) == 3


def test_a_feature_is_read_and_clamped(page, bundled):
    text = learned.SENTENCE.default
    at, result = page(tab="learned"), sentence_features(text, bundled, dictionary="layer 3")
    assert at.finding == result.headline and not at.problems
    clamped = clamp(text, bundled, dictionary="layer 3", feature=result.feature)
    assert at.says(clamped.headline, clamped.comparison)
    np.testing.assert_allclose(at.table("times_0", "unchanged")["rank"], range(1, 6))


@pytest.mark.slow
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
    assert at.field("features_learned_feature").value == found["feature"].iloc[1]


def test_a_feature_that_does_not_exist_becomes_the_last_one(page):
    at = page(tab="learned", learned_feature=5_000)
    assert at.field("features_learned_feature").value == 4_096
    assert not any("There is no feature" in problem for problem in at.problems)
    assert at.says("5000 is not possible here, so 4096 is used. Choose 0 to 4096.")


def searched(at):
    """The page after the text was read, if that waits for its button."""
    button = "requested-feature-table-button"
    return at.press(button) if any(each.key == button for each in at.button) else at


@pytest.mark.slow
def test_features_are_searched_by_example(page, bundled):
    at = searched(page(tab="learned", learned_examples="uncle | His uncle sang.\n\nwife | My <b>wife</b> left."))
    lines = "uncle | His uncle sang.", "wife | My <b>wife</b> left."
    result = features_of_examples(lines, bundled, corpus=built_in_corpus(), dictionary="layer 3")
    assert not at.problems and at.says(result.headline, result.comparison)
    np.testing.assert_allclose(at.table("share_examples")["difference"], result.features["difference"])
    assert list(at.table("draws", "reached")["highest"]) == list(result.summary["highest"])
    at.links_to_itself()
    printed = at.copied(bundled).sentences
    assert result.headline in printed and result.comparison in printed


def test_examples_that_cannot_be_used_show_an_error_next_to_their_field(page):
    at = page(tab="learned", learned_examples="uncle | His uncle sang.")
    assert ["At least 2 examples are needed" in problem for problem in at.problems] == [True]
    at.put("features_learned_examples", "")
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
