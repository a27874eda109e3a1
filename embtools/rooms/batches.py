"""Requests of phones about the same room at nearly the same time are answered by a single read of the store."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from embtools.rooms.store import Seen

Look = Callable[[str, list[str]], Awaitable[list[Seen | None]]]


@dataclass
class _Batch:
    """Phones that wait for the same read of the store, and its answer for each of them."""

    tokens: list[str] = field(default_factory=list)
    answer: "asyncio.Task[dict[str, Seen | None]] | None" = None


class Batches:
    """Reads of a store on another machine, which cost the same for one phone as for many.

    Requests within `seconds` of the first one share a read, which begins only after all of them have arrived: no answer
    is older than its request.
    """

    def __init__(self, look: Look, seconds: float) -> None:
        self._look, self._seconds = look, seconds
        self._open: dict[tuple[asyncio.AbstractEventLoop, str], _Batch] = {}

    async def seen(self, code: str, token: str) -> Seen | None:
        """Return what a phone gets, as `Store.seen` does; an exception of the read is raised for all its phones."""
        key = asyncio.get_running_loop(), code
        batch = self._open.get(key)
        if batch is None:
            batch = self._open[key] = _Batch()
            batch.answer = key[0].create_task(self._answer(key, batch))
        batch.tokens.append(token)
        assert batch.answer is not None
        # A phone that disconnects must not end the read for the others.
        return (await asyncio.shield(batch.answer))[token]

    async def _answer(self, key: tuple[asyncio.AbstractEventLoop, str], batch: _Batch) -> dict[str, Seen | None]:
        try:
            await asyncio.sleep(self._seconds)
        finally:
            del self._open[key]  # later requests wait for the next read
        return dict(zip(batch.tokens, await self._look(key[1], batch.tokens), strict=True))
