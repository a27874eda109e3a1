"""Home: the guess and its answer, words on a map, the moving word, three doors and all pages."""

import re
import runpy
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs

import hypothesis.strategies as some
import numpy as np
import pytest
from hypothesis import given

from embtools import evaluate, fill_mask, stored_scores
from embtools.arithmetic import controls, verdict
from embtools.arithmetic.candidate_words import candidates
from embtools.lessons import bundled as bundled_lessons
from embtools.mask_filling.edits import Change
from embtools.models import catalogue
from embtools.ui import menu
from embtools.ui.home import bank, own_words, rome, stored

ROOT = Path(__file__).parents[2]
ROME, CHANGE = "Rome is the capital of [MASK].", Change.of(("rome = rome - italy + france",))


def bars(page):  # type: ignore[no-untyped-def]
    """What the bars say: their description, and the width of each before and after it grew."""
    (body,) = [element.proto.body for element in page.get("html") if 'class="growing"' in element.proto.body]
    widths = re.findall(r"--from: ([\d.]+)%; --to: ([\d.]+)%", body)
    return re.search('aria-label="(.+?)"', body)[1], [(float(a), float(b)) for a, b in widths]


def test_it_asks_before_it_answers(visit) -> None:  # type: ignore[no-untyped-def]
    page = visit()
    assert page.says("Rome is the capital of …") and not page.says("BERT answers")
    assert bars(page) == ("Three empty bars.", [(0, 0)] * 3)
    assert page.test.button(key="make-french").label == "Make Rome French"  # before a guess, too
    assert [b.label for b in page.button if b.key.startswith("guess-")] == list(rome.WORDS)


@pytest.mark.parametrize(
    ("guess", "answer"),
    [
        ("Italy", "You guessed it: BERT also answers Italy ({p})."),
        ("Greece", "BERT answers Italy ({p}). You guessed Greece."),
    ],
)
def test_a_guess_is_answered_by_the_model(visit, bundled, guess, answer) -> None:  # type: ignore[no-untyped-def]
    page = visit().press(f"guess-{guess}")
    first = fill_mask(ROME, bundled, k=1).iloc[0]
    assert first["token"] == "italy" and page.says(answer.format(p=f"{first['probability']:.0%}"))
    known = fill_mask(ROME, bundled, k=100).set_index("token")["probability"]
    text, widths = bars(page)
    for word, (before, now) in zip(rome.WORDS, widths, strict=True):
        assert (before, now) == (0, pytest.approx(100 * known[word.lower()], abs=0.005))
        assert f"{word} {known[word.lower()]:.1%}" in text
    assert page.query_params["guess"] in (guess, [guess])


@pytest.mark.parametrize("guess", ["", "France"])
def test_the_button_moves_the_bars_and_states_the_finding(visit, bundled, guess) -> None:  # type: ignore[no-untyped-def]
    page = visit(**({"guess": guess} if guess else {})).press("make-french")
    text = verdict.finding(controls.experiment(ROME, bundled, change=CHANGE, k=5))
    for country in ("france", "italy", "china"):
        assert country in text
        text = text.replace(country, country.capitalize())
    assert page.says(text, "mix was chosen by how well edits of capitals work")
    words = candidates(ROME, bundled, words=rome.WORDS, change=CHANGE).set_index("word")
    described, widths = bars(page)
    for word, (before, now) in zip(rome.WORDS, widths, strict=True):
        assert before == pytest.approx(100 * words.loc[word, "probability_before"], abs=0.005)
        assert now == pytest.approx(100 * words.loc[word, "probability_after"], abs=0.005)
        assert f"({words.loc[word, 'probability_before']:.1%} before)" in described
    again = visit(**({"guess": guess} if guess else {}), french=True)
    assert bars(again) == bars(page) and again.texts == page.texts
    assert not page.press("make-french").says(text) and page.test.button(key="make-french").label == "Make Rome French"


def test_the_line_below_the_button_counts_the_new_numbers(visit, lend, tiny, bundled) -> None:  # type: ignore[no-untyped-def]
    edited = evaluate("rome - italy + france", bundled)
    assert (edited != bundled.vector("rome")).mean() > 0.99
    assert len(edited) == bundled.dimensions == catalogue.dimensions("bundled")
    assert visit().says(f"`rome = rome − italy + france`: {len(edited)} new numbers for Rome; the sentence stays.")
    lend(tiny)
    assert visit(guess="Italy").run().says(f"{tiny.dimensions} new numbers for Rome")


def test_nothing_is_hard_coded(visit, lend, tiny) -> None:  # type: ignore[no-untyped-def]
    """Another model has other numbers; one that does not know the words says so."""
    lend(tiny)
    page = visit(guess="Italy")
    assert page.problems and "greece" in page.problems[0].lower()


def test_every_page_is_listed_with_its_question(visit) -> None:  # type: ignore[no-untyped-def]
    page = visit()
    listed = [each for each in menu.PAGES if each.section]  # the first door leads to Lessons, which has none
    assert page.says(*(each.question for each in listed), "a proxy may log it", "does not write it to disk")
    assert {each.title for each in listed} <= {link.proto.label for link in page.get("page_link")}


def test_the_doors_lead_to_a_school_hour_to_own_words_and_to_many_cases(visit) -> None:  # type: ignore[no-untyped-def]
    page = visit()
    found = links(page)
    lessons = bundled_lessons.lessons()
    for key in bundled_lessons.HOUR:
        assert found[lessons[key].title] == {"lesson": [key]}
    assert page.says(f"three lessons, {sum(lessons[key].minutes for key in bundled_lessons.HOUR)} minutes in all")
    assert found["Your sentence with a gap"] == {"arithmetic_text": [""], "arithmetic_edits": [""]}
    for label, leads in (("Your words on a map", "clusters"), ("One edit in many sentences", "arithmetic")):
        assert not visit(leads, **found[label]).problems


# A map of the visitor's words


def small_map(page):  # type: ignore[no-untyped-def]
    """The HTML of the small map."""
    (body,) = [element.proto.body for element in page.get("html") if 'class="small-map"' in element.proto.body]
    return body


def test_what_is_stored_is_what_the_model_computes(bundled) -> None:  # type: ignore[no-untyped-def]
    compute = runpy.run_path(str(ROOT / "docs" / "tools" / "write_home.py"))["compute"]
    found, computed = stored.read(), compute(bundled)
    assert found["checksum"] == computed["checksum"], "The weights have changed: python docs/tools/write_home.py"
    assert (
        found["map"]["headline"] == computed["map"]["headline"]
        and found["bank"]["senses"] == computed["bank"]["senses"]
    )
    for (word, group, *at), (own, of, *there) in zip(found["map"]["points"], computed["map"]["points"], strict=True):
        assert (word, group) == (own, of) and at == pytest.approx(there, abs=2e-3)
    for way, own in zip(found["bank"]["points"], computed["bank"]["points"], strict=True):
        assert np.array(way) == pytest.approx(np.array(own), abs=2e-3)
    assert found["bank"]["auc"] == pytest.approx(computed["bank"]["auc"], abs=2e-3)


def test_the_first_map_is_stored_and_other_words_are_drawn_in_place(visit, bundled) -> None:  # type: ignore[no-untyped-def]
    page = visit()
    assert page.says(stored.read()["map"]["headline"])
    for word in ("cat", "needle", "grief"):
        assert f">{word}</span>" in small_map(page)
    page.put("map_words", "fruit: apple, pear, kumquat\nmetals: gold, iron, tin, pear")
    result = own_words.query(page.session_state["map_words"])(bundled)
    assert page.says(result.headline, "kumquat: the mean of several tokens", "'pear' in 'metals'")
    assert not page.problems
    assert ">pear</span>" in small_map(page) and ">cat</span>" not in small_map(page)
    page.links_to_itself()
    query = links(page)["Open in Clusters"]
    clusters = visit("clusters", **query)
    assert not clusters.problems and clusters.says(result.headline)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("", "no words"), ("pets: cat, dog", "add words"), ("a: " + ", ".join(f"w{n}" for n in range(60)), "room for 40"),
        ("pets: cat, dog, CAT, bird", "are the same"),
    ],
)  # fmt: skip
def test_words_without_a_map_leave_the_one_before(visit, words, problem) -> None:  # type: ignore[no-untyped-def]
    page = visit(map_words=words)
    assert len(page.problems) == 1 and problem in page.problems[0] and page.says("Showing the page's example.")
    assert ">cat</span>" in small_map(page)


def test_words_are_no_markup(visit) -> None:  # type: ignore[no-untyped-def]
    page = visit(map_words="<b>pets</b>: cat, dog, <img src=x>, **bird**")
    assert "<img" not in small_map(page) and "&lt;b&gt;pets" in small_map(page)


def test_another_model_draws_its_map_when_asked(visit, second, worded) -> None:  # type: ignore[no-untyped-def]
    second(worded)
    page = visit(model="distilbert/distilbert-base-uncased")
    assert page.says("is not loaded yet") and not [e for e in page.get("html") if 'class="small-map"' in e.proto.body]
    page.press("draw-map")
    assert page.problems or small_map(page)


@given(
    some.lists(
        some.tuples(some.text("abc", min_size=1, max_size=12), some.floats(-1, 1), some.floats(-1, 1)),
        min_size=1,
        max_size=40,
    )
)
def test_marks_and_names_are_on_the_map(points) -> None:  # type: ignore[no-untyped-def]
    drawn = own_words.Drawn("", tuple((word, word[0], x, y) for word, x, y in points))
    places = [float(at) for at in re.findall(r"(?:left|top): (-?[\d.]+)%", own_words.html(drawn))]
    assert len(places) == 4 * len(points) and all(0 <= at <= 100 for at in places)


def test_the_moving_word_ends_where_its_last_layer_is_and_can_stand_still(visit) -> None:  # type: ignore[no-untyped-def]
    body = bank._html()
    found = stored.read()["bank"]
    marks = re.findall(r'<i class="\w+" style="left: ([\d.]+)%; top: ([\d.]+)%; color', body)
    assert len(marks) == len(found["senses"]) == body.count("@keyframes bank-") - len(found["auc"])
    assert "animation-iteration-count: 3" in body and 'type="checkbox"' in body
    for number, (left, top) in enumerate(marks):
        assert f"100.0%, 100% {{ left: {left}%; top: {top}%" in body or f"left: {left}%; top: {top}% }} }}" in body, (
            number
        )
    style = (ROOT / "embtools" / "ui" / "style.css").read_text(encoding="utf-8")
    assert re.search(r"prefers-reduced-motion: reduce\) \{[^@]*\.bank-picture \* \{ animation: none", style)
    assert visit().says(f"grows from {found['auc'][0]:.2f} to {found['auc'][-1]:.2f}.")


def test_the_model_in_use_is_in_an_expander(visit, bundled) -> None:  # type: ignore[no-untyped-def]
    page = visit()
    assert not page.metrics and not page.says("trained not to copy")
    figures = page.unfold("model").metrics
    assert (
        figures["Layers"] == str(bundled.layers)
        and figures["Tokens in the vocabulary"] == f"{len(bundled.vocabulary):,}"
    )
    shown = page.table("measure", "value", "low", "high", "n").set_index("measure")
    assert page.says("reads English", "This model was trained not to copy words from the sentence")
    scores = stored_scores.read(bundled).set_index("measure")
    assert shown["value"].to_dict() == scores["value"].to_dict()
    added = scores.loc["control: other country only added"]
    assert page.says(
        f"It did so in {added['start']:.0%} of the cases before this training, and does so in {added['value']:.0%} now."
    )


def test_scores_belong_to_the_weights_that_they_were_measured_with(visit, lend, tiny) -> None:  # type: ignore[no-untyped-def]
    lend(tiny)
    page = visit(open="model")
    assert page.metrics["Layers"] == str(tiny.layers)
    assert not page.tables and not page.says("trained not to copy")


def links(page) -> dict[str, dict[str, list[str]]]:  # type: ignore[no-untyped-def]
    """The parameters of each link on the page, by its label; all tests unfold tables."""
    found = ((each.proto.label, parse_qs(each.proto.query_string, True)) for each in page.get("page_link"))
    return {label: {key: parts for key, parts in asked.items() if key != "tables"} for label, asked in found}


def test_the_finding_leads_to_the_controls_of_the_game(visit) -> None:  # type: ignore[no-untyped-def]
    page = visit(guess="Italy", picture="png")
    assert "Could it be chance? See the controls" not in links(page)
    assert links(page.press("make-french"))["Could it be chance? See the controls"] == {"picture": ["png"]}
    asked = visit("arithmetic", arithmetic_text="", arithmetic_edits="")
    assert asked.header[0].value == "Type a sentence with a missing word"


@pytest.mark.slow
def test_it_draws_before_it_loads_a_model() -> None:
    code = """
import sys
from streamlit.testing.v1 import AppTest
from embtools.ui import warm
from embtools.ui.home import rome
seen = []
rome.answer = lambda place, model: seen.append(sorted({name.partition('.')[0] for name in sys.modules}))
warm.visited = lambda pages: None
test = AppTest.from_file("app.py", default_timeout=60)
test.query_params["guess"] = "Italy"
test.run()
assert not test.exception and len(seen) == 1 and len(test.button) == 6, test.exception  # three guesses, French, map, Surprise me
late = {"torch", "transformers", "sklearn", "umap", "tokenizers", "safetensors"} & set(seen[0])
assert not late, late
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
