"""How to cite what a page shows: the version, the models by the checksums of their weights, the address, the day."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import embtools
from embtools.models.catalogue import entry

APP = "BERT Embedding Explorer"
AUTHORS = "The authors of the BERT Embedding Explorer"  # as in CITATION.cff
_DIGITS = 16  # of a checksum: enough to tell all weights in the world apart


@dataclass(frozen=True)
class Cited:
    """A model as it is cited: its title, revision ("" where it has none) and the beginning of its checksum."""

    title: str
    revision: str
    checksum: str

    def __str__(self) -> str:
        revision = f", revision {self.revision}" if self.revision else ""
        return f"{self.title}{revision}, SHA-256 {self.checksum}"


def cited(name: str, *, model: Any) -> Cited:
    """The model of this name, as it is cited."""
    return Cited(entry(name).title, model.revision or "", model.checksum[:_DIGITS])


def line(models: Sequence[Cited], address: str, day: date) -> str:
    """The citation in one line."""
    return f"{APP}, version {embtools.__version__}. {_models(models)}. {address} (seen on {day.isoformat()})."


def bibtex(models: Sequence[Cited], address: str, day: date) -> str:
    """The citation as an entry for BibTeX and biblatex."""
    released = embtools.__version__.replace(".", "-")  # versions are named after the day of their release
    fields = {
        "author": f"{{{AUTHORS}}}",  # in braces twice: one name, not several words of one
        "title": f"{{{APP}}}",
        "version": embtools.__version__,
        "date": released,
        "year": released[:4],
        "url": _url(address),
        "urldate": day.isoformat(),
        "note": _tex(_models(models)),
    }
    body = ",\n".join(f"  {key:<7} = {{{value}}}" for key, value in fields.items())
    return f"@software{{bert-embedding-explorer-{released},\n{body}\n}}"


def _models(models: Sequence[Cited]) -> str:
    return f"Model{'s' * (len(models) > 1)}: {'; '.join(map(str, models))}"


def _tex(text: str) -> str:
    """Text without signs that TeX reads as commands."""
    return re.sub(r"([&%$#_{}])", r"\\\1", re.sub(r"[\\~^]", " ", text))


def _url(address: str) -> str:
    """An address without the signs that would end a field; a browser reads their numbers alike."""
    return re.sub(r"[{}\\\s]", lambda sign: f"%{ord(sign[0]):02X}", address)
