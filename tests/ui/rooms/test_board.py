"""The view for the projector: where phones join, and which page it belongs to."""

import re

import pytest

from embtools.rooms import store
from embtools.rooms.question import Question
from embtools.rooms.rates import Rate
from embtools.ui import qr
from embtools.ui.rooms import board, teacher
from tests.rooms.contract import CAPITAL, COLOUR


@pytest.mark.parametrize(
    "url, page, expected",
    [
        ("http://10.0.0.2:8501/pairs/", "pairs", "http://10.0.0.2:8501/room/CODE"),
        ("https://x.org/bert/pairs?a=1#b", "pairs", "https://x.org/bert/room/CODE"),
        ("https://x.org/", "", "https://x.org/room/CODE"),
    ],
)
def test_phones_join_at_the_address_of_the_app(url, page, expected):
    assert board.address(url, page, "CODE") == expected


def test_phones_never_join_at_localhost(monkeypatch):
    monkeypatch.setattr(qr, "own_address", lambda: "")
    assert board.address("http://localhost:8501/bias", "bias", "CODE") == ""


def shown(visit, rooms, page="similarity", **query):
    """A page whose teacher shows a room on it."""
    at = visit(page, similarity_tab="odd", **query)
    room, key = store.opened(rooms)
    at.session_state["room-own"], at.session_state["room-board"] = f"{room.code} {key}", page
    return at.run(), room, key


def test_before_the_first_question_the_class_joins(visit, rooms):
    at, room, key = shown(visit, rooms)
    assert at.says("Join with your phone", f"{room.code[:4]}-{room.code[4:]}", "0 phones are in the room")
    rooms.join(room.code, "a")
    assert at.run().says("1 phone is in the room")
    store.ask(rooms, room.code, key, CAPITAL)  # from another tab of the teacher
    assert at.run().says(CAPITAL.text, "0 of 1 answered")


def test_another_page_ends_the_view(visit, rooms):
    at, *_ = shown(visit, rooms)
    at.test.switch_page("pages/pairs.py")
    assert at.run().says("the results stay hidden") and not at.says("Join with your phone")
    at.test.switch_page("pages/similarity.py")
    assert not at.run().says("Join with your phone")


def test_a_room_that_has_ended_says_so(visit, rooms):
    at, room, key = shown(visit, rooms)
    store.close(rooms, room.code, key)
    at.run()
    assert at.says("This room has ended", "when the server that stores them is restarted")
    at.press("Back to the page")
    assert at.says("Which word does not belong?")


def test_another_room_is_opened_where_one_has_ended(visit, rooms):
    at, room, key = shown(visit, rooms)
    store.close(rooms, room.code, key)
    at.run().press("Open another room")
    (code,) = rooms._rooms
    assert code != room.code and at.says("Join with your phone", f"{code[:4]}-{code[4:]}")


def test_a_board_says_why_no_other_room_was_opened(visit, rooms, monkeypatch):
    at, room, key = shown(visit, rooms)
    store.close(rooms, room.code, key)
    monkeypatch.setattr(teacher, "_OPENED", Rate(0, 0))
    at.run().press("Open another room")
    assert at.says("Too many rooms were opened") and not rooms._rooms


def test_a_new_code_sends_the_phones_away_and_keeps_the_question(visit, rooms):
    at, room, key = shown(visit, rooms)
    rooms.join(room.code, "stranger")
    store.ask(rooms, room.code, key, CAPITAL)
    at.run().press("New code")
    (code,) = rooms._rooms
    assert code != room.code and at.says(CAPITAL.text, "0 of 0 answered", f"{code[:4]}-{code[4:]}")
    assert key not in str(at.test.query_params) and at.session_state["room-own"] == f"{code} {key}"


def test_a_locked_room_says_so_and_can_be_opened_again(visit, rooms):
    at, room, _ = shown(visit, rooms)
    at.press("Lock")
    assert rooms.load(room.code).locked and at.says("0 phones are in the room (locked)")
    at.press("Let phones in")
    assert not rooms.load(room.code).locked and not at.says("(locked)")


@pytest.mark.parametrize(
    "length, kind", [(20, '"room-question"'), (300, '"room-question long"'), (500, '"room-question longest"')]
)
def test_a_long_question_is_written_smaller(visit, rooms, length, kind):
    at, room, key = shown(visit, rooms)
    store.ask(rooms, room.code, key, Question("y" * 80, ("a", "b"), context="x" * length))
    at.run()
    assert [html for html in at.get("html") if f"<h1 class={kind}>" in html.proto.body]


def test_nothing_but_the_room_is_on_the_projector(visit, rooms):
    at, *_ = shown(visit, rooms)
    sheets = [html.proto.body for html in at.get("html") if "st-key-room-joining" in html.proto.body]
    assert len(sheets) == 1 and re.search(r"stSidebar.*stHeader.*display: none", sheets[0])
    at.press("Back to the page")
    assert not [html for html in at.get("html") if html.proto.body == sheets[0]]


def test_a_room_that_ends_while_it_is_shown_is_drawn_once_more(rooms, monkeypatch):
    drawn = []
    monkeypatch.setattr(board.st, "session_state", {})
    monkeypatch.setattr(board.st, "rerun", lambda: drawn.append("again"))
    for _ in range(2):  # another room later in the same session
        room, key = store.opened(rooms)
        store.close(rooms, room.code, key)
        before = len(drawn)
        for _ in range(3):
            board._live.__wrapped__(room)
        assert len(drawn) == before + 1


def test_reveal_closes_only_the_question_that_is_shown(visit, rooms):
    at, room, key = shown(visit, rooms)
    store.ask(rooms, room.code, key, CAPITAL)
    at.run()
    store.ask(rooms, room.code, key, COLOUR)  # from another tab of the teacher
    at.press("Reveal")
    assert rooms.load(room.code).is_open and at.says(COLOUR.text)


def test_the_code_of_the_room_is_a_picture_with_a_description(visit, rooms, monkeypatch):
    monkeypatch.setattr(type(board.st.context), "url", "https://bert.example.org/similarity")
    at, room, _ = shown(visit, rooms)
    (code,) = [html.proto.body for html in at.get("html") if 'class="qr"' in html.proto.body]
    assert f"QR code to join the room: https://bert.example.org/room/{room.code}" in code
    assert at.says("bert.example.org/room/")
