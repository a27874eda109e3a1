"""The rules of a room, without a store."""

import json

import pytest

from embtools.rooms.room import MOST_ADDRESS, MOST_QUESTIONS, Room
from tests.rooms.contract import CAPITAL, COLOUR

ROOM = Room("K7QF2MXP", "digest")


def test_phones_get_the_question_and_only_after_the_reveal_the_result():
    open_room = ROOM.hand_out("bias?bias_k=3").ask(CAPITAL)
    assert open_room.face == {
        "page": "", "number": 1, "open": True, "context": CAPITAL.context, "text": CAPITAL.text, "choices": CAPITAL.choices,
    }  # fmt: skip
    assert open_room.reveal([1, 2, 0]).face == {
        **open_room.face, "page": "bias?bias_k=3", "open": False, "counts": (1, 2, 0), "shares": (0.8, 0.1, None), "answer": "Italy (80%)",
        "whose": "BERT's answer", "picked": None,
    }  # fmt: skip
    assert "digest" not in json.dumps(open_room.face)
    assert ROOM.face == {"page": "", "number": 0, "open": False}


def test_every_change_makes_another_version():
    versions = [r.version for r in (ROOM, ROOM.ask(CAPITAL), ROOM.ask(CAPITAL).reveal([0, 0, 0]))]
    assert versions == [0, 1, 2] and ROOM.hand_out("bias").version == 1


def test_a_room_survives_being_written_and_read():
    room = ROOM.hand_out("pairs").ask(CAPITAL).reveal([1, 0, 3]).ask(COLOUR)
    assert Room.read(room.text) == room
    room = ROOM.ask(COLOUR.with_answer("king", "king")).reveal([1, 2])
    assert Room.read(room.text) == room and room.face["picked"] == 1


def test_a_room_stored_by_an_earlier_version_still_opens():
    stored = json.loads(ROOM.ask(COLOUR).text)
    for name in ("context", "by_bert"):
        del stored["questions"][0][name]
    assert Room.read(json.dumps(stored)).question == COLOUR


@pytest.mark.parametrize("page", ["", "bias", "bias?bias_k=3&x=%3Cb%3E", "?guess=Italy"])
def test_pages_of_this_app_can_be_handed_out(page):
    assert ROOM.hand_out(page).page == page


@pytest.mark.parametrize(
    "page",
    [
        "javascript:alert(1)", "//evil.example", "https://evil.example", "../admin", "bias?x=a b", "bias?x=\n",
        "/bias", "bias#x", "bias?" + "x" * MOST_ADDRESS,
    ],
)  # fmt: skip
def test_nothing_else_can_be_handed_out(page):
    with pytest.raises(ValueError, match="cannot be handed out"):
        ROOM.hand_out(page)


def test_a_room_has_a_limited_number_of_questions():
    room = ROOM
    for _ in range(MOST_QUESTIONS):
        room = room.ask(COLOUR).reveal([0, 0])
    with pytest.raises(ValueError, match="at most 50 questions"):
        room.ask(COLOUR)


def test_questions_that_were_never_revealed_count_too():
    room = ROOM
    for _ in range(MOST_QUESTIONS):
        room = room.ask(COLOUR)
    with pytest.raises(ValueError, match="at most 50 questions"):
        room.ask(COLOUR)


def test_the_table_has_shares_of_the_votes():
    table = ROOM.ask(CAPITAL).reveal([1, 3, 0]).ask(COLOUR).reveal([0, 0]).table()
    assert table["share"].tolist() == [0.25, 0.75, 0.0]
    assert table["choice"].tolist() == list(CAPITAL.choices) and set(table["answer"]) == {"Italy (80%)"}
    assert set(table["text_before"]) == {CAPITAL.context.replace("\n", " ")} and "bert_probability" in table
    assert ROOM.table().empty


def test_a_single_answer_of_bert_is_no_probability_in_the_table():
    table = ROOM.ask(COLOUR.with_answer("king", "king")).reveal([3, 1]).table()
    assert "bert_probability" not in table and table["is_answer"].tolist() == [False, True]
