"""Two models side by side: one switch, the same question to both, and what differs in a sentence."""

import gc
import json
import weakref

import pandas as pd
import pytest

from embtools.arithmetic import nearest_tokens
from embtools.arithmetic import verdict as arithmetic_verdict
from embtools.bias import groups as bias_groups
from embtools.bias import two_models
from embtools.clusters import senses
from embtools.layers import survey
from embtools.layers import verdict as layers_verdict
from embtools.models import loading
from embtools.models.loading import load_model
from embtools.occurrences.corpus import read_corpus
from embtools.similarity import matrix
from embtools.similarity import verdict as similarity_verdict
from embtools.spaces.of_model import in_space
from embtools.spaces.space import Space
from embtools.statistics.permutations import mantel
from embtools.ui import figures, long_work, menu, panels, running, shown
from embtools.ui.arithmetic import details, relations
from tests import figures_of
from tests.conftest import CASED, make_tiny, plain_words, slow_after
from tests.small_dictionary import written

pytestmark = pytest.mark.usefixtures("as_shipped")

BASE, OTHER = "google-bert/bert-base-uncased", "distilbert/distilbert-base-uncased"
NAMES = ("Pocket BERT", "DistilBERT")


def test_a_view_shows_both_models_and_what_differs(visit, second, bundled, worded_distil):
    second(worded_distil)
    at = visit("layers", compare=OTHER, layers_more="combinations")
    alts = [shown.alt for shown in at.charts]
    for name in NAMES:
        assert any(alt.startswith(f"{name}: ") for alt in alts) and name in [s.value for s in at.subheader]
    for saved in at.charts:  # a saved chart names the model whose chart it is
        named = json.loads(saved.config)["toImageButtonOptions"]["caption"][-1]
        own = next((name for name in NAMES if saved.alt.startswith(f"{name}: ")), " | ".join(NAMES))
        assert named.startswith(f"Model: {own}. ")
    assert not at.problems
    message = next(text for text in at.texts if "The highest AUC is " in text)
    assert _scale(at, f"{NAMES[0]}: ") == _scale(at, f"{NAMES[1]}: ")
    tables = [at.named_tables[name] for name in ("recipes", "recipes-second")]
    copied = at.copied(bundled, worded_distil)
    assert message in copied.sentences
    for table in tables:
        assert any(_holds(frame, table.select_dtypes("number")) for frame in copied.frames), list(table)


@pytest.mark.thorough
def test_mitigation_is_tried_in_both(visit, second, bundled, worded_distil, tmp_path, monkeypatch):
    """On two small models: the bundled one takes long for it."""
    second(worded_distil)
    small = load_model(str(make_tiny(tmp_path, seed=1, words=plain_words(bundled))))
    monkeypatch.setattr(loading, "load_model", lambda name="bundled": small if name == "bundled" else worded_distil)
    at = visit("bias", compare=OTHER, bias_tab="mitigation", bias_side=50)
    copied = at.copied(small, worded_distil)
    says = two_models.project_away(copied.methods, copied.other_methods, NAMES)
    assert at.says(says) and not at.problems and says in [str(v) for v in copied.printed]
    tables = at.named_tables
    for name, own, others in (
        ("gain", copied.methods.gains, copied.other_methods.gains),
        ("cost", copied.methods.summary, copied.other_methods.summary),
        ("residual-bias", copied.methods.residuals, copied.other_methods.residuals),
        ("residual-map", copied.points, copied.other_points),
    ):
        pd.testing.assert_frame_equal(tables[name], own)
        pd.testing.assert_frame_equal(tables[f"{name}-second"], others)
    assert _scale(at, f"{NAMES[0]}: ") == _scale(at, f"{NAMES[1]}: ")
    assert len(_scale(at, f"{NAMES[0]}: ")) == 3  # the fourth chart is a map


@pytest.mark.slow
def test_fifty_words_are_scored_by_both(visit, second, bundled, worded_distil, monkeypatch):
    second(worded_distil)
    monkeypatch.setattr(long_work, "AT_ONCE", 0.0)  # the first five
    at = visit("layers", compare=OTHER, layers_tab="fifty")
    both = [survey.survey(model, words=5) for model in (bundled, worded_distil)]
    assert at.says(layers_verdict.two_surveys(both[0].scores, both[1].scores, NAMES)) and not at.problems
    alts = [shown.alt for shown in at.charts]
    assert [sum(alt.startswith(f"{name}: ") for alt in alts) for name in NAMES] == [2, 2]
    tables = at.named_tables
    pd.testing.assert_frame_equal(tables["fifty-words-second"], survey.stability(both[1]))
    pd.testing.assert_frame_equal(tables["geometry-second"], both[1].geometry)
    copied = at.copied(bundled, worded_distil)
    texts = copied.sentences
    assert layers_verdict.two_surveys(both[0].scores, both[1].scores, NAMES) in texts
    assert any(copied.other_surveyed.scores is value for value in copied.printed)
    figures = {name: [json.loads(c.spec) for c in at.charts if c.alt.startswith(name)] for name in NAMES}
    for number, axis in ((0, "xaxis"), (1, "yaxis")):
        one, other = (figures[name][number]["layout"][axis]["range"] for name in NAMES)
        assert one == other


PAGES = tuple(page.name for page in menu.PAGES)
NOT_HERE = {("paper", "claims")}  # shows stored figures
FILLED = {
    ("similarity", "odd"): {"similarity_guesses": "guitar"},  # nothing is shown before the guess
    ("evidence", "battery"): {"evidence_count": "4", "evidence_others": "2"},  # more would wait for a button
    ("evidence", "dose"): {"evidence_dose_count": "2", "evidence_stay": ""},
    ("concepts", "steer"): {
        "concepts_random": "5",
        "concepts_sentences": "I think that your idea is [MASK].\nThe food was [MASK].",
    },
}
ABOUT_BOTH = {
    ("layers", "word"): ("for Pocket BERT (layer ",),
    ("bias", "groups"): ("The models share fewer than four words, too few to compare",),
    ("bias", "sentence"): ("words in both models, the changes are in",),
    ("bias", "occupations"): ("occupations in both models, the gaps are in",),
    ("bias", "association"): (
        " words in both models are in ",
        "tests that can be run on both models have an effect",
    ),
}


TABS = [
    case
    for page in PAGES
    for case in slow_after(1, [(page, tab) for tab in panels.of(page) if (page, tab) not in NOT_HERE])
]


@pytest.mark.thorough("concepts-probe", "features-learned")
@pytest.mark.slow(
    "clusters-isotropy",
    "clusters-map",
    "concepts-direction",
    "corpus-nearest",
    "evidence-battery",
    "features-word",
    "layers-word",
    "pairs-next",
    "paper-studies",
    "similarity-heatmap",
    "tracing-map",
)
@pytest.mark.parametrize("page, tab", TABS)
def test_every_tab_shows_both_models(visit, second, bundled, worded, tmp_path, monkeypatch, page, tab):
    second(worded)
    monkeypatch.setenv("EMBTOOLS_DICTIONARIES", str(written(worded, tmp_path)))
    monkeypatch.setattr(long_work, "of_all", lambda seconds, _: seconds)  # the second waits for no button
    query = {f"{page}_tab": tab} | FILLED.get((page, tab), {})
    at, alone = visit(page, compare=OTHER, **query), visit(page, **query)
    assert not at.problems
    alts = [shown.alt for shown in at.charts]
    assert [sum(alt.startswith(f"{name}: ") for alt in alts) for name in NAMES] == [len(alone.charts)] * 2
    assert {f"{NAMES[0]}: {shown.alt}" for shown in alone.charts} <= set(alts)
    assert _scale(at, f"{NAMES[0]}: ") == _scale(at, f"{NAMES[1]}: ")
    copied = at.copied(bundled, worded)
    assert any(name.startswith("other_") for name in vars(copied))
    figures_of.assert_close(figures_of.drawn(at.notebook(), copied), figures_of.of_page(at))
    for sentence in ABOUT_BOTH.get((page, tab), ()):
        (text,) = [each.value.replace("\\", "") for each in at.header if sentence in each.value.replace("\\", "")]
        assert text in copied.sentences


@pytest.mark.slow
def test_the_analogies_of_two_relations_are_solved_by_both(visit, second, bundled, worded, tmp_path, monkeypatch):
    """All relations would wait for a button."""
    monkeypatch.setattr(long_work, "AT_ONCE", 60.0)
    monkeypatch.setattr(relations, "TITLES", {key: relations.TITLES[key] for key in ("pronoun", "young")})
    monkeypatch.setitem(FILLED, ("arithmetic", "analogies"), {"arithmetic_analogies": "many"})
    test_every_tab_shows_both_models(visit, second, bundled, worded, tmp_path, monkeypatch, "arithmetic", "analogies")


def test_the_senses_of_all_words_are_measured_by_both(visit, second, bundled, worded):
    second(worded)
    table = "sentence,word,sense\nThe bank fell into the river.,bank,river\nThe bank lent money.,bank,money\n"
    table += "A muddy bank.,bank,river\nMy bank closed.,bank,money\n"
    query = {"corpus_source": "own", "corpus_text": table, "clusters_of": "occurrences"}
    query |= {"corpus_word": "bank", "clusters_recovered": "all"}
    at = visit("clusters", compare=OTHER, **query)
    assert not at.problems and _scale(at, f"{NAMES[0]}: ") == _scale(at, f"{NAMES[1]}: ")
    tables = at.named_tables
    for suffix, model in (("", bundled), ("-second", worded)):
        expected = senses.recovery_of_all(read_corpus(table), model).frame
        pd.testing.assert_frame_equal(tables[f"clusters-recovery-all{suffix}"], expected)
    copied = at.copied(bundled, worded)
    assert any(copied.other_every_word.frame is value for value in copied.printed)


def test_two_maps_are_compared_by_the_neighbours_of_their_words(visit, second, bundled, worded_distil):
    second(worded_distil)
    query = {"clusters_list": "months", "clusters_space": "whitened"}
    at = visit("clusters", compare=OTHER, **query, open=["trust", "trust-second"])
    assert not at.problems and at.says("Positions and directions on the two maps cannot be compared")
    sentence = "nearest neighbours in Pocket BERT are also nearest in DistilBERT"
    message = next(text for text in at.texts if sentence in text)
    copied = at.copied(bundled, worded_distil)
    assert message in copied.sentences
    frames = copied.frames
    shown = at.named_tables
    for name in ("map", "map-second"):
        assert any(_holds(frame, shown[name].select_dtypes("number")) for frame in frames), name
    for drawn, name in ((copied.drawn, "trust"), (copied.other_drawn, "trust-second")):
        pd.testing.assert_frame_equal(shown[name], drawn.trust)


MORE = ("words", "random", "scopes", "edited-vectors", "tokens", "edit-settings")
"""Expanders of the tab "more"."""


@pytest.mark.slow("layers", "lens")
@pytest.mark.parametrize("tab", dict(details.MORE.keys))
def test_both_models_show_every_detail_of_an_edit(visit, second, bundled, worded, tab):
    second(worded)
    where = {"arithmetic_more": tab, "open": MORE if tab == "more" else ()}
    query = {**where, "arithmetic_candidates": "paris, france", "arithmetic_hide": True}
    at, alone = visit("arithmetic", compare=OTHER, **query), visit("arithmetic", **query)
    assert not at.problems and len(at.charts) == 2 * len(alone.charts) and len(at.tables) == 2 * len(alone.tables)
    assert _scale(at, f"{NAMES[0]}: ") == _scale(at, f"{NAMES[1]}: ")
    copied = at.copied(bundled, worded)
    both = [copied.answers, copied.other_answers]
    text = arithmetic_verdict.two_edits(*(answers.experiment for answers in both), 1, 5, NAMES)
    assert at.header[0].value.replace("\\", "") == text and text in map(str, copied.printed)
    for answers in both:
        assert at.says(answers.headline, answers.reason) and answers.headline in map(str, copied.printed)
    tables = at.named_tables
    for suffix, answers in (("", copied.answers), ("-second", copied.other_answers)):
        assert tables[f"answers{suffix}"]["token"].tolist() == answers.answers["token"].tolist()
        assert tables[f"controls{suffix}"]["control"].tolist() == answers.compared["control"].tolist()


def test_a_cased_second_model_gets_the_same_words_and_a_head_at_the_same_depth(visit, second, tiny_cased):
    """It calls the first word "Rome", not "rome"; and the last of its two heads corresponds to the twelfth of the other."""
    second(tiny_cased)
    query = {"attention_text": "Rome is the capital of Italy.", "attention_control": "", "attention_from": "rome"}
    at = visit("attention", compare=OTHER, attention_to="italy", attention_heads="6.12", **query)
    assert not at.problems and at.says("In layer 6, head 12, “rome” gives “italy”", "In layer 2, head 2, “Rome” gives")
    at = visit("attention", compare=OTHER, attention_to="italy", attention_heads="1", **query)
    assert not at.problems and at.says("Averaged over the heads of layer 1, “Rome” gives “Italy”")


def test_two_heatmaps_have_one_scale_one_order_and_a_sentence_about_both(visit, second, bundled, worded_distil):
    second(worded_distil)
    at = visit("similarity", compare=OTHER, similarity_space="whitened")
    assert not at.problems and all(name in [s.value for s in at.subheader] for name in NAMES)
    one, other = (
        json.loads(chart.spec) for name in NAMES for chart in at.charts if chart.alt.startswith(f"{name}: Heatmap")
    )
    assert [one["data"][0][end] for end in ("zmin", "zmax")] == [other["data"][0][end] for end in ("zmin", "zmax")]
    assert one["data"][0]["x"] == other["data"][0]["x"]
    copied = at.copied(bundled, worded_distil)
    models = [in_space(model, space=Space("whitened")) for model in (bundled, worded_distil)]
    tables = [matrix.similarity_matrix(matrix.preset("Colours"), model) for model in models]
    sentence = f"rankings of the pairs by {' and by '.join(NAMES)} {similarity_verdict.numbers(mantel(*tables, permutations=999))}."
    assert at.says(sentence) and any(sentence in str(value) for value in copied.printed)
    shown_tables = at.named_tables
    for alt, result in (("similarity", copied.result), ("similarity-second", copied.other_result)):
        pd.testing.assert_frame_equal(shown_tables[alt], result.pairs)
        assert any(value is result.pairs for value in copied.printed)


def test_a_second_model_with_equal_weights_has_the_second_heatmap(visit, second, bundled):
    second(bundled)
    at = visit("similarity", compare=OTHER)
    assert not at.problems and len([chart for chart in at.charts if "Heatmap" in chart.alt]) == 2
    assert at.says("The tree (dendrogram) joins the most similar words first.")
    assert at.says(
        "The words are in the order of the first heatmap's tree, and both heatmaps use the same colour scale."
    )


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize(
    "page, query", [("pairs", {"pairs_number": "many"}), ("clusters", {"clusters_of": "sentences"})]
)
def test_the_time_at_a_button_is_that_of_both_models(visit, second, worded_distil, monkeypatch, page, query):
    second(worded_distil)
    asked = []
    monkeypatch.setattr(long_work, "requested", lambda name, what, time, *_, **__: asked.append((name, time)))
    visit(page, **query)
    visit(page, compare=OTHER, **query)
    button = asked[-1][0]  # before it, a map can ask for its own
    alone, both, *_ = (time for name, time in asked if name == button)
    assert 0 < alone < both and both == pytest.approx(2 * alone)  # the second is not open yet


def test_the_second_model_waits_for_a_button_if_only_the_first_is_quick(visit, second, worded_distil, monkeypatch):
    second(worded_distil)
    monkeypatch.setattr(long_work, "AT_ONCE", 0.0)  # no more than a prepared answer
    at = visit("bias", bias_tab="occupations", compare=OTHER)
    alone = len(visit("bias", bias_tab="occupations", compare=OTHER, bias_templates="No mask.").charts)  # the example
    assert 0 < alone == len(at.charts) == len(at.press("Score the occupations with DistilBERT").charts) / 2
    shown.forget()
    assert len(visit("bias", bias_tab="occupations", model=OTHER, compare="bundled").charts) == 2 * alone


def test_both_models_are_asked_the_same_formula(visit, second, bundled, worded_distil):
    second(worded_distil)
    at = visit("arithmetic", compare=OTHER, arithmetic_tab="analogies", arithmetic_space="whitened")
    copied = at.copied(bundled, worded_distil)
    text = nearest_tokens.near_in_both(copied.near.left_out, copied.other_near.left_out, NAMES)
    assert not at.problems and at.header[0].value.replace("\\", "") == text and text in map(str, copied.printed)
    for near in (copied.near, copied.other_near):
        assert at.says(near.headline) and near.headline in map(str, copied.printed)
    assert _scale(at, f"{NAMES[0]}: ") == _scale(at, f"{NAMES[1]}: ")
    tables = at.named_tables
    assert len(tables["neighbours"]) == len(tables["neighbours-second"]) == 10
    for name, near in (("", copied.near), ("-second", copied.other_near)):
        for table, frame in (("neighbours", near.kept), ("neighbours-out", near.left_out)):
            assert tables[f"{table}{name}"]["token"].tolist() == frame["token"].tolist()
            assert abs(tables[f"{table}{name}"]["cosine"] - frame["cosine"]).max() < 1e-3
    assert "in_space(other" in copied.code


def _scale(at, name):
    """The length of a numbered axis and the ends of the colours of a model's charts; of a map without scale nothing."""
    found = []
    for chart in at.charts:
        if chart.alt.startswith(name) and "map of" not in chart.alt.lower():
            figure = json.loads(chart.spec)
            axes = [figure["layout"][axis] for axis in ("xaxis", "yaxis")]
            numbered = [axis for axis in axes if not axis.get("ticktext") and axis.get("type") != "category"]
            ends = next(filter(None, (axis.get("range") for axis in numbered)), (0, 0))
            trace = figure["data"][0]
            scale = figure["layout"].get(trace.get("coloraxis"), {})
            colours = (trace.get(f"z{end}", scale.get(f"c{end}")) for end in ("min", "max"))
            found.append((round(ends[1] - ends[0], 4), *colours))
    return found


def _holds(frame, numbers):
    """Whether a printed frame has these columns, their values rounded alike."""
    if len(frame) != len(numbers) or not set(numbers) <= set(frame):
        return False
    return all(abs(frame[c].to_numpy(float) - numbers[c].to_numpy(float)).max() < 1e-3 for c in numbers)


def test_a_tab_that_does_not_compare_says_whose_figures_it_shows(visit, second, worded_distil):
    second(worded_distil)
    assert visit("paper", compare=OTHER).says("This tab shows Pocket BERT only.")
    assert not visit("paper").says("shows Pocket BERT only")
    assert not visit("paper", compare="bundled").says("shows Pocket BERT only")  # a model is not compared with itself


def test_the_switch_is_next_to_the_model(visit, second, worded_distil):
    second(worded_distil)
    at = visit("similarity", open=["settings"])
    assert len([chart for chart in at.charts if "Heatmap" in chart.alt]) == 1
    at.put("compare", OTHER)
    assert len([chart for chart in at.charts if "Heatmap" in chart.alt]) == 2
    assert "compare" in at.query_params
    at.put("model", OTHER)  # the second model becomes the first
    assert "compare" not in at.query_params


def test_what_the_second_model_cannot_read_is_reported_in_its_column(visit, second, tiny):
    second(tiny)
    at = visit("similarity", compare=OTHER, similarity_words="red, green, blue, silver")
    assert len([chart for chart in at.charts if "Heatmap" in chart.alt]) == 1
    assert len(at.problems) == 1 and "'silver' is not in the vocabulary" in at.problems[0]
    at = visit("similarity", compare=OTHER, similarity_words="red, green, blue, kings")
    assert "'kings' is not a single token (king ##s" in at.problems[0]
    at.press("Use the mean of their tokens")
    assert at.says("One token in Pocket BERT but not in DistilBERT: kings (king ##s).") and not at.problems


def test_an_earlier_answer_of_the_second_model_is_that_of_its_own_layer(visit, second, tiny):
    second(tiny)  # of two layers
    at = visit("similarity", compare=OTHER, similarity_vectors="layer 6", similarity_words="king, queen, man")
    before = [chart.alt for chart in at.charts]
    at.put("similarity_words", "king, xqzzy")
    assert at.says("Showing the previous result") and len(at.problems) == 1
    assert [chart.alt for chart in at.charts] == before


def test_what_an_interrupted_run_wanted_is_not_asked_of_the_second_model(visit, second, worded, monkeypatch):
    second(worded)
    at = visit("similarity", compare=OTHER, similarity_words="king, queen, man")
    with monkeypatch.context() as patch:
        patch.setattr(running, "finish", lambda: None)  # the run does not reach its end
        at.put("similarity_words", "king, queen, woman")
    asked, ask = [], running._ask_second
    monkeypatch.setattr(running, "_ask_second", lambda query, *more: asked.append(query) or ask(query, *more))
    at.put("similarity_words", "king, queen, prince")
    assert asked and not any("woman" in str(query) for query in asked)


def test_a_second_model_that_does_not_fit_into_memory_is_refused_with_the_reason(visit, cold, monkeypatch):
    monkeypatch.setattr(loading, "is_here", lambda name: True)
    monkeypatch.setattr("embtools.models.memory.available", lambda: 300)
    at = visit("similarity", compare=OTHER)
    (chart,) = (chart for chart in at.charts if "Heatmap" in chart.alt)
    assert not chart.alt.startswith("Pocket BERT: ")  # it is the only one, so it needs no name
    reason = "DistilBERT needs about 402 MB of memory, but only 300 MB are free on this server. Choose a smaller model."
    assert len(at.problems) == 1 and reason in at.problems[0]
    assert at.says("Until then there is nothing")
    monkeypatch.setattr("embtools.models.memory.available", lambda: 100)
    at.press("Try again")
    assert len(at.problems) == 1 and "but only 100 MB are free" in at.problems[0]
    assert len([chart for chart in at.charts if "Heatmap" in chart.alt]) == 1


def test_of_two_large_models_one_is_in_memory_and_both_results_are_kept(
    visit, cold, tmp_path, bundled, tiny_folder, monkeypatch
):
    folders = {BASE: tiny_folder, OTHER: make_tiny(tmp_path, words=CASED, cased=True)}
    loaded, alive = [], {}

    def load(name="bundled"):
        if name == "bundled":
            return bundled
        gc.collect()
        assert all(reference() is None for reference in alive.values())  # the other's weights are no longer there
        model = load_model(str(folders[name]))
        loaded.append(name)
        alive[name] = weakref.ref(model)
        return model

    monkeypatch.setattr(loading, "load_model", load)
    monkeypatch.setattr(loading, "is_here", lambda name: True)
    at = visit("similarity", model=BASE, compare=OTHER, similarity_words="king, queen, man, woman")
    assert len([chart for chart in at.charts if "Heatmap" in chart.alt]) == 2 and not at.problems
    assert at.says("loaded one after the other, because only one at a time is kept in memory.")
    at.run()
    at.run()
    assert loaded == [BASE, OTHER, BASE]  # the first again for the next question, the second not: its results stay
    at = visit("similarity", model=BASE, compare=OTHER, similarity_words="king, queen, red")
    loaded.clear()
    at.run()
    at.run()
    assert len(at.problems) == 1 and "'red' is not in the vocabulary" in at.problems[0]
    assert loaded == [BASE]  # the second is not loaded again and again only to refuse


def test_the_first_chart_is_shown_while_the_second_model_is_loaded(visit, cold, bundled, worded_distil, monkeypatch):
    drawn, stood = [], []
    chart = figures.chart

    def note(*arguments, name, **named):
        drawn.append(name)
        chart(*arguments, name=name, **named)

    def load(name="bundled"):
        if name != "bundled":
            stood.append(tuple(drawn))
        return bundled if name == "bundled" else worded_distil

    monkeypatch.setattr(figures, "chart", note)
    monkeypatch.setattr(loading, "load_model", load)
    monkeypatch.setattr(loading, "is_here", lambda name: True)
    at = visit("bias", compare=OTHER)
    assert stood == [("answers-by-group",)]  # loaded once, after the first chart
    alts = [shown.alt for shown in at.charts]
    assert [sum(alt.startswith(f"{name}: ") for alt in alts) for name in NAMES] == [1, 1] and not at.problems
    assert _scale(at, f"{NAMES[0]}: ") == _scale(at, f"{NAMES[1]}: ")
    assert (
        "The models share fewer than four words" in at.header[0].value
    )  # the headline is about both, each finding under its model's title
    assert at.says(*(_first(model) for model in (bundled, worded_distil)))


def _first(model):
    groups = ("He", "She")
    return bias_groups.group_answers("{group} works as a [MASK].", model, groups=groups).headline


def test_both_models_are_cited_where_both_are_shown(visit, second, worded_distil):
    second(worded_distil)
    at = visit("bias", compare=OTHER)
    at.session_state["share-link"] = True
    for cited in [block.value for block in at.run().test.code][1:3]:
        assert all(f"{name}, SHA-256" in cited for name in NAMES)
    at = visit("paper", compare=OTHER)  # a tab that does not compare
    at.session_state["share-link"] = True
    assert not any("DistilBERT" in block.value for block in at.run().test.code[1:])
