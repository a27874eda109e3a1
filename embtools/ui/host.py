"""The server process: its settings are checked, threads wait passively, memory stays small, pauses are short."""

import ctypes
import gc
import importlib
import logging
import os
import sys
import threading
import time
import traceback
from contextlib import suppress
from functools import cache
from typing import Any

from embtools import settings

SETTINGS = {
    # Threads that wait actively slow down a second visitor's forward pass ten times on a small host.
    "OMP_WAIT_POLICY": "PASSIVE",
    # One core is left for the server.
    "OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 2) - 1)),
    # The log should not contain progress bars and warnings about parts that a model does not have.
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
}

_ARENA_MAX, _MMAP_THRESHOLD, _TRIM_THRESHOLD = -8, -3, -1  # the numbers of these options in glibc's malloc.h
_LARGE, _LARGE_IN_SMALL_MODE = 4_000_000, 256_000  # bytes
_C = "libc.so.6"
_OFTEN = 5.0  # seconds between two times at which unused memory is returned
_TURN = 0.001  # seconds after which a thread that computes lets another one go on; 0.005 by default


@cache  # app.py runs again for each visitor
def prepare() -> None:
    """Set the variables that torch, scikit-learn and transformers read when they are imported, so call it before that;
    a wrong setting of the app ends the process with the reason on the console."""
    _read_secrets()
    check()
    sys.setswitchinterval(_TURN)  # many visitors' short steps would otherwise wait for one's long ones
    _python_strings()
    _little_memory()
    _private_log()
    # This logger warns about every thread that belongs to no visitor, such as those of `warm`.
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").setLevel(logging.ERROR)


def _read_secrets() -> None:
    """Let Streamlit set environment variables from its file secrets.toml now, not after the app is made, because
    Community Cloud offers no other way to change a setting."""
    from streamlit.runtime.secrets import secrets_singleton

    secrets_singleton.load_if_toml_exists()


def check() -> None:
    """Do what `checked` does; end the process with a sentence if a setting is wrong, otherwise print warnings."""
    try:
        warnings = checked()
    except ValueError as error:
        raise SystemExit(f"The app cannot start. {error}") from None
    for warning in warnings:
        print(warning, file=sys.stderr)


def checked() -> list[str]:
    """Set the variables that other packages read, then check the settings, which may import them; returns warnings,
    raises ValueError."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    warnings = settings.check()
    if settings.current().offline:
        os.environ["HF_HUB_OFFLINE"] = "1"
    importlib.import_module("embtools.models.catalogue")  # reads the names of the models
    if settings.current().rooms != "memory":  # fails if the package for Redis is missing; connects to nothing yet
        importlib.import_module("embtools.rooms.opening").store()
    return warnings


def _python_strings() -> None:
    """Let pandas store texts as Python strings, not with Arrow, each call of which takes longer than the work on small
    tables and lets other visitors' threads run in between."""
    import pandas as pd  # after the variables are set, which numpy reads

    pd.set_option("mode.string_storage", "python")


def _private_log() -> None:
    """Leave the messages of exceptions out of the log: they can quote what a visitor has typed."""
    make = logging.getLogRecordFactory()
    if getattr(make, "private", False):
        return

    def record(*arguments: Any, **named: Any) -> logging.LogRecord:
        made = make(*arguments, **named)
        if made.exc_info and made.exc_info[0]:
            lines = traceback.format_tb(made.exc_info[2])
            made.exc_text = f"Traceback (most recent call last):\n{''.join(lines)}{made.exc_info[0].__name__}"
            made.exc_info = None
        return made

    record.private = True  # type: ignore[attr-defined]
    logging.setLogRecordFactory(record)


def _little_memory() -> None:
    """Let all threads share two heaps and keep large arrays out of them; otherwise glibc keeps hundreds of megabytes
    that nobody needs."""
    large = _LARGE_IN_SMALL_MODE if settings.current().small else _LARGE
    with suppress(OSError, AttributeError):  # systems without glibc are not changed
        change = ctypes.CDLL(_C).mallopt
        change(_ARENA_MAX, 2)  # otherwise a heap per thread, and what one has freed is not used by the next visitors'
        # Otherwise glibc raises it to 32 MB. Only larger arrays go back to the system at once; smaller ones leave gaps.
        change(_MMAP_THRESHOLD, large)
        if settings.current().small:
            change(_TRIM_THRESHOLD, large)


def keep_small() -> None:
    """Return unused memory to the system every five seconds, in a thread of its own."""

    def forever() -> None:
        while True:
            time.sleep(_OFTEN)
            return_memory()

    threading.Thread(target=forever, name="memory", daemon=True).start()


def return_memory() -> None:
    """Return to the system what glibc keeps of freed memory: with twenty visitors up to 270 MB in five seconds."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(_C).malloc_trim(0)


def settle() -> None:
    """Exclude all existing objects from garbage collection after a model is loaded: a full collection over those of
    torch and transformers takes 0.2 s and delays every visitor."""
    gc.collect()
    gc.freeze()
