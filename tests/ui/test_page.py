"""What every page does: its examples stand for all fields of a panel; errors offer what mends them."""

from streamlit.testing.v1 import AppTest

from embtools.ui import page
from embtools.ui.fields import Flag, Text


def test_an_example_puts_the_other_fields_of_its_panel_back() -> None:
    class Panel:
        FIELDS = (Text("t", "default"), Flag("f"))

    assert page.example(Panel, {"f": True}) == {"t": "default", "f": True}


def slip() -> None:
    """A page with a field in which a word is misspelt, and its problem."""
    import streamlit as st

    from embtools.models.spelling import UnknownWord
    from embtools.ui import state, texts
    from embtools.ui.fields import Text

    text = Text("x_text", "itly + italys - itly*2, *b*")
    state.enter("x", (text,))
    st.text_input("Text", **text.widget)
    texts.problem(UnknownWord("'itly' is …", "itly", ("italy", "*b*")), text)
    texts.problem(UnknownWord("'itly' is …", "itly", ("italy",)))
    texts.problem("a **bold** word", text)


def test_words_that_may_have_been_meant_are_buttons() -> None:
    test = AppTest.from_function(slip, default_timeout=30).run()
    assert [text.value for text in test.text] == ["⚠ 'itly' is …", "⚠ 'itly' is …", "⚠ a **bold** word"]
    assert [button.label for button in test.button] == ["Use italy", r"Use \*b\*"]
    test.button[0].click().run()
    assert test.text_input[0].value == "italy + italys - italy*2, *b*"


def test_a_suggestion_is_no_pattern() -> None:
    test = AppTest.from_function(slip, default_timeout=30).run()
    test.button[1].click().run()
    assert test.text_input[0].value == "*b* + italys - *b**2, *b*"
