"""The stored results of the bundled model, with the checksum of its weights."""

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embtools.paper.measured import Condition, Figure, Measured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from embtools.models.embedding_model import EmbeddingModel

FILE = Path(__file__).with_name("bundled.json")
_DIGITS = 6


def read(model: "EmbeddingModel", *, file: Path = FILE) -> dict[str, Measured]:
    """Return the stored results of a model."""
    checksum, results = _read(file)
    return dict(results) if checksum == model.checksum else {}


def write(model: "EmbeddingModel", *, results: "Mapping[str, Measured]", file: Path = FILE) -> None:
    """Store the results of a model; replaces all stored results."""
    stored = {
        "checksum": model.checksum,
        "claims": {name: _rounded(asdict(result)) for name, result in results.items()},
    }
    file.write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


@cache
def _read(file: Path) -> tuple[str, dict[str, Measured]]:
    if not file.exists():
        return "", {}
    stored = json.loads(file.read_text(encoding="utf-8"))
    return stored["checksum"], {name: _measured(row) for name, row in stored["claims"].items()}


def _measured(stored: dict[str, Any]) -> Measured:
    conditions = tuple(Condition(**row) for row in stored["conditions"])
    return Measured(
        stored["answer"], conditions, tuple(Figure(**row) for row in stored["figures"]), stored.get("many", "")
    )


def _rounded(value: Any) -> Any:
    """Return a value with its numbers rounded, so that other processors give the same ones."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, (list, tuple)) else value
