"""Home: the guess, its reveal from the model's own numbers, a card for every page."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from embtools import fill_mask, stored_scores
from embtools.arithmetic import controls, verdict
from embtools.arithmetic.candidate_words import candidates
from embtools.mask_filling.edits import Change
from embtools.ui import home, menu

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
    assert not page.toggle  # no switch yet
    assert [b.label for b in page.button if b.key.startswith("guess-")] == list(home.WORDS)


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
    for word, (before, now) in zip(home.WORDS, widths, strict=True):
        assert (before, now) == (0, pytest.approx(100 * known[word.lower()], abs=0.005))
        assert f"{word} {known[word.lower()]:.1%}" in text
    assert page.query_params["guess"] in (guess, [guess])


def test_the_switch_moves_the_bars_and_states_the_finding(visit, bundled) -> None:  # type: ignore[no-untyped-def]
    page = visit().press("guess-France").put("french", True)
    text = verdict.finding(controls.experiment(ROME, bundled, change=CHANGE, k=5))
    for country in ("france", "italy", "china"):
        assert country in text
        text = text.replace(country, country.capitalize())
    assert page.says(text, "mix was chosen by comparing the results of edits of capital cities")
    words = candidates(ROME, bundled, words=home.WORDS, change=CHANGE).set_index("word")
    for word, (before, now) in zip(home.WORDS, bars(page)[1], strict=True):
        assert before == pytest.approx(100 * words.loc[word, "probability_before"], abs=0.005)
        assert now == pytest.approx(100 * words.loc[word, "probability_after"], abs=0.005)
    again = visit(guess="France", french=True)
    assert bars(again) == bars(page) and again.texts == page.texts


def test_nothing_is_hard_coded(visit, lend, tiny) -> None:  # type: ignore[no-untyped-def]
    """Another model has other numbers; one that does not know the words says so."""
    lend(tiny)
    page = visit(guess="Italy")
    assert page.problems and "greece" in page.problems[0].lower()


def test_every_page_has_a_card_with_a_picture_and_its_question(visit) -> None:  # type: ignore[no-untyped-def]
    page = visit()
    assert page.says(*(each.question for each in menu.PAGES))
    images = [element.proto.body for element in page.get("html") if "<img" in element.proto.body]
    assert len(images) == len(menu.PAGES)
    for body in images:
        assert len(re.search('alt="(.+?)"', body)[1]) > 20 and 'src="data:image/svg+xml;base64,' in body


@pytest.mark.parametrize("name", [page.name for page in menu.PAGES])
def test_a_picture_is_small_and_draws_only(name: str) -> None:
    path = ROOT / "embtools" / "ui" / "pictures" / f"{name}.svg"
    assert path.stat().st_size < 3_000
    tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(path.read_text()).iter()}
    assert tags <= {"svg", "title", "g", "rect", "circle", "path", "polyline", "line"}


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


def test_it_says_that_an_address_can_be_recorded(visit) -> None:  # type: ignore[no-untyped-def]
    assert visit().says(
        "What you type becomes part of this page's address",
        "a proxy may log it, for example",
        "does not write it to disk",
    )


def links(page) -> dict[str, dict[str, list[str]]]:  # type: ignore[no-untyped-def]
    """The parameters of each link on the page, by its label; all tests unfold tables."""
    found = ((each.proto.label, parse_qs(each.proto.query_string, True)) for each in page.get("page_link"))
    return {label: {key: parts for key, parts in asked.items() if key != "tables"} for label, asked in found}


def test_the_next_step_is_an_empty_sentence_or_the_controls_of_the_game(visit) -> None:  # type: ignore[no-untyped-def]
    page = visit(guess="Italy", picture="png")
    own = links(page)["Try your own sentence"]
    assert own == {"picture": ["png"], "arithmetic_text": [""], "arithmetic_edits": [""]}
    assert links(page.put("french", True))["Could it be chance? See the controls"] == {"picture": ["png"]}
    asked = visit("arithmetic", arithmetic_text="", arithmetic_edits="")
    assert asked.header[0].value == "Type a sentence with a missing word"


@pytest.mark.slow
@pytest.mark.parametrize("query", [{}, {"guess": "Italy"}])
def test_it_draws_before_it_loads_a_model(query: dict[str, str]) -> None:
    code = f"""
import sys
from streamlit.testing.v1 import AppTest
from embtools.ui import home, warm
seen = []
home.answer = lambda place, model: seen.append(sorted({{name.partition('.')[0] for name in sys.modules}}))
warm.visited = lambda pages: None
test = AppTest.from_file("app.py", default_timeout=60)
test.query_params.update({query!r})
test.run()
assert not test.exception and len(seen) == 1 and len(test.button) == 4, test.exception  # three guesses and Surprise me
late = {{"torch", "transformers", "sklearn", "umap", "tokenizers", "safetensors"}} & set(seen[0])
assert not late, late
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
