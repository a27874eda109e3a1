"""A class on a server as docs/hosting.md describes it: two replicas behind nginx, and redis."""

import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from embtools import EmbeddingModel, fill_mask
from embtools.lessons.bundled import lessons
from embtools.lessons.lesson import Step
from embtools.lessons.worksheet import plain
from embtools.ui.rooms import routes
from tests import guide
from tests.browser import policy
from tests.browser.conftest import Visitors
from tests.browser.replicas import Site, host, needs
from tests.browser.tab import LONG, Tab
from tests.browser.test_lessons import focus
from tests.browser.test_rooms import joined, opened
from tests.redis_server import RedisServer

pytestmark = needs("nginx", "redis-server")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands of the guide write into /etc."""
    made = tmp_path_factory.mktemp("guide")
    guide.write_secrets(made)
    return made


@pytest.fixture(scope="module")
def redis(folder: Path) -> Iterator[RedisServer]:
    server = RedisServer(guide.redis_lines(folder))
    # The guide's address, except for the port.
    assert guide.variables(folder)["EMBTOOLS_ROOMS"] == server.url.replace(str(server.port), "6379")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def site(folder: Path, redis: RedisServer) -> Iterator[Site]:
    variables = guide.environment(guide.unit()) | guide.variables(folder)
    with host("class", environment=variables | {"EMBTOOLS_ROOMS": redis.url}) as site:
        yield site


def asked(page: Page) -> str:
    """Open a room and ask the class what the tab proposes; returns the code of the room."""
    code = opened(page)
    page.get_by_role("button", name="Back to the page").click()
    page.get_by_role("button", name="Ask the class").click(timeout=LONG)
    expect(page.locator(".room-choices")).to_be_visible(timeout=LONG)
    return code


def answers(model: EmbeddingModel) -> tuple[str, ...]:
    """BERT's answer to each question of the lesson "Change Rome", as one of its choices."""

    def top(edit: str, strength: float = 1.0, text: str = "Rome is the capital of [MASK].") -> tuple[str, float]:
        row = fill_mask(text, model, k=1, edits=[edit] if edit else (), strength=strength).iloc[0]
        return str(row["token"]), float(row["probability"])

    def word(found: tuple[str, float], *choices: str, other: str = "Another word") -> str:
        return next((choice for choice in choices if choice.split()[-1].lower() == found[0]), other)

    added, weather = top("rome = rome + france")[1], "The weather in Rome was [MASK]."
    french = "rome = rome - italy + france"
    return (
        word(top(""), "Italy", "France", "Greece"),
        word(top(french), "Italy", "France", "Paris"),
        "Less than 20%" if added < 0.2 else "20% to 49%" if added < 0.5 else "50% or more",
        word(top("rome = rome - italy"), "Still Italy", "France"),
        word(top("rome = rome - italy + banana"), "Banana", "Italy"),
        "No" if top(french, text=weather)[0] == top("", text=weather)[0] else "Yes",
        word(top(french, strength=0.3), "Italy", "France"),
    )


def whose(step: Step) -> str:
    """What the answer is called: whether the answer changes is what the app concludes, not what BERT says."""
    return "The answer" if step.answer == "changed" else "BERT's answer"


def shows_the_class(teacher: Tab, votes: dict[str, int], answer: str, step: Step) -> None:
    """The projector has a bar for each choice, as long as its share of the votes, and marks the answer."""
    expect(teacher.page.locator(".room-line", has_text=f"{whose(step)}: {answer}")).to_be_visible(timeout=LONG)
    chart = teacher.chart("room-answers").is_described(f"{sum(votes.values())} people have answered.")
    (bars,) = chart.traces()
    assert bars["x"] == pytest.approx([count / sum(votes.values()) for count in votes.values()])
    texts = chart.plot.evaluate("plot => plot._fullLayout.annotations.map(each => each.text)")
    mark = "BERT" if whose(step) == "BERT's answer" else "the answer"
    assert texts == [f"{choice} <b>◀ {mark}</b>" if choice == answer else choice for choice in votes]
    teacher.above_the_fold(chart.plot, teacher.page.locator(".st-key-room-actions")).fits_the_screen()


def press(teacher: Tab, name: str, *, by_keyboard: bool = False) -> None:
    """Press a button on the projector, with the mouse or with Tab and Enter alone."""
    with teacher.answer():
        if by_keyboard:
            focus(teacher, name)
            teacher.page.keyboard.press("Enter")
        else:
            teacher.main.get_by_role("button", name=name, exact=True).click()


@pytest.mark.long
def test_a_whole_lesson_with_six_phones(site: Site, visitor: Visitors, bundled: EmbeddingModel) -> None:
    """Somebody joins late, a phone is reloaded after its answer, and the second step is given by keyboard alone."""
    teacher = visitor(site.address, viewport={"width": 1280, "height": 720}, color_scheme="light")
    page, main = teacher.open("lessons", lesson="rome").page, teacher.main
    code = opened(page)
    phones_ = [joined(visitor, site.address, f"room/{code}") for _ in range(5)]
    expect(main).to_contain_text("5 phones are in the room", timeout=LONG)
    press(teacher, "Back to the lesson")

    steps, given, expected = lessons()["rome"].steps, answers(bundled), []
    for number, (step, answer) in enumerate(zip(steps, given, strict=True), 1):
        by_keyboard, choices = number == 2, [choice.text for choice in step.choices]
        if number == 4:  # somebody who types the code that is on the projector
            late = joined(visitor, site.address, "room")
            late.keyboard.press("Tab")
            late.keyboard.type(code.lower())
            late.keyboard.press("Enter")
            phones_.append(late)
            expect(late.locator("#title")).to_contain_text(steps[2].question, timeout=LONG)  # with its result
        teacher.shows(f"Step {number} of {len(steps)}").lacks("Remember:")
        press(teacher, "Ask the class", by_keyboard=by_keyboard)
        expect(page.locator(".room-question")).to_contain_text(step.question, timeout=LONG)
        teacher.above_the_fold(page.locator(".room-choices"), page.locator(".st-key-room-actions"))

        picks = [(person * number + person // 3) % len(choices) for person in range(len(phones_))]
        for phone, pick in zip(phones_, picks, strict=True):
            buttons = phone.locator("#choices button")
            expect(phone.locator("#title")).to_have_text(step.question, timeout=LONG)
            expect(phone.locator("#context")).to_contain_text(" ".join(plain(step.before).split()))
            expect(buttons).to_have_text(choices)
            if phone is phones_[1] and by_keyboard:
                buttons.nth(pick).focus()
                phone.keyboard.press("Enter")
            else:
                buttons.nth(pick).tap()
            expect(phone.locator("#status")).to_contain_text("Answered")
        everyone = len(phones_)
        expect(main).to_contain_text(f"{everyone} of {everyone} answered", timeout=LONG)
        if number == 3:
            phones_[0].reload()
            expect(phones_[0].get_by_role("button", pressed=True)).to_have_text(choices[picks[0]], timeout=LONG)
            changed = (picks[0] + 1) % len(choices)  # its vote is replaced, not counted twice
            phones_[0].locator("#choices button").nth(changed).tap()
            picks[0] = changed
            expect(phones_[0].locator("#status")).to_contain_text("Answered")
            expect(phones_[0].get_by_role("button", pressed=True)).to_have_text(choices[changed])

        counted = Counter(picks)
        votes = {choice: counted[at] for at, choice in enumerate(choices)}
        expected += [(number, step.question, choice, count, choice == answer) for choice, count in votes.items()]
        press(teacher, "Reveal", by_keyboard=by_keyboard)
        shows_the_class(teacher, votes, answer, step)
        for phone, pick in zip(phones_, picks, strict=True):
            expect(phone.locator("#answer")).to_contain_text(f"{whose(step)}: {answer}", timeout=LONG)
            expect(phone.locator("#results small")).to_have_text(
                [f"Class: {100 * count / everyone:.0f}% ({count})" for count in votes.values()]
            )
            expect(phone.locator("#results li", has_text="(your answer)")).to_contain_text(choices[pick])
            drawn = phone.locator("#results .bar").evaluate_all(
                "bars => bars.map(bar => bar.offsetWidth / bar.parentElement.offsetWidth)"
            )
            assert drawn == pytest.approx([count / everyone for count in votes.values()], abs=0.01)

        press(teacher, "Show the reason", by_keyboard=by_keyboard)
        guess = max(votes, key=lambda choice: votes[choice])
        if [*votes.values()].count(votes[guess]) > 1:
            teacher.shows(f"The class was divided. The answer is: {answer}")
        else:
            of_class = "The class's most frequent guess"
            teacher.shows(
                f"{of_class} is right: {guess}" if guess == answer else f"{of_class}: {guess}. The answer is: {answer}"
            )
        teacher.shows(f"The class: {', '.join(f'{choice} ({count})' for choice, count in votes.items())}.", "Remember:")
        places = (main.locator(".st-key-lesson-steps"), main.locator(".st-key-point"))
        teacher.above_the_fold(teacher.plots.first, *places).fits_the_screen()
        if number < len(steps):
            press(teacher, "Next step", by_keyboard=by_keyboard)
    teacher.shows("The class answered 7 of 7 questions.")

    for kind in ("state", "vote"):  # both replicas have served this class
        method = "POST" if kind == "vote" else "GET"
        ports = site.ports(f"/room/api/{code}/{kind}", method)
        assert set(ports) == {replica.port for replica in site.replicas}

    page.get_by_role("button", name="Room").first.click()
    page.get_by_role("button", name="Show on the projector").click()
    rows = teacher.rows("room-results")
    assert [
        (int(row["number"]), row["question"], row["choice"], int(row["votes"]), row["is_answer"] == "True")
        for row in rows
    ] == expected


def test_a_class_goes_on_when_the_teachers_replica_is_killed(site: Site, visitor: Visitors) -> None:
    teacher = visitor(site.address, viewport={"width": 1280, "height": 720}, color_scheme="light")
    blocked = policy.watched(teacher.page)
    page, main = teacher.open("arithmetic", arithmetic_text="Zanzibar is in [MASK].").page, teacher.main
    code = asked(page)
    class_ = [joined(visitor, site.address, f"room/{code}") for _ in range(12)]
    refused: list[str] = []
    for phone in class_:
        phone.on("console", lambda line: refused.append(line.text) if line.type == "error" else None)
    class_[0].reload()
    for number, phone in enumerate(class_):
        phone.locator("#choices button").nth(number % 3).tap(timeout=LONG)
        expect(phone.locator("#status")).to_contain_text("Answered", timeout=LONG)
    expect(main).to_contain_text("12 of 12 answered", timeout=LONG)
    assert set(site.ports(f"/room/{code}")) == {replica.port for replica in site.replicas}

    with teacher.answer():  # the projector connects again by itself, to the other replica
        site.replica(site.ports("/arithmetic")[-1]).end(signal.SIGKILL)
    expect(main).to_contain_text("12 of 12 answered", timeout=LONG)
    assert page.locator(".room-code").inner_text().replace("-", "") == code
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator(".st-key-chart-room-answers .js-plotly-plot")).to_be_visible(timeout=LONG)
    for phone in class_:  # also those of the replica that was stopped
        expect(phone.locator("#results li")).to_have_count(4, timeout=LONG)
        expect(phone.locator("#results")).to_contain_text("Class: 33% (4)")
    # The proxy's Content-Security-Policy and that of the page for phones block nothing on any of them.
    assert not blocked() and not refused
    assert any(log.name.startswith("redis") for log in site.logs())
    for log in site.logs():  # what the class was asked about, also on the way to the replica that is gone
        assert "zanzibar" not in log.read_text(errors="replace").lower(), log


@pytest.mark.thorough
def test_a_lesson_shows_its_question_again_when_the_teachers_replica_is_killed(site: Site, visitor: Visitors) -> None:
    for replica in site.replicas:
        if replica.process.poll() is not None:  # killed by the test before
            replica.start()
    teacher = visitor(site.address, viewport={"width": 1280, "height": 720}, color_scheme="light")
    page, main = teacher.open("lessons", lesson="rome").page, teacher.main
    code = opened(page)
    phone = joined(visitor, site.address, f"room/{code}")
    press(teacher, "Back to the lesson")
    page.reload()  # what the browser reports now is out of date when the class is asked
    teacher.shows("Ask the class")
    press(teacher, "Ask the class")
    phone.locator("#choices button").first.tap(timeout=LONG)
    expect(main).to_contain_text("1 of 1 answered", timeout=LONG)
    with teacher.reconnected():
        site.replica(site.ports("/lessons")[-1]).end(signal.SIGKILL)
    expect(main).to_contain_text("1 of 1 answered", timeout=LONG)
    press(teacher, "Back to the lesson")
    press(teacher, "Back to the question (1 of 1)")
    expect(main).to_contain_text("1 of 1 answered", timeout=LONG)


def test_while_redis_is_away_teacher_and_phones_are_told_and_later_a_new_room_can_be_opened(
    site: Site, redis: RedisServer, visitor: Visitors
) -> None:
    for replica in site.replicas:
        if replica.process.poll() is not None:  # killed by the test before
            replica.start()
    teacher = visitor(site.address, viewport={"width": 1280, "height": 720}, color_scheme="light")
    page, main = teacher.open("pairs").page, teacher.main
    code = asked(page)
    phone = joined(visitor, site.address, f"room/{code}")
    phone.locator("#choices button").first.tap(timeout=LONG)
    expect(main).to_contain_text("1 of 1 answered", timeout=LONG)

    redis.stop()
    expect(main).to_contain_text("The rooms cannot be reached now. Try again in a minute.", timeout=LONG)
    expect(phone.locator("#status")).to_contain_text(routes.AWAY, timeout=LONG)
    assert main.get_by_text("Something went wrong").count() == 0

    redis.start()  # empty: rooms are not written to disk
    expect(main).to_contain_text("This room has ended", timeout=LONG)
    expect(phone.locator("body")).to_contain_text(routes.GONE, timeout=LONG)
    page.get_by_role("button", name="Open another room").click()
    expect(page.get_by_text("0 phones")).to_be_visible(timeout=LONG)
