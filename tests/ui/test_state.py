"""One state per page: what an address asks for, what it says afterwards, and what stays when a part is not drawn."""

import re
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from embtools.ui import state

OTHER = "distilbert/distilbert-base-uncased"


def script() -> None:
    """A page with a text, a number, two tabs, an expander on the second, and an example that sets all of them."""
    import streamlit as st

    from embtools.ui import state
    from embtools.ui.fields import Choice, Number, Text

    text, edit, strength = Text("x_text", "one"), Text("x_edit", "none"), Number("x_s", 1.0, 0.0, 2.0, 0.05)
    tab = Choice("x_tab", "first", ("first", "second"))
    state.enter("x", (text, edit, strength, tab))
    values = {"x_text": "t", "x_edit": "e", "x_s": 0.5, "x_tab": "second", "open": ("more",)}
    st.button("example", on_click=state.put, args=(values,))
    first, second = state.tabs(tab).values()
    if first.open:
        with first:
            st.text_input("text", **text.widget)
            st.slider("strength", **strength.widget)
    if second.open:
        with second:
            st.text_input("edit", **edit.widget)
            opened = state.expander("more", "More")
            if opened.open:
                opened.text("in the expander")
    st.text(f"{text.value} {edit.value} {strength.value} {tab.value} {'+'.join(state.OPEN.value) or '-'}")
    st.code(state.query())
    st.caption("\n".join(state.unusable()))


def page(**query: str) -> AppTest:
    test = AppTest.from_function(script, default_timeout=30)
    for key, value in query.items():
        test.query_params[key] = value
    return test.run()


def shown(test: AppTest) -> str:
    assert not test.exception
    return test.text[-1].value


def asked(test: AppTest) -> dict[str, list[str]]:
    return parse_qs(test.code[-1].value, keep_blank_values=True)


def test_an_address_fills_fields_that_are_not_drawn_too() -> None:
    test = page(x_edit="theirs", x_s="0.25", x_text="")
    assert shown(test) == "theirs 0.25 first -"
    assert asked(test) == {"x_edit": ["theirs"], "x_s": ["0.25"], "x_text": [""]}
    assert test.text_input(key="x_text").value == ""


def test_an_impossible_address_is_corrected_and_what_is_not_used_is_named_until_something_changes() -> None:
    test = page(x_s="inf", x_tab="third", x_texts="a typing error", x_text="t" * 10_001, other="of another app")
    assert shown(test) == f"{'t' * 10_000} none 1.0 first -"
    assert "x_text" not in asked(test) and test.query_params.keys() == {"left_out"}
    note = test.caption[0].value
    assert all(each in note for each in ("x_s=inf", "x_tab=third", "x_texts=a typing error", "x_text=tt"))
    assert "other" not in note and len(note) < 300 and test.run().caption[0].value == note
    test.slider(key="x_s").set_value(0.5).run()
    assert test.caption[0].value == test.slider(key="x_s").set_value(1.0).run().caption[0].value == ""


def test_an_example_is_in_the_address_at_once_whichever_tab_shows_it() -> None:
    test = page()
    test.button[0].click().run()
    assert shown(test) == "t e 0.5 second more"
    assert test.text[0].value == "in the expander"
    assert asked(test) == {"x_text": ["t"], "x_edit": ["e"], "x_s": ["0.5"], "x_tab": ["second"], "open": ["more"]}
    again = page(**{key: values[0] for key, values in asked(test).items()})
    assert shown(again) == shown(test)


class Interrupted(dict):
    """A session at one of whose writes Streamlit ends the run, as it does when the next query arrives."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self.left = left

    def __setitem__(self, key, value) -> None:
        self.left -= 1
        if self.left == 0:
            raise InterruptedError
        super().__setitem__(key, value)


@pytest.mark.parametrize("at", range(1, 6))
def test_what_is_put_is_put_whole_or_not_at_all_wherever_it_is_interrupted(at, monkeypatch) -> None:
    values = {"word": "bat", "lines": "A bat flew.", "keep": (1,)}
    session = Interrupted(at)
    monkeypatch.setattr(state.st, "session_state", session)
    with pytest.raises(InterruptedError):
        state.put(values)
    state.put({"other": 1})  # the next run begins
    assert {key: session[key] for key in values if key in session} in ({}, values)
    assert session["other"] == 1
    assert ("word" in session) == (at > 1)


def test_what_an_interrupted_press_left_does_not_come_back_over_what_came_after(monkeypatch) -> None:
    session = Interrupted(3)
    monkeypatch.setattr(state.st, "session_state", session)
    with pytest.raises(InterruptedError):
        state.put({"word": "bat", "lines": "A bat flew."})
    state.put({"word": "rock", "lines": "A rock fell."})
    session["word"] = "typed"
    state.put({})
    assert session["word"] == "typed" and session["lines"] == "A rock fell."


def test_what_was_typed_stays_while_its_tab_is_closed() -> None:
    test = page()
    test.text_input(key="x_text").set_value("typed").run()
    test.slider(key="x_s").set_value(1.5).run()
    test.session_state["x_tab"] = "second"
    test.run()
    test.text_input(key="x_edit").set_value("too").run()
    test.session_state["x_tab"] = "first"
    test.run()
    assert shown(test) == "typed too 1.5 first -"
    assert test.text_input(key="x_text").value == "typed"
    assert test.slider(key="x_s").value == 1.5
    assert asked(test) == {"x_text": ["typed"], "x_edit": ["too"], "x_s": ["1.5"]}


def test_an_expander_stays_open_when_its_label_changes() -> None:
    def expander() -> None:
        import streamlit as st

        from embtools.ui import state
        from embtools.ui.fields import Text

        text = Text("x_text", "one")
        state.enter("x", (text,))
        opened = state.expander("more", f"More: {text.value}")
        if opened.open:
            with opened:
                st.text_input("text", **text.widget)

    test = AppTest.from_function(expander, default_timeout=30)
    test.query_params["open"] = "more"
    test.run()
    for value in ("two", "three"):
        test.text_input(key="x_text").set_value(value).run()
    assert test.text_input(key="x_text").value == "three"


def test_an_address_has_an_end() -> None:
    short, long = {"a": ["x"]}, {"b": ["y" * 7000]}
    assert state.shortened(short | long) == short
    assert state.shortened(short) == short
    assert state.shortened({"a": ["x" * 4000], "b": ["y" * 3000]}) == {"b": ["y" * 3000]}
    lesson = {"lesson": ["own"], "lesson_code": ["x" * 5000], "lesson_step": ["2"]}
    assert state.shortened(lesson | {"steps": ["y" * 2000]} | short) == lesson | short
    assert state.shortened(lesson | {"lesson_code": ["x" * 7000]}) == {"lesson": ["own"], "lesson_step": ["2"]}


def test_a_run_of_the_whole_page_is_none_of_a_fragment_alone() -> None:
    def whole() -> None:
        import streamlit as st

        from embtools.ui import state

        @st.fragment
        def part() -> None:
            st.text(str(state.alone()))

        part()

    assert AppTest.from_function(whole, default_timeout=30).run().text[0].value == "False"


# The weights


def test_the_address_names_the_weights_and_a_link_with_others_says_so(visit, bundled) -> None:  # type: ignore[no-untyped-def]
    own = bundled.checksum[:8]
    at = visit("similarity", similarity_words="red, green, king")
    assert at.test.query_params["weights"] == own and not at.says("other weights")
    assert not visit("similarity", similarity_words="red, green, king", weights=own).says("other weights")
    at = visit("similarity", similarity_words="red, green, king", weights="0" * 8)
    note = "The link that you opened was made with other weights of Pocket BERT. Numbers may differ."
    assert at.says(note) and at.test.query_params["weights"] == own
    assert at.put("similarity_words", "red, green, queen").says(note)  # it stays as long as the page is shown


def test_the_address_names_the_weights_of_a_second_model_and_a_link_with_others_says_so(
    visit, lend_second, tiny
) -> None:  # type: ignore[no-untyped-def]
    own, list_ = tiny.checksum[:8], {"similarity_words": "king, queen, man"}
    at = visit("similarity", compare=OTHER, **list_)
    assert at.test.query_params["compare_weights"] == own and not at.says("other weights")
    at = visit("similarity", compare=OTHER, compare_weights="0" * 8, **list_)
    note = "The link that you opened was made with other weights of DistilBERT. Numbers may differ."
    assert at.says(note) and at.test.query_params["compare_weights"] == own
    at = visit("similarity", compare=OTHER, weights="1" * 8, compare_weights="0" * 8, **list_)
    assert at.says("other weights of Pocket BERT and DistilBERT.")
    at.test.session_state["compare"] = ""
    assert "compare_weights" not in at.run().test.query_params and not at.says("DistilBERT")
    at.test.session_state["compare"] = OTHER
    assert at.run().test.query_params["compare_weights"] == own and not at.says("of DistilBERT")


def test_the_address_names_the_weights_of_the_model_of_a_second_space(visit, lend_second, tiny) -> None:  # type: ignore[no-untyped-def]
    at = visit(
        "similarity",
        similarity_words="king, queen, man",
        similarity_other=OTHER,
        similarity_other_weights="0" * 8,
    )
    assert at.says("other weights of DistilBERT.")
    assert at.test.query_params["similarity_other_weights"] == tiny.checksum[:8]


def test_a_page_that_was_left_with_another_model_is_no_link_with_other_weights(visit, lend_second) -> None:  # type: ignore[no-untyped-def]
    at = visit("similarity", similarity_words="king, queen, man")
    at.test.session_state["model"] = OTHER
    at.run()
    links = [link.proto.query_string for link in at.get("page_link") if link.proto.label == "Similarity"]
    assert links and all("similarity_words" in link and "weights" not in link for link in links)


def test_a_page_as_it_is_at_the_start_has_a_short_address(visit) -> None:  # type: ignore[no-untyped-def]
    assert dict(visit("similarity", tables=False).test.query_params) == {}


def long_page() -> None:
    """Two pages with a text; an upload fills the text with more than an address can hold."""
    import streamlit as st

    from embtools.ui import state
    from embtools.ui.fields import Text

    text, other = Text("x_text", "short", 100_000), Text("x_other")
    name = st.session_state.get("at", "x")
    state.enter(name, (text, other) if name == "x" else ())
    for letter in "uvw":
        values = {"x_text": f"{letter}, " * 3000, "x_other": "o"}
        st.button(letter, on_click=state.put, args=(values,), key=letter)
    st.text(f"{text.value[:5]} {len(text.value)}" if name == "x" else "")
    st.text("lacks texts" if state.unusable() else "")
    st.code(state.query())
    st.caption(" ".join(state.too_long()))


def went(test: AppTest, place: str, query: str) -> AppTest:
    """The same visit on another page, or on the same one again, with this address."""
    test.session_state["at"] = place
    test.query_params.clear()
    for key, parts in parse_qs(query).items():
        test.query_params[key] = parts[0]
    return test.run()


def test_a_text_too_long_for_the_address_comes_back_with_the_menus_link() -> None:
    test = AppTest.from_function(long_page, default_timeout=30).run()
    test.button("u").click().run()
    first = test.code[0].value
    assert re.fullmatch(r"x_other=o&left_out=[0-9a-f]{8}", first) and test.caption[0].value == "x_text"
    assert went(test, "", "_gl=of+an+advertisement").text[1].value == ""
    went(test, "x", first)
    assert (test.text[0].value, test.text[1].value, test.code[0].value) == ("u, u, 9000", "", first)
    went(test, "y", "")
    went(test, "x", f"{first}&x_text=new")  # a link of another page that sets this field
    assert test.text[0].value == "new 3"


def test_each_long_text_has_an_address_of_its_own() -> None:
    test = AppTest.from_function(long_page, default_timeout=30).run()
    addresses = [test.button(letter).click().run().code[0].value for letter in "uvwu"]
    assert len(set(addresses)) == 3 and addresses[0] == addresses[3]
    for letter, address in zip("uvw", addresses, strict=False):
        went(test, "y", "")
        assert went(test, "x", address).text[0].value == f"{letter}, {letter}, 9000"


def test_a_link_without_its_long_text_shows_a_note_until_something_changes() -> None:
    test = AppTest.from_function(long_page, default_timeout=30).run()
    link = test.button("u").click().run().code[0].value
    other = went(AppTest.from_function(long_page, default_timeout=30), "x", link)
    assert (other.text[0].value, other.text[1].value, other.code[0].value) == ("short 5", "lacks texts", "x_other=o")
    assert other.run().text[1].value == "lacks texts"
    assert other.button("v").click().run().text[1].value == ""
