"""The note of a link: written by one visitor, read by another, and passed on by nobody."""

from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as some

from embtools.ui import note, share, state

TEXT = "Look at **France** <b>now</b> https://a.example \u202eback\u0007"
(LINKED,) = note.written(TEXT)["note"]
EDIT = "rome = rome - italy + france"


@given(some.text(max_size=400))
def test_a_written_note_is_read_again(text):
    written = note.clean(text)
    assert len(written) <= note.MOST and note.read(note.written(written).get("note", [])) == written


@pytest.mark.parametrize(
    "parts",
    [[], [""], ["~0000"], note.written("x" * 301)["note"], [LINKED, LINKED], [LINKED.replace("France", "Italy")]],
)
def test_what_is_too_long_cut_or_changed_is_no_note(parts):
    assert note.read(parts) == ""
    assert not any(note.read([LINKED[:end]]) for end in range(len(LINKED)))


def frame(at):
    """The texts of the frame with the note."""
    return [text.value for text in at.text if text.value.startswith("“")]


@pytest.mark.slow
def test_the_note_is_shown_as_it_was_typed_and_can_be_closed(visit):
    at = visit("pairs", pairs_tab="similarity", pairs_first="It rains.", note=LINKED)
    assert frame(at) == ["“Look at **France** <b>now</b> https://a.example ⟨U+202E⟩back⟨U+0007⟩”"]
    assert at.says("A note from the person who made this link.")
    others = [*at.caption, *at.markdown, *at.header]
    assert not any("France" in each.value for each in others)
    assert at.query_params["note"] == LINKED  # a reload shows it again
    assert not any("note=" in link.proto.query_string for link in at.get("page_link"))
    at.press("link-note-close")
    assert not frame(at) and "note" not in at.query_params and at.query_params["pairs_first"] == "It rains."


@pytest.mark.parametrize("page", ["", "lessons"])
def test_every_page_shows_the_note_of_its_link(visit, page):
    assert len(frame(visit(page, note=LINKED))) == 1


@pytest.mark.parametrize("wrong", ["%E", [LINKED, "x"]])
def test_a_link_with_a_broken_note_opens_without_it(visit, wrong):
    at = visit("pairs", pairs_tab="similarity", pairs_first="It rains.", note=wrong)
    assert not frame(at) and "note" not in at.query_params and at.query_params["pairs_first"] == "It rains."
    assert not at.problems and at.says("not all of it: note=")


@pytest.mark.slow
def test_another_state_has_no_note_but_an_open_expander_is_the_same_state(visit):
    at = visit("pairs", pairs_tab="similarity", note=LINKED).unfold("settings")
    assert frame(at) and at.query_params["note"]
    first = at.session_state["pairs_first"]
    at.put("pairs_first", "The sun shines.")
    assert not frame(at) and "note" not in at.query_params
    at.put("pairs_first", first)  # nor does it come back
    assert not frame(at)


@pytest.mark.slow
def test_a_field_that_the_page_corrects_is_no_other_state(visit):
    at = visit("about", note=LINKED)
    at.session_state["stored-presentation"] = {"held": {"at": 1.0, "text": '["bias"]'}}  # the list of the browser
    assert at.run().query_params["steps"] == "bias" and frame(at)


def test_a_step_a_carried_edit_and_a_room_have_no_note(visit, rooms):
    at = visit("about", note=LINKED, open=["presentation"])
    at.press("present-add")
    assert "note" not in at.query_params and not frame(at) and "note" not in at.session_state["steps"][0]
    at = visit("arithmetic", arithmetic_edits=EDIT, note=LINKED)
    assert frame(at)
    at.press("carry")
    assert not frame(at) and "note" not in at.query_params
    at = visit("pairs", pairs_tab="similarity", pairs_first="It rains.", note=LINKED)
    at.session_state["room"] = True
    at.run().press("Open a room")
    assert not frame(at) and "note" not in at.query_params
    (held,) = rooms._rooms.values()
    assert "It+rains" in held.room.page and "note" not in held.room.page


@pytest.fixture
def sender(visit, monkeypatch):
    """A page with its Link open, in which a note can be written; `links` are the addresses that it shows."""
    monkeypatch.setattr(type(share.st.context), "url", "https://bert.example.org/pairs")

    def opened(**query):
        at = visit("pairs", pairs_tab="similarity", **query)
        at.session_state["share-link"] = True
        return at.run()

    return opened


def links(at):
    return [block.value for block in at.code if block.value.startswith("https://bert.example.org")]


def test_a_note_becomes_part_of_the_link_and_is_read_at_its_other_end(sender, visit):
    at = sender(pairs_first="It rains.").put("share-note", f"  {TEXT}\n")
    (link,) = links(at)
    query = {key: parts[0] if len(parts) == 1 else parts for key, parts in parse_qs(link.partition("?")[2]).items()}
    assert "note" not in at.query_params and query.pop("note") == LINKED
    assert frame(visit("pairs", **query, note=LINKED))
    cited = [block.value for block in at.code if "SHA-256" in block.value]
    assert len(cited) == 2 and not any("note=" in text for text in cited)
    assert len([html for html in at.get("html") if 'class="qr"' in html.proto.body and "note=" in html.proto.body]) == 1


@pytest.mark.slow
def test_a_written_note_is_dropped_with_its_state(sender):
    at = sender().put("share-note", "Look here.")
    assert "note=Look" in links(at)[0]
    at.put("pairs_first", "The sun shines.")
    assert "note=" not in links(at)[0] and at.field("share-note").value == ""


def test_a_received_note_is_not_sent_on(sender):
    at = sender(note=LINKED)
    assert frame(at) and "note=" not in links(at)[0] and at.field("share-note").value == ""


def test_the_field_says_that_there_is_no_code_with_a_long_note(sender):
    at = sender()
    assert at.put("share-note", "Look here.").get("html") and not at.says("too long for a QR code")
    at.put("share-note", "Look at the second bar. " * 12)
    assert at.says("too long for a QR code", "There is no QR code, because this link has") and "note=" in links(at)[0]


def test_of_a_note_that_is_too_long_the_beginning_stays_and_the_field_says_so(sender):
    at = sender().put("share-note", "x" * 301)
    assert "note=" + "x" * 300 + "%7E" in links(at)[0].replace("~", "%7E")
    assert at.says("The text had 301 characters; the first 300 are used.") and at.field("share-note").value == "x" * 300
    assert not at.put("share-note", "Look here.").says("characters; the first")


def test_a_note_that_does_not_fit_into_the_address_is_left_out(sender, monkeypatch):
    at = sender(pairs_first="It rains.")
    monkeypatch.setattr(state, "MOST", 120)
    at.put("share-note", "Ä" * 100)
    assert "note=" not in links(at)[0] and at.says("The link does not contain the note")


def test_the_report_has_the_own_note_and_not_a_received_one(sender):
    at = sender(note=LINKED).put("share-note", "Mine \u202e.")
    at.session_state["share-code"] = True
    assert "Mine ⟨U+202E⟩." in at._offered()["share-report"][1]().decode()
    at = sender(note=LINKED)
    at.session_state["share-code"] = True
    written = at._offered()["share-report"][1]().decode()
    assert 'class="note"' not in written and "note=" not in written.partition("<script")[0]
