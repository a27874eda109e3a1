"""Phones that ask about the same room at nearly the same time get their answers from one look into the store."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from embtools.rooms.store import Seen

Look = Callable[[str, list[str]], Awaitable[list[Seen | None]]]


@dataclass
class _Batch:
    """Phones that wait for the same look, and its answer for each of them."""

    tokens: list[str] = field(default_factory=list)
    answer: "asyncio.Task[dict[str, Seen | None]] | None" = None


class Batches:
    """Looks into a store on another machine, which cost the same for one phone as for many.

    Phones that ask within `seconds` of the first one share a look, which begins only after all of them have asked: no
    answer is older than its question.
    """

    def __init__(self, look: Look, seconds: float) -> None:
        self._look, self._seconds = look, seconds
        self._open: dict[tuple[asyncio.AbstractEventLoop, str], _Batch] = {}

    async def seen(self, code: str, token: str) -> Seen | None:
        """Return what a phone gets, as `Store.seen` does; what the look raises, all its phones get."""
        key = asyncio.get_running_loop(), code
        batch = self._open.get(key)
        if batch is None:
            batch = self._open[key] = _Batch()
            batch.answer = key[0].create_task(self._answer(key, batch))
        batch.tokens.append(token)
        assert batch.answer is not None
        # A phone that goes away must not end the look of the others.
        return (await asyncio.shield(batch.answer))[token]

    async def _answer(self, key: tuple[asyncio.AbstractEventLoop, str], batch: _Batch) -> dict[str, Seen | None]:
        try:
            await asyncio.sleep(self._seconds)
        finally:
            del self._open[key]  # who asks from now on waits for the next look
        return dict(zip(batch.tokens, await self._look(key[1], batch.tokens), strict=True))
