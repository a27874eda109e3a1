"""The teacher's popover: a room, the page that is handed out, and a question made from what the page shows."""

import pytest

from embtools.rooms import opening
from embtools.rooms.question import MOST_TEXT
from embtools.rooms.rates import Rate
from embtools.rooms.store import Unavailable
from embtools.ui.rooms import teacher

pytestmark = pytest.mark.usefixtures("as_shipped")


def opened(visit, page, **query):
    """A page with an open room, and its popover open."""
    at = visit(page, **query)
    assert "Open a room" not in [button.label for button in at.button]
    at.session_state["room"] = True
    at.run().press("Open a room")
    return popover(at.press("Back to the page"))


def popover(at):
    """The page with its popover open."""
    at.session_state["room"] = True
    return at.run()


def only(rooms):
    """The only room."""
    (code,) = rooms._rooms
    return rooms.load(code)


def field(at, label):
    return next(f for f in (*at.text_area, *at.text_input) if f.label == label)


def away(*_):
    raise Unavailable("The store is away.")


ASKING = [
    ("arithmetic", {}, "france ("), ("pairs", {}, "%"),
    ("bias", {"bias_groups": "He, She"}, "("), ("similarity", {"similarity_tab": "odd", "similarity_odd": "red, green, king"}, "king"),
]  # fmt: skip


@pytest.mark.parametrize("page, query, answer", ASKING)
def test_the_class_is_asked_about_what_the_page_shows(visit, rooms, page, query, answer):
    at = opened(visit, page, **query)
    room = only(rooms)
    assert room.page == "" and at.says(f"Room {room.code[:4]}-{room.code[4:]}: 0 phones")
    assert not at.problems
    rooms.join(room.code, "phone")
    at.press("Ask")
    question = only(rooms).question
    assert answer in question.answer and 2 < len(question.choices) <= 5 and question.picked is not None
    assert bool(question.shares) == (page in ("arithmetic", "bias"))
    assert question.context and question.by_bert
    assert at.says(question.context, question.text, "0 of 1 answered")
    assert not at.says(f"BERT's answer: {question.answer}")
    assert not at.charts  # the page, which shows BERT's answer, is not visible
    rooms.vote(room.code, "phone", 1, 1)
    at.press("Reveal")
    assert at.says(f"BERT's answer: {question.answer}", "1 of 1 answered") and only(rooms).results[0][1] == 1
    assert only(rooms).page.startswith(f"{page}?")  # the page with the answer
    assert len(at.charts) == 1
    at.unfold("room-results")
    assert at.table("text_before")["votes"].sum() == 1
    at.press("Back to the page")
    assert at.title and not at.says("1 of 1 answered")


def test_the_projector_shows_no_answer_before_the_class_has_given_its_own(visit, rooms):
    """Not while the room is opened, nor between two questions, nor before the answer is revealed."""
    at = visit("arithmetic")
    assert at.charts
    popover(at).press("Open a room")
    assert not at.charts and at.says("Join with your phone")

    def hidden():
        return not at.charts and at.says("the results stay hidden until the class has answered") and not at.problems

    assert at.press("Back to the page") and hidden()
    at.press("room-ask-here")
    assert only(rooms).is_open and at.says(only(rooms).question.text) and not at.charts
    at.press("Back to the page")
    assert hidden()
    popover(at).press("Show on the projector").press("Reveal").press("Back to the page")
    assert at.charts and not at.says("stay hidden")
    at.put("arithmetic_text", "Berlin is the capital of [MASK].")
    assert hidden()
    at.press("Show the results")
    assert at.charts
    popover(at).press("Close the room")
    at.put("arithmetic_text", "Madrid is the capital of [MASK].")
    assert at.charts  # nobody waits for them
    popover(at).press("Open a room").press("Back to the page")
    assert hidden()


@pytest.mark.slow("average")
@pytest.mark.parametrize("tab", ["map", "average"])
def test_a_trace_waits_for_the_class_too(visit, rooms, tab):
    """A question that takes long does not start before the page is drawn: the teacher starts it from the popover."""
    at = visit("tracing", tracing_tab=tab)
    popover(at).press("Open a room").press("Back to the page")
    assert not at.charts and not at.tables and at.says("the results stay hidden until the class has answered")
    later = tab == "average"
    assert at.says("It takes some seconds") is later
    assert ("room-ask-here" in {button.key for button in at.button}) is not later
    if later:
        at = popover(at).press("Ask")
    else:
        at.press("room-ask-here")
    assert only(rooms).question.picked is not None and not at.charts
    at.press("Back to the page")
    assert not at.charts
    popover(at).press("Show on the projector").press("Reveal").press("Back to the page")
    assert at.charts and not at.says("stay hidden")


def test_a_game_hides_its_answer_from_the_class_too(visit, rooms):
    at = visit("similarity", similarity_tab="odd", similarity_odd="red, green, king", similarity_guess="red")
    assert at.charts
    popover(at).press("Open a room").press("Back to the page")
    assert not at.charts
    at.press("room-ask-here").press("Reveal").press("Back to the page")
    assert at.charts


def test_the_teacher_can_change_question_and_choices(visit, rooms):
    at = opened(visit, "arithmetic")
    field(at, "Question").set_value("Which **country** does BERT name?")
    for number, word in enumerate(("Italy", "<b>Greece</b>", "", "", ""), 1):
        field(at, f"Choice {number}").set_value(word)
    at.press("Ask")
    question = only(rooms).question
    assert question.text == "Which **country** does BERT name?" and question.choices == ("Italy", "<b>Greece</b>")
    assert question.shares[0] is not None and question.shares[1] is None and question.answer.startswith("france")
    (listed,) = [
        html.proto.body
        for html in at.get("html")
        if "room-choices" in html.proto.body and "<style>" not in html.proto.body
    ]
    assert "&lt;b&gt;Greece" in listed and "<b>Greece" not in listed


def test_a_question_that_is_too_long_for_phones_stays_and_says_so(visit, rooms):
    at = opened(visit, "arithmetic")
    assert field(at, "Question").proto.max_chars > 10 * MOST_TEXT  # the field drops a longer paste without a word
    field(at, "Question").set_value("Why? " * 100)
    at.press("Ask")
    assert at.says("The question has 500 characters; at most 300 are possible.") and only(rooms).number == 0
    at.session_state["room"] = False  # to look at the page
    assert field(popover(at.run()), "Question").value == "Why? " * 100


def test_a_tab_without_a_question_takes_the_teachers_own(visit, rooms):
    at = opened(visit, "similarity", similarity_tab="nearest")
    assert at.says("This tab proposes no question.") and at.charts and not at.says("stay hidden")
    for label, text in (("Question", "Who is right?"), ("Choice 1", "I am"), ("Choice 2", "BERT is")):
        field(at, label).set_value(text)
    at.press("Ask")
    assert only(rooms).question.shares == () and at.says("Who is right?")
    at.press("Reveal")
    assert not at.says("BERT's answer:")


def test_a_sentence_that_cannot_be_read_shows_its_error_instead_of_a_question(visit, rooms):
    at = opened(visit, "similarity", similarity_tab="odd", similarity_odd="red, xqzzv")
    assert at.problems and at.says("This tab proposes no question.")
    assert opened(visit, "bias", bias_groups=",").says("Write at least one group.", "This tab proposes no question.")


def test_a_page_without_a_question_is_handed_out_at_once(visit, rooms):
    at = opened(visit, "similarity")
    assert at.says("Phones can open this page.") and only(rooms).page.startswith("similarity")


def test_the_page_is_handed_out_as_it_is_now(visit, rooms):
    at = opened(visit, "similarity", similarity_tab="odd")
    assert not at.says("Phones can open") and not only(rooms).page  # it answers a question to the class
    at.press("Hand out this page")
    assert at.says("Phones can open this page.")
    at.put("similarity_odd", "red, green, king")
    assert at.says("Phones can open another page")
    at.press("Hand out this page")
    assert "similarity_odd=red%2C+green%2C+king" in only(rooms).page


def test_a_room_with_phones_is_closed_after_a_second_press(visit, rooms):
    at = opened(visit, "similarity", similarity_tab="odd")
    for phone in ("one", "two"):
        rooms.join(only(rooms).code, phone)
    text = "2 phones would leave the room, and its questions and answers would be deleted."
    assert not at.says(text)
    assert at.press("Close the room").says(text) and only(rooms)
    assert not at.press("Keep it open").says(text) and only(rooms)
    at.press("Close the room").press("Close it for everyone")
    assert not rooms._rooms and not at.says(text)


def test_neither_key_nor_code_is_in_the_address(visit, rooms):
    at = opened(visit, "similarity", similarity_tab="odd")
    code, key = at.session_state["room-own"].split()
    assert key not in str(at.test.query_params) and code not in str(at.test.query_params)


def test_too_many_rooms_from_one_network_are_refused(visit, rooms, monkeypatch):
    monkeypatch.setattr(teacher, "_OPENED", Rate(0, 0))
    at = visit("similarity", similarity_tab="odd")
    popover(at).press("Open a room")
    assert at.says("Too many rooms were opened from your network.") and not rooms._rooms


def test_a_store_that_is_away_leaves_the_page_as_it_is(visit, rooms, monkeypatch):
    at = opened(visit, "similarity", similarity_tab="odd")
    for name in ("load", "people", "counts"):
        monkeypatch.setattr(rooms, name, away)
    at.run()
    assert at.says("The store is away.", "Which word does not belong?")
    monkeypatch.undo()
    opening.forget(rooms)
    assert at.run().says("0 phones")  # the room is still there


def test_a_room_that_has_ended_hides_nothing(visit, rooms):
    at = opened(visit, "arithmetic")
    code = only(rooms).code
    assert not at.charts and at.says(f"{code[:4]}-{code[4:]}")
    rooms.remove(code)
    assert at.run().charts and not at.says("stay hidden") and not at.says(f"{code[:4]}-{code[4:]}")


def test_a_room_that_cannot_be_closed_keeps_its_key(visit, rooms, monkeypatch):
    at = opened(visit, "similarity", similarity_tab="odd")
    monkeypatch.setattr(rooms, "remove", away)
    at.press("Close the room")
    assert at.says("The store is away.", "0 phones") and only(rooms)
    monkeypatch.undo()
    opening.forget(rooms)
    at.press("Close the room")
    assert not rooms._rooms


def test_all_addresses_of_an_ipv6_network_open_rooms_together(visit, rooms, monkeypatch):
    calls = []
    monkeypatch.setattr(teacher._OPENED, "allows", lambda sender: calls.append(sender) is None, raising=False)
    monkeypatch.setattr(type(teacher.st.context), "ip_address", "2001:db8:1:2:3::4")
    opened(visit, "similarity", similarity_tab="odd")
    assert calls == ["2001:db8:1:2::/64"] and only(rooms)


def test_a_question_that_the_class_is_answering_is_not_lost_on_the_page(visit, rooms):
    at = opened(visit, "arithmetic")
    rooms.join(only(rooms).code, "phone")
    at.press("Ask")
    room = only(rooms)
    rooms.vote(room.code, "phone", 1, 0)
    at.press("Back to the page")
    assert at.says(room.question.text, "The class is answering this question: 1 answer so far.") and not at.charts
    assert "Ask the class" not in [button.label for button in at.button]
    at.press("Back to the question (1 of 1)")
    assert at.says("1 of 1 answered")
    at.press("Back to the page").put("arithmetic_text", "Berlin is the capital of [MASK].")
    assert at.says(room.question.text) and only(rooms).number == 1
    at.press("Ask about this page instead")
    assert only(rooms).number == 2 and only(rooms).question.context.startswith("Berlin")
    assert only(rooms).is_open and only(rooms).results == ((1, *[0] * (len(room.question.choices) - 1)),)


def test_the_same_question_is_asked_again_only_after_a_second_press(visit, rooms):
    at = opened(visit, "arithmetic")
    rooms.join(only(rooms).code, "phone")
    at.press("Ask")
    rooms.vote(only(rooms).code, "phone", 1, 0)
    popover(at.press("Back to the page")).press("Ask")
    assert at.says("(1 answer). If you ask it again, everybody must answer once more.") and only(rooms).number == 1
    at.press("Ask")
    assert only(rooms).number == 2 and only(rooms).results[0][0] == 1


def test_showing_the_results_shows_them_to_the_class_that_is_answering(visit, rooms):
    at = opened(visit, "arithmetic").press("Ask").press("Back to the page").press("Show the results")
    assert at.charts and not only(rooms).is_open
    at.put("arithmetic_text", "Berlin is the capital of [MASK].").press("Ask the class").press("Back to the page")
    at.put("arithmetic_text", "Madrid is the capital of [MASK].").press("Show the results")
    assert at.charts and only(rooms).is_open  # the question is about another sentence


def test_a_question_of_the_teachers_own_can_have_no_answer_of_bert(visit, rooms):
    at = opened(visit, "arithmetic")
    field(at, "Question").set_value("Have you understood this?")
    for number, choice in enumerate(("yes", "no", "", "", ""), 1):
        field(at, f"Choice {number}").set_value(choice)
    (answer,) = (toggle for toggle in at.test.toggle if toggle.label == "With BERT's answer")
    answer.set_value(False)
    at.press("Ask")
    assert only(rooms).question.choices == ("yes", "no")
    assert only(rooms).question.answer == "" and only(rooms).question.shares == ()
