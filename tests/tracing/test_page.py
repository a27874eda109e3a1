"""The Tracing page without a browser."""

import json
from dataclasses import replace
from functools import update_wrapper
from itertools import chain, repeat
from types import SimpleNamespace
from unittest.mock import DEFAULT, Mock
from urllib.parse import parse_qsl

import pandas as pd
import pytest

from embtools import files
from embtools.mask_filling import pairs
from embtools.mask_filling.relations import relation
from embtools.tracing import attribution, cases, runs
from embtools.tracing import averages as average_numbers
from embtools.tracing.averages import average
from embtools.tracing.cases import DrawnCases
from embtools.tracing.components import trace_components
from embtools.tracing.positions import trace_positions
from embtools.tracing.switching import HEAD, switch_off
from embtools.ui import fields, figures
from embtools.ui.call import Call
from embtools.ui.shown import Model
from embtools.ui.tracing import attribution as attribution_tab
from embtools.ui.tracing import positions as map_panel
from embtools.ui.tracing import sentences
from embtools.ui.tracing.panels import PANELS

pytestmark = pytest.mark.usefixtures("as_shipped")

ROME, EDITS = "Rome is the capital of [MASK].", ("rome = rome - italy + france",)
FRANCE = "The capital of France is [MASK]."
COMPONENTS, ATTRIBUTION, OFF = ({"tracing_tab": tab} for tab in ("components", "attribution", "off"))


def test_explain_states_the_limits_of_the_numbers_modules(page):
    text = " ".join(" ".join(page().texts).split())
    for limit in (
        f"A sentence can have at most {runs.MOST_TOKENS} tokens.",
        f"A sentence can have at most {cases.MOST_CHARACTERS} characters.",
        f"how many pairs (a, b) are drawn at random, from {cases.LEAST_PAIRS} to {cases.MOST_PAIRS},",
        f"how many new words c are drawn for each pair, from 1 to {cases.MOST_OTHERS}.",
        f"at most {pairs.MAX_PAIRS:,} pairs and {pairs.MAX_CHARACTERS:,} characters.",
    ):
        assert limit in text, limit


# Map


def test_page_opens_with_the_map_of_the_edit(page, bundled):
    at, result = page(), trace_positions(ROME, bundled, edits=EDITS)
    assert at.finding == result.headline and "layer 6 moves it to [MASK]" in result.headline
    assert not at.problems and at.says(result.runs.sentence) and len(at.charts) == 1
    pd.testing.assert_frame_equal(at.table("sufficiency", "position"), result.frame)


@pytest.mark.slow
def test_two_sentences_other_answers_and_other_settings(page, bundled):
    texts = "The capital of France is [MASK].", "The capital of Poland is [MASK]."
    at = page(**{k: "sentences" if v == sentences.SENTENCES else v for k, v in sentences.two(*texts).items()})
    expected = trace_positions(texts[0], bundled, second_text=texts[1])
    assert at.finding == expected.headline
    at.put("tracing_answers", "paris, krakow" if "krakow" in bundled.ids else "paris, berlin")
    assert any("“paris”" in text and "The effect is " in text for text in at.texts)
    at.put("tracing_answers", "").put("tracing_window", 3).put("tracing_measure", "Necessity")
    expected = trace_positions(texts[0], bundled, second_text=texts[1], window=3)
    pd.testing.assert_frame_equal(at.table("sufficiency", "position"), expected.frame)
    assert at.says("The value of a cell is the share of the effect that is lost.", "after 3 consecutive layers")
    at.unfold("metric").put("tracing_metric", list(sentences.METRICS)[2])
    expected = trace_positions(texts[0], bundled, second_text=texts[1], window=3, metric="probability")
    assert at.finding == expected.headline
    at.links_to_itself()


@pytest.mark.slow
def test_a_selected_cell_shows_the_parts_of_its_word(page, bundled):
    at = page(tracing_layer=4, tracing_position=1)
    expected = trace_components(ROME, bundled, edits=EDITS, position=1)
    pd.testing.assert_frame_equal(at.table("component"), expected.layers)
    assert at.says("Parts of each layer at rome (edited)") and len(at.charts) == 2
    at.press("Show the heads of this word")
    assert at.finding == expected.headline


def test_a_cell_of_either_model_can_be_clicked(visit, lend_second, bundled, monkeypatch):
    at = visit("tracing", compare="distilbert/distilbert-base-uncased", tracing_answers="italy, france", tables=False)
    maps = [chart for chart in at.charts if "Heatmap" in chart.alt]
    assert len(maps) == 2 and all(list(chart.selection_mode) for chart in maps)
    values: dict[str, int] = {}
    monkeypatch.setattr(map_panel.state, "put", values.update)
    result = trace_positions(ROME, bundled, edits=EDITS)
    pick = map_panel._pick(result)
    session = {"chart-tracing-map-second": SimpleNamespace(selection=SimpleNamespace(points=[{"customdata": "3.1"}]))}
    monkeypatch.setattr(figures.st, "session_state", session)
    pick.clicked("tracing-map-second")
    assert values == {"tracing_layer": 3, "tracing_position": 1}
    values.clear()
    pick.row(pd.Series({"layer": 2, "position": 1}))
    assert values == {"tracing_layer": 2, "tracing_position": 1}


def test_an_edit_of_no_word_of_the_sentence_is_refused_without_a_scope(page):
    (problem,) = page(tracing_edits="paris = paris + rome").problems
    assert "Edit a word of the sentence." in problem and "scope" not in problem  # there is none here


def test_a_sentence_without_a_mask_and_a_word_that_the_model_nearly_knows(page):
    at = page(tracing_text="Rome is the capital of Italy.")
    assert at.says("its last word, “Italy”, was masked") and not at.problems
    at.put("tracing_text", "Rome is the capital of ___ and [MASK].")
    assert at.says("has 2 masks") and not at.problems
    at.put("tracing_edits", "rome = rome - itly + france").press("use-tracing_edits-italy")
    assert at.session_state["tracing_edits"] == EDITS[0] and not at.problems


# Components


@pytest.mark.slow
def test_components_open_with_the_heads_that_reach_the_mask(page, bundled):
    at, result = page(**COMPONENTS), trace_components(ROME, bundled, edits=EDITS)
    assert at.finding == result.headline and at.says(result.knockout_sentence)
    assert len(at.charts) == 3 and not at.problems
    for name, frame in (("head", result.heads), ("component", result.layers)):
        pd.testing.assert_frame_equal(at.table(name), frame)
    pd.testing.assert_frame_equal(at.tables[-1], result.knockouts)
    assert at.says(result.single_knockouts)
    copied = at.copied(bundled)
    assert {result.headline, result.knockout_sentence} <= set(copied.sentences)


@pytest.mark.slow
def test_another_position_the_other_measure_and_a_head_on_attention(page, visit, bundled):
    at = page(**COMPONENTS, tracing_position=1, tracing_heads_measure="knockout", tracing_head="5.5")
    expected = trace_components(ROME, bundled, edits=EDITS, position=1).blocked_headline
    assert at.finding == expected and "blocking" in expected.lower()
    assert expected in at.copied(bundled).printed
    assert at.says("cannot attend to the changed words in one layer")
    at = page(**COMPONENTS, tracing_position=40, tracing_head="9.9")  # neither exists: the mask and the strongest head
    assert at.finding == trace_components(ROME, bundled, edits=EDITS).headline
    (link,) = [each.proto for each in at.get("page_link") if "Open head" in each.proto.label]
    assert link.label == "Open head 6.4 on Attention"


@pytest.mark.parametrize(
    ("fields", "source", "target"),
    [
        ({"tracing_head": "6.6"}, "[MASK]", "rome"),
        ({"tracing_text": "the man the [MASK]", "tracing_edits": "the = man", "tracing_position": 3}, "the (2)", "the"),
        ({"tracing_compare": "sentences", "tracing_position": 1}, "madrid", "madrid"),
    ],
)
def test_a_link_to_attention_opens_that_head_with_that_sentence(page, visit, fields, source, target):
    at = page(**COMPONENTS, **fields)
    (link,) = [each.proto for each in at.get("page_link") if "Open head" in each.proto.label]
    layer, head = link.label.removeprefix("Open head ").partition(" ")[0].split(".")
    opened = visit("attention", **dict(parse_qsl(link.query_string)))
    assert not opened.problems and opened.says(f"In layer {layer}, head {head}, “{source}” gives “{target}”")


# Average


@pytest.mark.slow
@pytest.mark.usefixtures("computing")
def test_the_average_opens_with_eight_pairs_and_more_come_after_a_button(page, bundled):
    at, result = page(tracing_tab="average"), average(DrawnCases("capital"), bundled)
    assert at.finding == result.headline and at.says(result.controls) and len(at.charts) == 2
    pd.testing.assert_frame_equal(at.table("condition", "role"), result.frame)
    pd.testing.assert_frame_equal(at.table("selected"), result.heads)
    assert at.says(result.components)
    at.unfold("average-parts")
    pd.testing.assert_frame_equal(at.table("condition", "component"), result.parts)
    pd.testing.assert_frame_equal(at.table("condition", "knockout"), result.knockouts)
    assert result.components in page(tracing_tab="average").copied(bundled).printed
    at.put("tracing_average_measure", "Necessity").links_to_itself()
    assert "necessity" in at.charts[0].alt
    at.put("tracing_template", "{capital} is the capital of [MASK].")  # as addresses of earlier versions have it
    assert at.finding == result.headline
    at.put("tracing_capitals", 50)
    assert not at.charts and any(button.label == "Trace 50 cases" for button in at.button)
    at.put("tracing_capitals", 4).put("tracing_template", "Rome is the capital of [MASK].")
    assert "has no {a}" in at.problems[0] and at.charts


@pytest.mark.slow
def test_a_stopped_average_keeps_its_finished_cases(page, bundled, monkeypatch):
    drawn = DrawnCases("capital", count=6, strength=0.85)
    original = average_numbers.moved_in
    once = update_wrapper(
        Mock(side_effect=chain([DEFAULT], repeat(ValueError("Stopped here."))), wraps=original), original
    )
    monkeypatch.setattr(average_numbers, "moved_in", once)
    at = page(tracing_tab="average", tracing_strength=0.85, tracing_capitals=6)
    assert "Stopped here." in at.problems[0]
    monkeypatch.setattr(average_numbers, "moved_in", original)
    query = Call(average, cases=drawn)
    at.session_state[f"stopped-{query.name}"] = (repr((Model("bundled"), query.arguments)),)
    at.run()
    part, whole = (average(replace(drawn, first=first), bundled) for first in (4, None))
    assert at.finding == part.headline and at.says(part.partial) and "4 of the 6 cases" in part.partial
    at.press("Continue")
    assert at.finding == whole.headline != part.headline and not at.says("cases were traced")


@pytest.mark.slow
def test_partial_lines_are_drawn_while_the_rest_is_traced(page, bundled, parts):
    page(tracing_tab="average", tracing_strength=0.8, tracing_capitals=5, tables=False)
    assert [key.rpartition("-")[2] for key, _ in parts] == ["4"]
    part = average(DrawnCases("capital", count=5, strength=0.8, first=4), bundled).of("edit", "edited word")
    assert parts[0][1].data[1].y.tolist() == pytest.approx(part["sufficiency"].tolist(), abs=1e-5)


@pytest.mark.thorough
def test_the_average_of_another_relation_and_of_own_pairs(page, bundled):
    at = page(
        tracing_tab="average", tracing_relation="continent", tracing_capitals=4, tracing_template="{a} is in [MASK]."
    )
    assert at.finding == average(DrawnCases("continent", sentence="{a} is in [MASK].", count=4), bundled).headline
    at.put("tracing_relation", "verb → past tense")
    assert at.session_state["tracing_template"] == relation("past").sentences[0] and not at.problems
    own = "\n".join(f"{a}, {b}" for a, b in relation("capital").pairs[:12])
    at = page(
        tracing_tab="average", tracing_relation="own", tracing_pairs=f"{own}\nOuagadougou, Mali", tracing_capitals=5
    )
    assert at.says("1 pair cannot be tested: Ouagadougou–Mali") and not at.problems
    at.put("tracing_pairs", "Rome, Italy\nParis")
    assert "needs at least two different second words" in at.problems[0]
    assert at.says("Left out, because there are not two words: line 2 ('Paris').")


@pytest.mark.slow
def test_files_of_a_trace_hold_the_query_and_the_model(page, bundled, tmp_path):
    for tab, names in (
        ("map", ["shares"]), ("components", ["heads", "parts", "knockouts"]),
        ("average", ["cases", "shares", "effects", "heads", "heads-of-controls", "parts", "knockouts", "layer-that-moves-most"]),
    ):  # fmt: skip
        kept = page(tracing_tab=tab, open=f"{tab}-files").downloads()
        assert [name for name in kept if name.endswith(".parquet")] == [f"{tab}-{name}.parquet" for name in names]
        for name, data in kept.items():
            if name.endswith(".parquet"):
                (tmp_path / name).write_bytes(data)
                frame, described = files.read(tmp_path / name)
                query = json.loads(described["query"])
                assert len(frame) and described["model_checksum"] == bundled.checksum
                assert (
                    query["function"].startswith("embtools.tracing.") and query.get("cases", query)["strength"] == 1.0
                )


@pytest.mark.slow
def test_an_average_effect_that_is_too_small_has_a_sentence_but_no_shares(page):
    at = page(tracing_tab="average", tracing_capitals=4, tracing_strength=0.0)
    assert "no effect in 4 cases" in at.finding and not at.charts and not at.problems


# Attribution


@pytest.mark.slow
def test_attribution_shows_every_method_and_how_far_they_agree(page, bundled):
    at, found = page(**ATTRIBUTION), attribution.attribute(attribution_tab.TEXT.default, bundled)
    assert at.finding == found.headline and not at.problems
    pd.testing.assert_frame_equal(at.table("leave_one_out"), found.tokens)
    pd.testing.assert_frame_equal(at.table("method", "rho"), found.agreement)
    total, added = (
        f"{value:.2f}".replace("-", "−") for value in (found.tokens["integrated_gradients"].sum(), found.difference)
    )
    assert at.says(
        f"the integrated gradients add up to {total}, and the log probability changes by {added} between a text that"
        " consists only of masks and this text."
    )


@pytest.mark.slow
def test_a_masked_sentence_in_other_spellings(page):
    at = page(tracing_masked="The capital of France is ___.", **ATTRIBUTION)
    assert not at.problems and "“paris”" in at.finding
    at.put("tracing_masked", "Rome is old.")
    assert at.says("The sentence has no mask, so its last word, “old”, was masked.")
    at.put("tracing_masked", "[MASK] is the capital of [MASK].")
    assert at.says("The sentence has 2 masks")
    at.put("tracing_answer", "qxzzz")
    assert "qxzzz" in at.problems[0] and at.charts


@pytest.mark.thorough
def test_agreement_over_many_sentences_waits_for_its_button(page, cold, monkeypatch):
    whole = attribution.over_sentences
    monkeypatch.setattr(
        attribution, "over_sentences", lambda model, progress: whole(model, sentences=2, steps=2, progress=progress)
    )
    at = page(open="over", **ATTRIBUTION)
    assert len(at.charts) == 1
    at.press("Run on the built-in sentences")
    table = at.table("method", "same_top")
    assert len(at.charts) == 2 and at.says(attribution.Agreement(table, attribution.MOST_SENTENCES).headline)
    assert len(table) == 4


def test_hidden_special_tokens_and_copied_code_of_attribution(page, bundled):
    at = page(tracing_hide=True, **ATTRIBUTION)
    assert "[CLS]" not in at.charts[0].spec and "for 7 tokens" in at.charts[0].alt and "not shown" in at.charts[0].alt
    at.put("tracing_hide", False).prints_what_it_shows(bundled)
    assert not any("are not shown" in chart.alt for chart in at.charts)


# Switch off


@pytest.mark.thorough("values0-asked0")
@pytest.mark.slow("values1-asked1", "values2-asked2")
@pytest.mark.parametrize(
    ("values", "asked"),
    [
        (
            {"tracing_off": "neuron", "tracing_off_neuron": 17, "tracing_off_layer": 3},
            {"count": 1, "number": 17, "layer": 3},
        ),
        (
            {"tracing_off": "head", "tracing_off_head": 4, "tracing_off_where": "token", "tracing_off_token": 4},
            {"part": HEAD, "number": 4, "everywhere": False, "position": 4},
        ),
        (
            {"tracing_off": "feed-forward", "tracing_off_value": "mean"},
            {"part": "feed-forward network", "value": "mean"},
        ),
        (
            {"tracing_off_count": 3, "tracing_off_draws": 30, "tracing_off_seed": 5},
            {"count": 3, "draws": 30, "seed": 5},
        ),
    ],
)
def test_parts_are_switched_off(page, bundled, values, asked):
    at, found = page(**values, **OFF), switch_off(FRANCE, bundled, **{"layer": 4} | asked)
    assert at.finding == found.headline and at.says(found.comparison) and not at.problems
    pd.testing.assert_frame_equal(
        at.table("probability_before", "probability_after"), found.answers, rtol=1e-4, atol=1e-6
    )
    pd.testing.assert_frame_equal(at.table("run", "parts"), found.runs, rtol=1e-4, atol=1e-6)
    copied = at.links_to_itself().copied(bundled)
    assert {found.headline, found.comparison} <= set(copied.sentences)
    assert any(found.runs.equals(mine) for mine in copied.frames)


def test_the_controls_of_a_layer_are_all_other_layers_and_none_are_drawn(page):
    for values, label in (
        ({"tracing_off": "attention"}, "Controls: all other layers"),
        ({"tracing_off_draws": 15}, "Random controls: 15"),
        ({"tracing_off": "head", "tracing_off_draws": 100}, "Random controls: 71"),
    ):
        at = page(**OFF, **values).unfold("tracing-off")
        assert label in [each.label for each in at.test.expander]
        disabled = {each.label: each.disabled for each in at.test.number_input}
        assert disabled["Random draws"] == disabled["Seed"] == (label == "Controls: all other layers")


def test_switching_off_needs_a_mask(page):
    at = page(tracing_masked="!!!", tracing_off_token="2", **OFF)
    assert len(at.problems) == 1 and "no [MASK]" in at.problems[0]
    assert at.charts and at.says("Showing the page's example")


# All tabs


@pytest.mark.slow
def test_every_trace_proposes_a_question_for_a_class(bundled, patient):
    """About what its fields hold; the choices of a teacher replace its own."""
    values = {"tracing_edits": "rome = rome - italy + spain", "tracing_capitals": 4, "tracing_seed": 5}
    answers = []
    for panel in (each for each in PANELS.values() if hasattr(each, "question")):
        with fields.given({field.key: values.get(field.key, field.default) for field in panel.FIELDS}):
            ask = panel.question((Model("bundled"),))
        question = ask(())
        assert 2 < len(question.choices) <= 5 and question.text.endswith("?")
        assert ask(("yes", "no")).choices == ("yes", "no")
        answers.append((question.text, question.answer))
    assert "layer" in answers[0][1] and answers[1][0] != answers[0][0]
    share = average(DrawnCases("capital", count=4, seed=5), bundled).effects["share"].iloc[1]
    assert answers[2][1] == f"{share:.0%}".replace("-", "−")


def test_a_random_model_works_and_says_if_an_effect_is_too_small(page, lend, tiny):
    lend(tiny)
    for tab in ("map", "components"):
        at = page(tracing_tab=tab, tracing_text="rome is [MASK] .", tracing_position=3)
        assert at.charts and not at.problems
        at.put("tracing_edits", "rome = rome")
        assert at.says("The edit changes nothing, so the effect is 0 nats.") and not at.says("[PAD]")
        assert at.says("The top answer is") or tab == "components"
