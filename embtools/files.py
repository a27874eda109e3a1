"""Files of results: frames as Parquet or CSV, and the settings they come from: the query, the model and the version.

Parquet holds the settings in its metadata. A CSV file is one plain table; its settings are in a file of their own.
"""

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

import embtools
from embtools.messages import is_formula, quoted

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

KINDS = (".parquet", ".csv")
_KEY = b"embtools"
_NAMES = ("version", "model", "model_checksum", "query")


def about(model: "EmbeddingModel", *, query: Mapping[str, object]) -> dict[str, str]:
    """Return what identifies a result: the version, the model, its checksum, and the query as JSON.

    >>> from embtools import load_model
    >>> sorted(about(load_model(), query={"edit": "{a} = {c}"}))
    ['model', 'model_checksum', 'query', 'version']
    """
    return {
        "version": embtools.__version__,
        "model": model.name,
        "model_checksum": model.checksum,
        "query": _as_json(dict(query)),
    }


def _as_json(query: object) -> str:
    return json.dumps(
        query, ensure_ascii=False, sort_keys=True, default=lambda value: getattr(value, "settings", str(value))
    )


def check_kind(path: Path) -> None:
    """Raise ValueError unless the name of a file ends in .parquet or .csv."""
    if path.suffix.lower() not in KINDS:
        raise ValueError(f"The file {quoted(path.name)} must end in {' or '.join(KINDS)}.")


def encoded(frame: pd.DataFrame, kind: str, *, described: Mapping[str, str]) -> bytes:
    """Return the bytes of a file of this kind (".parquet", with the description, or ".csv") with a frame; in a CSV, an
    apostrophe, which `read` removes, begins texts that a spreadsheet would run as a formula. One with other letters
    than A to Z begins with a byte order mark: without it, Excel shows “é” as “Ã©”.
    """
    if kind == ".csv":
        text = _with_texts(frame, _guarded).to_csv(index=False)
        return text.encode("utf-8" if text.isascii() else "utf-8-sig")
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.Table.from_pandas(frame, preserve_index=False)
    metadata = {**(table.schema.metadata or {}), _KEY: json.dumps(dict(described)).encode()}
    sink = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata(metadata), sink)
    return sink.getvalue()


def settings(described: Mapping[str, str]) -> bytes:
    """Return the bytes of the JSON file with the description of a result; its query is an object that can be read.

    >>> print(settings({"version": "1", "query": '{"seed": 0}'}).decode(), end="")
    {
      "version": "1",
      "query": {
        "seed": 0
      }
    }
    """
    written = {name: json.loads(text) if name == "query" else text for name, text in described.items()}
    return f"{json.dumps(written, ensure_ascii=False, indent=2)}\n".encode()


def settings_path(path: Path) -> Path:
    """Return the path of the settings of a CSV.

    >>> settings_path(Path("cases.csv")).name
    'cases.settings.json'
    """
    return path.with_suffix(".settings.json")


def write(frame: pd.DataFrame, path: Path, *, described: Mapping[str, str]) -> None:
    """Write the file of `encoded`, and that of `settings` next to a CSV; each appears only when it is complete."""
    check_kind(path)
    if path.suffix.lower() == ".csv":
        _put(settings_path(path), settings(described))
    _put(path, encoded(frame, path.suffix.lower(), described=described))


def _put(path: Path, data: bytes) -> None:
    partial = path.with_name(f"{path.name}.part")
    partial.write_bytes(data)
    partial.replace(path)


def read(path: Path, *, texts: Sequence[str] = ()) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the frame of a file that `write` wrote, and its description; `texts` are the columns of a CSV whose cells
    are texts, even if all of them look like numbers.
    """
    check_kind(path)
    try:
        if path.suffix.lower() == ".csv":
            described = json.loads(settings_path(path).read_text(encoding="utf-8"))
            described["query"] = _as_json(described["query"])
            types: dict[str, type] = dict.fromkeys(texts, str)  # a token such as 1 or True stays a text
            frame = _with_texts(pd.read_csv(path, keep_default_na=False, na_values=[], dtype=types), _unguarded)
        else:
            from pyarrow import parquet

            table = parquet.read_table(path)
            frame, described = table.to_pandas(), json.loads((table.schema.metadata or {})[_KEY])
        return frame, {name: str(described[name]) for name in _NAMES}
    except (KeyError, IndexError, TypeError, ValueError, OSError) as error:
        beside = f", or its file {quoted(settings_path(path).name)} is missing" * (path.suffix.lower() == ".csv")
        raise ValueError(
            f"The file {quoted(path.name)} was not written by this program or is damaged{beside}. Choose another name."
        ) from error


def _with_texts(frame: pd.DataFrame, changed: Callable[[str], str]) -> pd.DataFrame:
    def each(values: Iterable[Any]) -> list[Any]:
        return [changed(value) if isinstance(value, str) else value for value in values]

    result = frame.set_axis(each(frame.columns), axis="columns")
    for number, kind in enumerate(frame.dtypes):  # by number, because names can be equal
        if not pd.api.types.is_numeric_dtype(kind):
            result.isetitem(number, each(frame.iloc[:, number]))
    return result


def _guarded(text: str) -> str:
    return f"'{text}" if is_formula(text.lstrip("'")) else text


def _unguarded(text: str) -> str:
    """Return the text that `_guarded` was given.

    >>> _guarded("=A1|x"), _unguarded(_guarded("=A1|x")), _unguarded(_guarded("'=A1|x")), _guarded("-")
    ("'=A1|x", '=A1|x', "'=A1|x", '-')
    """
    return text[1:] if text.startswith("'") and is_formula(text.lstrip("'")) else text
