"""Rooms in Redis, so that several servers serve one class: `pip install embtools[rooms]`.

A room is a hash, a set of phones, and a hash of votes for each question; all of them expire with the room. Scripts in
Redis make sure that no vote is counted after the reveal and that a full room stays full.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from embtools.rooms.room import MOST_PEOPLE, SECONDS, Room
from embtools.rooms.store import MOST_ROOMS, PATIENCE, Seen, Unavailable

_TIMEOUT = 2  # seconds for an answer

_CREATE = """
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[2]) then
  local empty = nil
  for _, room in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now + ARGV[1] - ARGV[9])) do
    if redis.call('EXISTS', (room:gsub('room$', 'people'))) == 0 then
      empty = room
      break
    end
  end
  if not empty then return -1 end
  redis.call('DEL', empty)
  redis.call('ZREM', KEYS[2], empty)
end
redis.call('ZADD', KEYS[2], now + tonumber(ARGV[1]), KEYS[1])
redis.call('HSET', KEYS[1], 'version', ARGV[3], 'open', ARGV[4], 'choices', ARGV[5], 'face', ARGV[6], 'room', ARGV[7],
  'locked', ARGV[8])
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
"""
_SAVE = """
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'open', ARGV[3], 'choices', ARGV[4], 'face', ARGV[5], 'room', ARGV[6],
  'locked', ARGV[7])
redis.call('DEL', KEYS[2])
return 1
"""
_FREEZE = """
if redis.call('HGET', KEYS[1], 'open') == ARGV[1] then redis.call('HSET', KEYS[1], 'open', '0') end
return redis.call('HVALS', KEYS[2])
"""
_JOIN = """
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then return 0 end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return 1 end
if redis.call('HGET', KEYS[1], 'locked') == '1' then return -1 end
if redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[2]) then return -1 end
redis.call('SADD', KEYS[2], ARGV[1])
redis.call('PEXPIRE', KEYS[2], left)
return 1
"""
_SEEN = """
local room = redis.call('HMGET', KEYS[1], 'version', 'face')
if not room[2] then return false end
local votes = KEYS[3] .. string.format('%d', cjson.decode(room[2])['number'])
local phones = {}
for at, token in ipairs(ARGV) do
  if redis.call('SISMEMBER', KEYS[2], token) == 0 then
    phones[at] = false
  else
    phones[at] = redis.call('HGET', votes, token) or ''
  end
end
return {room[1], room[2], phones}
"""
_VOTE = """
local left = redis.call('PTTL', KEYS[1])
if left <= 0 or redis.call('HGET', KEYS[1], 'open') ~= ARGV[2] then return 0 end
if tonumber(ARGV[3]) >= tonumber(redis.call('HGET', KEYS[1], 'choices')) then return 0 end
if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[3], left)
return 1
"""


class RedisStore:
    """Rooms in the Redis server at a URL such as redis://:password@host:6379/0.

    Raises `Unavailable` in each operation for which Redis does not answer; it works again when Redis is back.
    """

    blocking = True

    def __init__(self, url: str, prefix: str = "embtools", most: int = MOST_ROOMS) -> None:
        import redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        self._errors = (redis.RedisError,)
        self._prefix, self._most = prefix, most
        self._redis = redis.Redis.from_url(
            url,
            decode_responses=True,
            socket_timeout=_TIMEOUT,
            socket_connect_timeout=_TIMEOUT,
            retry=Retry(NoBackoff(), 1),  # a connection that Redis has closed meanwhile is opened again, once
        )
        self._scripts = {
            text: self._redis.register_script(text) for text in (_CREATE, _SAVE, _FREEZE, _JOIN, _SEEN, _VOTE)
        }

    def _run(self, script: str, keys: list[str], *arguments: Any) -> Any:
        return self._answer(self._scripts[script], keys=keys, args=arguments)

    def _ask(self, command: str, *arguments: Any) -> Any:
        return self._answer(self._redis.execute_command, command, *arguments)

    def _answer(self, ask: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        try:
            return ask(*arguments, **named)
        except self._errors as error:
            raise Unavailable("The rooms cannot be reached now. Try again in a minute.") from error

    def _key(self, code: str, part: str = "room") -> str:
        return f"{self._prefix}:{{{code}}}:{part}"

    def _fields(self, room: Room) -> tuple[Any, ...]:
        question = room.question
        choices = len(question.choices) if question else 0
        return (
            room.version,
            room.number if room.is_open else 0,
            choices,
            json.dumps(room.face, ensure_ascii=False),
            room.text,
            int(room.locked),
        )

    def create(self, room: Room) -> bool:
        keys = [self._key(room.code), f"{self._prefix}:rooms"]
        done = self._run(_CREATE, keys, SECONDS, self._most, *self._fields(room), PATIENCE)
        if done < 0:
            raise ValueError("Too many rooms are open on this server. Try again in a few minutes.")
        return bool(done)

    def load(self, code: str) -> Room | None:
        text = self._ask("HGET", self._key(code), "room")
        return Room.read(text) if text else None

    def save(self, room: Room) -> bool:
        keys = [self._key(room.code), self._key(room.code, f"votes:{room.number - 1}")]
        return bool(self._run(_SAVE, keys, room.version - 1, *self._fields(room)))

    def freeze(self, code: str, number: int) -> dict[int, int]:
        return _counted(self._run(_FREEZE, [self._key(code), self._key(code, f"votes:{number}")], number))

    def remove(self, code: str) -> None:
        room = self.load(code)
        votes = [self._key(code, f"votes:{number + 1}") for number in range(room.number if room else 0)]
        self._ask("DEL", self._key(code), self._key(code, "people"), *votes)
        self._ask("ZREM", f"{self._prefix}:rooms", self._key(code))

    def join(self, code: str, token: str) -> bool | None:
        done = self._run(_JOIN, [self._key(code), self._key(code, "people")], token, MOST_PEOPLE)
        return None if done == 0 else done > 0

    def seen(self, code: str, token: str) -> Seen | None:
        return self.all_seen(code, [token])[0]

    def all_seen(self, code: str, tokens: Sequence[str]) -> list[Seen | None]:
        keys = [self._key(code), self._key(code, "people"), self._key(code, "votes:")]
        found = self._run(_SEEN, keys, *tokens)
        if not found:
            return [None] * len(tokens)
        version, face, choices = found  # None for a phone that has not joined, "" for one that has not answered
        return [None if own is None else Seen(int(version), face, int(own) if own else None) for own in choices]

    def vote(self, code: str, token: str, number: int, choice: int) -> bool:
        if choice < 0 or number < 1:
            return False
        keys = [self._key(code), self._key(code, "people"), self._key(code, f"votes:{number}")]
        return bool(self._run(_VOTE, keys, token, number, choice))

    def counts(self, code: str, number: int) -> dict[int, int]:
        return _counted(self._ask("HVALS", self._key(code, f"votes:{number}")))

    def people(self, code: str) -> int:
        return int(self._ask("SCARD", self._key(code, "people")))


def _counted(values: list[str]) -> dict[int, int]:
    return dict(Counter(map(int, values)))
