"""Home's search field: four answers for a word, and what it says about words that the model does not have."""

import random
import re
from urllib.parse import unquote_plus

import pytest

from embtools import nearest
from embtools.features.mixes import decompose_formula
from embtools.occurrences.corpus import built_in_corpus
from embtools.ui import panels
from embtools.ui.home import word_search
from embtools.words.groups import read_groups


def query_of(at, label):
    """The page and the parameters of a link."""
    (link,) = [link.proto for link in at.get("page_link") if link.proto.label == label]
    return link.page, dict(re.findall(r"([^&=]+)=([^&]*)", link.query_string))


def test_a_word_has_neighbours_a_map_senses_and_parts(visit, bundled):
    at = visit()
    assert not at.says("Neighbours", "Nearest words")
    at.put("word", "  Bank ")
    assert not at.problems and at.query_params["word"]
    near = nearest("bank", bundled, k=12, inputs=False, whole_words=True)
    assert at.says(*(f"{row.token} ({row.cosine:.2f})" for row in near.head(5).itertuples()))
    assert at.says(decompose_formula("Bank", bundled).headline)
    count = sum(bool(re.search(r"\bbank\b", sentence.lower())) for sentence in built_in_corpus().sentences)
    assert at.says(f"The built-in corpus has {count} sentences with Bank, of 2 senses.")
    at.links_to_itself()


@pytest.mark.slow
@pytest.mark.parametrize("word", ["bank", "don"])
def test_each_link_opens_a_page_about_the_word(visit, bundled, word):
    for each in word_search.answers(word, word_search.Model("bundled")):
        at = visit(each.leads, **each.query)
        assert not at.problems and at.charts, each
        assert at.says(word) or word in str([chart.spec for chart in at.charts])


@pytest.mark.parametrize("word", ["bank", "Bank"])
def test_the_map_holds_each_word_once(bundled, word):
    _, mapped, *_ = word_search.answers(word, word_search.Model("bundled"))
    groups = read_groups(mapped.query["clusters_words_own"])
    words = [word.lower() for _, of in groups for word in of]
    assert len(words) == len(set(words)) and words[0] == "bank" and len(groups) > 2
    assert mapped.says.startswith(f"{len(words)} words")


def test_a_word_without_labelled_senses_or_sentences_says_so(visit):
    assert visit(word="cold").says("senses are not labelled")
    at = visit(word="umbrella")
    assert at.says("The built-in corpus has") and at.says("Write your own.")
    assert unquote_plus(query_of(at, "Compare it in two sentences")[1]["inputs_first"]) == "I found an umbrella."


@pytest.mark.parametrize("word", ["lodnon", "king - man"])
def test_an_unknown_word_has_a_suggestion_or_shows_its_tokens(visit, word):
    at = visit(word=word)
    (problem,) = at.problems
    assert "Traceback" not in problem and at.says("BERT reads a word that is not in its vocabulary as several tokens.")
    if word == "lodnon":
        at.press("use-word-london")
        assert not at.problems and at.says("Nearest words")


@pytest.mark.parametrize("word", ["**b** <img src=x>", "[MASK]", "\u202eabc", '"'])
def test_odd_words_are_answered_with_text(visit, word):
    at = visit(word=word)
    assert not [html for html in at.get("html") if "<img src=x>" in html.proto.body]
    assert len(at.problems) <= 1


def test_a_surprise_is_an_example_that_was_not_shown_before(monkeypatch):
    from embtools.ui.home.word_search import _SIMPLE, st, surprise

    session: dict[str, object] = {}
    monkeypatch.setattr(st, "session_state", session)
    random.seed(3)
    first = (next(iter(panels.of(name).values())) for name in _SIMPLE)  # no test of Mantel for a beginner
    total = sum(len(panel.PRESETS) for panel in first)
    for _ in range(total):
        script, query = surprise()
        name = script.removeprefix("pages/").removesuffix(".py")
        fields = {field.key: field for panel in panels.of(name).values() for field in panel.FIELDS} | {
            f"{name}_tab": None
        }
        assert set(query) <= set(fields)
        for key, parts in query.items():
            if fields[key] is not None:
                assert fields[key].write(fields[key].read(parts)) == parts, key
    seen = session["surprises"]
    assert len(seen) == len(set(seen)) == total > 40
    surprise()
    assert len(session["surprises"]) == 1  # all were shown: it begins again
