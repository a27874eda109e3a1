"""Whether the Hugging Face hub can be reached: without it, only models that are on this machine are offered."""

import socket
import threading
import time
from urllib.parse import urlsplit

from embtools import settings
from embtools.models.catalogue import CATALOGUE, Entry, is_here

AGAIN = 60.0
"""Seconds after which a hub that was away is tried again."""

_TIMEOUT = 3.0  # seconds for an answer
_lock = threading.Lock()
_away = [False]
_looked = [float("-inf")]


def try_hub() -> None:
    """Try to reach the hub if a model needs it and no setting forbids it, and remember the result; nothing is sent."""
    if not _is_needed():
        return
    with _lock:
        _looked[0] = time.monotonic()
    away = not _answers()
    with _lock:
        _away[0] = away


def is_away() -> bool:
    """Return whether the hub could not be reached; after a while it is tried again in the background."""
    with _lock:
        away, due = _away[0], time.monotonic() - _looked[0] > AGAIN
        if away and due:
            _looked[0] = time.monotonic()
            threading.Thread(target=try_hub, name="hub", daemon=True).start()
    return away


def available() -> dict[str, Entry]:
    """Return the models that can be chosen now: all of them, or those on this machine while the hub is away."""
    return {name: entry for name, entry in CATALOGUE.items() if is_here(entry)} if is_away() else dict(CATALOGUE)


def _is_needed() -> bool:
    from huggingface_hub import constants

    if settings.current().offline or constants.HF_HUB_OFFLINE:
        return False
    return any(not is_here(entry) for entry in CATALOGUE.values())


def _answers() -> bool:
    from huggingface_hub import constants

    parts = urlsplit(constants.ENDPOINT)
    port = parts.port or (80 if parts.scheme == "http" else 443)
    try:
        with socket.create_connection((parts.hostname or "", port), timeout=_TIMEOUT):
            return True
    except (OSError, UnicodeError):
        return False
