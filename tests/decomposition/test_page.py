"""The Decomposition page without a browser."""

import numpy as np
import pandas as pd
import pytest

from embtools.decomposition import controls, dictionary, put_back, targets, verdict
from embtools.decomposition.parts import take_apart
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.recipes import SUM_FOUR
from embtools.ui import decomposition as screens
from embtools.ui.decomposition import asking, back, formula, putting, word

COLD = built_in_corpus().having("cold").sentences


@pytest.fixture(scope="module")
def page(visit):
    """Open the Decomposition page; the fields go by their names without "decomposition_" in front."""
    return lambda **fields: visit(
        "decomposition",
        **{name if name == "open" else f"decomposition_{name}": value for name, value in fields.items()},
    )


def said(at) -> str:
    return at.header[0].value.replace("\\", "")


def expected(target, atoms, **asked) -> str:
    """The finding, computed without the page."""
    rules = {name: asked.pop(name) for name in ("same_word", "same_sentence") if name in asked}
    mix = take_apart(target, atoms, **asked, **rules)
    return verdict.finding(target.name, mix, controls.nearest(target, atoms, mix, **rules))


@pytest.fixture(scope="module")
def read(bundled):
    return encode_corpus(built_in_corpus(), SUM_FOUR, bundled)


@pytest.fixture(scope="module")
def atoms(read):
    return dictionary.of_occurrences(read)


def test_first_sight_says_what_cold_is_made_of(page, read, atoms, bundled):
    at = page()
    target = targets.occurrence(read, "cold", bundled)
    assert said(at) == expected(target, atoms)
    assert not at.problems and len(at.charts) == 3
    mix = take_apart(target, atoms)
    assert at.says(verdict.trust(controls.compare(target, atoms, mix)), f"to {mix.table['weight'].sum():.2f}.")
    assert at.says("This mix is the exact optimum.")
    shown = at.table("part", "weight", "sentence")
    np.testing.assert_allclose(shown["share"], mix.table["share"])
    assert at.says(f"{mix.table['share'].iat[0]:.0%}{mix.table['sentence'].iat[0]}")  # its sentence stands below
    assert set(dict(at.query_params)) == {"tables"}


@pytest.mark.parametrize("name", word.PRESETS)
def test_every_example_of_the_first_tab(page, name, read, atoms, bundled):
    at = page(word="war", share=0.6)
    at.press(name)
    assert not at.problems and len(at.charts) == 3
    target = {
        "bank, the house": lambda: targets.occurrence(read, "bank", bundled),
        "bank, the shore": lambda: targets.occurrence(read, "bank", bundled, 5),
        "A cold look": lambda: targets.typed(word.PRESETS[name][asking.SENTENCE.key], "cold", SUM_FOUR, bundled),
    }.get(name, lambda: targets.occurrence(read, "cold", bundled))()
    asked = {"alpha": 0.9} if name == "As in the text" else {}
    into = dictionary.of_vocabulary(bundled) if name == "Into static words" else atoms
    assert said(at.links_to_itself()) == expected(target, into, **asked)


@pytest.mark.parametrize("name", formula.PRESETS)
def test_every_example_of_the_second_tab(page, name, bundled):
    at = page(tab=formula.TAB)
    at.press(f"example-{formula.TAB}-{name}")
    assert not at.problems and len(at.charts) == 3
    text = name if name != "Its own words too" else "king - man + woman"
    target = targets.formula(text, bundled)
    allowed = name == "Its own words too"
    assert said(at.links_to_itself()) == expected(target, dictionary.of_vocabulary(bundled), same_word=allowed)


def test_the_penalty_the_sentence_and_the_rules_are_heard(page, read, atoms, bundled):
    at = page(open="decomposition")
    at.put("decomposition_share", 0.6)
    at.put("decomposition_occurrence", 7)
    at.put("decomposition_same_word", True)
    at.put("decomposition_same_sentence", False)
    target = targets.occurrence(read, "cold", bundled, 7)
    assert said(at) == expected(target, atoms, share=0.6, same_word=True, same_sentence=False)
    at.put("decomposition_recipe", "layer 4")
    other = encode_corpus(built_in_corpus(), "layer 4", bundled)
    target = targets.occurrence(other, "cold", bundled, 7)
    rules = {"same_word": True, "same_sentence": False}
    assert said(at) == expected(target, dictionary.of_occurrences(other), share=0.6, **rules)
    at.put("decomposition_word", "warm")
    assert at.session_state["decomposition_occurrence"] == 1 and said(at).startswith("warm = ")


def test_an_occurrence_that_there_is_not_becomes_the_last(page, read, bundled):
    at = page(occurrence=40_000)
    assert not at.problems
    assert at.session_state["decomposition_occurrence"] == len(read.of("cold"))


def test_a_sentence_of_ones_own(page, read, atoms, bundled):
    at = page(open="decomposition")
    at.put("decomposition_sentence", "My hands are cold <b>and</b> blue.")
    target = targets.typed("My hands are cold <b>and</b> blue.", "cold", SUM_FOUR, bundled)
    assert said(at) == expected(target, atoms)
    at.put("decomposition_sentence", "")
    assert said(at) == expected(targets.occurrence(read, "cold", bundled), atoms)


@pytest.mark.parametrize("name", back.PRESETS)
def test_every_example_of_the_third_tab(page, name, bundled):
    at = page(tab=back.TAB, put_word="warm", put_sentence="A warm [MASK].")
    at.press(f"example-{back.TAB}-{name}")
    asked = {field.key: field.default for field in putting.FIELDS} | back.PRESETS[name]
    text, hidden = {"A sentence without a mask": ("The king lived with his queen in an old [MASK].", "castle")}.get(
        name, (asked[putting.SENTENCE.key], "")
    )
    layer = asked[putting.LAYER.key]
    number = None if layer == putting.STATIC else int(layer[-1])
    place = put_back.placed(text, asked[putting.WORD.key], number, model=bundled)
    pool = dictionary.of_vocabulary(bundled)
    if number is not None:
        pool = dictionary.of_occurrences(encode_corpus(built_in_corpus(), layer, bundled))
    runs = put_back.put_back(place, pool, take_apart(place.target, pool), model=bundled)
    assert said(at) == verdict.survival(asked[putting.WORD.key], runs)
    assert not at.problems and len(at.charts) == 2 and at.says(f"Sentence: {text}", verdict.distance(runs))
    assert at.says(f"It had no mask, so {hidden} is masked.") == bool(hidden)
    np.testing.assert_allclose(at.table("draw", "bits")["bits"], runs["bits"], atol=1e-6)
    at.links_to_itself()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"put_word": "warm"}, "'warm' does not stand in the sentence"),
        ({"put_sentence": " "}, "The text is empty"),
        ({"put_mask": 3}, "There is no mask 3"),
        ({"put_layer": "layer 99"}, ""),
        ({"share": 1.0}, "Lower it"),
        ({"put_word": "unbelievably", "put_sentence": "It is unbelievably [MASK].", "put_layer": putting.STATIC},
         "not a single token"),
    ],
)  # fmt: skip
def test_what_cannot_be_put_back_is_told_and_an_answer_stays(page, asked, message):
    at = page(tab=back.TAB, **asked)
    assert len(at.charts) == 2 and "place of cold" in said(at)
    assert [message in problem for problem in at.problems] == ([True] if message else [])


BAD = {
    "nothing": ({"word": " "}, "There is no word"),
    "a word that does not occur": ({"word": "xylophone"}, "does not stand in the built-in sentences"),
    "an emoji": ({"word": "🦄"}, "a sign that this model does not know"),
    "a sentence without the word": ({"sentence": "It is warm."}, "does not stand in your sentence"),
    "an alpha of nothing": ({"by": "alpha", "alpha": 0.0}, "too small for a sparse mix"),
    "other dimensions": (
        {"recipe": "concatenation of last four", "dictionary": "static embeddings"}, "Choose a single layer",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_asked_is_told_and_an_answer_stays(page, case):
    asked, message = BAD[case]
    at = page(**asked)
    assert len(at.problems) == 1 and message in at.problems[0]
    assert at.says("Showing the previous result, for: cold") and said(at).startswith("cold = ") and len(at.charts) == 3


@pytest.mark.parametrize("text", ["", "king -", "king - king", "kign", "x" * 400])
def test_a_formula_that_cannot_be_read_is_told(page, text):
    at = page(tab=formula.TAB, formula=text or " ")
    assert len(at.problems) == 1 and at.says("Showing the previous result, for: king - man + woman")


def test_an_alpha_above_the_largest_leaves_nothing_honestly(page):
    at = page(by="alpha", alpha=1000.0)
    assert not at.problems and said(at).startswith("Nothing is left of cold") and not at.charts
    assert at.says("Alpha at which nothing is left: ")


@pytest.mark.parametrize(
    "asked",
    [
        {"open": "parts-figures", "by": "alpha", "alpha": 1.5, "same_sentence": False},
        {"open": "parts-figures", "sentence": "A cold look.", "dictionary": "static embeddings"},
        {"open": "formula-parts-figures", "tab": formula.TAB, "same_word": True, "share": 0.4},
        {"tab": back.TAB, "put_layer": "layer 3", "put_length": True, "share": 0.4},
        {"tab": back.TAB, "put_layer": putting.STATIC, "by": "alpha", "alpha": 0.0005},
    ],
)  # fmt: skip
def test_the_copied_code_gives_every_figure(page, bundled, asked):
    at = page(**asked)
    printed = at.copied(bundled).printed
    assert said(at) in printed
    frames = [value for value in printed if isinstance(value, pd.DataFrame)]
    assert len(at.tables) == (4 if asked.get("tab") == back.TAB else 5)
    for table in at.tables:
        columns = list(table.columns)
        (same,) = [f for f in frames if set(columns) <= set(f.columns) and len(f) == len(table)][:1]
        pd.testing.assert_frame_equal(table, same[columns], check_dtype=False, rtol=1e-6, atol=1e-9)


def test_a_rerun_asks_the_model_nothing(page, bundled, monkeypatch):
    at = page()
    monkeypatch.setattr(type(bundled), "encode", lambda *_, **__: pytest.fail("the model was asked again"))
    at.run()
    at.put("decomposition_share", 0.45)
    assert not at.problems


def test_the_answer_is_there_before_the_controls_and_stays_when_they_are_stopped(page, stop, monkeypatch):
    drawn: list[int] = []
    compare = controls.compare

    def watched(*asked, **named):
        drawn.append(len(drawn))
        return compare(*asked, **named)

    monkeypatch.setattr(controls, "compare", watched)
    stop("Comparing with controls")
    at = page(share=0.37)
    assert said(at).startswith("cold = ") and len(at.charts) == 2  # the bars, and the path
    assert "Comparing with controls was stopped." in at.problems[0]
    at.press("Run again")
    assert not at.problems and len(at.charts) == 3 and at.says("than chance: the same number of parts")
    assert len(drawn) == 1
    at.put("decomposition_share", 0.38)  # another penalty: other parts and controls
    assert len(drawn) == 2 and not at.problems


def test_a_mix_that_is_not_exact_is_not_called_so(page, monkeypatch):
    monkeypatch.setattr("embtools.decomposition.lasso.MAX_PASSES", 1)
    at = page(word="war", share=0.02)
    assert at.says("This mix is not the exact optimum: its objective can be up to ")
    assert not at.says("is the exact optimum.")


def test_the_first_sight_is_prepared_while_nobody_waits(page, cold, bundled, monkeypatch):
    screens.warm("bundled")
    monkeypatch.setattr(type(bundled), "encode", lambda *_, **__: pytest.fail("the model was asked again"))
    for module, name in ((controls, "compare"), (asking, "take_apart"), (asking, "sparsity_path")):
        monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("it was computed again"))
    at = page()
    assert not at.problems and len(at.charts) == 3 and said(at).startswith("cold = ")


def test_another_model_answers_too(page, lend, tiny):
    lend(tiny)
    at = page(tab=formula.TAB, formula="king")
    assert said(at).startswith("king = ")
    at = page()
    assert at.problems and not at.charts  # it can read neither the word nor the first example


def test_an_occurrence_of_a_folder_is_taken_apart_into_a_sample_of_it(
    page, folder, bundled, stored_folder, monkeypatch
):
    monkeypatch.setenv("EMBTOOLS_CORPORA", str(stored_folder))
    monkeypatch.chdir(stored_folder.parent)
    at = page(dictionary="weather", occurrence=2, open=["decomposition"])
    atoms = dictionary.of_folder(folder, bundled)
    assert said(at) == expected(targets.stored(folder, "cold", bundled, 2, atoms), atoms) and not at.problems
    assert at.says(dictionary.drawn_from(folder, atoms)) and len(at.charts) == 3
    assert f"of its {folder.count('cold')} occurrences" in " ".join(field.label for field in at.number_input)
    printed = at.copied(bundled).printed
    assert said(at) in printed and dictionary.drawn_from(folder, atoms) in printed
    at.put("decomposition_sentence", "It was a cold look.")
    assert not at.problems and at.says("It was a", dictionary.drawn_from(folder, atoms))
    at.put("decomposition_sentence", "").put("decomposition_words", "winter, warm, Summer")
    atoms = dictionary.of_words(folder, ("winter", "warm", "summer"), bundled)
    assert said(at) == expected(targets.stored(folder, "cold", bundled, 2, atoms), atoms) and not at.problems
    assert at.says("occurrences of the 3 words chosen from the folder")
    assert said(at) in at.copied(bundled).printed
    at.put("decomposition_words", "winter, xylophone")
    assert "do not stand in the folder: xylophone" in at.problems[0] and at.says(
        "Showing the previous result, for: cold"
    )
    at.put("decomposition_words", "").put("decomposition_word", "xylophone")
    assert "does not stand in this folder" in at.problems[0] and at.says("Showing the previous result, for: cold")
    monkeypatch.setenv("EMBTOOLS_CORPORA", str(stored_folder / "words"))
    assert "has no corpus.json" in page(dictionary="words").problems[0]
