"""Files of batteries: cases as Parquet or CSV with the query, the model's checksum and the version."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

import embtools
from embtools.messages import quoted

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

KINDS = (".parquet", ".csv")
_KEY = b"embtools"


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


def write(frame: pd.DataFrame, path: Path, *, described: Mapping[str, str]) -> None:
    """Write a frame with its description: in the metadata of Parquet, or as the same columns of every row of a CSV.

    The file appears only when it is complete. Raises ValueError as `check_kind` does.
    """
    check_kind(path)
    partial = path.with_name(f"{path.name}.part")
    if path.suffix.lower() == ".csv":
        frame.assign(**dict(described)).to_csv(partial, index=False)
    else:
        import pyarrow as pa
        from pyarrow import parquet

        table = pa.Table.from_pandas(frame, preserve_index=False)
        metadata = {**(table.schema.metadata or {}), _KEY: json.dumps(dict(described)).encode()}
        parquet.write_table(table.replace_schema_metadata(metadata), partial)
    partial.replace(path)


def read(path: Path) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the frame of a file that `write` wrote, and its description.

    Raises ValueError for a file that was not written by `write` or is damaged, and as `check_kind` does.
    """
    check_kind(path)
    names = ("version", "model", "model_checksum", "query")
    try:
        if path.suffix.lower() == ".csv":
            frame = pd.read_csv(path, keep_default_na=False, na_values=[])
            described = {name: str(frame[name].iloc[0]) for name in names}
            return frame.drop(columns=list(names)), described
        from pyarrow import parquet

        table = parquet.read_table(path)
        described = json.loads((table.schema.metadata or {})[_KEY])
        return table.to_pandas(), {name: str(described[name]) for name in names}
    except (KeyError, IndexError, ValueError, OSError) as error:
        raise ValueError(
            f"The file {quoted(path.name)} was not written by this program or is damaged. Choose another name."
        ) from error
