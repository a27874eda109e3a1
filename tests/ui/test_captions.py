"""Captions of saved charts: what a panel's numbers depend on, in words, and nothing else."""

import json

import pytest

from embtools.ui import captions, fields, panels
from embtools.ui.captions import Setting, changed, lines
from embtools.ui.fields import Choice, Flag, Names, Number, Text
from embtools.ui.menu import PAGES
from tests.conftest import slow_after

pytestmark = pytest.mark.usefixtures("as_shipped")

PANELS = [(page.name, key, panel) for page in PAGES for key, panel in panels.of(page.name).items()]
SETTINGS = "scope strength combination pooling metric temperature vectors level task projection".split()
"""Last words of the keys of fields that change the numbers of any panel that has them."""
ONE = Number("one", 0.5, -1.0, 1.0, 0.1)


def test_texts_have_lines_of_their_own_and_settings_share_one():
    parts = (
        Text("a", "first\n  second \n"),
        Text("b", " "),
        Setting("scope", Choice("c", "tied", ("input", "tied"))),
        Setting("strength", ONE),
        "static embeddings",
        Setting("words", Names("d", ("it", "the"))),
        Setting("none", Names("e")),
    )
    assert lines(parts) == ["first / second", "scope: tied · strength: 0.5 · static embeddings · words: it, the"]
    with fields.given({"one": -0.25}):
        assert lines((Setting("strength", ONE),)) == ["strength: −0.25"]


def test_a_setting_that_matters_only_if_it_is_changed_is_left_out_at_its_default():
    parts = (changed("weight", ONE), changed("shuffled", Flag("f")), Setting("always", Flag("g")))
    assert lines(parts) == []
    with fields.given({"one": 0.7, "f": True, "g": True}):
        assert lines(parts) == ["weight: 0.7 · shuffled · always"]


def test_long_texts_are_cut():
    (line,) = lines((Text("a", "word " * 1_000),))
    assert len(line) == 300 and line.endswith("…")


def test_an_earlier_result_is_not_described_by_the_fields():
    with captions.earlier(("rome", "rome = paris")):
        now = captions.now(lambda: (Text("a", "what the field holds now"),))
    assert now == ["An earlier result", "rome", "rome = paris"]
    assert captions.now(lambda: (Text("a", "now"),)) == ["now"]


@pytest.mark.parametrize("page, key, panel", PANELS)
def test_every_panel_names_its_texts_and_the_settings_that_change_its_numbers(page, key, panel):
    parts = list(panel.caption())
    assert lines(parts) or not panel.FIELDS or key == "claims"
    assert all(isinstance(part, Text | Setting | str) for part in parts)
    own = {field.key for field in panel.FIELDS}
    named = {part.field.key if isinstance(part, Setting) else part.key for part in parts if not isinstance(part, str)}
    assert named <= own | {"corpus_recipe"}
    settings = {field.key for field in panel.FIELDS if field.key.rsplit("_", 1)[-1] in SETTINGS}
    missing = settings - named - UNUSED.get(f"{page}/{key}", set())
    assert not missing
    if any(field.key.endswith("_space") for field in panel.FIELDS):
        assert any("space: " in line for line in lines(parts))


SENTENCES = "clusters_sentences_pooling"
UNUSED = {
    # In their first state these panels use static embeddings, or word vectors and not those of sentences.
    "similarity/heatmap": {"similarity_vectors", "similarity_of", "similarity_other_vectors", SENTENCES},
    "similarity/nearest": {"similarity_of", SENTENCES},
    "similarity/colours": {"similarity_vectors", "similarity_of", SENTENCES},
    "similarity/odd": {"similarity_vectors", "similarity_of", SENTENCES},
    "bias/association": {"bias_pooling", "bias_of"},
    "concepts/probe": {"concepts_sentence_pooling"},
    "clusters/isotropy": {SENTENCES},
    "clusters/map": {"clusters_metric", SENTENCES},  # the first is among those of the map that is drawn
}


def caption_of(chart) -> list[str]:
    return json.loads(chart.config)["toImageButtonOptions"]["caption"]


@pytest.mark.parametrize("page, key", slow_after(3, [(page, key) for page, key, _ in PANELS]))
def test_the_charts_of_a_tab_name_only_texts_of_their_caption(visit, page, key):
    panel = panels.of(page)[key]
    at = visit(page, **{f"{page}_tab": key})
    fields = [part.field if isinstance(part, captions.Setting) else part for part in panel.caption()]
    used = [field.default for field in fields if isinstance(field, Text)]
    texts = {f.default for f in panel.FIELDS if isinstance(f, Text) and f.default}
    unused = {text for text in texts if not any(text in other for other in used)}  # not a word of a list that is used
    for chart in at.charts:
        caption = caption_of(chart)
        assert caption[-1].startswith("Model: Pocket BERT. BERT Embedding Explorer ")
        assert not [text for text in unused if any(text.split("\n")[0] in line for line in caption)]


@pytest.mark.slow
def test_the_caption_follows_what_the_chart_uses(visit):
    """Static embeddings have no sentence; the vectors of a layer have one, and no processed space."""
    at = visit("similarity", similarity_space="whitened")
    assert caption_of(at.charts[0])[1].startswith(
        "static embeddings · space: whitened (shrinkage 0.00) · metric: cosine"
    )
    at.unfold("vectors").put("similarity_vectors", "layer 3")
    words, sentence, settings, _ = caption_of(at.charts[0])
    assert words.startswith("black, white") and sentence == "This is {word}."
    assert settings == "vectors: layer 3 · metric: cosine · linkage: average"


def test_a_map_names_its_own_settings(visit):
    at = visit("clusters")
    settings = next(line for line in caption_of(at.charts[0]) if "perplexity" in line)
    assert "normalised · cosine distances · t-SNE" in settings and "space: " in settings


def test_an_edit_names_its_scope_and_strength_and_the_sentences_of_one_tab_only_there(visit):
    at = visit("arithmetic", arithmetic_strength="0.5", arithmetic_scope="tied")
    expected = ["Rome is the capital of [MASK].", "rome = rome - italy + france", "scope: tied · strength: 0.5"]
    assert [caption_of(chart)[:-1] for chart in at.charts] == [expected] * 2
    at = visit("arithmetic", arithmetic_more="layers")
    assert not any("We talked about" in line for line in caption_of(at.charts[0]))


def test_a_chart_of_an_earlier_result_names_that_one(visit):
    at = visit("arithmetic").put("arithmetic_text", "Rome is [MASK] the [MASK] of [MASK] " * 200)
    assert at.says("Showing the previous result")
    caption = caption_of(at.charts[0])
    assert caption[0] == "An earlier result" and "Rome is the capital of [MASK]." in caption
