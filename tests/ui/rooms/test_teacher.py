"""The teacher's popover: a room, the page that is handed out, and a question made from what the page shows."""

import pytest

from embtools.rooms import opening
from embtools.rooms.rates import Rate
from embtools.rooms.store import MemoryStore, Unavailable
from embtools.ui.rooms import teacher


@pytest.fixture
def rooms(monkeypatch):
    before, own = list(opening._opened), MemoryStore()
    opening.forget(own)
    monkeypatch.setattr(teacher, "_OPENED", Rate(10**6, 10**6))
    yield own
    opening.forget(*before)


def opened(visit, page, **query):
    """A page with an open room, and its popover open."""
    at = visit(page, **query)
    assert "Open a room" not in [button.label for button in at.button]
    at.session_state["room"] = True
    return at.run().press("Open a room")


def only(rooms):
    """The only room."""
    (code,) = rooms._rooms
    return rooms.load(code)


def field(at, label):
    return next(f for f in (*at.text_area, *at.text_input) if f.label == label)


@pytest.mark.parametrize(
    "page, query, answer",
    [
        ("arithmetic", {}, "france ("), ("pairs", {}, "%"),
        ("bias", {"bias_groups": "He, She"}, "("), ("similarity", {"similarity_tab": "odd", "similarity_odd": "red, green, king"}, "king"),
    ],
)  # fmt: skip
def test_the_class_is_asked_about_what_the_page_shows(visit, rooms, page, query, answer):
    at = opened(visit, page, **query)
    room = only(rooms)
    assert room.page.startswith(f"{page}?") and at.says(f"Room {room.code[:4]}-{room.code[4:]}: 0 phones")
    assert not at.problems
    rooms.join(room.code, "phone")
    at.press("Ask")
    asked = only(rooms).question
    assert answer in asked.answer and 2 < len(asked.choices) <= 5 and any(asked.shares)
    assert at.says(asked.text, "0 of 1 answered") and not at.says(f"BERT's answer: {asked.answer}")
    assert not at.charts  # the page, which shows BERT's answer, is out of sight
    rooms.vote(room.code, "phone", 1, 1)
    at.press("Reveal")
    assert at.says(f"BERT's answer: {asked.answer}", "1 of 1 answered") and only(rooms).results[0][1] == 1
    assert len(at.charts) == 1
    at.unfold("room-results")
    assert at.table("bert_answer")["votes"].sum() == 1
    at.press("Back to the page")
    assert at.title and not at.says("1 of 1 answered")


def test_the_teacher_can_change_question_and_choices(visit, rooms):
    at = opened(visit, "arithmetic")
    field(at, "Question").set_value("Which **country** does BERT name?")
    for number, word in enumerate(("Italy", "<b>Greece</b>", "", "", ""), 1):
        field(at, f"Choice {number}").set_value(word)
    at.press("Ask")
    asked = only(rooms).question
    assert asked.text == "Which **country** does BERT name?" and asked.choices == ("Italy", "<b>Greece</b>")
    assert asked.shares[0] is not None and asked.shares[1] is None and asked.answer.startswith("france")
    (listed,) = [
        html.proto.body
        for html in at.get("html")
        if "room-choices" in html.proto.body and "<style>" not in html.proto.body
    ]
    assert "&lt;b&gt;Greece" in listed and "<b>Greece" not in listed


def test_a_question_that_cannot_be_asked_says_why_and_asks_nothing(visit, rooms):
    at = opened(visit, "arithmetic")
    for number in range(1, 6):
        field(at, f"Choice {number}").set_value("")
    at.press("Ask")
    assert at.says("A question needs 2 to 5 choices, but this one has 0.") and only(rooms).number == 0


def test_a_tab_without_a_question_takes_the_teachers_own(visit, rooms):
    at = opened(visit, "similarity", similarity_tab="spaces")
    assert at.says("This tab proposes no question.")
    for label, text in (("Question", "Who is right?"), ("Choice 1", "I am"), ("Choice 2", "BERT is")):
        field(at, label).set_value(text)
    at.press("Ask")
    assert only(rooms).question.shares == () and at.says("Who is right?")
    at.press("Reveal")
    assert not at.says("BERT's answer:")


def test_a_sentence_that_cannot_be_read_shows_its_error_instead_of_a_question(visit, rooms):
    at = opened(visit, "similarity", similarity_tab="odd", similarity_odd="red, xqzzv")
    assert at.problems and at.says("This tab proposes no question.")


def test_the_page_is_handed_out_as_it_is_now(visit, rooms):
    at = opened(visit, "similarity", similarity_tab="odd")
    assert at.says("Phones in the room have a link to this page as it is now.")
    at.put("similarity_odd", "red, green, king")
    assert at.says("Phones in the room have a link to another page")
    at.press("Hand out this page")
    assert "similarity_odd=red%2C+green%2C+king" in only(rooms).page


def test_a_closed_room_is_gone_and_another_can_be_opened(visit, rooms):
    at = opened(visit, "similarity", similarity_tab="odd")
    first = only(rooms)
    at.press("Close the room")
    assert not rooms._rooms
    at.press("Open a room")
    assert only(rooms).code != first.code


def test_neither_key_nor_code_is_in_the_address(visit, rooms):
    at = opened(visit, "similarity", similarity_tab="odd")
    code, key = at.session_state["room-own"].split()
    assert key not in str(at.test.query_params) and code not in str(at.test.query_params)


def test_too_many_rooms_from_one_network_are_refused(visit, rooms, monkeypatch):
    monkeypatch.setattr(teacher, "_OPENED", Rate(0, 0))
    at = opened(visit, "similarity", similarity_tab="odd")
    assert at.says("Too many rooms were opened from your network.") and not rooms._rooms


def test_a_store_that_is_away_leaves_the_page_as_it_is(visit, rooms, monkeypatch):
    at = opened(visit, "similarity", similarity_tab="odd")

    def away(*_):
        raise Unavailable("The rooms cannot be reached now. Try again in a minute.")

    for name in ("load", "people", "counts"):
        monkeypatch.setattr(rooms, name, away)
    at.run()
    assert at.says("The rooms cannot be reached now.", "Which word does not belong?")
    monkeypatch.undo()
    opening.forget(rooms)
    assert at.run().says("0 phones")  # the room is still there


def test_a_room_that_cannot_be_closed_keeps_its_key(visit, rooms, monkeypatch):
    at = opened(visit, "similarity", similarity_tab="odd")

    def away(*_):
        raise Unavailable("The rooms cannot be reached now. Try again in a minute.")

    monkeypatch.setattr(rooms, "remove", away)
    at.press("Close the room")
    assert at.says("The rooms cannot be reached now.", "0 phones") and only(rooms)
    monkeypatch.undo()
    opening.forget(rooms)
    at.press("Close the room")
    assert not rooms._rooms


def test_all_addresses_of_an_ipv6_network_open_rooms_together(visit, rooms, monkeypatch):
    asked = []
    monkeypatch.setattr(teacher._OPENED, "allows", lambda sender: asked.append(sender) is None, raising=False)
    monkeypatch.setattr(type(teacher.st.context), "ip_address", "2001:db8:1:2:3::4")
    opened(visit, "similarity", similarity_tab="odd")
    assert asked == ["2001:db8:1:2::/64"] and only(rooms)


def test_without_groups_no_question_is_proposed(visit, rooms):
    at = opened(visit, "bias", bias_groups=",")
    assert at.says("Write at least one group.", "This tab proposes no question.")
