"""Files of results: frames as Parquet or CSV with the query, the model's checksum and the version."""

import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

import embtools
from embtools.messages import is_formula, quoted

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

KINDS = (".parquet", ".csv")
MAX_REPEATED = 20_000_000
"""Bytes that the description of a result may take in all rows of a CSV."""
_KEY = b"embtools"
_NAMES = ("version", "model", "model_checksum", "query")


def about(model: "EmbeddingModel", *, query: Mapping[str, object]) -> dict[str, str]:
    """Return what identifies a result: the version, the model, its checksum, and the query as JSON.

    >>> from embtools import load_model
    >>> sorted(about(load_model(), query={"edit": "{a} = {c}"}))
    ['model', 'model_checksum', 'query', 'version']
    """
    written = json.dumps(dict(query), ensure_ascii=False, sort_keys=True, default=str)
    return {
        "version": embtools.__version__,
        "model": model.name,
        "model_checksum": model.checksum,
        "query": written,
    }


def check_kind(path: Path) -> None:
    """Raise ValueError unless the name of a file ends in .parquet or .csv."""
    if path.suffix.lower() not in KINDS:
        raise ValueError(f"The file {quoted(path.name)} must end in {' or '.join(KINDS)}.")


def encoded(frame: pd.DataFrame, kind: str, *, described: Mapping[str, str]) -> bytes:
    """Return the bytes of a file of this kind (".parquet" or ".csv") with a frame and its description.

    The description is in the metadata of Parquet, and in the same columns of every row of a CSV, or of its first row if
    that would take more than `MAX_REPEATED` bytes. In a CSV, texts that a spreadsheet would run as a formula begin with
    an apostrophe; `read` removes it.
    """
    if kind == ".csv":
        size = len(frame) * sum(len(text.encode()) for text in described.values())
        rest = len(frame) - 1 if size > MAX_REPEATED else 0
        columns = {name: [text, *[""] * rest] if rest else text for name, text in described.items()}
        return _with_texts(frame.assign(**columns), _guarded).to_csv(index=False).encode()
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.Table.from_pandas(frame, preserve_index=False)
    metadata = {**(table.schema.metadata or {}), _KEY: json.dumps(dict(described)).encode()}
    sink = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata(metadata), sink)
    return sink.getvalue()


def write(frame: pd.DataFrame, path: Path, *, described: Mapping[str, str]) -> None:
    """Write the file of `encoded`; it appears only when it is complete. Raises ValueError as `check_kind` does."""
    check_kind(path)
    partial = path.with_name(f"{path.name}.part")
    partial.write_bytes(encoded(frame, path.suffix.lower(), described=described))
    partial.replace(path)


def read(path: Path, *, texts: Sequence[str] = ()) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the frame of a file that `write` wrote, and its description.

    `texts` are the columns of a CSV whose cells are texts, even if all of them look like numbers. Raises ValueError for
    a file that was not written by `write` or is damaged, and as `check_kind` does.
    """
    check_kind(path)
    try:
        if path.suffix.lower() == ".csv":
            types: dict[str, type] = dict.fromkeys((*texts, *_NAMES), str)  # a token such as 1 or True stays a text
            frame = _with_texts(pd.read_csv(path, keep_default_na=False, na_values=[], dtype=types), _unguarded)
            described = {name: str(frame[name].iloc[0]) for name in _NAMES}
            return frame.drop(columns=list(_NAMES)), described
        from pyarrow import parquet

        table = parquet.read_table(path)
        described = json.loads((table.schema.metadata or {})[_KEY])
        return table.to_pandas(), {name: str(described[name]) for name in _NAMES}
    except (KeyError, IndexError, ValueError, OSError) as error:
        raise ValueError(
            f"The file {quoted(path.name)} was not written by this program or is damaged. Choose another name."
        ) from error


def _with_texts(frame: pd.DataFrame, changed: Callable[[str], str]) -> pd.DataFrame:
    texts = frame.select_dtypes(exclude=("number", "bool")).columns
    return frame.assign(**{name: [changed(v) if isinstance(v, str) else v for v in frame[name]] for name in texts})


def _guarded(text: str) -> str:
    return f"'{text}" if is_formula(text.lstrip("'")) else text


def _unguarded(text: str) -> str:
    """Return the text that `_guarded` was given.

    >>> _guarded("=A1|x"), _unguarded(_guarded("=A1|x")), _unguarded(_guarded("'=A1|x")), _guarded("-")
    ("'=A1|x", '=A1|x', "'=A1|x", '-')
    """
    return text[1:] if text.startswith("'") and is_formula(text.lstrip("'")) else text
