"""The Evidence page without a browser."""

import io
import json
import zipfile
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qs

import pandas as pd
import pytest

from embtools import files
from embtools.arithmetic.edit import edited_answers
from embtools.evidence import batteries as numbers
from embtools.evidence import doses as dose_numbers
from embtools.evidence.batteries import battery
from embtools.evidence.doses import dose
from embtools.evidence.minimal_pairs import minimal_pair
from embtools.evidence.pair_batteries import Scoring, pair_battery
from embtools.evidence.pair_files import PairList, read_pairs
from embtools.ui import fields, long_work, running
from embtools.ui import partial as partial_results
from embtools.ui.evidence import battery as panel
from embtools.ui.evidence import case as case_panel
from embtools.ui.evidence import dose as dose_panel
from embtools.ui.evidence import inputs, minimal_pairs
from embtools.ui.evidence.panels import PANELS
from embtools.ui.shown import Model
from tests import figures_of
from tests.evidence.made import over

pytestmark = pytest.mark.usefixtures("as_shipped")

BASE = "google-bert/bert-base-uncased"
PAIRS = "Rome, Italy\nParis, France\nBerlin, Germany\nMadrid, Spain"
OWN = {"evidence_relation": "own", "evidence_pairs": PAIRS, "evidence_others": 2}
READ = tuple(tuple(line.split(", ")) for line in PAIRS.split("\n"))


@pytest.fixture(scope="module")
def page(visit):
    """Open the Evidence page with a small list of pairs."""
    return partial(visit, "evidence", **OWN)


def with_cases(query, **changed):
    """A query about other cases."""
    return query.but(cases=replace(query["cases"], **changed))


@pytest.fixture(scope="module")
def expected(bundled):
    named = {
        "edit": inputs.EDIT.default,
        "sentences": panel.FIRST["cases"].sentences,
        "must_stay": panel.FIRST["cases"].must_stay,
    }
    return over(battery, READ, bundled, others=2, **named)


def test_own_pairs_have_a_headline_cases_rates_and_code(page, bundled, expected):
    at = page()
    assert not at.problems and at.finding == expected.headline
    assert at.says(*expected.findings) and len(at.charts) == 2
    assert "8 cases of 4 words" in at.charts[0].alt
    pd.testing.assert_frame_equal(at.table("state"), expected.grid)
    pd.testing.assert_frame_equal(at.table("rate", "low"), expected.rates)
    at.links_to_itself()
    copied = at.copied(bundled)
    assert expected.headline in copied.printed
    assert any(isinstance(value, pd.DataFrame) and value.equals(expected.cases) for value in copied.printed)
    assert at.says("the answer to the first sentence becomes c")
    at.put("evidence_of", "answered correctly before the edit")
    pd.testing.assert_frame_equal(at.table("rate", "low"), expected.rates_of_correct)
    before = at.charts[1].spec
    at.put("evidence_form", "Log odds of c")
    assert at.charts[1].spec != before and "log odds" in at.charts[1].alt
    assert at.says("mean change in the log odds") and not at.says("the answer to the first sentence becomes c")
    assert at.finding == expected.of_correct.sentence("log_odds_change")
    assert expected.of_correct.sentence("log_odds_change") in at.copied(bundled).printed


def test_only_pairs_that_were_right_before_the_edit_are_in_every_part_of_the_page(visit, bundled):
    """Rome and Paris get their countries swapped, so that BERT's answer is never right for them."""
    pairs = "Rome, France\nParis, Italy\nBerlin, Germany\nMadrid, Spain"
    at = visit("evidence", **OWN | {"evidence_pairs": pairs}, evidence_of="correct")
    text = at.header[0].value
    assert "of 4 cases" in text and "4 cases of 2 words" in at.charts[0].alt
    assert at.says("Of 4 pairs, 2 are counted: those that BERT answered correctly before the edit.")
    assert sorted(set(at.table("state")["a"])) == ["Berlin", "Madrid"]
    at = visit("evidence", **OWN | {"evidence_pairs": "Rome, France\nParis, Italy"}, evidence_of="correct")
    assert "right for 0 pairs" in at.header[0].value and not at.problems and not at.charts


def test_two_models_are_estimated_together_and_only_the_included_one_begins_at_once(bundled, monkeypatch):
    calls = []
    monkeypatch.setattr(long_work, "requested", lambda name, what, seconds, question: calls.append((seconds, question)))
    monkeypatch.setattr(running, "run", lambda query, model: 10.0 if query.function is numbers.effort else 7)
    monkeypatch.setattr(running, "known", lambda query, model: False)
    monkeypatch.setattr(running, "refused", lambda query, model: False)
    one, other = Model("bundled"), Model("distilbert/distilbert-base-uncased")
    _ = one.facts
    assert panel._may_begin(panel.FIRST, (one,), None) and not calls
    query = with_cases(panel.FIRST, others=2)
    assert not panel._may_begin(query, (one,), None) and not panel._may_begin(query, (one, other), None)
    assert not panel._may_begin(panel.FIRST, (one, other), None)
    (single, _), (both, question), (second, _) = calls
    assert question == ((one, other), query) and both > single == 10 and second == both - single


@pytest.mark.slow
def test_a_case_leads_to_arithmetic(page, bundled):
    at = page(evidence_case="Rome|Italy|Spain", evidence_others=3, open="all-cases")
    assert len(at.table("detail", "a")) == 4 * 3 * 3 * 6
    labels = [each.proto.label for each in at.get("download_button")]
    assert (
        labels[labels.index("Parquet") :][:2] == ["Parquet", "CSV"] and labels.count("Parquet") == 4
    )  # cases, rates, rates of pairs answered correctly, new words
    words = at.table("expected", "c")
    assert sorted(words["c"]) == ["France", "Germany", "Italy", "Spain"] and words["cases"].sum() == 12
    case = at.table("condition", "answer_before")
    assert len(case) == 6 * 3
    (link,) = [each for each in at.get("page_link") if "Arithmetic" in each.proto.label and "case" in each.proto.label]
    assert "arithmetic_text=Rome" in link.proto.query_string and "back=evidence" in link.proto.query_string
    assert at.says("Rome: Italy → Spain")
    edit = case[(case["condition"] == "edit") & (case["sentence"] == "Rome is the capital of [MASK].")].iloc[0]
    alone = edited_answers("Rome is the capital of [MASK].", ("Rome = Rome - Italy + Spain",), bundled)
    assert alone.word == edit["answer"]
    at = page(evidence_case="Rome|France|Spain", evidence_others=3)
    assert at.charts and not at.says("Selected case")


@pytest.fixture
def followed(monkeypatch):
    """The links that the browser follows by itself."""
    found = []
    monkeypatch.setattr(case_panel.page, "follow", lambda key, **named: found.append((key, named)))
    return found


def clicked(at, case="Rome|Italy|Spain"):
    """Click the cell of a case."""
    for key, value in {"evidence_case": case, "evidence-case-clicked": True}.items():
        at.session_state[key] = value
    return at.run()


def case_links(at):
    """The parameters of the links to a case on Arithmetic."""
    links = [each.proto for each in at.get("page_link") if each.proto.label == "Open this case on Arithmetic"]
    return [parse_qs(link.query_string) for link in links]


@pytest.mark.slow
def test_a_click_opens_the_case_but_not_for_an_edit_that_arithmetic_cannot_show(page, followed):
    at = page(evidence_others=3)
    assert at.says("Click a cell to open its case on Arithmetic") and not followed
    clicked(at)
    assert followed == [("evidence-case-link", {"by_touch": False})] and len(case_links(at)) == 1
    at.run()
    assert len(followed) == 1  # Back does not open it again
    at = page(evidence_others=3, evidence_strength=-0.5)
    assert at.says("Click a cell to see its case.")
    assert clicked(at).says("Selected case", "Arithmetic has no negative strengths.") and len(followed) == 1
    assert not case_links(at)


def test_a_click_in_a_lesson_only_selects_the_case(visit, followed):
    at = visit("lessons", lesson="how-often", lesson_step=6, lesson_guesses="aaaaaa")
    assert at.says("Click a cell to see its case.")
    row = at.table("state").iloc[0]
    clicked(at, "|".join(row[["a", "b", "c"]]))
    (link,) = case_links(at)
    assert at.says("Selected case") and not followed and "back" not in link


@pytest.mark.slow
def test_a_click_in_the_second_column_opens_the_case_with_the_second_model(page, second, worded, followed, monkeypatch):
    second(worded)
    picks, pick = [], case_panel.pick
    monkeypatch.setattr(case_panel, "pick", lambda: picks.append(pick()) or picks[-1])
    at = page(evidence_others=3, compare=BASE)
    assert not at.problems and not followed and not case_links(at)
    of_each = []
    with monkeypatch.context() as patch:
        patch.setattr(case_panel.state, "put", of_each.append)
        for column in picks[-2:]:
            column.take("Rome|Italy|Spain")
    assert [sorted(put) for put in of_each] == [
        ["evidence-case-clicked", "evidence_case"],
        ["evidence-case-clicked-second", "evidence_case"],
    ]
    for key, value in of_each[1].items():
        at.session_state[key] = value
    at.run()
    assert followed == [("evidence-case-link-second", {"by_touch": False})]
    of_first, of_second = case_links(at)
    assert of_first["model"] == ["bundled"] and of_first["compare"] == [BASE]
    assert of_second["model"] == [BASE] and "compare" not in of_second
    at.run()
    assert len(followed) == 1  # Back does not open it again


@pytest.mark.slow("dose-hello")
@pytest.mark.parametrize(("tab", "edit"), [("battery", "{a} = {a} + {c} + qqqqq"), ("dose", "hello")])
def test_an_edit_that_cannot_be_used_is_refused_before_work_is_offered(page, tab, edit, monkeypatch):
    monkeypatch.setattr(panel, "FIRST", with_cases(panel.FIRST, pairs=READ, others=2))
    monkeypatch.setattr(dose_panel, "FIRST", with_cases(dose_panel.FIRST, pairs=READ, first=2))
    monkeypatch.setattr(long_work, "AT_ONCE", 0.0)
    at = page(evidence_tab=tab, evidence_edit=edit)
    (problem,) = at.problems
    assert ("such as {a} = {a} - {b} + {c}" in problem.replace("\\", "")) == (edit == "hello") and "rome" not in problem
    assert not any(button.label.startswith("Run ") for button in at.button)


def test_repeated_pairs_are_counted_on_the_page(visit):
    for tab in ("battery", "dose"):
        at = visit("evidence", **SMALL | {"evidence_tab": tab, "evidence_pairs": f"{PAIRS}\nRome, Italy\nRome, Italy"})
        assert at.says("2 pairs are left out because an earlier pair has the same tokens (Rome–Italy, Rome–Italy).")
    at = visit("evidence", **OWN | {"evidence_pairs": "Rome, Italy\nParis\nBerlin\nMadrid, Spain, x"})
    assert at.says(
        "Left out, because there are not two words: line 2 ('Paris'), line 3 ('Berlin') and line 4 ('Madrid, Spain, x')."
    )


def test_the_sentences_of_own_pairs_are_visible(visit):
    labels = [area.label for area in visit("evidence", **OWN).text_area]
    assert sum(label.startswith("Sentences whose answer") for label in labels) == 2
    labels = [area.label for area in visit("evidence", evidence_count=4, evidence_others=2).text_area]
    assert not any(label.startswith("Sentences") for label in labels)


def test_a_long_battery_waits_for_its_button(visit, monkeypatch):
    monkeypatch.setattr(long_work, "AT_ONCE", 0.0)
    at = visit("evidence", **OWN | {"evidence_sentences": "Everyone in {a} is in [MASK].", "evidence_stay": ""})
    assert not at.charts and at.says("About a second")
    assert at.press("requested-evidence-battery-button").charts


@pytest.mark.slow
def test_partial_results_are_shown_while_the_rest_is_computed(visit, monkeypatch):
    monkeypatch.setattr(numbers, "BLOCK", 1)
    monkeypatch.setattr(partial_results, "EVERY", 0.0)
    monkeypatch.setattr(partial_results, "_TIMES", 0)
    recorded = []
    monkeypatch.setattr(panel.st, "dataframe", lambda frame, **_: recorded.append(frame))
    texts, plain = [], panel.st.text
    monkeypatch.setattr(panel.st, "text", lambda text: texts.append(text) or plain(text))
    at = visit("evidence", **OWN | {"evidence_sentences": "Everybody in {a} is in [MASK]."}, tables=False)
    parts = [text for text in texts if text.startswith("After ")]
    assert (
        parts[0].startswith("After 1 of 4 pairs: The edit makes the new word the answer")
        and len(parts) == len(recorded) >= 3
    )
    assert recorded[0]["n"].iloc[0] == 2 and list(recorded[0]["measure"]) == ["efficacy", "specificity"]
    assert not at.says("After 1 of 4 pairs")  # the whole result replaces it


def test_an_uploaded_file_becomes_the_pairs_and_too_many_runs_are_refused(page, monkeypatch):
    assert inputs.read_file(b"a,b,c\nRome,Italy,x\n") == {
        "evidence_pairs": "Rome, Italy", "evidence_relation": inputs.OWN, "evidence_count": 2, "evidence_case": "",
    }  # fmt: skip
    lines = b"".join(b"w%d,x%d\n" % (n, n) for n in range(300))
    assert inputs.read_file(b"a,b\n" + lines)["evidence_count"] == 300  # no pair is left out without a word
    monkeypatch.setattr(panel, "MOST_RUNS", 10)
    at = page(evidence_strength=0.35)
    assert "this page makes at most 10" in at.problems[0]


def test_what_the_included_model_was_trained_on_is_marked(visit):
    at = visit("evidence", evidence_count=4, evidence_others=2, open="sentences")
    assert at.says("1 sentence resembles training sentences: “{a} is the capital of")
    assert "In the training text" in " ".join(badge.value for badge in at.markdown)
    assert at.says("Not in this relation: Amsterdam, Manila, Nassau (the country needs “the” in a sentence)")
    at = visit("evidence", evidence_relation="pronoun", evidence_sentences="Then {a} put on [MASK] coat.",
               evidence_stay="", evidence_others=2)  # fmt: skip
    assert not at.says("resemble") and "In the training text" not in " ".join(b.value for b in at.markdown)


def test_the_tab_proposes_a_question_for_a_class(bundled, patient):
    values = {"evidence_count": 8, "evidence_edit": "{a} = {a} + {c}", "evidence_strength": 0.5}
    given = {field.key: values.get(field.key, field.default) for field in panel.FIELDS}
    with fields.given(given):
        question = panel.question((Model("bundled"),))(())
    assert question.answer.endswith(" of 8") and "8 words" in question.text and question.text.endswith("?")
    assert question.context.split("\n")[0].endswith(" is the capital of ____.") and "\nEdit: " in question.context
    with fields.given(given | {"evidence_sentences": ""}), pytest.raises(ValueError, match="at least one sentence"):
        panel.question((Model("bundled"),))


def test_every_tab_proposes_a_question_with_computed_choices(bundled, patient):
    values = {"evidence_dose_count": 4, "evidence_place": "layer 2",
              "evidence_pair_count": 8, "evidence_pair_method": "shared tokens only"}  # fmt: skip
    answers = {}
    for tab, own in PANELS.items():
        given = {field.key: values.get(field.key, field.default) for field in own.FIELDS}
        if tab == "battery":
            continue
        with fields.given(given):
            ask = own.question((Model("bundled"),))
        asked = ask(())
        assert 2 <= len(asked.choices) <= 5 and asked.text.endswith("?")
        assert ask(("yes", "no")).choices == ("yes", "no")
        assert own.QUESTION_TAKES_TIME and set(own.ASKED_ABOUT) <= set(own.FIELDS)
        answers[tab] = asked
    assert "added after layer 2" in answers["dose"].context and "4 cases" in answers["dose"].text
    assert answers["minimal"].answer.endswith(" of 8")
    given = {field.key: values.get(field.key, field.default) for field in dose_panel.FIELDS}
    with fields.given(given | {"evidence_sentences": ""}), pytest.raises(ValueError, match="at least one sentence"):
        dose_panel.question((Model("bundled"),))
    with fields.given(given | {"evidence_place": "layer 40"}):  # this model has no layer 40
        assert "added after" not in dose_panel.question((Model("bundled"),))(()).context


@pytest.mark.slow
def test_every_tab_has_files_with_its_query_and_the_model(visit, bundled, monkeypatch, tmp_path):
    monkeypatch.setattr(long_work, "AT_ONCE", 60.0)
    for query, fold, names, function in (
        (OWN, "all-cases", ("battery-cases", "battery-rates", "battery-rates-for-pairs-correct-before-the-edit"),
         "battery"),
        (SMALL, "dose-files", ("dose-curve", "dose-points"), "dose"),
        ({"evidence_tab": "minimal", "evidence_pair_count": 8}, "all-minimal-pairs",
         ("minimal-pairs-pairs", "minimal-pairs-rates"), "pair_battery"),
    ):  # fmt: skip
        at = visit("evidence", **query | {"open": fold})
        kept = {name: data for name, data in at.downloads().items() if name.partition(".")[0] in names}
        assert set(kept) == {f"{name}{kind}" for name in names for kind in (".parquet", ".csv")}, kept.keys()
        (zipped,) = (data for name, data in at.downloads().items() if name.endswith(".zip"))
        archive = zipfile.ZipFile(io.BytesIO(zipped))
        assert set(archive.namelist()) >= {f"{name}.csv" for name in names} | {"settings.json"}
        settings = json.loads(archive.read("settings.json"))
        for name in names:
            (tmp_path / f"{name}.parquet").write_bytes(kept[f"{name}.parquet"])
            frame, described = files.read(tmp_path / f"{name}.parquet")
            assert len(frame) and described["model_checksum"] == bundled.checksum == settings["model_checksum"]
            assert json.loads(described["query"]) == settings["query"]
            assert settings["query"]["function"] == f"embtools.evidence.{function}"
            plain = kept[f"{name}.csv"]  # one table, and only the table
            assert plain.decode().splitlines()[0] == ",".join(frame.columns) and plain == archive.read(f"{name}.csv")
        if fold == "all-cases":
            whole = at.table("rate", "low")
            pd.testing.assert_frame_equal(files.read(tmp_path / "battery-rates.parquet")[0], whole)


SMALL = {"evidence_tab": "dose", "evidence_dose_count": 2, "evidence_stay": "", "evidence_relation": "own",
         "evidence_pairs": PAIRS, "evidence_sentences": "{a} is the capital of [MASK]."}  # fmt: skip


@pytest.mark.slow
def test_a_dose_curve_has_a_headline_two_charts_and_code(visit, bundled):
    at = visit("evidence", **SMALL)
    expected = over(dose, READ, bundled, edit=inputs.EDIT.default, sentences=("{a} is the capital of [MASK].",), others=1,
                    first=2)  # fmt: skip
    assert not at.problems and at.finding == expected.sentence("input")
    assert at.says(expected.deepest, *expected.cautions, f"These curves are based on {expected.size}.")
    assert "rough guide" in expected.cautions[-1]
    pd.testing.assert_frame_equal(at.table("strength", "rate"), expected.curve)
    pd.testing.assert_frame_equal(at.table("half", "harm"), expected.points)
    at.links_to_itself()
    copied = at.copied(bundled)
    assert expected.headline in copied.printed
    at.put("evidence_place", "layer 2")
    assert at.finding == expected.sentence("layer 2") and "layer 2" in at.charts[0].alt
    at = visit("evidence", **SMALL | {"evidence_place": "after9", "evidence_tab": "battery"})
    at.test.session_state["share-code"], at.test.session_state["evidence_tab"] = True, "Dose"
    assert at.run().finding == expected.sentence("input")  # this model has no layer 9
    assert "print(dosed.headline)\n" in at.test.code[-1].value


@pytest.mark.slow
def test_partial_curves_are_drawn_while_the_rest_is_computed(visit, bundled, monkeypatch, parts):
    monkeypatch.setattr(dose_numbers, "BLOCK", 1)
    typed = {"evidence_dose_count": 4, "evidence_edit": "{a} = {a} + {c}", "evidence_place": "after1"}
    visit("evidence", **SMALL | typed | {"evidence_sentences": "All in {a} is in [MASK]."}, tables=False)
    given = {"edit": "{a} = {a} + {c}", "sentences": ("All in {a} is in [MASK].",), "others": 1, "first": 2}
    part = over(dose, READ, bundled, **given).of("layer 1", "edit", "efficacy")
    lines = {trace.name: trace for trace in next(figure for key, figure in parts if key.endswith("-2")).data}
    assert lines["efficacy"].y.tolist() == pytest.approx(part["rate"].tolist())
    assert [key.rpartition("-")[2] for key, _ in parts][:3] == ["1", "2", "3"]


def test_a_long_dose_curve_waits_for_its_button(visit, monkeypatch):
    monkeypatch.setattr(long_work, "AT_ONCE", 0.0)
    at = visit("evidence", **SMALL | {"evidence_edit": "{a} = {c}"})
    assert not at.charts and "Run the dose curve" in [button.label for button in at.button]
    at = visit("evidence", **SMALL | {"evidence_pairs": "Rome"})
    assert len(at.problems) == 1 and "there are not two words: line 1 ('Rome')" in at.problems[0]


TAB = {"evidence_tab": "minimal"}
SCALES = "coloraxis", "coloraxis2"
LIST = "good,bad,phenomenon\nHe is here.,He are here.,verbs\nIt was red.,It were red.,verbs\nWe see her.,We sees her.,see\n"


@pytest.mark.usefixtures("computing")
def test_two_sentences_have_a_headline_strips_and_code(visit, bundled):
    first, second = "She has seen him.", "She have seen him."
    at = visit("evidence", **TAB, evidence_pair_first=first, evidence_pair_second=second, evidence_pair_method="shared")
    expected = minimal_pair(first, second, bundled, method="shared")
    assert not at.problems and at.finding == expected.headline
    assert at.says(expected.decision) and len(at.charts) == 1 and expected.headline in at.charts[0].alt
    pd.testing.assert_frame_equal(at.table("part", "difference"), expected.tokens)
    assert "Score all pairs" in [button.label for button in at.button]  # the battery waits
    at.links_to_itself()
    copied = at.copied(bundled)
    assert expected.headline in copied.printed and expected.decision in copied.printed
    at = visit("evidence", **TAB, evidence_pair_first="He came.", evidence_pair_second="He suddenly came.")
    assert at.says("The sentences have 3 and 4 tokens")


@pytest.mark.usefixtures("computing")
def test_strips_of_two_models_have_the_same_colours_also_in_a_notebook(visit, second, bundled, worded):
    second(worded)
    at = visit("evidence", **TAB, compare=BASE)
    shown, notebook = figures_of.of_page(at), at.notebook()
    one, two = (shown[name]["layout"] for name in ("strips", "strips-second"))
    assert [one[scale]["cmax"] for scale in SCALES] == [two[scale]["cmax"] for scale in SCALES]
    assert figures_of.drawn(notebook, at.copied(bundled, worded)) == shown
    assert sum(".beside(" in cell.source for cell in notebook.cells) == 2


def test_a_list_of_pairs_has_rates_and_opens_the_pair_that_was_chosen(visit, bundled):
    at = visit("evidence", **TAB, evidence_pair_list="own", evidence_pair_own=LIST, open="all-minimal-pairs")
    expected = pair_battery(read_pairs(LIST), bundled, how=Scoring(first=200))
    assert not at.problems and at.says(expected.headline, *expected.findings) and len(at.charts) == 3
    pd.testing.assert_frame_equal(at.table("rate", "p_adjusted"), expected.rates)
    pd.testing.assert_frame_equal(at.table("score_first", "prefers_first"), expected.items)
    at.links_to_itself()
    assert expected.headline in at.copied(bundled).sentences
    put = {}
    pick = minimal_pairs._pick(expected)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(minimal_pairs.state, "put", put.update)
        pick.row(expected.items[expected.items["number"] == 2].iloc[0])
        pick.take(99)
    assert put == {"evidence_pair_first": "It was red.", "evidence_pair_second": "It were red."}
    at.put("evidence_pair_own", "")
    assert not at.problems and at.says("Write pairs of sentences or upload a file.")


def test_a_file_becomes_the_list():
    values = minimal_pairs.read_file(LIST.encode())
    assert values == {"evidence_pair_own": LIST, "evidence_pair_list": "your own pairs", "evidence_pair_count": 3}
    with pytest.raises(ValueError, match="no columns named good and bad"):
        minimal_pairs.read_file(b"=cmd|x,y\n")


def stereoset(size: int) -> bytes:
    """A file in StereoSet's format of about this many bytes, most of which the app does not read."""
    sentences = {
        "stereotype": "The nurse number {} is kind.",
        "anti-stereotype": "The nurse number {} is bold.",
        "unrelated": "The nurse number {} is seven.",
    }
    examples = [
        {
            "id": str(i), "target": "nurse", "bias_type": "gender",
            "sentences": [
                {"gold_label": label, "sentence": text.format(i), "labels": ["x" * (size // 6_000)]}
                for label, text in sentences.items()
            ],
        }
        for i in range(2_000)
    ]  # fmt: skip
    return json.dumps({"data": {"intersentence": [], "intrasentence": examples}}).encode()


@pytest.mark.slow
def test_a_published_file_of_several_megabytes_is_read(visit, monkeypatch):
    monkeypatch.setattr(long_work, "AT_ONCE", 0.0)
    at = visit("evidence", **TAB)
    assert at.says("up to 8 MB in size and contain up to 2,500 pairs")
    field = at.field("evidence-pair-file")
    assert field.proto.max_upload_size_mb == 8
    data = stereoset(3_000_000)
    assert 3_000_000 < len(data) < 5_000_000
    field.set_value(("dev.json", data, "application/json"))
    at.run()
    assert not at.problems and at.session_state["evidence_pair_list"] == "your own pairs"
    assert at.session_state["evidence_pair_count"] == 2_000
    last = at.session_state["evidence_pair_own"].splitlines()[-1]
    assert last.startswith("The nurse number 1999 is kind.,The nurse number 1999 is bold.,gender,")


def test_stereotypes_have_three_scores_and_a_caution(visit, bundled):
    text = "stereotype,anti_stereotype,bias_type,unrelated,target\nHe is bad.,He is good.,x,He is seven.,he\n"
    at = visit("evidence", **TAB, evidence_pair_list="own", evidence_pair_own=text)
    rows = (("He is bad.", "He is good.", "x", "He is seven.", "he"),)
    expected = pair_battery(PairList("stereoset", rows), bundled, how=Scoring(first=200))
    assert at.says(expected.three_scores, "does not show that a model is unbiased") and len(at.charts) == 4
    assert expected.headline in at.copied(bundled).sentences
    pd.testing.assert_frame_equal(at.table("icat", "targets"), expected.scores)
