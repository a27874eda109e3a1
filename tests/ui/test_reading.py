"""What the model cannot read is said once: below its field, or above the tab if the field is not shown."""

import pytest

pytestmark = pytest.mark.usefixtures("as_shipped")
NOTE = "only as [UNK]: 🦜"


def notes(at):
    return [text.value for text in at.test.text if NOTE in text.value]


@pytest.mark.slow
def test_a_note_is_below_its_field(visit):
    at = visit("pairs", pairs_first="The 🦜 was late.")
    assert not at.problems and len(notes(at)) == 1
    main = [(element.type, str(element.value)) for element in at.test.main if element.type in ("text_input", "text")]
    order = [value for kind, value in main]
    place = next(i for i, value in enumerate(order) if NOTE in value)
    assert order[place - 1] == "The 🦜 was late."


def test_a_note_about_a_field_in_a_closed_expander_is_above_the_tab(visit, monkeypatch):
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)
    sentences = {"evidence_sentences": "{a} 🦜 is the capital of [MASK]."}
    closed, opened = visit("evidence", **sentences), visit("evidence", open="sentences", **sentences)
    assert len(notes(closed)) == len(notes(opened)) == 1
