"""A link to a tab's old place goes on to its new one, with all that it says."""

from urllib.parse import parse_qs

import pytest

from embtools.ui import moved, page
from embtools.ui.pairs import questions

OLD = {
    "layers_tab": "Questions and answers", "layers_question": "Who wrote it?", "layers_answers": "Keats\nByron",
    "layers_answer_recipe": "layer 1", "layers_answer_pooling": "sentence: max",
}  # fmt: skip


def opened(visit, page, **query):
    """The page that an old link opens: the browser goes on to the address that the page hands it."""
    assert not visit(page, **query).title  # nothing else is drawn there
    asked = {key: value if isinstance(value, list) else [value] for key, value in query.items()}
    target, _, rest = moved.address(page, asked).partition("?")
    return visit(target, **parse_qs(rest, keep_blank_values=True))


def test_an_old_link_opens_the_tab_where_it_is_now(visit):
    at = opened(visit, "layers", **OLD, layers_word="rock", picture="png", open="answers-typed")
    assert at.title[0].value == "Pairs" and not at.problems
    held = {key: at.session_state[key] for key in ("pairs_tab", *(field.key for field in questions.FIELDS))}
    assert list(held.values()) == list(OLD.values())
    assert at.session_state["picture"] == "png" and at.session_state["open"] == ("answers-typed",)
    assert at.table("rank")["answer"].tolist() and at.header[0].value.startswith("The most similar answer is")
    assert not [key for key in at.query_params if key.startswith("layers_")]


def test_other_links_stay_where_they_are(visit):
    assert visit("layers", layers_tab="One word", layers_question="Who?").title[0].value == "Layers"


@pytest.mark.parametrize("tab", moved.MOVED, ids=lambda tab: tab.tab)
def test_what_has_moved_is_there_and_no_longer_where_it_was(tab, visit):
    assert {tab.page, tab.target} <= {page.name for page in page.PAGES}
    fields = visit(tab.target).session_state["state-fields"]
    assert set(tab.names.values()) <= set(fields)
    assert tab.tab in fields[tab.names[tab.key]].options
    assert tab.tab not in visit(tab.page).session_state["state-fields"][tab.key].options


def test_a_link_keeps_what_all_pages_share_and_repeated_parameters():
    old = moved.Moved("here", "here_tab", "it", "there", {"here_tab": "there_tab", "here_x": "there_x"})
    asked = {"here_tab": ["it"], "here_x": ["1", "2"], "here_y": ["3"], "model": ["m"], "open": ["a", "b"]}
    assert old.link(asked) == {"there_tab": ["it"], "there_x": ["1", "2"], "model": ["m"], "open": ["a", "b"]}
    assert old.link({"here_tab": ["that"]}) is None and old.link({}) is None
