"""A class on a server as docs/hosting.md describes it: two replicas behind nginx, and redis."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from embtools.ui.rooms import routes
from tests import guide, phones
from tests.browser import policy
from tests.browser.conftest import Visitors
from tests.browser.replicas import Site, host, needs
from tests.browser.tab import LONG
from tests.browser.test_rooms import joined
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
    page.get_by_role("button", name="Room").first.click()
    page.get_by_role("button", name="Open a room").click()
    page.get_by_role("button", name="Back to the page").click(timeout=LONG)
    page.get_by_role("button", name="Ask the class").click(timeout=LONG)
    expect(page.locator(".room-choices")).to_be_visible(timeout=LONG)
    return page.locator(".room-code").inner_text().replace("-", "")


def test_phones_of_one_class_reach_both_replicas_and_all_their_votes_count(site: Site, redis: RedisServer) -> None:
    assert phones.class_of(12, site.address, redis.url) == (4, 4, 4)
    answered = site.ports("/room/api/join", "POST")
    assert len(answered) == 12 and set(answered) == {replica.port for replica in site.replicas}


def test_a_class_goes_on_when_the_teachers_replica_is_killed(site: Site, visitor: Visitors) -> None:
    teacher = visitor(site.address, viewport={"width": 1280, "height": 720}, color_scheme="light")
    blocked = policy.watched(teacher.page)
    page, main = teacher.open("arithmetic").page, teacher.main
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
    for phone in class_:  # also those of the replica that is gone
        expect(phone.locator("#results li")).to_have_count(4, timeout=LONG)
        expect(phone.locator("#results")).to_contain_text("Class: 33% (4)")
    # The proxy's Content-Security-Policy and that of the page for phones block nothing on any of them.
    assert not blocked() and not refused


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
