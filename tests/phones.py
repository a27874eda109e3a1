"""Phones of a class that ask the server as a browser does, without one; each has a cookie of its own."""

import json
import urllib.error
import urllib.request
from typing import Any

from embtools.rooms import store
from embtools.rooms.question import Question
from embtools.rooms.redis_store import RedisStore

QUESTION = Question("Rome is the capital of …", ("Italy", "France", "Spain"), (0.8, 0.1, None), "Italy (80%)")


def sent(address: str, path: str, content: dict[str, Any], **headers: str) -> tuple[int, dict[str, Any]]:
    """The status of a POST request to a server and the JSON of its answer."""
    request = urllib.request.Request(f"{address}/room/api/{path}", json.dumps(content).encode(), headers)
    try:
        answer: Any = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        answer = error
    return answer.status, json.loads(answer.read())


def class_of(people: int, address: str, redis: str) -> tuple[int, ...]:
    """Open a room as a replica does, let this many phones join and vote; return the results after the reveal."""
    rooms = RedisStore(redis)
    room, key = store.opened(rooms)
    store.ask(rooms, room.code, key, QUESTION)
    for number in range(people):
        cookie = {"Cookie": f"embtools_replica={number:032x}"}
        status, joined = sent(address, "join", {"code": room.code}, **cookie)
        assert status == 200, joined
        vote = {"number": 1, "choice": number % len(QUESTION.choices)}
        status, answer = sent(address, f"{room.code}/vote", vote, **cookie, **{"X-Room-Token": joined["token"]})
        assert status == 200, answer
    assert rooms.people(room.code) == people
    return store.reveal(rooms, room.code, key, 1).results[0]
