"""The Evidence page without a browser."""

from functools import partial

import pandas as pd
import pytest

from embtools.arithmetic.edit import edited_answers
from embtools.evidence import battery as numbers
from embtools.evidence.battery import battery
from embtools.ui import running
from embtools.ui.evidence import battery as panel
from embtools.ui.shown import Model

PAIRS = "Rome, Italy\nParis, France\nBerlin, Germany\nMadrid, Spain"
OWN = {"evidence_relation": "own", "evidence_pairs": PAIRS, "evidence_others": 2}
READ = tuple(tuple(line.split(", ")) for line in PAIRS.split("\n"))


@pytest.fixture(scope="module")
def page(visit):
    """Open the Evidence page with a small list of pairs."""
    return partial(visit, "evidence", **OWN)


@pytest.fixture(scope="module")
def expected(bundled):
    named = {"edit": panel.EDIT.default, "sentences": panel.FIRST["sentences"], "must_stay": panel.FIRST["must_stay"]}
    return battery(READ, bundled, others=2, **named)


def test_own_pairs_have_a_headline_cases_rates_and_code(page, bundled, expected):
    at = page()
    assert not at.problems and at.header[0].value.replace("\\", "") == expected.headline
    assert at.says(*expected.findings) and len(at.charts) == 2
    assert "8 cases of 4 words" in at.charts[0].alt
    pd.testing.assert_frame_equal(at.table("state"), expected.grid)
    pd.testing.assert_frame_equal(at.table("rate", "low"), expected.rates)
    at.links_to_itself()
    copied = at.copied(bundled)
    assert expected.headline in copied.printed
    assert any(isinstance(value, pd.DataFrame) and value.equals(expected.cases) for value in copied.printed)
    at.put("evidence_of", "pairs answered correctly before")
    pd.testing.assert_frame_equal(at.table("rate", "low"), expected.rates_of_correct)


def test_two_models_are_estimated_together_and_only_the_included_one_begins_at_once(bundled, monkeypatch):
    asked = []
    monkeypatch.setattr(running, "requested", lambda name, what, seconds, question: asked.append((seconds, question)))
    monkeypatch.setattr(running, "run", lambda query, model: 10.0 if query.function is numbers.effort else 7)
    monkeypatch.setattr(running, "known", lambda query, model: False)
    monkeypatch.setattr(running, "refused", lambda query, model: False)
    one, other = Model("bundled"), Model("distilbert/distilbert-base-uncased")
    _ = one.facts
    assert panel._may_begin(panel.FIRST, (one,), None) and not asked
    query = panel.FIRST.but(others=2)
    assert not panel._may_begin(query, (one,), None) and not panel._may_begin(query, (one, other), None)
    assert not panel._may_begin(panel.FIRST, (one, other), None)
    (single, _), (both, question), (second, _) = asked
    assert question == ((one, other), query) and both > single == 10 and second == both - single


def test_a_case_leads_to_arithmetic(page, bundled):
    at = page(evidence_case="Rome|Italy|Spain", evidence_others=3, open="all-cases")
    assert len(at.table("detail", "a")) == 4 * 3 * 3 * 6
    assert [each.proto.label for each in at.get("download_button")].count("Parquet") == 1
    case = at.table("condition", "answer_before")
    assert len(case) == 6 * 3
    (link,) = [each for each in at.get("page_link") if "Arithmetic" in each.proto.label and "case" in each.proto.label]
    assert "arithmetic_text=Rome" in link.proto.query_string
    edit = case[(case["condition"] == "edit") & (case["sentence"] == panel.FIRST["sentences"][0])].iloc[0]
    alone = edited_answers("Rome is the capital of [MASK].", ("Rome = Rome - Italy + Spain",), bundled)
    assert alone.word == edit["answer"]
    at = page(evidence_case="Rome|Italy|Spain", evidence_others=3, evidence_strength=-0.5)
    assert at.says("Selected case") and "case" not in " ".join(each.proto.label for each in at.get("page_link"))
    at = page(evidence_case="Rome|France|Spain", evidence_others=3)
    assert at.charts and not at.says("Selected case")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"evidence_pairs": "Rome, Italy\nParis"}, "Line 2 is not a pair"),
        ({"evidence_pairs": ""}, "There are no pairs"),
        ({"evidence_edit": "{a} = {a} - {b}"}, "does not contain {c}"),
        ({"evidence_sentences": "Rome is in [MASK]."}, "has no {a}"),
        ({"evidence_sentences": "<img src=x> ![y](http://example.org) {a}"}, "exactly one"),
        ({"evidence_pairs": "xqz, qqq\nzzq, qzz"}, "at least two different second words"),
    ],
)
def test_errors_are_shown_next_to_the_fields(page, changed, words):
    at = page(**changed)
    assert len(at.problems) == 1 and words in at.problems[0]


def test_long_work_waits_for_a_button_and_stopped_work_is_kept(visit, monkeypatch):
    monkeypatch.setattr(running, "AT_ONCE", 0.0)
    monkeypatch.setattr(numbers, "BLOCK", 1)
    query = OWN | {"evidence_sentences": "Everyone in {a} is in [MASK].", "evidence_stay": ""}
    at = visit("evidence", **query)
    assert not at.charts and at.says("About a second")
    asked = panel.FIRST.but(
        pairs=READ, sentences=("Everyone in {a} is in [MASK].",), must_stay=(), others=2, scope="input", strength=1.0
    )
    calls = []
    original = numbers.block_cases
    monkeypatch.setattr(numbers, "block_cases", lambda **named: calls.append(1) or _at_most(2, calls, original, named))
    at.press("requested-evidence-battery-button")
    assert "Stopped here." in at.problems[0]
    monkeypatch.setattr(numbers, "block_cases", original)
    at.session_state[f"stopped-{asked.name}"] = (repr((Model("bundled"), asked.arguments)),)
    at.run()
    assert at.says("Only the first 2 of 4 pairs were tested.") and len(at.charts) == 2
    at.press("Continue")
    assert not at.says("Only the first") and at.charts


def _at_most(most, calls, function, named):
    if len(calls) > most:
        raise ValueError("Stopped here.")
    return function(**named)


def test_an_uploaded_file_becomes_the_pairs_and_too_many_runs_are_refused(page, monkeypatch):
    assert panel._read(b"a,b,c\nRome,Italy,x\n") == {
        "evidence_pairs": "Rome, Italy", "evidence_relation": panel.OWN, "evidence_case": "",
    }  # fmt: skip
    monkeypatch.setattr(panel, "MOST_RUNS", 10)
    at = page(evidence_strength=0.35)
    assert "this page makes at most 10" in at.problems[0]


def test_an_example_sets_the_sentences_of_its_relation():
    for name, values in panel.PRESETS.items():
        assert set(values) <= {field.key for field in panel.FIELDS}, name
    assert panel.PRESETS["Languages"]["evidence_relation"] == "country → language"
