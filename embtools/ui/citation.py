"""Citations of what a page shows: version, models with the checksums of their weights, address and date."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import embtools
from embtools.models.catalogue import entry

APP = "BERT Embedding Explorer"
AUTHORS = "The authors of the BERT Embedding Explorer"  # as in CITATION.cff
_NAMES = {"{": "braceleft", "}": "braceright", "\\": "backslash", "~": "asciitilde", "^": "asciicircum"}
_COMMANDS = {sign: f"\\text{name}{{}}" for sign, name in _NAMES.items()}
_DIGITS = 16  # of a checksum: enough to distinguish all weights in the world


@dataclass(frozen=True)
class Cited:
    """A model in a citation: its title, its revision ("" if it has none) and the first digits of its checksum.

    edits: the edits with which the page shows the model as well
    """

    title: str
    revision: str
    checksum: str
    edits: str = ""

    def __str__(self) -> str:
        revision = f", revision {self.revision}" if self.revision else ""
        edits = f", without and with the edit {self.edits}" if self.edits else ""
        return f"{self.title}{revision}, SHA-256 {self.checksum}{edits}"


def cited(name: str, *, model: Any) -> Cited:
    """Return the citation of the model of this name."""
    return Cited(entry(name).title, model.revision or "", model.checksum[:_DIGITS])


def line(models: Sequence[Cited], address: str, day: date, code: str = "") -> str:
    """Return the citation in one line; `code` is the address of the source code, "" if the host names none."""
    return f"{source(models)} {address} (seen on {day.isoformat()}{f'; code: {code}' if code else ''})."


def source(models: Sequence[Cited]) -> str:
    """Return the app with its version, and the models, as a text."""
    return f"{APP}, version {embtools.__version__}. {_models(models)}."


def bibtex(models: Sequence[Cited], address: str, day: date, code: str = "") -> str:
    """Return the citation as an entry for BibTeX and biblatex; biblatex-software prints the repository."""
    released = embtools.__version__.replace(".", "-")  # versions are named after the day of their release
    fields = {
        "author": f"{{{AUTHORS}}}",  # double braces: one name, not first and last names
        "title": f"{{{APP}}}",
        "version": embtools.__version__,
        "date": released,
        "year": released[:4],
        "url": _url(address),
        "urldate": day.isoformat(),
        "note": _tex(_models(models)),
        **({"repository": _url(code)} if code else {}),
    }
    body = ",\n".join(f"  {key:<7} = {{{value}}}" for key, value in fields.items())
    return f"@software{{bert-embedding-explorer-{released},\n{body}\n}}"


def installing(code: str) -> str:
    """Return how to get the library of the app, in one sentence; `code` is the address of the source code, or ""."""
    get = f"Get the source code from {code}" if code else "Ask whoever runs this server for the source code"
    return f"{get} and then run `pip install .` in its folder."


def _models(models: Sequence[Cited]) -> str:
    return f"Model{'s' * (len(models) > 1)}: {'; '.join(map(str, models))}"


def _tex(text: str) -> str:
    """Return the text with the characters escaped that TeX reads as commands; BibTeX counts braces after a backslash
    too."""
    return re.sub(r"[&%$#_{}\\~^]", lambda sign: _COMMANDS.get(sign[0], f"\\{sign[0]}"), text)


def _url(address: str) -> str:
    """Return the address with percent codes for the characters that would end a BibTeX field."""
    return re.sub(r"[{}\\\s]", lambda sign: f"%{ord(sign[0]):02X}", address)
