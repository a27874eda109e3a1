"""The store that the setting EMBTOOLS_ROOMS names: the memory of this server, or Redis."""

import threading
from urllib.parse import urlsplit

from embtools import settings
from embtools.rooms.store import MemoryStore, Store

MEMORY = "memory"
_SCHEMES = ("redis", "rediss")


def store_of(setting: str) -> Store:
    """Return the store of a setting, "memory" (or nothing) or the URL of a Redis server; ValueError for any other."""
    setting = setting.strip()
    if setting in ("", MEMORY):
        return MemoryStore()
    if urlsplit(setting).scheme not in _SCHEMES:  # not quoted: it may contain a password
        raise ValueError("EMBTOOLS_ROOMS is neither memory nor an address that begins with redis://. Correct it.")
    try:
        from embtools.rooms.redis_store import RedisStore

        return RedisStore(setting)
    except ImportError:
        raise ValueError(
            "EMBTOOLS_ROOMS names a Redis server. Install its package: pip install embtools[rooms]"
        ) from None
    except ValueError:  # its message quotes the address
        raise ValueError("EMBTOOLS_ROOMS is not a valid address of a Redis server. Correct it.") from None


def store() -> Store:
    """Return the store of this process, the same for all visitors; opened when it is first needed."""
    with _lock:
        if not _opened:
            _opened.append(store_of(settings.current().rooms))
        return _opened[0]


def forget(new: Store | None = None) -> None:
    """Use another store from now on, for tests."""
    with _lock:
        _opened[:] = [new] if new is not None else []


_opened: list[Store] = []
_lock = threading.Lock()
