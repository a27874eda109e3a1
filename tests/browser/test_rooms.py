"""A class through the real server: one projector, three phones; keyboard only, a reload, and axe on each of them."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitors
from tests.browser.tab import LONG, Tab
from tests.browser.test_first_sight import findings

# Every answer of this phone takes most of a second to be confirmed.
SLOW_VOTES = """() => {
  const real = fetch;
  window.fetch = async (address, options) => {
    const answer = await real(address, options);
    if (address.endsWith('/vote')) await new Promise((done) => setTimeout(done, 800));
    return answer;
  };
}"""
PHONE = {"viewport": {"width": 390, "height": 760}, "is_mobile": True, "has_touch": True}


@pytest.fixture
def teacher(fresh: Tab) -> Tab:
    """A new visitor at a projector, who has no room yet."""
    fresh.page.set_viewport_size({"width": 1280, "height": 720})
    return fresh


def violations(page: Page) -> list[object]:
    """What axe-core finds on the page for phones, which is all ours."""
    return [violation["id"] for violation in Axe().run(page).response["violations"]]


def waits_for(phone: Page, requests: list[object], number: int) -> None:
    """Wait until this many requests were caught: they arrive a moment after the timer that sends them."""
    for _ in range(100):
        if len(requests) >= number:
            return
        phone.wait_for_timeout(50)
    raise AssertionError(f"{len(requests)} requests instead of {number}")


def joined(visitor: Visitors, server: str, path: str, *, clock: bool = False) -> Page:
    """A phone that has opened this address; its clock can be moved."""
    context = visitor.browser.new_context(**PHONE)
    visitor.contexts.append(context)
    phone: Page = context.new_page()
    if clock:
        phone.clock.install()
    phone.goto(f"{server}/{path}")
    return phone


def opened(page: Page) -> str:
    """Open a room; returns its code."""
    page.get_by_role("button", name="Room").first.click()
    page.get_by_role("button", name="Open a room").click()
    return page.locator(".room-code").inner_text(timeout=LONG).replace("-", "")


@pytest.mark.slow
def test_a_class_guesses_and_sees_what_bert_answers(teacher: Tab, visitor: Visitors, server: str) -> None:
    page = teacher.open("arithmetic").page
    main = teacher.main
    page.get_by_role("button", name="Room", exact=False).first.click()
    page.get_by_role("button", name="Open a room").click()
    expect(page.get_by_text("0 phones")).to_be_visible(timeout=LONG)
    expect(page.locator(".js-plotly-plot")).to_have_count(0)
    page.get_by_role("button", name="Back to the page").click()
    page.get_by_role("button", name="Ask the class").click()
    expect(page.locator(".room-context")).to_contain_text("Rome is the capital of", timeout=LONG)
    code = page.locator(".room-code").inner_text()
    kept = page.evaluate("localStorage.getItem('explorer-room')")
    assert kept.startswith(code.replace("-", "")) and kept.split()[1] not in page.url
    # This server answers only on its machine, and a code must not contain the machine's own address.
    expect(main).to_contain_text("Phones cannot reach this app")
    expect(main.get_by_role("img", name="QR code")).to_have_count(0)

    # Three phones: one by the code's address, one that types the code with the keyboard alone, one that is reloaded.
    first = joined(visitor, server, f"room/{code.replace('-', '')}")
    typing = joined(visitor, server, "room")
    third = joined(visitor, server, f"room/{code.lower()}")
    assert not violations(typing)
    typing.keyboard.press("Tab")
    typing.keyboard.type(code.lower())
    typing.keyboard.press("Enter")
    for phone in (first, typing, third):
        expect(phone.locator("#choices button")).to_have_count(4, timeout=LONG)
    assert not violations(first)
    first.evaluate(SLOW_VOTES)
    first.get_by_role("button", name="italy").tap()
    first.get_by_role("button", name="france").tap()  # changed while the first answer is still being sent
    typing.locator("#choices button", has_text="france").focus()
    typing.keyboard.press("Enter")
    third.get_by_role("button", name="italy").tap()
    for phone in (first, typing, third):
        expect(phone.locator("#status")).to_contain_text("Answered")
    expect(main).to_contain_text("3 of 3 answered", timeout=LONG)
    assert not findings(page)

    # A locked phone and the projector come back to what they had.
    third.reload()
    expect(third.get_by_role("button", name="italy")).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(main).to_contain_text("3 of 3 answered", timeout=LONG)
    expect(page.locator(".room-code")).to_have_text(code)
    assert "room" not in page.url

    for hidden in ("stSidebar", "stMainMenu"):  # nothing but the room is on the projector
        expect(page.get_by_test_id(hidden)).not_to_be_visible()
    page.get_by_role("button", name="Reveal").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-chart-room-answers .js-plotly-plot")).to_be_visible(timeout=LONG)
    teacher.above_the_fold(page.locator(".st-key-room-question"), page.locator(".st-key-room-joining"))
    expect(page.locator(".room-line", has_text="BERT's answer: france")).to_be_visible()
    for phone, own in ((first, "france"), (third, "italy")):
        expect(phone.locator("#answer")).to_contain_text("BERT's answer: france")
        expect(phone.locator("#results li", has_text="your answer")).to_contain_text(own)
    expect(first.locator("#results li", has_text="france")).to_contain_text("Class: 67% (2)")
    expect(first.get_by_role("link", name="Open your teacher's page")).to_have_attribute("href", "/arithmetic")
    assert not violations(first) and kept.split()[1] not in first.content()

    # Strangers are in the room: another code, and only those who know it come back.
    page.get_by_role("button", name="New code").click()
    expect(page.locator(".room-code")).not_to_have_text(code)
    for phone in (first, third):
        expect(phone.locator("#status")).to_contain_text("This room has ended, or it has another code now.")
    first.locator("#code").fill(page.locator(".room-code").inner_text())
    first.locator("#join button").tap()
    expect(first.locator("#answer")).to_contain_text("BERT's answer: france")
    expect(page.locator(".js-plotly-plot")).to_be_visible()


@pytest.mark.slow
def test_a_long_question_leaves_the_buttons_on_the_projector(teacher: Tab) -> None:
    page = teacher.open("clusters").page
    opened(page)
    page.get_by_role("button", name="Back to the page").click()
    page.get_by_role("button", name="Room").first.click()
    form = page.get_by_test_id("stPopoverBody")
    form.get_by_label("Question", exact=True).fill("A long question that fills the projector. " * 7)
    for number in range(1, 6):
        form.get_by_label(f"Choice {number}").fill(
            f"{number} is a choice of as many characters as are allowed here, yes"[:60]
        )
    with teacher.answer():
        form.get_by_label("Choice 5").press("Tab")
    form.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator(".room-question")).to_be_visible(timeout=LONG)
    teacher.above_the_fold(page.locator(".st-key-room-actions"), page.locator(".room-choices"))
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator(".js-plotly-plot")).to_be_visible(timeout=LONG)
    teacher.above_the_fold(page.locator(".st-key-room-actions"), page.locator(".st-key-room-joining"))
    teacher.fits_the_screen()


@pytest.mark.slow
def test_a_phone_asks_again_when_an_answer_never_comes(teacher: Tab, visitor: Visitors, server: str) -> None:
    """After a change of network a request can wait for ever: the phone gives up, at once if it is notified of the change."""
    page = teacher.open("pairs").page
    code = opened(page)
    phone = joined(visitor, server, f"room/{code}", clock=True)
    expect(phone.locator("#title")).to_have_text("You are in")
    hanging: list[object] = []
    phone.route("**/state", lambda route: hanging.append(route))
    phone.clock.run_for(2_500)
    waits_for(phone, hanging, 1)  # a request that is never answered
    for event in (None, "online"):
        before = len(hanging)
        if event:
            phone.evaluate("name => window.dispatchEvent(new Event(name))", event)
        else:
            phone.clock.run_for(8_000)
            expect(phone.locator("#status")).to_contain_text("No connection. Trying again")
            phone.clock.run_for(2_500)
        expect(phone.locator("#title")).to_have_text("You are in")
        waits_for(phone, hanging, before + 1)
        assert len(hanging) == before + 1
    phone.unroute("**/state")
    phone.evaluate("window.dispatchEvent(new Event('online'))")
    expect(phone.locator("#status")).to_contain_text("Your teacher has not asked a question yet.")


@pytest.mark.slow
def test_an_answer_without_a_connection_is_sent_later_or_said_to_be_late(
    teacher: Tab, visitor: Visitors, server: str
) -> None:
    page = teacher.open("pairs").page
    code = opened(page)
    phone = joined(visitor, server, f"room/{code}")
    page.get_by_role("button", name="Back to the page").click()
    page.get_by_role("button", name="Ask the class").click(timeout=LONG)
    expect(phone.locator("#context")).to_have_text("“I went to the store.” “They were closed.”", timeout=LONG)
    status, buttons = phone.locator("#status"), phone.locator("#choices button")
    phone.context.set_offline(True)
    buttons.first.tap()
    expect(status).to_contain_text("Your answer is not sent yet.")
    phone.context.set_offline(False)
    expect(status).to_contain_text("Answered.", timeout=LONG)
    expect(teacher.main).to_contain_text("1 of 1 answered", timeout=LONG)
    phone.context.set_offline(True)
    buttons.last.tap()
    expect(status).to_contain_text("Your answer is not sent yet.")
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator(".js-plotly-plot")).to_be_visible(timeout=LONG)
    phone.context.set_offline(False)
    expect(status).to_contain_text("Your last answer was not sent in time", timeout=LONG)


def test_a_phone_joins_once_however_often_the_button_is_tapped(visitor: Visitors, server: str) -> None:
    phone = joined(visitor, server, "room/%E0")  # an address that cannot be decoded asks for the code
    expect(phone.locator("#join")).to_be_visible()
    sent: list[str] = []
    phone.on("request", lambda request: sent.append(request.url) if request.url.endswith("/api/join") else None)
    phone.locator("#code").fill("K7QF2MXP")
    phone.locator("#join button").evaluate("button => { button.click(); button.click(); }")
    expect(phone.locator("#status")).to_contain_text("There is no room with this code")
    assert len(sent) == 1


@pytest.mark.slow
def test_the_question_for_the_class_is_about_the_words_on_the_page(teacher: Tab) -> None:
    """Also when they change in a fragment, which does not draw what is above it."""
    page = teacher.open("similarity", similarity_tab="odd").page
    opened(page)
    page.get_by_role("button", name="Back to the page").click()
    above = page.locator(".st-key-room-waits")
    expect(above.get_by_role("button", name="Ask the class")).to_be_visible(timeout=LONG)
    for words in ("red, blue, apple, green", "king, queen, river"):
        teacher.fill("Your own words (comma-separated, three or more; leave empty to play)", words)
        expect(above).to_contain_text(words, timeout=LONG)
    above.get_by_role("button", name="Ask the class").click()
    expect(page.locator(".room-context")).to_contain_text("king, queen, river", timeout=LONG)
    page.get_by_role("button", name="Reveal").click()
    page.get_by_role("button", name="Back to the page").click()
    expect(above).to_have_count(0, timeout=LONG)
    teacher.fill("Your own words (comma-separated, three or more; leave empty to play)", "rome, paris, dog")
    expect(above).to_contain_text("rome, paris, dog", timeout=LONG)
