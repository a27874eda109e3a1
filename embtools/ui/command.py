"""The command `embtools`: turns its options into settings, starts the server in this process and opens the browser.

Streamlit and numpy are imported only when the server starts, so that --help and --version answer at once.
"""

import argparse
import errno
import logging
import os
import re
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import embtools
from embtools import settings
from embtools.messages import quoted, shortened
from embtools.ui import host

_PORT, _HOST = "STREAMLIT_SERVER_PORT", "STREAMLIT_SERVER_ADDRESS"
_FIRST_PORT, _PORTS = 8501, 200  # where the search for a free port begins, and how many are tried
_EVERYWHERE = ("", "0.0.0.0", "::")
_INTERRUPTED = 130  # the exit status after Ctrl-C
_NO_SUCH_ADDRESS = "is not an address of this machine. Use 127.0.0.1 (this machine only) or 0.0.0.0 (all its networks)."


@dataclass(frozen=True)
class Option:
    """One option of the command, the setting of the same meaning, and the name of its value ("" for a switch)."""

    flag: str
    setting: str
    value: str
    meaning: str
    several: bool = False


OPTIONS = (
    Option(
        "--model", "EMBTOOLS_MODELS", "NAME_OR_FOLDER",
        "A model to offer: a name of the catalogue, such as google-bert/bert-base-uncased, or a folder. Can be"
        " repeated. The bundled model is always offered.",
        several=True,
    ),
    Option(
        "--corpus", "EMBTOOLS_CORPORA", "FOLDER",
        "An encoded text to offer: a folder of python -m embtools.corpus, or its address in an object store. Can be"
        " repeated.",
        several=True,
    ),
    Option("--port", _PORT, "PORT", "The port. Without it, the first free one from 8501 on; 0: any free one."),
    Option("--host", _HOST, "ADDRESS", "The address. Without it, all networks; 127.0.0.1: this machine only."),
    Option("--offline", "EMBTOOLS_OFFLINE", "", "Never use the network; offer only models that are on this machine."),
    Option("--no-browser", "STREAMLIT_SERVER_HEADLESS", "", "Do not open the browser."),
)  # fmt: skip


class _Parser(argparse.ArgumentParser):
    """A parser that refuses in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"embtools: {shortened(message, 200)}. See embtools --help for all options.\n")


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    chosen = vars(_parser().parse_args(arguments))
    given = {option: chosen[option.flag] for option in OPTIONS if chosen[option.flag] not in (None, False)}
    try:
        if not find_spec("streamlit"):
            raise ValueError("Only the library is installed. Install the app too: pip install .[app]")
        os.environ.update(as_settings(given))
        _check(given)
        os.environ[_PORT] = str(free_port(os.environ))
    except ValueError as error:
        print(f"embtools: {_in_options(str(error), given)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return _INTERRUPTED
    return _serve()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="embtools",
        description="Start the BERT Embedding Explorer and open it in the browser.",
        epilog="An option overrides the environment variable in brackets. docs/hosting.md lists all settings.",
        allow_abbrev=False,
    )
    for option in OPTIONS:
        how: dict[str, Any] = {"action": "append" if option.several else "store", "metavar": option.value}
        told = f"{option.meaning} [{option.setting}]"
        parser.add_argument(
            option.flag, dest=option.flag, help=told, **how if option.value else {"action": "store_true"}
        )
    parser.add_argument("--version", action="version", version=f"embtools {embtools.__version__}")
    return parser


def as_settings(given: Mapping[Option, Any]) -> dict[str, str]:
    """Return the environment variables that the options stand for; raises ValueError for a value that none can hold."""
    found = {}
    for option, value in given.items():
        texts = value if option.several else ["true" if value is True else value]
        for text in texts:
            if not text.strip():
                raise ValueError(f"{option.setting} is empty. Give a value, or leave {option.flag} out.")
            if option.several and "," in text:
                raise ValueError(
                    f"{option.setting} is {quoted(text, 80)}. Give {option.flag} once for each, and rename a folder"
                    " with a comma in its name."
                )
        found[option.setting] = ",".join(map(_located, texts) if option.several else texts)
    return found


def _located(value: str) -> str:
    """Return a name or an address as it is, and a folder with its own name instead of ~ or a dot."""
    if "://" in value:
        return value
    folder = Path(value.strip())
    with suppress(RuntimeError):  # there is no such user
        folder = folder.expanduser()
    return str(folder if folder.name else folder.absolute())


def _check(given: Mapping[Option, Any]) -> None:
    """Raise ValueError for settings with which the app would not start, and for folders that hold nothing for it."""
    host.checked()
    from embtools.models import catalogue  # after the check, because it reads the settings when it is imported

    flags = {option.flag for option in given}
    for entry in catalogue.CATALOGUE.values() if "--model" in flags else ():
        if entry.folder and not (Path(entry.folder) / "config.json").is_file():
            raise ValueError(
                f"EMBTOOLS_MODELS names {quoted(entry.folder, 80)}, which has no config.json. Name a model."
            )
    for folder in settings.current().corpora.split(",") if "--corpus" in flags else ():
        if "://" not in folder and not (Path(folder) / "corpus.json").is_file():
            raise ValueError(
                f"EMBTOOLS_CORPORA names {quoted(folder, 80)}, which has no corpus.json. First encode a text into it,"
                " with python -m embtools.corpus."
            )


def _in_options(message: str, given: Mapping[Option, Any]) -> str:
    """Return a message about settings with the names of the options that set them."""
    for option in given:
        message = message.replace(option.setting, option.flag)
    return message


def free_port(environment: Mapping[str, str]) -> int:
    """Return the port that the settings ask for, or else the first free one; raises ValueError if it is not free."""
    host, wanted = environment.get(_HOST, ""), environment.get(_PORT, "")
    if not wanted:
        for port in range(_FIRST_PORT, _FIRST_PORT + _PORTS):
            if _is_free(host, port):
                return port
        return _bound(host, 0)
    if not re.fullmatch(r"\d{1,5}", wanted, re.ASCII) or int(wanted) > 65_535:
        raise ValueError(f"{_PORT} is {quoted(wanted)}, but must be a whole number from 0 to 65,535.")
    if not _is_free(host, int(wanted)):
        raise ValueError(
            f"{_PORT} {wanted} is in use or reserved. Choose another one, or none: a free one is then found."
        )
    return int(wanted) or _bound(host, 0)


def _is_free(host: str, port: int) -> bool:
    """Whether this process could listen there; raises ValueError for an address that is not of this machine."""
    try:
        return _bound(host, port) >= 0
    except (OSError, UnicodeError) as error:
        if isinstance(error, PermissionError) or getattr(error, "errno", None) == errno.EADDRINUSE:
            return False
        raise ValueError(f"{_HOST} {quoted(host, 80)} {_NO_SUCH_ADDRESS}") from None


def _bound(host: str, port: int) -> int:
    """Bind a socket as Streamlit does, without a host to all networks, close it again, and return its port."""
    if not host:
        try:
            return _bound("::", port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise
            host = "0.0.0.0"  # there is no IPv6
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        if os.name != "nt":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if probe.family == socket.AF_INET6:
            probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        probe.bind((host, port))
        return int(probe.getsockname()[1])


def app() -> Path:
    """Return the path of app.py: in the installed package, or at the root of a checkout."""
    package = Path(embtools.__file__).parent
    return next(path for path in (package / "app" / "app.py", package.parent / "app.py") if path.exists())


def _serve() -> int:
    """Run the server until it ends. Ctrl-C ends it as soon as nothing is being computed, and once more at once."""

    def end(*_: object) -> NoReturn:
        signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
        logging.disable()  # an interrupted server would report that it was interrupted
        sys.exit(_INTERRUPTED)

    signal.signal(signal.SIGINT, end)
    from streamlit.web import cli

    os.environ.setdefault("STREAMLIT_LOGGER_HIDE_WELCOME_MESSAGE", "true")  # it asks the internet for an address
    threading.Thread(target=_announce, daemon=True).start()
    return int(cli.main(["run", str(app())], prog_name="streamlit") or 0)


def _announce() -> None:
    """Say where the app is as soon as the server runs, and open it in the browser."""
    import streamlit as st

    from embtools.ui import qr

    while not st.runtime.exists():
        time.sleep(0.1)
    host, base = st.get_option("server.address") or "", st.get_option("server.baseUrlPath").strip("/")
    name = "localhost" if host in _EVERYWHERE else f"[{host}]" if ":" in host else host
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    address = f"{scheme}://{name}:{st.get_option('server.port')}/{base}".rstrip("/")
    phones = qr.for_phones(address)
    print(
        f"The BERT Embedding Explorer is at {address}",
        *[f"and at {phones}"] * (phones not in ("", address)),
        flush=True,
    )
    print("Press Ctrl-C to end it.", flush=True)
    if not st.get_option("server.headless"):
        webbrowser.open(address)
