"""A visitor's file: what it holds goes into the fields, errors in it are reported, and removing the file changes nothing."""

import pytest
from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st

    from embtools.ui import uploads
    from embtools.ui.fields import Text

    words = Text("x_words", "none", 100)

    def read(data: bytes) -> dict[str, str]:
        if b"," not in data:
            raise ValueError("There is no comma in the file. Put one between the words.")
        return {words.key: data.decode()}

    def then() -> None:
        st.session_state["told"] = st.session_state.get("told", 0) + 1

    uploads.field("A file", ("csv",), "mine", read, then)
    st.text(f"words: {st.session_state.get(words.key)}, told {st.session_state.get('told', 0)} times")


def test_a_file_fills_the_field_or_the_page_says_why_not() -> None:
    at = AppTest.from_function(page).run()
    assert not at.error and at.text[-1].value.endswith("told 0 times")
    at.file_uploader[0].upload("a.csv", b"red,blue", "text/csv").run()
    assert at.text[-1].value == "words: red,blue, told 1 times"
    at.file_uploader[0].upload("b.csv", b"red", "text/csv").run()
    assert any("no comma" in text.value for text in [*at.text, *at.error, *at.markdown])
    assert at.text[-1].value == "words: red,blue, told 1 times"
    at.file_uploader[0].upload("c.csv", b"green,grey", "text/csv").run()
    assert at.text[-1].value == "words: green,grey, told 2 times"
    assert not any("no comma" in text.value for text in [*at.text, *at.error, *at.markdown])
    at.file_uploader[0].upload("b.csv", b"red", "text/csv").run()
    at.file_uploader[0].clear().run()  # the problem goes with its file
    assert not any("no comma" in text.value for text in at.text)


def test_a_file_that_is_too_large_is_not_read(monkeypatch) -> None:
    """The server accepts larger files, for word vectors."""
    from embtools.ui import uploads

    at = AppTest.from_function(page).run()
    at.file_uploader[0].upload("a.csv", b"red," + b"x" * uploads.MOST_BYTES, "text/csv").run()
    assert at.text[-1].value.endswith("told 0 times")
    assert any(text.value == "⚠ 'a.csv' has more than 2 MB. Use a smaller file." for text in at.text)


def larger() -> None:
    import streamlit as st

    from embtools.ui import uploads

    uploads.field("A file", ("csv",), "mine", lambda data: {"x_size": len(data)}, most=5_000_000)
    st.text(f"size: {st.session_state.get('x_size')}")


def test_a_field_can_accept_larger_files_up_to_its_own_limit() -> None:
    at = AppTest.from_function(larger).run()
    assert at.get("file_uploader")[0].proto.max_upload_size_mb == 5
    at.file_uploader[0].upload("a.csv", b"x" * 5_000_000, "text/csv").run()
    assert at.text[-1].value == "size: 5000000"
    at.file_uploader[0].upload("b.csv", b"x" * 5_200_000, "text/csv").run()
    assert at.text[-1].value == "size: 5000000"
    assert any(text.value == "⚠ 'b.csv' has more than 5 MB. Use a smaller file." for text in at.text)


# Items that occur before

LISTED_TWICE = {
    "word": ("similarity", {"similarity_words": "red, blue, green, red"}, "'red'"),
    "pair": ("bias", {"bias_tab": "mitigation", "bias_axis_pairs": "he=she, man=woman, he=she"}, "'he=she'"),
    "of a group": ("concepts", {"concepts_tab": "direction", "concepts_first": "bad, sad, poor, sick, bad, ugly"}, "'bad'"),
    "formula": ("clusters", {"clusters_formulas": "king - man + woman\nking - man + woman"}, "'king - man + woman'"),
    "sentence": (
        "evidence",
        {"open": "sentences", "evidence_sentences": "{a} is in [MASK].\n{a} is in [MASK].", "evidence_stay": "{a} is a [MASK].\n{a} is a [MASK]."},
        "'{a} is in [MASK].'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", LISTED_TWICE)
def test_what_is_listed_twice_is_left_out_and_named(visit, what, monkeypatch):
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)  # the lists are enough
    page, query, again = LISTED_TWICE[what]
    at = visit(page, **query)
    assert not at.problems
    assert at.says("occurs before: " + again)
