"""The settings of a host: every environment variable that the app reads, with its type, default and limits.

`docs/hosting.md` prints `table()`. `check()` is called before the server starts, so that a wrong value stops the start.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from embtools.messages import quoted

PREFIX = "EMBTOOLS_"
_OTHERS = ("XDG_CACHE_HOME", "HOME")  # read for the default of EMBTOOLS_CACHE
_TESTS = "EMBTOOLS_TESTS"  # set by the test suite for the servers that it starts
_LONGEST_LINK = 500
_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


@dataclass(frozen=True)
class Variable:
    """One environment variable: its attribute in `Settings`, its description, and how its text is read.

    `read` raises ValueError with the rest of a sentence that begins with the name of the variable.
    """

    attribute: str
    kind: str
    default: str
    limits: str
    meaning: str
    read: Callable[[str], Any]

    @property
    def name(self) -> str:
        return PREFIX + self.attribute.upper()


@dataclass(frozen=True)
class Settings:
    """The values of all settings. `models`, `corpora` and `dictionaries` are read further where they are used."""

    models: str
    corpora: str
    dictionaries: str
    cache: Path
    small: bool
    prepared: bool
    results_mb: int
    visitors: int
    offline: bool
    metrics_port: int
    metrics_address: str
    legal_link: str
    privacy_link: str
    code_link: str
    rooms: str
    proxies: str


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not re.fullmatch(r"\d{1,9}", value, re.ASCII) or not least <= int(value) <= most:
            raise ValueError(f"is {quoted(value, 40)}, but must be a whole number from {least:,} to {most:,}")
        return int(value)

    return read


def _switch(value: str) -> bool:
    if value.lower() not in (*_YES, *_NO):
        raise ValueError(f"is {quoted(value, 40)}, but must be 1 (on) or 0 (off)")
    return value.lower() in _YES


def _link(value: str) -> str:
    try:
        parts = urlsplit(value)
        fits = parts.scheme == "https" and bool(parts.hostname) and len(value) <= _LONGEST_LINK
    except ValueError:
        fits = False
    if not fits or re.search(r"[\s\"'<>\\^`{|}\x00-\x1f\x7f]", value):
        raise ValueError(
            f"is {quoted(value, 80)}, but must be a link that begins with https:// and has at most {_LONGEST_LINK}"
            " characters"
        )
    return value


def _address(value: str) -> str:
    if not re.fullmatch(r"[0-9A-Za-z.:-]{1,255}", value):
        raise ValueError(f"is {quoted(value, 40)}, but must be an address such as 127.0.0.1 or 0.0.0.0")
    return value


def _folder(value: str) -> Path:
    try:
        path = Path(value).expanduser()
        if not path.exists() or path.is_dir():
            return path
    except (OSError, RuntimeError):  # too long for a path, or the home of a user that does not exist
        pass
    raise ValueError(f"is {quoted(value, 80)}, which cannot be a folder. Give one such as /var/cache/embtools")


def _rooms(value: str) -> str:
    if value != "memory" and not re.fullmatch(r"rediss?://\S+", value):  # not quoted: it can contain a password
        raise ValueError("must be memory, or an address that begins with redis:// or rediss://")
    return value


def _proxies(value: str) -> str:
    parts = [part.strip() for part in value.split(",") if part.strip()]
    for part in parts:
        try:
            ip_network(part)
        except ValueError:
            raise ValueError(
                f"is {quoted(value, 80)}, but must be addresses and networks such as 10.0.0.0/8, separated by commas"
            ) from None
    return ",".join(parts)


VARIABLES = (
    Variable(
        "models", "names and folders, separated by commas", "the whole catalogue", "names of the catalogue, folders",
        "The models that visitors can choose. `bundled` offers only the bundled model, which is always there.", str,
    ),
    Variable(
        "corpora", "folders and addresses, separated by commas", "none", "folders that exist, `s3://` and the like",
        "Encoded texts offered on Clusters, Corpus and Features (see [corpora](corpora.md)).", str,
    ),
    Variable(
        "dictionaries", "files, separated by commas", "none", "files that exist",
        "Dictionaries of `python -m embtools.dictionary`, offered on Features with the model that they belong to.",
        str,
    ),
    Variable(
        "cache", "folder", "`embtools` in the user's cache folder", "not a file",
        "Where data derived from the encoded texts is stored. Apart from models that are downloaded into the hub's"
        " cache (`HF_HOME`), nothing else is written to disk.", _folder,
    ),
    Variable(
        "small", "switch", "0", "1 or 0",
        "For hosts with little memory: only the bundled model, smaller caches, nothing computed in advance.",
        _switch,
    ),
    Variable(
        "prepared", "switch", "1", "1 or 0",
        "Show stored results of tabs and examples that take a long time, instead of computing them after each start.",
        _switch,
    ),
    Variable(
        "results_mb", "whole number", "224 (in small mode 48)", "32 to 100,000",
        "Megabytes for the results, figures and encoded texts that all visitors share.", _whole(32, 100_000),
    ),
    Variable(
        "visitors", "whole number", "0", "0 to 100,000",
        "Open pages at the same time. Further visitors see a page that says that the server is full. 0: no limit.",
        _whole(0, 100_000),
    ),
    Variable(
        "offline", "switch", "0", "1 or 0",
        "Never use the network. Only models that are already on this machine are offered.", _switch,
    ),
    Variable(
        "metrics_port", "whole number", "0", "0 to 65,535",
        "The port for Prometheus metrics. 0: no metrics.", _whole(0, 65_535),
    ),
    Variable(
        "metrics_address", "address", "127.0.0.1", "an address of this machine",
        "The address on which the metrics are served. Never let the public reach it.", _address,
    ),
    Variable(
        "legal_link", "link", "none", "https only",
        "A legal notice; the link is at the foot of the menu.", _link,
    ),
    Variable(
        "privacy_link", "link", "none", "https only",
        "A privacy notice; the link is at the foot of the menu.", _link,
    ),
    Variable(
        "code_link", "link", "none", "https only",
        "The source code that this server runs; the link is on the About page, under *Python* and in citations.", _link,
    ),
    Variable(
        "rooms", "`memory` or an address", "memory", "`redis://` or `rediss://`",
        "Where rooms for classes are stored. Several replicas need a shared redis server.", _rooms,
    ),
    Variable(
        "proxies", "addresses and networks, separated by commas", "none", "such as 10.0.0.0/8",
        "Proxies whose header `X-Forwarded-For` is believed."
        " A proxy on the same machine (127.0.0.1) is always believed.",
        _proxies,
    ),
)  # fmt: skip

NAMES = tuple(variable.name for variable in VARIABLES)


def current() -> Settings:
    """Return the settings of this process, read again only if a variable has changed; raises ValueError that names
    every variable with a wrong value.
    """
    return _read(tuple((name, os.environ.get(name, "").strip()) for name in (*NAMES, *_OTHERS)))


def check(environment: Mapping[str, str] | None = None) -> list[str]:
    """Check all settings before a start, and that the folders and files of EMBTOOLS_CORPORA and EMBTOOLS_DICTIONARIES
    exist; returns warnings about names that look like settings but are not.
    """
    given = os.environ if environment is None else environment
    settings = _read(tuple((name, given.get(name, "").strip()) for name in (*NAMES, *_OTHERS)))
    for part in filter(None, map(str.strip, settings.corpora.split(","))):
        if "://" not in part and not Path(part).is_dir():
            raise ValueError(f"EMBTOOLS_CORPORA names {quoted(part, 80)}, which is not a folder.")
    for part in filter(None, map(str.strip, settings.dictionaries.split(","))):
        if not Path(part).is_file():
            raise ValueError(f"EMBTOOLS_DICTIONARIES names {quoted(part, 80)}, which is not a file.")
    warnings = []
    for name in sorted(given):
        if name.startswith(PREFIX) and name not in (*NAMES, _TESTS):
            close = get_close_matches(name, NAMES, n=1)
            meant = f" Did you mean {close[0]}?" if close else ""
            warnings.append(f"{name} is not a setting of this app and is ignored.{meant}")
    return warnings


def table() -> str:
    """Return the table of all settings, in Markdown."""
    rows = ["| Variable | Type | Default | Limits | Meaning |", "|---|---|---|---|---|"]
    rows += [f"| `{v.name}` | {v.kind} | {v.default} | {v.limits} | {v.meaning} |" for v in VARIABLES]
    return "\n".join(rows)


@lru_cache(4)
def _read(given: tuple[tuple[str, str], ...]) -> Settings:
    texts, values, wrong = dict(given), {}, []
    for variable in VARIABLES:
        text = texts[variable.name]
        try:
            values[variable.attribute] = variable.read(text) if text else None
        except ValueError as error:
            wrong.append(f"{variable.name} {error}.")
    if wrong:
        raise ValueError(" ".join(wrong))
    home = texts["XDG_CACHE_HOME"]
    small = bool(values["small"])
    defaults: dict[str, Any] = {
        "models": "bundled" if small else "",
        "cache": Path(home or Path.home() / ".cache") / "embtools",
        "results_mb": 48 if small else 224,
        "metrics_address": "127.0.0.1",
        "rooms": "memory",
        "prepared": True,
        **dict.fromkeys(("small", "offline"), False),
        **dict.fromkeys(("visitors", "metrics_port"), 0),
        **dict.fromkeys(("corpora", "dictionaries", "legal_link", "privacy_link", "code_link", "proxies"), ""),
    }
    return Settings(**{key: defaults[key] if value is None else value for key, value in values.items()})
