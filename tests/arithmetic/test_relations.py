"""Many analogies on the Arithmetic page without a browser: the cells, their failures, Stop, and the question."""

from itertools import chain, repeat
from unittest.mock import DEFAULT, Mock

import pandas as pd
import pytest

from embtools.arithmetic import analogy_runs, bulk_analogies
from embtools.arithmetic.bulk_analogies import Relations, analogies
from embtools.arithmetic.formula import nearest_words
from embtools.ui import fields, long_work
from embtools.ui.arithmetic import analogies as panel
from embtools.ui.arithmetic import relations
from embtools.ui.shown import Model
from tests.named_vectors import csv
from tests.ui.test_explain import explanation
from tests.ui.test_vectors_of import upload

pytestmark = pytest.mark.usefixtures("as_shipped")

MANY = {"arithmetic_tab": "analogies", "arithmetic_analogies": "many"}


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Two relations, and no button before the work."""
    monkeypatch.setattr(long_work, "AT_ONCE", 60.0)
    monkeypatch.setattr(relations, "TITLES", {key: relations.TITLES[key] for key in ("pronoun", "young")})


def test_explain_states_how_many_other_pairs_an_analogy_can_have():
    text = " ".join(explanation("arithmetic")["analogies"].split())
    assert f"Each pair is combined with at most {bulk_analogies.MAX_OTHERS} other pairs." in text
    assert relations.OTHERS.high == bulk_analogies.MAX_OTHERS


@pytest.mark.slow
@pytest.mark.usefixtures("computing")
def test_stopped_analogies_keep_their_finished_relations(visit, bundled, monkeypatch):
    keys = ("pronoun", "young")
    original = analogy_runs.relation_tables
    once = Mock(wraps=original, side_effect=chain([DEFAULT], repeat(ValueError("Stopped here."))))
    monkeypatch.setattr(analogy_runs, "relation_tables", once)
    at = visit("arithmetic", **MANY, arithmetic_others=1)
    assert "Stopped here." in at.problems[0]
    monkeypatch.setattr(analogy_runs, "relation_tables", original)
    query = relations.FIRST.but(relations=Relations(keys, 1))
    at.session_state[f"stopped-{query.name}"] = (repr((Model("bundled"), query.arguments)),)
    at.run()
    part, whole = (analogies(Relations(keys, 1, first=first), bundled) for first in (1, None))
    assert at.finding == part.headline
    assert at.says("Relations tested: 1 of 2.", part.size) and part.size != whole.size
    at.press("Continue")
    assert at.finding == whole.headline and not at.says("Relations tested")


@pytest.mark.slow
def test_analogies_in_bulk_list_the_failures_of_the_cell_that_was_clicked(visit, bundled):
    at = visit("arithmetic", **MANY, arithmetic_others=2)
    expected = analogies(Relations(("pronoun", "young"), others=2), bundled)
    assert not at.problems and at.finding == expected.headline
    assert at.says(expected.corrected, expected.size) and len(at.charts) == 2
    cell = {"layer": "static", "inputs": "excluded", "method": "3CosAdd"}
    pd.testing.assert_frame_equal(at.table("expected", "rank"), expected.failures("pronoun", **cell))
    at.links_to_itself()
    copied = at.copied(bundled)
    assert expected.headline in copied.printed
    at = visit("arithmetic", **MANY, arithmetic_others=2, arithmetic_cell="young|nearest to c",
               arithmetic_layer="last", arithmetic_inputs="allowed", arithmetic_score="at10")  # fmt: skip
    cell = {"layer": "6", "inputs": "allowed", "method": "nearest to c"}
    assert at.finding == expected.sentence("6", "allowed", "at_10")
    assert "among the first 10" in at.header[0].value
    assert at.says(expected.failed("young", **cell, at=10), "Failures of nearest to c")
    assert "accuracy at 10" in at.charts[0].alt.lower()
    assert at.says("choose it as the score")
    at.put("arithmetic_score", "Mean reciprocal rank")
    assert at.finding == expected.sentence("6", "allowed", "mrr")
    assert at.says("the mean of 1 divided by the rank") and not at.says("choose it as the score")
    at = visit("arithmetic", **MANY, arithmetic_others=2, arithmetic_cell="all relations|3CosAdd")
    assert at.says("Click a cell of one relation to list its failures.")


@pytest.mark.slow
@pytest.mark.usefixtures("computing")
def test_the_cells_of_finished_relations_are_drawn_while_the_rest_is_computed(visit, parts):
    visit("arithmetic", **MANY, arithmetic_others=4, tables=False)
    assert parts[0][1].data[0].z.shape == (2, 5)  # one relation and the mean


@pytest.mark.slow
def test_a_class_is_asked_about_what_is_shown(bundled, patient):
    values = {"arithmetic_others": 1, "arithmetic_cell": "young|nearest to c", "arithmetic_layer": "last layer",
              "arithmetic_inputs": "allowed"}  # fmt: skip
    given = {field.key: values.get(field.key, field.default) for field in panel.FIELDS}
    with fields.given(given | {panel.VIEW.key: panel.MANY}):
        asked = panel.question((Model("bundled"),))(())
    row = analogies(Relations(("young", "pronoun"), others=1, layers=(6,)), bundled).row(
        "young", layer="6", inputs="allowed", method="nearest to c"
    )
    assert asked.answer == f"{round(row['at_1'] * row['n'])} of {int(row['n'])}"
    with fields.given(given):
        ask = panel.question((Model("bundled"),))
    near = nearest_words("king - man + woman", bundled)
    assert ask(()).answer == near.kept["token"].iloc[0] == "king" and "queen" in ask(()).choices
    assert ask(("queen", "king")).picked == 1 and ask(("yes", "no")).picked is None


def test_a_formula_over_the_words_of_a_file(visit):
    at = visit("arithmetic", arithmetic_tab="analogies", arithmetic_of="file", open="vectors-file")
    at = upload(at, csv())
    assert not at.problems and "nearest word" in at.finding and at.says("mine.csv: 15 words, 12 numbers each")
    at = at.put("arithmetic_formula", "king - man + zebra")
    assert any("'zebra' is not among the 15 words" in text for text in at.problems)
