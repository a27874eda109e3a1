"""The browser's history: one entry for each finished text, none while it is typed, and Back and Forward show each.

And what gets lost on its way to the server is asked for again.
"""

import pytest
from playwright.sync_api import TimeoutError, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

# The next value for Python gets lost.
LOSE_ONE = """() => {
  const steps = window.explorerHistory, tell = steps.tell;
  steps.tell = () => { steps.tell = tell; };
}"""
FIRST, SECOND = "First sentence", "Second sentence"


def held(tab) -> tuple[str, str, str]:
    """The two sentences in the fields, and what the page says about them."""
    first, second = (tab.page.get_by_label(label, exact=True).input_value() for label in (FIRST, SECOND))
    return first, second, tab.finding.inner_text()


@pytest.mark.slow
def test_each_finished_text_is_one_entry_and_back_and_forward_show_it(fresh):
    tab = fresh.open("pairs")
    begun, seen = tab.entries, [held(tab)]
    for label, sentence in ((FIRST, "It rained."), (SECOND, "We got wet."), (FIRST, "The sun shone.")):
        tab.fill(label, sentence)
        seen.append(held(tab))
        assert tab.entries == begun + len(seen) - 1
    tab.press("Swap")
    seen.append(held(tab))
    assert tab.entries == begun + len(seen) - 1 and len(set(seen)) == len(seen)
    for expected in reversed(seen[:-1]):
        assert held(tab.back()) == expected
    for expected in seen[1:]:
        assert held(tab.back(-1)) == expected
    assert tab.entries == begun + len(seen) - 1
    assert held(tab.back(3)) == seen[1]  # several steps at once
    tab.fill(SECOND, "Nobody knew why.")  # from here on another future
    assert tab.entries == begun + 2 and held(tab.back()) == seen[1]


@pytest.mark.slow
def test_typing_makes_no_entry_until_the_field_is_left(fresh):
    tab = fresh.open("pairs")
    begun, (_, second, _) = tab.entries, held(tab)
    field = tab.page.get_by_label(FIRST, exact=True)
    field.fill("")
    field.press_sequentially("It rained.", delay=20)
    assert tab.entries == begun and "pairs_first" not in tab.query
    with tab.answer():
        tab.page.get_by_label(SECOND, exact=True).focus()  # leaves the first field
    assert tab.entries == begun + 1 and tab.query["pairs_first"] == ["It rained."]
    tab.finding.click()  # leaves a field in which nothing was typed
    tab.settled()
    assert tab.entries == begun + 1
    tab.back()
    assert tab.page.get_by_label(FIRST, exact=True).input_value() != "It rained." and held(tab)[1] == second


@pytest.mark.slow
def test_an_example_pressed_from_a_text_is_the_last_entry(fresh):
    """A press leaves the field and sends its text, too: Back from the example shows no half of it."""
    tab = fresh.open("arithmetic")
    begun = tab.entries
    tab.page.get_by_label("Sentence with [MASK] or ___", exact=True).fill("Paris is the capital of [MASK].")
    tab.press("Orange grass")
    assert begun + 1 <= tab.entries <= begun + 2
    assert tab.query["arithmetic_text"] != ["Paris is the capital of [MASK]."]
    tab.back(tab.entries - begun)
    assert "arithmetic_text" not in tab.query


@pytest.mark.slow
def test_parameters_that_arrive_before_the_next_page_leave_the_last_entry_alone(fresh):
    """Streamlit may write the next page's parameters, or none, while the address still has the path of the page left."""
    page = fresh.open("similarity", similarity_words="cat, dog, car").page
    page.evaluate(
        """() => document.addEventListener("click", () => {
            for (const early of ["?clusters_method=pca", ""]) history.pushState(null, "", location.pathname + early);
        }, true)"""
    )
    fresh.menu("Clusters").shows("Explain")
    fresh.back()
    fresh.asks(similarity_words="cat, dog, car")


@pytest.mark.slow
def test_a_step_back_that_python_did_not_receive_is_sent_again(fresh):
    tab = fresh.open("pairs")
    before = held(tab)
    tab.fill(FIRST, "It rained.")
    tab.page.evaluate(LOSE_ONE)
    assert held(tab.back()) == before


# What the server sends arrives late, as over a slow network.
LATE = """() => {
  const listen = WebSocket.prototype.addEventListener;
  WebSocket.prototype.addEventListener = function (kind, heard, ...more) {
    const late = kind !== "message" ? heard : event => setTimeout(() => heard.call(this, event), 400);
    return listen.call(this, kind, late, ...more);
  };
}"""
# A press in a part of the page that draws itself alone, after the next page was asked for and before anything of it came:
# the browser still sends the press as one of the page that is left.
LEAVE_AND_PRESS = """async ([address, field]) => {
  const option = document.querySelector(`.st-key-${field} [role="radio"][aria-checked="false"]`);
  History.prototype.pushState.call(history, null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
  await new Promise(done => setTimeout(done, 60));
  option.click();
}"""


@pytest.mark.slow
def test_a_press_on_the_page_that_was_left_does_not_empty_the_next_one(fresh):
    fresh.page.add_init_script(f"({LATE})()")
    tab = fresh.open("concepts")
    asked = tab.page.evaluate("window.__watch.asked")
    tab.page.evaluate(LEAVE_AND_PRESS, [f"{tab.server}/pairs?pairs_first=It+rained.", "concepts_folds"])
    tab.settled(asked + 2)
    tab.holds(FIRST, "It rained.").shows("Swap")
    tab.asks(pairs_first="It rained.")


# Remembers the connection, and keeps one message from the server.
SENDING = """() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    window.__socket = this;
    if (window.__lose) window.__lose = false;
    else send.call(this, data);
  };
}"""


@pytest.fixture
def losing(fresh):
    """A tab on Similarity whose connection can be lost."""
    fresh.page.add_init_script(f"({SENDING})()")
    return fresh.open("similarity")


@pytest.mark.slow
def test_a_tab_that_is_opened_while_the_connection_is_away_is_drawn_once_it_is_back(losing):
    with losing.reconnected():
        losing.page.context.set_offline(True)
        losing.page.evaluate("window.__socket.close()")
        losing.page.locator('[data-test-connection-state="PINGING_SERVER"]').wait_for()
        losing.page.get_by_role("tab", name="Odd one out", exact=True).click()
        losing.page.context.set_offline(False)
    losing.asks(similarity_tab="odd")
    expect(losing.page.get_by_text("Round 1", exact=True)).to_be_visible()


@pytest.mark.slow
def test_an_expander_or_a_tab_that_stays_empty_is_asked_for_again(losing):
    parts = {".st-key-fold-vectors summary": "stExpanderDetails", '[role="tab"]:has-text("Odd one out")': "stTabPanel"}
    for press, part in parts.items():
        losing.page.evaluate("window.__lose = true")
        with losing.answer():
            losing.main.locator(press).click()
        filled = losing.main.get_by_test_id(part).get_by_test_id("stElementContainer").filter(visible=True)
        expect(filled.first).to_be_visible()


# Streamlit's script gets a message from the server that it cannot draw, and removes everything from the window.
BREAK = """message => {
  window.__socket.dispatchEvent(new MessageEvent("message", {data: new Uint8Array(message).buffer}));
}"""


@pytest.mark.slow
def test_a_window_that_an_error_has_emptied_is_opened_again_but_not_for_ever(fresh):
    message = ForwardMsg()
    message.metadata.delta_path.extend([0, 99])  # an element without those before it
    message.delta.new_element.text.body = "?"
    fresh.page.add_init_script(f"({SENDING})()")
    tab = fresh.open("pairs").fill(FIRST, "It rained.")
    with tab.page.expect_navigation():
        tab.page.evaluate(BREAK, list(message.SerializeToString()))
    tab.settled(asked=1).holds(FIRST, "It rained.").asks(pairs_first="It rained.")
    tab.page.evaluate("sessionStorage.setItem('explorer-reopened', 3)")
    with pytest.raises(TimeoutError), tab.page.expect_navigation(timeout=2_000):
        tab.page.evaluate(BREAK, list(message.SerializeToString()))
    expect(tab.page.get_by_test_id("stApp")).to_have_count(0)
