"""A room with 300 phones: processor time for each request, seconds until all have joined, the teacher's pages.

All phones join within a minute, load the page's files, vote, and then ask every two seconds, as their page does. In a
first round nobody else is there, so that the server's processor time is that of the phones. In a second round, in a
room of its own, a teacher opens one page after another, while the projector shows the room and counts the answers. Both
rounds are measured with rooms in the memory of the server, and with rooms in redis.

python -m benchmarks.a_room
"""

import asyncio
import json
import shutil
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.measure import SHORT, few, report
from benchmarks.server import ROOT, Server, go_on, redis_server, started, visit
from embtools.rooms.question import Question

PHONES, SECONDS = few(300, 10), few(40)
JOINING = few(50)  # seconds over which the phones come
EVERY = 0.5 if SHORT else 2.0
PAGES = ("bias", "pairs", "arithmetic")[: few(3)]
QUESTION = Question("Rome is the capital of …", ("Italy", "France", "Spain", "Greece"), (0.8, 0.1, 0.05, 0.05), "Italy")
# The app, with two rooms whose codes are written to a file. Without its background work, which would be counted too.
SCRIPT = """
from pathlib import Path
import streamlit as st
if __name__ != "__main__":
    from embtools.rooms import opening, store
    from embtools.rooms.question import Question
    from embtools.ui.rooms import key, routes
    rooms = []
    for _ in range(2):
        room, secret = store.opened(opening.store(), page="bias")
        store.ask(opening.store(), room.code, secret, {question!r})
        rooms.append(f"{{room.code}} {{secret}}")
    Path({code!r}).write_text("\\n".join(rooms))
    exchange = key.exchange
    def as_the_teachers_browser():
        if own := st.context.headers.get("x-own"):
            st.session_state["room-own"], st.session_state["room-board"] = own, "bias"
        exchange()
    key.exchange = as_the_teachers_browser
    app = st.App({app!r}, routes=routes.routes())
"""


@dataclass
class Class:
    """What the phones measured: requests, seconds of each, seconds until each had joined, and failures."""

    requests: int = 0
    seconds: list[float] = field(default_factory=list)
    joined: list[float] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


class Phone:
    """A phone with one connection that stays open, as in a browser."""

    def __init__(self, port: int, code: str, seen: Class) -> None:
        self.port, self.code, self.seen = port, code, seen
        self.token = self.tag = ""
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: str = "") -> tuple[int, bytes]:
        """Send a request; return the status and the body."""
        if self.writer is None or self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [
            f"{method} {path} HTTP/1.1",
            "host: 127.0.0.1",
            f"content-length: {len(body)}",
            "accept-encoding: gzip",
        ]
        lines += [f"x-room-token: {self.token}"] * bool(self.token) + [f"if-none-match: {self.tag}"] * bool(self.tag)
        began = time.monotonic()
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n" + body).encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        content = await self.reader.readexactly(int(headers.get("content-length", 0)))
        self.seen.requests += 1
        self.seen.seconds.append(time.monotonic() - began)
        self.tag = headers.get("etag", self.tag)
        return int(head.split()[1]), content

    async def take_part(self, wait: float, began: float, end: float, choice: int) -> None:
        """Join after a while, vote, and ask until the end."""
        await asyncio.sleep(wait)
        try:
            for path in (f"/room/{self.code}", "/room/files/phone.css", "/room/files/phone.js"):
                assert (await self.ask("GET", path))[0] == 200, path
            status, content = await self.ask("POST", "/room/api/join", json.dumps({"code": self.code}))
            assert status == 200, content
            self.token = json.loads(content)["token"]
            self.seen.joined.append(time.monotonic() - began)
            voted = False
            while time.monotonic() < end:
                status, _ = await self.ask("GET", f"/room/api/{self.code}/state")
                assert status in (200, 304), status
                if not voted:
                    body = json.dumps({"number": 1, "choice": choice})
                    assert (await self.ask("POST", f"/room/api/{self.code}/vote", body))[0] == 200
                    voted = True
                await asyncio.sleep(EVERY)
        except (OSError, AssertionError, asyncio.IncompleteReadError) as error:
            self.seen.lost.append(repr(error))


async def teach(server: Server, end: float) -> list[float]:
    """A teacher who opens pages with pauses until the end; returns the seconds of each."""
    taken: list[float] = []
    while not taken or time.monotonic() < end:
        one = await visit(server.port, PAGES[len(taken) % len(PAGES)])
        taken.append(one.seconds)
        await one.connection.close()
        await asyncio.sleep(1)
    return taken


async def project(server: Server, own: str, end: float) -> list[float]:
    """The projector, which shows the room and counts the answers until the end; returns the seconds of each request."""
    board = await visit(server.port, "bias", headers={"x-own": own})
    assert any(QUESTION.text in text for text in board.texts) and board.fragment, board.texts[-5:]
    taken: list[float] = []
    while not taken or time.monotonic() < end:
        await asyncio.sleep(EVERY)
        now = await go_on(board, "bias", fragment=board.fragment)
        taken.append(now.seconds)
    counted = [text for text in now.texts if "answered" in text]
    assert counted and f" of {PHONES} answered" in counted[0], now.texts[-5:]
    await board.connection.close()
    return taken


def processor(server: Server) -> float:
    """Seconds of processor time that the server has used (Linux)."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


async def come(server: Server, what: str, code: str, end: float) -> Class:
    """Let the phones join a room over `JOINING` seconds and take part until the end."""
    seen, began = Class(), time.monotonic()
    phones = [Phone(server.port, code, seen) for _ in range(PHONES)]
    await asyncio.gather(
        *(
            phone.take_part(JOINING * i / PHONES, began, end, i % len(QUESTION.choices))
            for i, phone in enumerate(phones)
        )
    )
    for lost in seen.lost[:3]:
        print(f"MISSED  {what}: {lost}")
    slowest = statistics.quantiles(seen.seconds, n=20)[-1]
    detail = f"{len(seen.joined)} of {PHONES}, {seen.requests:,} requests, 95% within {1000 * slowest:.0f} ms"
    report(f"{what}: seconds until all have joined", max(seen.joined), 60, detail)
    return seen


async def measure(server: Server, where: str, alone: str, taught: str) -> None:
    """Measure the phones in one room, then phones in another room, a teacher and the projector."""
    spent = processor(server)
    seen = await come(server, f"{where}, phones alone", alone.split()[0], time.monotonic() + JOINING + SECONDS)
    each = 1000 * (processor(server) - spent) / seen.requests
    report(f"{where}, phones alone: ms of the server's processor time for each request", each, 1)
    for page in PAGES:  # loads the model
        await (await visit(server.port, page)).connection.close()
    end = time.monotonic() + JOINING + SECONDS
    _, pages, looks = await asyncio.gather(
        come(server, f"{where}, phones and a teacher", taught.split()[0], end),
        teach(server, end),
        project(server, taught, end + EVERY),
    )
    for what, taken in (("the teacher's pages", pages), ("the projector's looks", looks)):
        report(f"{where}, seconds that 95% of {what} take", within(taken), 1, f"{len(taken)} of them")


def within(seconds: list[float]) -> float:
    """The 95% quantile."""
    return statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]


def hold(where: str, **environment: str) -> None:
    """Start a server of its own with two rooms, and let the class come."""
    with tempfile.TemporaryDirectory() as folder:
        code, script = Path(folder) / "code", Path(folder) / "served.py"
        script.write_text(SCRIPT.format(question=QUESTION, code=str(code), app=str(ROOT / "app.py")))
        with started(str(script), **environment) as server:
            asyncio.run(measure(server, where, *code.read_text().splitlines()))


def main() -> None:
    """Hold the class twice."""
    hold("memory", EMBTOOLS_ROOMS="memory")
    if not shutil.which("redis-server"):
        print("redis-server is not installed on this machine: rooms in redis were not measured")
        return
    with redis_server() as address:
        hold("redis", EMBTOOLS_ROOMS=address)


if __name__ == "__main__":
    main()
