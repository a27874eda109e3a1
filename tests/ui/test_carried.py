"""The carried edit: on every page without and with it, in the address, removed by one click, and never in the way."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from transformers import AutoTokenizer, BertForPreTraining

import embtools
from embtools import memory
from embtools.mask_filling.edits import Change
from embtools.models import loading
from embtools.models.embedding_model import EmbeddingModel
from embtools.rooms.question import SHARES
from embtools.ui import cached, carried, menu, panels
from embtools.ui import page as ui_page
from embtools.ui.fields import Choice
from tests import figures_of
from tests.conftest import CASED, make_tiny, slow_after

pytestmark = pytest.mark.usefixtures("as_shipped")

EDIT = "rome = rome - italy + france"
BEFORE, AFTER = "Pocket BERT", "Pocket BERT with the edit"
OTHER = "distilbert/distilbert-base-uncased"
USED = [
    (page.name, tab) for page in menu.IDEAS for tab, panel in panels.of(page.name).items()
    if getattr(panel, "USES_EDIT", False)
]  # fmt: skip
ROME, RIVER = "Rome is the capital of Italy.", "The city has a famous river."
# No sentence of their topic, with which they are compared, contains Rome.
SOUP = {"pairs_first": "She cooked a soup.", "pairs_second": "It tasted good."}
# The texts of each tab that uses the edit, with a word that it changes.
WITH_ROME = {
    ("pairs", "next"): {"pairs_first": ROME, "pairs_second": RIVER},
    ("similarity", "heatmap"): {"similarity_words": "rome, paris, italy, france, london"},
    ("corpus", "nearest"): {"corpus_word": "rome"},
    ("attention", "words"): {"attention_text": ROME, "attention_control": "", "attention_from": "rome"},
    ("layers", "word"): {"layers_word": "rome", "layers_lines": f"{ROME}\nWe flew to Rome in May.\nAll roads lead to Rome."},
    ("clusters", "map"): {"clusters_list": "cities", "clusters_method": "pca"},
    ("concepts", "probe"): {"concepts_sentence": "Rome was built in a day."},
    ("attention", "head"): {"attention_text": ROME, "attention_from": "rome", "attention_to": "italy"},
    ("tracing", "attribution"): {"tracing_masked": "Rome is the capital of [MASK]."},
    ("tracing", "off"): {"tracing_masked": "Rome is the capital of [MASK]."},
    ("attention", "layer"): {"attention_masked": "Rome is the capital of [MASK].", "attention_layer": "5"},
    ("pairs", "similarity"): {"pairs_first": ROME, "pairs_second": RIVER},
    ("pairs", "questions"): {"pairs_question": "What is the capital of Italy?", "pairs_answers": f"{ROME}\n{RIVER}\nNo."},
    ("similarity", "colours"): {"similarity_sight": "appearance", "edit": "red = red - blood + sky"},
    ("similarity", "nearest"): {"similarity_word": "rome"},
    ("similarity", "odd"): {"similarity_odd": "rome, madrid, apple, italy", "similarity_guess": "apple"},
}  # fmt: skip
WAITS = {("similarity", "odd"): {"similarity_guesses": "guitar"}}  # nothing is shown before the guess


def opened(visit, page, tab, **query):
    return visit(page, **{f"{page}_tab": tab, "edit": EDIT} | WAITS.get((page, tab), {}) | query)


def test_every_page_that_uses_the_edit_is_named() -> None:
    titles = [page.title for page in menu.IDEAS if page.name in {name for name, _ in USED}]
    assert sorted(titles) == sorted(carried.PAGES) and set(WITH_ROME) == set(USED)


def test_promised_addresses_stay() -> None:
    """None of these keys and options may go or get another name."""
    keys = {field.key: [key for key, _ in field.keys] if isinstance(field, Choice) else [] for field in carried.FIELDS}
    assert keys == {"edit": [], "edit_scope": ["input", "tied"], "edit_strength": [], "edit_keep": []}
    assert set(carried.FIELDS) <= set(ui_page.COMMON)


# What the pages show


@pytest.mark.slow("corpus-nearest", "pairs-next")
@pytest.mark.parametrize(("page", "tab"), slow_after(6, sorted(USED, key=list(WITH_ROME).index)))
def test_a_tab_shows_the_model_without_and_with_the_edit(visit, monkeypatch, page, tab):
    monkeypatch.setattr("embtools.ui.long_work.of_all", lambda seconds, _: seconds)  # the second waits for no button
    at, alone = opened(visit, page, tab), visit(page, **{f"{page}_tab": tab} | WAITS.get((page, tab), {}))
    assert not at.problems and at.says("with rome = rome − italy + france") and not at.says("does not use the edit")
    titles = [each.value for each in at.subheader]
    assert BEFORE in titles and AFTER in titles
    alts = [chart.alt for chart in at.charts]
    own = [alt.removeprefix(f"{BEFORE}: ") for alt in alts if not alt.startswith(f"{AFTER}: ")]
    if page == "concepts":  # the accuracy of the probe is that of the model without the edit
        assert len(alts) == len(alone.charts) + 1
    else:
        assert len(alts) == 2 * len(alone.charts)
    assert sorted(own) == sorted(chart.alt for chart in alone.charts)


MANY = f"{ROME} | {RIVER} | yes\nThe train was late. | We missed the concert. | yes"
NEURONS = WITH_ROME["attention", "layer"] | {"attention_layer_view": "neurons"}


@pytest.mark.parametrize(
    ("page", "tab", "query"),
    [
        ("pairs", "next", {"pairs_number": "many", "pairs_rows": MANY}),
        pytest.param("attention", "layer", NEURONS, marks=pytest.mark.thorough),
    ],
)
def test_other_views_of_a_tab_use_the_edit_too(visit, monkeypatch, page, tab, query):
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 1e9)
    at = opened(visit, page, tab, **query)
    titles, alts = [each.value for each in at.subheader], [chart.alt for chart in at.charts]
    assert BEFORE in titles and AFTER in titles and not at.problems
    assert sum(alt.startswith(f"{AFTER}: ") for alt in alts) == len(alts) / 2 > 0


@pytest.mark.parametrize(("page", "tab"), [("arithmetic", "analogies"), ("bias", "groups"), ("corpus", "sentences")])
def test_any_other_tab_says_that_it_does_not_use_the_edit(visit, page, tab):
    assert (page, tab) not in USED
    at, alone = opened(visit, page, tab), visit(page, **{f"{page}_tab": tab})
    assert at.says("This tab does not use the edit; Similarity, Clusters,")
    assert [chart.spec for chart in at.charts] == [chart.spec for chart in alone.charts]
    assert AFTER not in [each.value for each in at.subheader] and not alone.says("the edit; Similarity")


@pytest.mark.parametrize("page", ["", "lessons"])
def test_pages_without_panels_say_so_too(visit, page):
    assert visit(page, edit=EDIT).says("This page does not use the edit; Similarity, Clusters,")
    assert not visit(page).says("does not use the edit")


@pytest.fixture(scope="module")
def separate(bundled):
    """The bundled model from its files once more, with the row of Rome, or of red, overwritten in its own network."""
    folder = Path(embtools.__file__).parent / "bundled"

    def written(edits, model, **_):
        network = BertForPreTraining.from_pretrained(folder, dtype=torch.float32).eval()
        output = network.get_output_embeddings()
        output.weight = torch.nn.Parameter(output.weight.detach().clone())  # the scope is "input"
        a, b, c = ("rome", "italy", "france") if "rome" in edits[0] else ("red", "blood", "sky")
        with torch.no_grad():
            row = sum(sign * bundled.vector(word).astype(float) for sign, word in ((1, a), (-1, b), (1, c)))
            network.get_input_embeddings().weight[bundled.ids[a]] = torch.from_numpy(row)
        tokenizer = AutoTokenizer.from_pretrained(folder)
        return EmbeddingModel(network, tokenizer, "bundled", has_next_sentence=True)

    return written


@pytest.mark.thorough("pairs-next")
@pytest.mark.slow
@pytest.mark.parametrize(("page", "tab"), slow_after(3, list(WITH_ROME)))
def test_the_numbers_are_those_of_a_network_with_an_overwritten_row(visit, bundled, separate, monkeypatch, page, tab):
    """The copied Python prints the same with a separate network in place of `edited_model`, and the page shows it."""
    at = opened(visit, page, tab, **WITH_ROME[page, tab])
    copied = at.copied(bundled)
    assert "edited = embtools.edited_model(['" in copied.code and "other = " not in copied.code
    headlines = [text for text in copied.printed if isinstance(text, str) and len(text) > 20]
    assert any(at.says(text) for text in headlines) or page == "concepts"
    assert not at.says("Nothing changes here") and not at.problems
    monkeypatch.setattr(embtools, "edited_model", separate, raising=False)
    again = at.copied(bundled)
    assert len(again.printed) == len(copied.printed)
    for own, expected in zip(copied.printed, again.printed, strict=True):
        if isinstance(own, pd.DataFrame):
            pd.testing.assert_frame_equal(own, expected, rtol=1e-3, atol=1e-4, check_exact=False)
        elif isinstance(own, (float, np.ndarray)):
            np.testing.assert_allclose(own, expected, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(("page", "tab"), [("similarity", "heatmap"), ("attention", "words")])
def test_the_notebook_draws_the_figures_of_the_page(visit, bundled, page, tab):
    at = opened(visit, page, tab, **WITH_ROME[page, tab])
    shown, notebook = figures_of.of_page(at), at.notebook()
    first, loading = notebook.cells[0].source.replace("\\", ""), notebook.cells[1].source
    assert "without and with the edit" in first and "edited = embtools.edited_model(['" in loading
    assert figures_of.drawn(notebook, at.copied(bundled)) == shown


@pytest.mark.thorough
def test_the_notebook_says_that_nothing_changes(visit):
    texts = [
        cell.source for cell in opened(visit, "pairs", "next", **SOUP).notebook().cells if cell.cell_type == "markdown"
    ]
    assert any("Nothing changes here, because what is read here does not contain “rome”" in text for text in texts)


# When nothing changes


@pytest.mark.slow("concepts-probe-query2", "pairs-next-query0")
@pytest.mark.parametrize(
    ("page", "tab", "query"),
    [
        ("pairs", "next", SOUP),
        ("attention", "words", {}),
        ("concepts", "probe", {}),
        ("layers", "word", {}),
        ("clusters", "map", {"clusters_list": "animals"}),
    ],
)
def test_a_text_without_the_word_changes_nothing_and_the_page_says_so(visit, page, tab, query):
    at = opened(visit, page, tab, **query)
    assert at.says("Nothing changes here, because what is read here does not contain “rome”.") and not at.problems
    assert not opened(visit, page, tab, edit="", **query).says("Nothing changes here")


@pytest.mark.slow
def test_other_words_that_are_read_can_change(visit):
    at = opened(visit, "similarity", "heatmap")
    assert at.says("Your words and sentences here do not contain “rome”. Only what they are compared with can change")
    at = opened(visit, "corpus", "nearest")
    assert at.says("Nothing changes here: both results are equal.")


@pytest.mark.slow
def test_strength_0_and_an_edit_without_effect_change_nothing(visit):
    for more in ({"edit_strength": 0}, {"edit": "rome = rome"}, {}):
        at = opened(visit, "pairs", "similarity", **WITH_ROME["pairs", "similarity"] | more)
        assert at.says("Nothing changes here: both results are equal.") == bool(more)


# Carrying and removing


@pytest.mark.slow
def test_the_button_carries_all_lines_scope_and_strength(visit, bundled):
    at = visit("arithmetic", arithmetic_edits=f"{EDIT}\nking = queen", arithmetic_scope="tied", arithmetic_strength=0.5)
    assert not at.says("with rome")
    at.press("Carry this edit to other pages")
    asked = {key: at.query_params[key] for key in ("edit", "edit_scope", "edit_strength")}
    assert asked == {"edit": f"{EDIT}\nking = queen", "edit_scope": "tied", "edit_strength": "0.5"}
    assert at.says("with rome = rome − italy + france; king = queen (scope tied, strength 0.5)")
    assert at.says("This tab does not use the edit; Similarity,")
    (button,) = [each for each in at.button if each.key == "carry"]
    assert button.disabled and button.label == "Carried to other pages"
    other = visit("pairs", pairs_tab="similarity", **asked | WITH_ROME["pairs", "similarity"])
    code = other.copied(bundled).code
    assert (
        "edited = embtools.edited_model(['rome = rome - italy + france', 'king = queen'], model, scope='tied',"
        " strength=0.5)" in code
    )
    at.put("arithmetic_strength", 1.5)  # another edit: it can be carried instead
    (button,) = [each for each in at.button if each.key == "carry"]
    assert not button.disabled
    at.press("carry")
    assert at.query_params["edit_strength"] == "1.5"
    at.put("arithmetic_text", "Penguins are [MASK].")  # the words need not be in the sentence
    assert any(each.key == "carry" and each.disabled for each in at.button)
    at.press("reset")
    assert at.query_params["edit"] == f"{EDIT}\nking = queen"  # an edit is carried until it is removed


def test_the_length_is_carried_and_a_long_or_missing_edit_is_not(visit):
    at = visit("arithmetic", arithmetic_keep=True).press("carry")
    assert at.query_params["edit_keep"] == "true" and at.says("(original length)")
    long = "\n".join(f"{word} = {' + '.join(['italy'] * 40)}" for word in ("rome", "king", "queen", "paris"))
    at = visit("arithmetic", arithmetic_edits=long)
    assert [each.disabled for each in at.button if each.key == "carry"] == [True]
    assert not [each for each in visit("arithmetic", arithmetic_edits="").button if each.key == "carry"]
    assert not [each for each in visit("arithmetic", arithmetic_edits="rome =").button if each.key == "carry"]


@pytest.mark.parametrize("page", ["similarity", "arithmetic", ""])
def test_one_click_removes_it(visit, page):
    at = visit(page, edit=EDIT, edit_scope="tied", edit_strength=0.5, edit_keep=True)
    assert at.says("(scope tied, strength 0.5, original length)")
    at.press("Remove the edit")
    assert not [key for key in at.query_params if key.startswith("edit")]
    plain = visit(page)
    assert at.texts == plain.texts and [c.spec for c in at.charts] == [c.spec for c in plain.charts]


@pytest.mark.slow
def test_it_is_part_of_the_address_and_of_the_links_of_the_menu(visit):
    at = opened(visit, "pairs", "similarity", edit_scope="tied", **WITH_ROME["pairs", "similarity"])
    at.links_to_itself()
    links = [link.proto.query_string for link in at.get("page_link")]
    assert links and all("edit=rome" in link and "edit_scope=tied" in link for link in links)


@pytest.mark.slow
def test_the_citation_names_the_edit(visit, bundled):
    at = opened(visit, "pairs", "similarity", edit_strength=0.5)
    at.test.session_state["share-link"] = True
    cited = [block.value for block in at.run().test.code if "SHA-256" in block.value]
    assert len(cited) == 2
    for text in cited:
        assert f"SHA-256 {bundled.checksum[:16]}, without and with the edit {EDIT}" in text.replace("\\", "")
        assert "(strength 0.5)" in text and "Models" not in text
    at = visit("bias", edit=EDIT)  # which does not use it
    at.test.session_state["share-link"] = True
    assert not any("with the edit" in block.value for block in at.run().test.code)


# Together with other choices


@pytest.mark.slow
def test_the_edit_comes_before_a_second_model(visit, lend_second):
    at = visit("pairs", edit=EDIT, compare=OTHER)
    titles = [each.value for each in at.subheader]
    assert BEFORE in titles and AFTER in titles and "DistilBERT" not in titles
    assert at.says("DistilBERT is not shown with a carried edit.") and not at.problems
    at.press("Remove the edit")
    assert "DistilBERT" in [each.value for each in at.subheader] and not at.says("is not shown")
    at = visit("attention", attention_tab="tasks", edit=EDIT, compare=OTHER)  # does not use the edit
    assert at.says("does not use the edit") and not at.says("is not shown with a carried edit")


def test_a_processed_space_is_fitted_without_the_edit(visit, bundled):
    query = {"similarity_words": "rome, paris, italy, france, london", "similarity_space": "whitened"}
    at = opened(visit, "similarity", "heatmap", **query)
    copied = at.copied(bundled)
    assert "edited_in_space = in_space(edited, space=" in copied.code and not at.problems
    assert at.says("Space: whitened", copied.edited_result.headline)
    before, after = copied.result.similarity, copied.edited_result.similarity
    np.testing.assert_array_equal(before.values[1:, 1:], after.values[1:, 1:])  # only rome has another vector
    assert np.abs(before.values[0] - after.values[0]).max() > 0.05


@pytest.mark.slow
def test_guess_first_hides_both(visit):
    at = opened(visit, "pairs", "next", guess_first=True)
    assert not at.charts and AFTER not in [each.value for each in at.subheader] and at.says("Guess first")
    at.press(SHARES[0])
    assert len(at.charts) == 2 and AFTER in [each.value for each in at.subheader]


def test_a_lesson_does_not_use_it(visit, bundled):
    query = {"lesson": "rome", "lesson_guesses": "a"}
    at, alone = visit("lessons", edit=EDIT, **query), visit("lessons", **query)
    assert at.says("This page does not use the edit;")
    assert [chart.spec for chart in at.charts] == [chart.spec for chart in alone.charts] and at.charts
    assert AFTER not in [each.value for each in at.subheader]


def test_an_own_text_is_read_with_the_edit(visit, bundled):
    text = f"{ROME} {RIVER} Paris is the capital of France. Milan is a city in Italy."
    at = opened(visit, "corpus", "nearest", corpus_source="own", corpus_text=text, corpus_word="rome")
    copied = at.copied(bundled)
    assert not at.problems and at.says(copied.result.headline, copied.edited_result.headline)
    assert copied.result.near["cosine"].tolist() != copied.edited_result.near["cosine"].tolist()


# Models that cannot apply it


def test_a_model_that_lacks_a_word_says_so_and_is_shown_without_the_edit(visit, lend, tiny):
    lend(tiny)
    query = {"similarity_words": "red, green, blue, rome"}
    at = visit("similarity", edit="rome = rome - italy + london", **query)
    (problem,) = at.problems
    assert "Pocket BERT cannot apply the carried edit and is shown without it. 'london' is not in the voc" in problem
    assert at.says("with rome = rome − italy + london") and AFTER not in [each.value for each in at.subheader]
    plain = visit("similarity", **query)
    assert [chart.spec for chart in at.charts] == [chart.spec for chart in plain.charts]
    assert "edited" not in at.copied(tiny).code
    at.press("Remove the edit")
    assert not at.problems


def test_an_example_gets_the_capitals_of_a_cased_model_and_own_words_do_not(visit, lend, tiny_cased):
    lend(tiny_cased)
    query = {"similarity_words": "Rome, Italy, Paris, France"}
    at = visit("similarity", edit=EDIT, **query)
    assert not at.problems and AFTER in [each.value for each in at.subheader]
    assert "edited_model(['Rome = Rome - Italy + France'], model)" in at.copied(tiny_cased).code
    at = visit("similarity", edit="madrid = madrid - spain + france", **query)
    assert "'madrid' is not in the vocabulary. Did you mean Madrid?" in at.problems[0]


def test_a_model_without_segments_and_with_its_own_output(visit, lend, tiny_distil, monkeypatch):
    lend(tiny_distil)
    query = {"similarity_words": "rome, italy, paris, france"}
    for scope in ("input", "tied"):
        at = visit("similarity", edit=EDIT, edit_scope=scope, **query)
        assert not at.problems and AFTER in [each.value for each in at.subheader]
    monkeypatch.setattr(tiny_distil, "tied", False)
    memory.forget()
    at = visit("similarity", edit=EDIT, edit_scope="tied", **query)
    assert "This model's output is not tied to its embeddings. Choose the scope 'input'." in at.problems[0]
    assert AFTER not in [each.value for each in at.subheader]


HOSTILE = {
    "markup": '<img src=x onerror="alert(1)"> ![y](http://example.org/z.png) = rome',
    "twice": "rome = italy\nrome = france",
    "deep": "rome = " + "(" * 300 + "rome" + ")" * 300,
    "huge": "rome = 1e300 * italy * 1e300",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_an_edit_that_cannot_be_read_is_reported_and_the_page_works(visit, text):
    at, plain = visit("pairs", pairs_tab="similarity", edit=text), visit("pairs", pairs_tab="similarity")
    assert len(at.problems) == 1 and "cannot apply the carried edit" in at.problems[0]
    assert [chart.spec for chart in at.charts] == [chart.spec for chart in plain.charts]
    assert not [element for element in at.get("html") if "onerror" in element.proto.body]
    at.press("Remove the edit")
    assert not at.problems and "edit" not in at.query_params


NONSENSE = {"edit_scope": "output", "edit_strength": "nan", "edit_keep": "perhaps"}


@pytest.mark.parametrize("query", [{"edit": EDIT, **NONSENSE}, {"edit": "   \n  ", "edit_scope": "tied"}], ids=str)
def test_impossible_settings_are_the_defaults(visit, query):
    at = visit("pairs", pairs_tab="similarity", **query)
    assert not at.problems and at.charts
    assert at.says("with rome") == bool(query["edit"].strip())
    assert not any(at.says(part) for part in ("(scope", "(strength", "original length"))


# Shared by all visitors


@pytest.mark.slow
def test_results_of_an_edit_are_cached_and_its_view_is_not(visit, bundled):
    asked = visit, "pairs", "similarity"
    opened(*asked, **WITH_ROME["pairs", "similarity"])
    entries = memory.entries()
    again = opened(*asked, **WITH_ROME["pairs", "similarity"])
    assert memory.entries() == entries and not again.problems
    before = bundled.matrix.copy()
    opened(*asked, edit_scope="tied", edit_strength=1.5, **WITH_ROME["pairs", "similarity"])
    np.testing.assert_array_equal(bundled.matrix, before)
    assert cached.model() is bundled and not bundled.edited


def test_an_edit_is_described_with_its_settings() -> None:
    assert carried.described(Change.of([EDIT])) == EDIT
    assert carried.described(Change.of([EDIT, "king = queen"], "tied", 0.25, keep_length=True)) == (
        f"{EDIT}; king = queen (scope tied, strength 0.25, original length)"
    )


def test_a_model_of_the_hub_is_edited_too(visit, second, tmp_path):
    """The view of a large model keeps no second one in memory."""
    words = [word.lower() for word in CASED if word.isalpha()]
    second(loading.load_model(str(make_tiny(tmp_path, words=sorted({*words})))))
    at = visit("similarity", model=OTHER, edit=EDIT, similarity_words="rome, italy, paris, france")
    titles = [each.value for each in at.subheader]
    assert "DistilBERT" in titles and "DistilBERT with the edit" in titles and not at.problems
