"""The rules of a room and of its questions, its codes, and how often something may happen."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.rooms import codes, rates
from embtools.rooms.question import MOST_CHOICE, MOST_TEXT, Question
from embtools.rooms.rates import Rate, sender_of
from embtools.rooms.room import MOST_ADDRESS, MOST_QUESTIONS, Room
from tests.rooms.contract import CAPITAL, COLOUR

# The rules of a room, without a store

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


@pytest.mark.parametrize("page", ["", "bias?bias_k=3&x=%3Cb%3E", "?guess=Italy"])
def test_pages_of_this_app_can_be_handed_out(page):
    assert ROOM.hand_out(page).page == page


@pytest.mark.parametrize(
    "page",
    [
        "javascript:alert(1)", "//evil.example", "../admin", "bias?x=a b", "bias?x=\n", "bias#x",
        "bias?" + "x" * MOST_ADDRESS,
    ],
)  # fmt: skip
def test_nothing_else_can_be_handed_out(page):
    with pytest.raises(ValueError, match="cannot be handed out"):
        ROOM.hand_out(page)


@pytest.mark.parametrize("revealed", [True, False])
def test_a_room_has_a_limited_number_of_questions(revealed):
    room = ROOM
    for _ in range(MOST_QUESTIONS):
        room = room.ask(COLOUR).reveal([0, 0]) if revealed else room.ask(COLOUR)
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


# Questions: which texts fit on a phone, and the error for those that do not


@pytest.mark.parametrize(
    "text, choices, says",
    [
        ("", ("a", "b"), "The question is empty"),
        ("\u200b\n ", ("a",), "1. Add some"),
        ("x" * (MOST_TEXT + 1), ("a", "b"), "The question has 301 characters; at most 300"),
        ("x", ("a",), "this one has 1. Add some"),
        ("x", tuple("abcdef"), "this one has 6. Remove some"),
        ("x", ("a", "b" * (MOST_CHOICE + 1)), "Choice 2 has 61 characters"),
        ("x", ("a", " "), "Choice 2 is empty"),
        ("x", ("Rome", "rome "), "The choice 'rome' is there twice"),
    ],
)
def test_a_question_that_cannot_be_shown_says_why(text, choices, says):
    with pytest.raises(ValueError, match=says):
        Question(text, choices)


def test_shares_and_a_single_answer_belong_to_choices():
    with pytest.raises(ValueError, match="3 shares for 2 choices"):
        Question("x", ("a", "b"), (1.0, 0.0, 0.0))
    question = Question("Which word?", ("red", "king", "blue"))
    assert question.with_answer("king", "king").picked == 1 and question.with_answer("king", "king").shares == ()
    assert question.with_answer("queen", "queen").picked is None
    with pytest.raises(ValueError, match="no choice 3 of 3"):
        Question("x", ("a", "b", "c"), picked=3)


@given(st.text(max_size=400), st.lists(st.text(max_size=80), max_size=7))
def test_every_question_is_one_line_of_visible_characters(text, choices):
    try:
        question = Question(text, tuple(choices))
    except ValueError as error:
        assert str(error).endswith(".")
        return
    for line in (question.text, *question.choices):
        assert line == " ".join(line.split()) and not {"\n", "\x00", "\u202e"} & set(line)


# Codes, keys and tokens: random, readable, and stored as digests


def test_codes_are_random_and_people_can_type_them():
    drawn = [codes.new_code() for _ in range(300)]
    assert len(set(drawn)) == 300 and set("".join(drawn)) == set(codes.ALPHABET)
    assert not set("IL1O0") & set(codes.ALPHABET)
    assert all(codes.read_code(code) == codes.read_code(codes.shown(code).lower()) == code for code in drawn)
    # With 300 rooms and 10,000 tries per second for three hours, somebody finds one with a chance of less than 4%.
    assert 300 * 10_000 * 3 * 3600 / len(codes.ALPHABET) ** codes.LENGTH < 0.04


@given(st.text(max_size=60))
def test_any_text_is_a_code_or_nothing(text):
    assert (read := codes.read_code(text)) == "" or (len(read) == codes.LENGTH and set(read) <= set(codes.ALPHABET))


def test_secrets_are_long_and_their_digests_do_not_contain_them():
    secrets = {codes.new_secret() for _ in range(100)}
    assert len(secrets) == 100 and all(len(secret) >= 22 for secret in secrets)
    assert not any(codes.digest(secret) in secret or secret in codes.digest(secret) for secret in secrets)
    assert codes.digest("a") == codes.digest("a") != codes.digest("b")


# Limits on how often something may happen


@pytest.fixture
def clock():
    return [0.0]


def test_a_burst_is_allowed_and_then_only_so_much_per_second(clock):
    rate = Rate(3, 0.5, lambda: clock[0])
    assert [rate.allows("a") for _ in range(4)] == [True, True, True, False]
    assert rate.allows("b")
    clock[0] = 1.9
    assert not rate.allows("a")
    clock[0] = 4.0
    assert [rate.allows("a") for _ in range(3)] == [True, True, False]
    clock[0] = 1_000.0
    assert [rate.allows("a") for _ in range(4)] == [True, True, True, False]


def test_checking_costs_nothing(clock):
    rate = Rate(1, 0, lambda: clock[0])
    assert all(rate.allows("a", 0) for _ in range(5))
    assert rate.allows("a") and not rate.allows("a", 0)


def test_only_a_limited_number_of_senders_is_stored(monkeypatch, clock):
    monkeypatch.setattr(rates, "_MOST_SENDERS", 3)
    rate = Rate(1, 0, lambda: clock[0])
    for sender in "abcd":
        rate.allows(sender)
    assert len(rate._left) == 3 and not rate.allows("d")


@pytest.mark.parametrize(
    "host, sender",
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("x" * 90, "x" * 40),
    ],
)
def test_an_ipv6_network_is_one_sender(host, sender):
    assert sender_of(host) == sender
