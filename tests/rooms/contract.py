"""Tests that every store of rooms must pass: the memory of a server, and Redis."""

import threading

import pytest

from embtools.rooms import codes, room, store
from embtools.rooms.question import Question

CAPITAL = Question(
    "Which country?", ("Italy", "France", "Spain"), (0.8, 0.1, None), "Italy (80%)",
    context="Rome is the capital of …\nEdit: none", by_bert=True,
)  # fmt: skip
COLOUR = Question("Which word does not belong?", ("red", "king"))


class StoreContract:
    """Tests with the fixture `rooms`: an empty store."""

    @pytest.fixture
    def lesson(self, rooms):
        """An open room: its code and the teacher's key."""
        opened, key = store.opened(rooms, page="pairs?pairs_number=many")
        return opened.code, key

    def test_a_room_is_found_by_its_code_and_changed_only_with_its_key(self, rooms, lesson):
        code, key = lesson
        found = rooms.load(code)
        assert found.page == "pairs?pairs_number=many" and found.number == 0 and not found.is_open
        assert store.owned(rooms, code, key) == found
        assert store.owned(rooms, code, codes.new_secret()) is None
        assert rooms.load(codes.new_code()) is None
        for act in (lambda k: store.ask(rooms, code, k, CAPITAL), lambda k: store.reveal(rooms, code, k, 1)):
            with pytest.raises(ValueError, match="This room is closed"):
                act("another key")
        store.close(rooms, code, "another key")
        assert rooms.load(code) == found
        store.close(rooms, code, key)
        assert rooms.load(code) is None and rooms.people(code) == 0

    def test_the_key_is_not_stored(self, rooms, lesson):
        code, key = lesson
        assert key not in rooms.load(code).text

    def test_a_whole_lesson(self, rooms, lesson):
        code, key = lesson
        assert all(rooms.join(code, phone) for phone in "abc")
        assert not rooms.vote(code, "a", 0, 0) and not rooms.vote(code, "a", 1, 0)  # nothing was asked yet
        room = store.ask(rooms, code, key, CAPITAL)
        assert room.number == 1 and room.is_open and rooms.load(code) == room
        assert rooms.vote(code, "a", 1, 0) and rooms.vote(code, "b", 1, 2) and rooms.vote(code, "c", 1, 2)
        assert rooms.vote(code, "c", 1, 1)  # changed before the reveal
        assert rooms.counts(code, 1) == {0: 1, 1: 1, 2: 1} and rooms.people(code) == 3
        assert rooms.seen(code, "c").choice == 1 and '"shares"' not in rooms.seen(code, "c").face
        assert store.reveal(rooms, code, key, 1).results == ((1, 1, 1),)
        assert not rooms.vote(code, "a", 1, 2)
        assert store.reveal(rooms, code, key, 1).results == ((1, 1, 1),)  # again: nothing happens
        assert '"shares"' in rooms.seen(code, "a").face and "Italy (80%)" in rooms.seen(code, "a").face
        store.ask(rooms, code, key, COLOUR)
        assert rooms.seen(code, "a").choice is None and rooms.counts(code, 2) == {}
        assert not rooms.vote(code, "a", 1, 0) and rooms.vote(code, "b", 2, 1)
        table = store.reveal(rooms, code, key, 2).table()
        assert table["votes"].tolist() == [1, 1, 1, 0, 1] and table["number"].tolist() == [1, 1, 1, 2, 2]

    @pytest.mark.parametrize("vote", [("a", 1, 3), ("a", 1, -1), ("a", 2, 0), ("a", -1, 0), ("stranger", 1, 0)])
    def test_a_vote_that_is_not_possible_is_not_counted(self, rooms, lesson, vote):
        code, key = lesson
        rooms.join(code, "a")
        store.ask(rooms, code, key, CAPITAL)
        assert not rooms.vote(code, *vote) and rooms.counts(code, 1) == {}
        assert not rooms.vote(codes.new_code(), "a", 1, 0)

    def test_strangers_see_nothing_and_a_phone_that_comes_back_is_known(self, rooms, lesson):
        code, key = lesson
        store.ask(rooms, code, key, CAPITAL)
        assert rooms.seen(code, "a") is None and rooms.seen(codes.new_code(), "a") is None
        assert rooms.join(codes.new_code(), "a") is None
        rooms.join(code, "a")
        rooms.vote(code, "a", 1, 2)
        assert rooms.join(code, "a") and rooms.seen(code, "a").choice == 2 and rooms.people(code) == 1

    def test_many_phones_together_get_what_each_of_them_gets(self, rooms, lesson):
        code, key = lesson
        phones = ["a", "stranger", "b", "c", "a"]
        for phone in "abc":
            rooms.join(code, phone)
        for act in (
            lambda: None,
            lambda: store.ask(rooms, code, key, CAPITAL),
            lambda: (rooms.vote(code, "a", 1, 2), rooms.vote(code, "c", 1, 0)),
            lambda: store.reveal(rooms, code, key, 1),
            lambda: store.ask(rooms, code, key, COLOUR),
        ):
            act()
            assert rooms.all_seen(code, phones) == [rooms.seen(code, phone) for phone in phones]
            assert rooms.all_seen(code, phones)[1] is None and rooms.all_seen(code, phones)[2].choice is None
        assert rooms.all_seen(codes.new_code(), ["a", "b"]) == [None, None] and rooms.all_seen(code, []) == []

    def test_a_full_room_takes_nobody_else(self, rooms, lesson):
        code, _ = lesson
        assert all(rooms.join(code, f"phone {n}") for n in range(room.MOST_PEOPLE))
        assert rooms.join(code, "late") is False and rooms.people(code) == room.MOST_PEOPLE
        assert rooms.join(code, "phone 7") and rooms.seen(code, "late") is None

    def test_a_locked_room_keeps_its_phones_and_takes_no_others(self, rooms, lesson):
        code, key = lesson
        rooms.join(code, "a")
        assert store.lock(rooms, code, key, True).locked
        assert rooms.join(code, "late") is False and rooms.join(code, "a") and rooms.people(code) == 1
        store.ask(rooms, code, key, CAPITAL)
        assert rooms.vote(code, "a", 1, 0) and rooms.load(code).locked
        store.lock(rooms, code, key, False)
        assert rooms.join(code, "late")

    def test_a_room_with_another_code_keeps_its_results_but_no_phone_and_no_vote(self, rooms, lesson):
        code, key = lesson
        for phone in "abc":
            rooms.join(code, phone)
        store.ask(rooms, code, key, CAPITAL)
        rooms.vote(code, "a", 1, 2)
        store.reveal(rooms, code, key, 1)
        store.ask(rooms, code, key, COLOUR)
        rooms.vote(code, "b", 2, 1)
        store.lock(rooms, code, key, True)
        moved = store.move(rooms, code, key)
        assert moved.code != code and store.owned(rooms, moved.code, key) == moved and not moved.locked
        assert moved.results == ((0, 0, 1),) and moved.is_open and moved.page == "pairs?pairs_number=many"
        assert rooms.load(code) is None and rooms.seen(code, "a") is None and rooms.join(code, "a") is None
        assert rooms.people(moved.code) == 0 and rooms.counts(moved.code, 2) == {}
        assert not rooms.vote(moved.code, "b", 2, 1)
        rooms.join(moved.code, "b")
        assert rooms.vote(moved.code, "b", 2, 0)
        with pytest.raises(ValueError, match="This room is closed"):
            store.move(rooms, moved.code, "another key")

    def test_a_new_question_replaces_one_that_is_still_open(self, rooms, lesson):
        code, key = lesson
        rooms.join(code, "a")
        store.ask(rooms, code, key, CAPITAL)
        rooms.vote(code, "a", 1, 0)
        assert store.ask(rooms, code, key, COLOUR).number == 2
        assert not rooms.vote(code, "a", 1, 1) and rooms.vote(code, "a", 2, 0)
        assert store.reveal(rooms, code, key, 2).table()["question"].unique().tolist() == [COLOUR.text]

    def test_no_vote_comes_after_the_reveal_has_counted(self, rooms, lesson):
        code, key = lesson
        phones = [f"phone {n}" for n in range(40)]
        for phone in phones:
            rooms.join(code, phone)
        store.ask(rooms, code, key, CAPITAL)
        counted: list[bool] = []
        threads = [
            threading.Thread(target=lambda p=p: counted.append(rooms.vote(code, p, 1, 1)), daemon=True) for p in phones
        ]
        for thread in threads[:20]:
            thread.start()
        revealed = store.reveal(rooms, code, key, 1)
        for thread in threads[20:]:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(revealed.results[0]) == sum(counted) == sum(rooms.counts(code, 1).values())

    def test_a_change_that_another_tab_has_overtaken_is_not_stored(self, rooms, lesson):
        code, _ = lesson
        found = rooms.load(code)
        assert rooms.save(found.hand_out("bias")) and not rooms.save(found.hand_out("layers"))
        assert rooms.load(code).page == "bias"

    def test_a_code_is_given_once(self, rooms, lesson):
        code, _ = lesson
        assert not rooms.create(room.Room(code, "digest"))

    def test_a_freeze_of_an_earlier_question_leaves_the_open_one(self, rooms, lesson):
        code, key = lesson
        rooms.join(code, "a")
        store.ask(rooms, code, key, CAPITAL)
        store.reveal(rooms, code, key, 1)
        store.ask(rooms, code, key, COLOUR)
        rooms.freeze(code, 1)
        assert rooms.vote(code, "a", 2, 0)

    def test_a_reveal_that_comes_too_late_does_not_close_the_next_question(self, rooms, lesson):
        code, key = lesson
        rooms.join(code, "a")
        store.ask(rooms, code, key, CAPITAL)
        store.ask(rooms, code, key, COLOUR)
        assert store.reveal(rooms, code, key, 1).is_open
        assert rooms.vote(code, "a", 2, 0) and not store.reveal(rooms, code, key, 2).is_open

    def test_votes_are_deleted_when_the_next_question_is_asked(self, rooms, lesson):
        code, key = lesson
        rooms.join(code, "a")
        store.ask(rooms, code, key, CAPITAL)
        rooms.vote(code, "a", 1, 2)
        revealed = store.reveal(rooms, code, key, 1)
        store.hand_out(rooms, code, key, "bias")
        assert rooms.seen(code, "a").choice == 2  # the phone marks its own answer until then
        assert store.ask(rooms, code, key, COLOUR).results == revealed.results == ((0, 0, 1),)
        assert rooms.counts(code, 1) == {}

    def test_phones_get_texts_of_all_languages_without_escapes(self, rooms, lesson):
        code, key = lesson
        rooms.join(code, "a")
        store.ask(rooms, code, key, Question("Какое слово?", ("да", "нет")))
        assert "Какое слово?" in rooms.seen(code, "a").face
