"""The teacher's key: stored by the browser, returned after a reload, and checked."""

import pytest
from streamlit.testing.v1 import AppTest

from embtools.rooms import store


def page() -> None:
    """A page that shows what the session and the browser have."""
    import streamlit as st

    from embtools.ui.rooms import key

    given = []
    component = st.components.v2.component

    def recorded(*names, **options):
        def call(**arguments):
            given.append(arguments["data"])

        return call

    st.components.v2.component = recorded
    try:
        key.exchange()
    finally:
        st.components.v2.component = component
    room = key.room()
    st.text(f"{room.code if room else 'none'}|{given[0]}|{key.board()}")


def visited(held=None, before=None):
    """What the page shows if the browser holds this."""
    test = before or AppTest.from_function(page, default_timeout=30)
    if held is not None:
        test.session_state["room-key"] = {"held": held}
    test.run()
    assert not test.exception
    return test, test.text[0].value.split("|")


def test_a_reloaded_teacher_has_the_room_and_its_view_again(rooms):
    room, key = store.opened(rooms)
    _, (code, data, board) = visited(f"{room.code} {key} pairs")
    assert code == room.code and data == str({"keep": f"{room.code} {key} pairs"}) and board == "pairs"


@pytest.mark.parametrize("held", ["", "a b c d e", "K" * 5_000])
def test_what_is_no_key_opens_nothing_and_is_dropped(rooms, held):
    store.opened(rooms)
    _, (code, data, _) = visited(held)
    assert code == "none" and "drop" in data


def test_somebody_elses_code_is_not_enough(rooms):
    room, _ = store.opened(rooms)
    _, (code, *_) = visited(f"{room.code} guessed-key ")
    assert code == "none"


def test_a_room_that_has_ended_is_forgotten_also_in_the_browser(rooms):
    room, key = store.opened(rooms)
    test, _ = visited(f"{room.code} {key} ")
    store.close(rooms, room.code, key)
    visited(before=test)
    _, (code, data, board) = visited(before=test)
    assert code == "none" and data == str({"drop": f"{room.code} {key}"}) and board == ""
