"""The Paper page without a browser; every claim's link opens the page that shows its number."""

import json

import pandas as pd
import pytest

from embtools.paper import claims, reports
from embtools.paper.measured import Condition, Measured, occurrences
from embtools.paper.studies import study
from embtools.paper.study_result import CLAIMS, TITLES
from embtools.ui import fields, menu, panels
from embtools.ui.paper import claims as panel
from embtools.ui.paper import studies as studies_panel
from embtools.ui.paper.links import LINKS, MANY, STUDIES
from embtools.ui.shown import Model

pytestmark = pytest.mark.usefixtures("as_shipped")


@pytest.fixture
def quick(monkeypatch):
    """Claims that are measured at once: the model's own work is tested elsewhere. Returns what was requested."""
    calls = []

    def measure(name, model, *, progress=None):
        calls.append(name)
        return Measured(f"anew {name}", (Condition(f"It is {name}.", True, f"As {name} shows."),))

    monkeypatch.setattr(claims, "measure", measure)
    return calls


def test_page_opens_with_what_is_stored_and_asks_the_model_nothing(page, bundled, quick):
    at = page()
    found = reports.read_stored(bundled)
    assert at.finding == reports.finding(found) and not at.problems and not quick
    pd.testing.assert_frame_equal(at.tables[0], reports.table(found))
    pd.testing.assert_frame_equal(at.tables[1], reports.comparison(found))
    assert at.charts[0].alt.startswith("28 claims by verdict. Holds: A1, A2, A5")
    assert at.says(
        "Small model: figures differ from those of BERT base",
        "france, 92.9% (model: bert-base-uncased)",
        "The top answer is france.",
        "Each of 30 words of the same kind as Italy was subtracted instead. None of them reaches",
        "changes from France to Italy”, but the change is from Italy to France.",
    )
    assert len(json.loads(at.charts[1].spec)["data"]) == 3
    copied = at.copied(bundled)
    assert copied.results.results == found and copied.printed[0] == at.finding
    pd.testing.assert_frame_equal(copied.printed[1], at.tables[0])
    pd.testing.assert_frame_equal(copied.printed[2], at.tables[1])


@pytest.mark.parametrize("text", claims.texts()[:2])
def test_every_text_has_its_cards(page, text):
    at = page(paper_text=panel.TEXT.write(text)[0])
    for claim in claims.claims():
        assert at.says(claim.note) == (claim.text == text), claim.id
    links = [link.proto.label for link in at.get("page_link") if link.proto.label.startswith("Try it on ")]
    assert len(links) == sum(claim.text == text for claim in claims.claims())


def test_one_claim_is_computed_on_request_and_stays(page, bundled, quick, cold):
    at = page().press("requested-paper-A2-button")
    assert quick == ["A2"] and at.says("anew A2", "It is A2.", "As A2 shows.", "Computed on this server")
    assert not any(b.key == "requested-paper-A2-button" for b in at.button)
    assert page().says("anew A2") and quick == ["A2"]  # remembered for all
    copied = at.copied(bundled)
    assert "report(model, computed=('A2',))" in copied.code and copied.results.results["A2"].answer == "anew A2"


def test_all_are_computed_on_request_with_a_stop_that_loses_nothing(page, quick, stop):
    stop("Computing 28 claims")
    at = page().press("requested-paper-all-button")
    assert not quick and any("was stopped." in problem for problem in at.problems)
    at.press("Run again")
    assert sorted(quick) == sorted(c.id for c in claims.claims()) and not at.problems
    assert at.finding == "Of 28 claims, 28 hold in this model."
    assert not any("requested-paper" in b.key for b in at.button)


def test_two_stopped_claims_wait_for_their_own_buttons(page, quick, stop):
    for name in ("A1", "A2"):
        stop(f"Computing {name}")
    at = page().press("requested-paper-A1-button").press("requested-paper-A2-button")
    assert len(at.problems) == 2 and not quick
    at.press("Run again")
    assert quick == ["A1"] and len(at.problems) == 1 and "Computing A2 was stopped" in at.problems[0]


def test_another_model_has_only_the_claims_that_were_requested(page, lend, tiny):
    lend(tiny)
    at = page()
    assert at.finding.startswith("None of the 28 claims") and len(at.charts) == 1
    at.press("requested-paper-A2-button")
    assert "27 are not computed yet" in at.finding and len(at.charts) == 2
    at.press("requested-paper-A1-button")
    assert at.says("This claim cannot be tested in this model.", "Undecided")


def test_the_output_of_a_model_is_shown_as_it_is(page):
    claim = claims.claims()[1]
    shown = panel.body(claim, Measured("<img src=x> *a*", (Condition("<b>", None, "<i>"),)))
    assert "&lt;img src=x&gt; *a*" in shown and "&lt;b&gt;" in shown and "&lt;i&gt;" in shown and "?</b>" in shown


def test_a_card_marks_every_condition_also_for_screen_readers():
    held = [Condition("a", True, ""), Condition("b", False, ""), Condition("c", None, "")]
    shown = panel.body(claims.claims()[0], Measured("", tuple(held)))
    for text, mark in (("holds", "✓"), ("fails", "✗"), ("undecided", "?")):
        assert f'aria-label="{text}" title="{text}">{mark}</b>' in shown


def test_a_study_has_its_sentence_its_values_files_and_the_way_to_its_claim(visit, bundled):
    at = visit("paper", paper_tab="studies", paper_study="colours", open="study-items")
    expected = study("colours", bundled)
    assert not at.problems and at.finding == expected.headline
    assert at.says(f"The article: “{expected.sentence}”", *expected.notes) and len(at.charts) == 1
    pd.testing.assert_frame_equal(at.table("quantity", "value"), expected.rows)
    pd.testing.assert_frame_equal(at.table("cosine", "use"), expected.items)
    at.links_to_itself()
    assert expected.headline in at.copied(bundled).printed
    names = {name.partition(".")[0] for name in at.downloads()}
    assert {"study-colours-values", "study-colours-items"} <= names
    given = {panel.TEXT.key: claims.texts()[1], studies_panel.STUDY.key: TITLES["colours"]}
    with fields.given(given):
        assert "with appearance" in studies_panel.question((Model("bundled"),))(()).choices
    at.press("Card of claim A4")
    assert at.says(next(claim.claim for claim in claims.claims() if claim.id == "A4")) and not at.problems


def test_a_card_opens_the_study_of_its_claim(page, bundled):
    assert {name: key for name, (_, key) in STUDIES.items()} == CLAIMS
    at = page().press("study-of-A4")
    assert at.finding == study("colours", bundled).headline and not at.problems


# Every link opens the page that shows the claim's number.

SEEN = {
    "A1": ("of the words, the nearest word is in the same group",),
    "A2": ("The strongest control, subtracting a different word, gives france 32% on average (30 runs",),
    "A4": ("BERT finds black and white most similar", "(cosine 0.51)"),
    "A5": ("The nearest word is king (cosine", ", one of the formula's own words."),
    "A6": ("“nurse” has the widest gap: 14.0% for She and 0.5% for He.",),
    "B3": ("7 × 1 × 22 × 384 = 59,136",),
    "B4": ("1,536",),
    "B5": ("A sentence's vector has 384 dimensions.",),
    "C1": ("1,004 sentences",),
    "C3": ("together come close to cold (77%), mostly “warm”.",),
    "D1": ("the same row gives it a probability of 18.1%",),
    "D3": ("it ranks 33rd.",),
    "D4": ("But 10 of 200 random sentences are at least as likely to follow",),
    "D6": ("Head 5.7 gives the referent of “it” more attention than the other noun in 77% of new sentences",),
    "E1": ("“rock” enters the encoder as two different vectors (cosine 0.98)",),
}


@pytest.mark.slow("A7", "B7", "C1", "C2", "C4", "C5", "D4", "D5", "D6")
@pytest.mark.parametrize("name", LINKS)
def test_the_link_of_a_claim_opens_the_page_with_its_figure(visit, bundled, name):
    target, asked = LINKS[name]
    at = visit(target, **asked)
    assert not at.problems
    assert at.says(*SEEN.get(name, ())), at.texts
    kept = reports.read_stored(bundled)[name]
    if name == "A2":
        assert at.table("token", "probability_after").set_index("token").loc[
            "france", "probability_after"
        ] == pytest.approx(kept.figures[0].here, abs=1e-4)
    elif name == "C3":
        assert at.charts[0].alt.startswith("Shares of the words in the mix: warm 58%, hot 15%, winter 8%,")
        assert "0.58 warm + 0.15 hot + 0.08 winter" in kept.answer
    elif name == "A3":
        first = at.table("token", "probability_after", "rank_after").query("rank_after == 1")
        assert f"Africa: {first['token'].iloc[0]} {first['probability_after'].iloc[0]:.1%}" in kept.answer
    elif name == "B1":
        assert at.table("token", "id")["token"].tolist()[7:11] == ["em", "##bed", "##ding", "##s"]
    elif name == "B2":
        table = at.table("segment", "segment_in_article")
        assert set(table["segment"]) == {0, 1} and table.loc[table["token"] == "they", "segment"].tolist() == [1]
        alone = visit(target, **asked | {"inputs_second": ""}).table("segment", "segment_in_article")
        assert set(alone["segment"]) == {0} and set(alone["segment_in_article"]) == {1}
    elif name == "B6":
        table = at.table("cosine_segment_1", "cosine_published").dropna()
        assert sorted(table["cosine_segment_1"]) == pytest.approx(sorted(f.here for f in kept.figures), abs=1e-4)
        assert sorted(table["cosine_published"]) == sorted(f.published for f in kept.figures)
    elif name == "B7":
        if any(button.key == "requested-layers-survey-button" for button in at.button):  # a slow machine asks first
            at.press("requested-layers-survey-button")
        for row in at.table("f1_published").itertuples():
            assert f"{row.combination}: {row[-1]:.2f} (" in kept.answer
    elif name == "B8":
        grid = at.table("combination", "pooling", "share_first").set_index(["combination", "pooling"])["share_first"]
        assert f"({100 * grid['second-to-last layer', 'sentence: mean']:.1f}%; 95% interval" in kept.answer
    elif name == "C2":
        near = at.table("rank", "word", "cosine")["word"].tolist()
        assert f"the 5 words nearest to the first occurrence are {occurrences(near[:5])}." in kept.answer
    elif name == "C4":
        near = at.table("rank", "word", "cosine")["word"].tolist()
        assert kept.answer.startswith(f"The 5 nearest words are {occurrences(near[:5])}. ")
    elif name == "C5":
        raw = at.table("measure", "raw").set_index("measure")["raw"]
        assert f"of random pairs are {raw['mean cosine of random pairs']:.2f} and" in kept.answer
        assert f"The IsoScores are {raw['IsoScore']:.2f} and" in kept.answer
    elif name == "D5":
        row = at.table("combination", "accuracy").set_index("combination").loc[f"layer {bundled.layers - 1}"]
        assert f"the part of speech of {row['accuracy']:.1%} of 204 words" in kept.answer
    elif name == "D6":
        assert (
            "Head 5.7 was chosen with 30 other sentences." in kept.answer
            and "23 of 30 (76.7%" in kept.conditions[-1].evidence
        )
    elif name == "D7":
        assert at.metrics["Layers"] == "6" and f"{at.metrics['Parameters'][:-2]} million" in kept.answer


def test_every_claim_has_a_link_to_a_page_that_exists():
    assert set(LINKS) == {claim.id for claim in claims.claims()}
    assert {target for target, _ in LINKS.values()} <= {"", *(each.name for each in menu.PAGES)}


def test_a_link_carries_another_model_along(monkeypatch):
    links = []
    monkeypatch.setattr(panel.st, "page_link", lambda script, **named: links.append((script, named["query_params"])))
    for model in ("bundled", "google-bert/bert-base-uncased"):
        panel._link(Model(model), "A2")
    single, many = {"arithmetic_scope": "tied", "arithmetic_draws": "30"}, {"back": "paper"}
    other = {"model": "google-bert/bert-base-uncased"}
    assert links == [
        ("pages/arithmetic.py", single), ("pages/evidence.py", many),
        ("pages/arithmetic.py", single | other), ("pages/evidence.py", many | other),
    ]  # fmt: skip


def test_links_to_many_words_name_fields_of_their_page():
    """The options too: a wrong one would open the page with its default."""
    for page, values in [link for links in MANY.values() for _, link in links]:
        own = panels.of(page)
        fields = {field.key: field for panel in own.values() for field in panel.FIELDS}
        for key, value in values.items():
            if key == f"{page}_tab":
                assert value in own
            else:
                assert fields[key].write(fields[key].read([value])) == [value], key
