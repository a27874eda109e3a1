"""The addresses for phones: joining, asking, voting, and what strangers and flooders get."""

import re
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser

import anyio
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from embtools.rooms import codes, opening, store
from embtools.rooms.batches import Batches
from embtools.rooms.rates import Rate
from embtools.rooms.store import Unavailable
from embtools.ui.rooms import routes
from tests.loops import run
from tests.rooms.contract import CAPITAL

CROWD = routes._CROWD
BROAD = {name: Rate(10**9, 10**9) for name in ("_ALL", "_JOINS", "_CROWD", "_WRONG")}


@pytest.fixture
def rooms(rooms, monkeypatch):
    """An empty store, without limits."""
    for name, rate in BROAD.items():
        monkeypatch.setattr(routes, name, rate)
    return rooms


@pytest.fixture
def lesson(rooms):
    room, key = store.opened(rooms, page="bias?bias_k=3")
    return room.code, key


@pytest.fixture
def web():
    return TestClient(Starlette(routes=routes.routes()))


class Phone:
    """A phone that has joined a room."""

    def __init__(self, web, code):
        answer = web.post("/room/api/join", json={"code": code})
        assert answer.status_code == 200, answer.text
        self.web, self.code, self.token = web, answer.json()["code"], answer.json()["token"]

    def state(self, tag=""):
        headers = {"x-room-token": self.token} | ({"if-none-match": tag} if tag else {})
        return self.web.get(f"/room/api/{self.code}/state", headers=headers)

    def vote(self, number, choice):
        body = {"number": number, "choice": choice}
        return self.web.post(f"/room/api/{self.code}/vote", json=body, headers={"x-room-token": self.token})


def test_a_phone_joins_votes_changes_its_mind_and_sees_the_result(web, rooms, lesson):
    code, key = lesson
    phone = Phone(web, codes.shown(code).lower())
    assert phone.state().json() == {"page": "bias?bias_k=3", "number": 0, "open": False, "choice": None}
    store.ask(rooms, code, key, CAPITAL)
    state = phone.state().json()
    assert state["choices"] == list(CAPITAL.choices) and state["choice"] is None and "shares" not in state
    assert phone.vote(1, 0).json() == {"choice": 0} and phone.vote(1, 2).json() == {"choice": 2}
    assert phone.state().json()["choice"] == 2
    store.reveal(rooms, code, key, 1)
    seen = phone.state().json()
    assert seen["counts"] == [0, 0, 1] and seen["shares"] == [0.8, 0.1, None] and seen["answer"] == "Italy (80%)"
    assert phone.vote(1, 0).status_code == 409


def test_nothing_new_is_answered_without_a_body(web, rooms, lesson):
    code, key = lesson
    phone = Phone(web, code)
    first = phone.state()
    for tag in (first.headers["etag"], f"W/{first.headers['etag']}"):  # the second one after nginx has compressed it
        again = phone.state(tag)
        assert again.status_code == 304 and again.content == b""
    store.ask(rooms, code, key, CAPITAL)
    answer = phone.state(first.headers["etag"])
    assert answer.status_code == 200
    phone.vote(1, 1)  # another tab of the phone learns of it
    assert phone.state(answer.headers["etag"]).json()["choice"] == 1


def test_no_answer_contains_the_key_or_another_phone(web, rooms, lesson):
    code, key = lesson
    one, other = Phone(web, code), Phone(web, code)
    assert one.token != other.token
    text = one.state().text
    assert key not in text and codes.digest(key) not in text and other.token not in text


def test_strangers_get_the_same_answer_whether_there_is_a_room_or_not(web, lesson):
    code, _ = lesson
    stranger = {"x-room-token": codes.new_secret()}
    for path, ask in (("state", web.get), ("vote", lambda *a, **k: web.post(*a, json={"number": 1, "choice": 0}, **k))):
        answers = [ask(f"/room/api/{c}/{path}", headers=stranger) for c in (code, codes.new_code(), "x")]
        assert {(answer.status_code, answer.text) for answer in answers} == {(404, answers[0].text)}
    pages = {web.get(f"/room/{c}").text for c in (code, codes.new_code(), "x", "")}
    assert len(pages) == 1
    wrong = {web.post("/room/api/join", json={"code": c}).text for c in (codes.new_code(), "x", "", 3, None)}
    assert len(wrong) == 1 and routes.UNKNOWN in wrong.pop()


def test_a_full_room_says_so(web, rooms, lesson, monkeypatch):
    monkeypatch.setattr(store, "MOST_PEOPLE", 1)
    Phone(web, lesson[0])
    assert web.post("/room/api/join", json={"code": lesson[0]}).json() == {"error": routes.FULL}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"number": 1}',
        b'{"number": true, "choice": 0}',
        b'{"number": 1, "choice": %d}' % 10**20,
        b"[" * 250,
    ],
)
def test_a_vote_that_makes_no_sense_is_not_counted(web, rooms, lesson, body):
    code, key = lesson
    phone = Phone(web, code)
    store.ask(rooms, code, key, CAPITAL)
    answer = web.post(f"/room/api/{code}/vote", content=body, headers={"x-room-token": phone.token})
    assert answer.status_code == 409 and rooms.counts(code, 1) == {}


def test_somebody_who_tries_codes_is_slowed_down_and_a_class_is_not(web, rooms, lesson, monkeypatch):
    code, _ = lesson
    monkeypatch.setattr(routes, "_WRONG", Rate(5, 0))
    joined = [Phone(web, code) for _ in range(30)]
    for _ in range(5):
        assert web.post("/room/api/join", json={"code": codes.new_code()}).status_code == 404
    guesses = [web.post("/room/api/join", json={"code": c}) for c in (codes.new_code(), code)]
    assert [guess.status_code for guess in guesses] == [429, 429]  # the right code gets no answer either
    assert all(phone.state().status_code == 200 for phone in joined)


def test_the_limits_leave_room_for_a_school_behind_one_address():
    assert routes._JOINS._burst >= 500 and routes._ALL._burst >= 2 * 500
    assert routes._ALL._per_second >= 500 / 2  # 500 phones, every two seconds


@pytest.mark.slow
def test_one_address_cannot_fill_a_room_at_once_but_a_class_and_a_school_can_join(web, rooms, lesson, monkeypatch):
    code, _ = lesson
    seconds = [0.0]
    monkeypatch.setattr(routes, "_CROWD", Rate(CROWD._burst, CROWD._per_second, lambda: seconds[0]))
    joined = [web.post("/room/api/join", json={"code": code}).status_code for _ in range(600)]
    assert joined.count(200) == rooms.people(code) == 30 and set(joined) == {200, 429}  # a class, and no more
    assert web.post("/room/api/join", json={"code": code}).json() == {"error": routes.CROWDED}
    other, _ = store.opened(rooms)
    assert web.post("/room/api/join", json={"code": other.code}).status_code == 200  # the room next door
    while rooms.people(code) < 300 and seconds[0] < 60:  # as the phones of a school try again
        seconds[0] += 1
        while web.post("/room/api/join", json={"code": code}).status_code == 200:
            pass
    assert rooms.people(code) >= 300


def test_after_lock_and_another_code_a_script_is_out(web, rooms, lesson):
    code, key = lesson
    phone = Phone(web, code)
    store.lock(rooms, code, key, True)
    assert web.post("/room/api/join", json={"code": code}).json() == {"error": routes.FULL}
    assert phone.state().status_code == 200
    moved = store.move(rooms, code, key)
    assert phone.state().json() == {"error": routes.GONE} == phone.vote(1, 0).json()
    assert Phone(web, moved.code).state().status_code == 200


def test_too_many_requests_are_refused(web, lesson, monkeypatch):
    phone = Phone(web, lesson[0])
    monkeypatch.setattr(routes, "_ALL", Rate(2, 0))
    assert [phone.state().status_code for _ in range(3)] == [200, 200, 429]


def test_a_store_that_is_away_is_no_error_of_the_server(web, lesson, monkeypatch):
    phone = Phone(web, lesson[0])

    def away(*_):
        raise Unavailable("The store is away.")

    monkeypatch.setattr(opening.store(), "seen", away, raising=False)
    answer = phone.state()
    assert answer.status_code == 503 and answer.json() == {"error": routes.AWAY}


def test_a_store_on_another_machine_does_not_hold_up_the_server(web, lesson, monkeypatch):
    import threading

    threads = set()
    own = opening.store()
    seen = own.seen
    monkeypatch.setattr(own, "blocking", True, raising=False)
    monkeypatch.setattr(
        own, "seen", lambda *a: (threads.add(threading.current_thread().name), seen(*a))[1], raising=False
    )
    assert Phone(web, lesson[0]).state().status_code == 200
    assert threads and all("AnyIO worker" in name for name in threads)


def test_phones_that_ask_together_share_a_read_of_a_store_on_another_machine(web, rooms, lesson, monkeypatch):
    code, key = lesson
    phones = [Phone(web, code) for _ in range(6)]
    store.ask(rooms, code, key, CAPITAL)
    for phone, choice in zip(phones, (0, 1, 2, 0, 1), strict=False):
        phone.vote(1, choice)
    looks = []
    monkeypatch.setattr(rooms, "blocking", True, raising=False)
    everyone = rooms.all_seen
    monkeypatch.setattr(rooms, "all_seen", lambda *a: (looks.append(a), everyone(*a))[1], raising=False)

    monkeypatch.setattr(routes, "_BATCHES", Batches(routes._all_seen, 0.5))  # time enough for all to ask
    tokens = [*(phone.token for phone in phones), "of a stranger"]
    with TestClient(web.app) as together, ThreadPoolExecutor(len(tokens)) as threads:  # one server, one event loop
        requests = [(f"/room/api/{code}/state", {"x-room-token": token}) for token in tokens]
        answers = list(threads.map(lambda each: together.get(each[0], headers=each[1]), requests))
    assert [answer.status_code for answer in answers] == [200] * 6 + [404]
    assert [answer.json()["choice"] for answer in answers[:6]] == [0, 1, 2, 0, 1, None]
    assert len(looks) == 1 and len(looks[0][1]) == 7


def test_no_request_waits_for_long_while_all_threads_of_the_store_are_busy(web, lesson, monkeypatch):
    async def full():
        monkeypatch.setattr(routes, "_THREADS", anyio.CapacityLimiter(1))
        await routes._THREADS.acquire_on_behalf_of("another request")
        with pytest.raises(Unavailable):
            await routes._in_thread(lambda: 1)
        routes._THREADS.release_on_behalf_of("another request")
        assert await routes._in_thread(lambda: 1) == 1 and routes._THREADS.available_tokens == 1

    monkeypatch.setattr(routes, "_PATIENCE", 0.05)
    run(full())


class Parts(HTMLParser):
    """What a page loads, and whether anything in it would run or be drawn without a file."""

    def __init__(self):
        super().__init__()
        self.loads, self.inline = [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.loads += [given[name] for name in ("src", "href") if name in given and tag in ("script", "link", "img")]
        self.inline += [name for name in given if name.startswith("on") or name == "style"]
        self.inline += [tag] * (tag == "style" or (tag == "script" and "src" not in given))


def test_the_page_loads_only_its_own_files_and_says_so(web):
    page = web.get("/room/K7QF2MXP")
    policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'" and policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'" and page.headers["x-content-type-options"] == "nosniff"
    parts = Parts()
    parts.feed(page.text)
    assert sorted(parts.loads) == ["files/phone.css", "files/phone.js"] and not parts.inline
    for name in parts.loads:
        assert web.get(f"/room/{name}").status_code == 200
    assert web.get("/room/files/routes.py").status_code == 404


def test_texts_are_never_read_as_html():
    script = routes._read("phone.js").decode()
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function|setAttribute\('on", script
    )


def test_the_address_without_a_slash_leads_to_the_page(web):
    answer = web.get("/room", follow_redirects=False)
    assert answer.status_code == 308 and answer.headers["location"].endswith("/room/")


def test_below_a_path_the_phones_go_there_too(monkeypatch):
    monkeypatch.setattr(routes.st, "get_option", lambda name: "/bert/" if name == "server.baseUrlPath" else None)
    web = TestClient(Starlette(routes=routes.routes()))
    assert web.get("/bert/room/K7QF2MXP").status_code == 200 and web.get("/room/K7QF2MXP").status_code == 404
    assert web.get("/bert/room", follow_redirects=False).headers["location"].endswith("/bert/room/")
