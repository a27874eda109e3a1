"""A folder of files, local or in an object store (`s3://…`), in which readers never see incomplete files; and the
corpus folders that a server offers, by name.
"""

import hashlib
import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.dataset as ds
import pyarrow.fs as fs

from embtools import settings

TMP = ".tmp"


@dataclass(frozen=True)
class Written:
    """The length and SHA-256 of a file."""

    bytes: int
    sha256: str


@dataclass(frozen=True)
class Location:
    """Files by name in a folder `uri`: a path, or a URI that `pyarrow.fs` knows.

    A local file is written under a temporary name, `<name>.<random>.tmp`, and then renamed. An object store shows an
    object only when it is complete. So readers see a complete file or none.
    """

    uri: str

    @cached_property
    def _there(self) -> tuple[fs.FileSystem, str]:
        if "://" not in self.uri:
            return fs.LocalFileSystem(), str(Path(self.uri).absolute())
        try:
            system, root = fs.FileSystem.from_uri(self.uri)
        except (ValueError, OSError) as error:
            raise ValueError(f"{self.shown} is neither a path nor the address of an object store.") from error
        return system, root.rstrip("/")

    @property
    def shown(self) -> str:
        """The address without secrets: no keys, no options."""
        scheme, mark, rest = self.uri.partition("?")[0].rpartition("://")
        return f"{scheme}{mark}{rest.rpartition('@')[2]}"

    @property
    def local(self) -> Path | None:
        """The folder on this machine; None for an object store."""
        system, root = self._there
        return Path(root) if isinstance(system, fs.LocalFileSystem) else None

    def names(self, folder: str) -> dict[str, int]:
        """The complete files of a folder and their sizes in bytes; empty if there is no such folder."""
        system, root = self._there
        found = system.get_file_info(fs.FileSelector(f"{root}/{folder}", allow_not_found=True))
        return {f.base_name: f.size for f in found if f.is_file and not f.base_name.endswith(TMP)}

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        system, root = self._there
        return bool(system.get_file_info(f"{root}/{name}").is_file)

    def open(self, name: str) -> Any:
        """A file, opened for random access."""
        system, root = self._there
        return system.open_input_file(f"{root}/{name}")

    def read(self, name: str) -> bytes:
        """The content of a file."""
        with self.open(name) as file:
            return bytes(file.read())

    def lines(self, name: str, size: int, schema: pa.Schema) -> pa.Table:
        """The content of a CSV file of `size` bytes with these columns, with a single request."""
        system, root = self._there
        read = csv.ReadOptions(block_size=size + 1, use_threads=False)
        options = ds.CsvFragmentScanOptions(read_options=read)
        whole = ds.CsvFileFormat(default_fragment_scan_options=options)
        return whole.make_fragment(f"{root}/{name}", system, file_size=size).to_table(schema=schema)

    def write(self, name: str, chunks: Iterable[Any]) -> Written:
        """Write a file from chunks (bytes or arrays), replacing an older file of that name."""
        system, root = self._there
        if self.local is not None:
            return self._write_local(self.local / name, chunks)
        counted = _Counted(chunks)
        stream = system.open_output_stream(f"{root}/{name}")
        for chunk in counted:
            stream.write(chunk)
        stream.close()
        return counted.written

    def remove(self, folder: str) -> None:
        """Remove a folder and all files in it, if it is there."""
        system, root = self._there
        if self.names(folder):
            system.delete_dir(f"{root}/{folder}")

    def clean(self) -> None:
        """Remove incomplete files of a run that was killed."""
        if self.local is not None:
            for path in self.local.rglob(f"*{TMP}"):
                path.unlink(missing_ok=True)

    def _write_local(self, path: Path, chunks: Iterable[Any]) -> Written:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Each attempt has its own name, because a worker that was thought dead may still be writing.
        temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}{TMP}")
        counted = _Counted(chunks)
        try:
            with temporary.open("wb") as file:
                for chunk in counted:
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        return counted.written


class _Counted:
    """Chunks of a file, counted and hashed while they are read."""

    def __init__(self, chunks: Iterable[Any]) -> None:
        self._chunks, self._digest, self._bytes = chunks, hashlib.sha256(), 0

    def __iter__(self) -> Any:
        for chunk in self._chunks:
            view = memoryview(chunk).cast("B")
            self._digest.update(view)
            self._bytes += view.nbytes
            yield view

    @property
    def written(self) -> Written:
        return Written(self._bytes, self._digest.hexdigest())


def offered(setting: str | None = None) -> dict[str, str]:
    """The folders that may be opened, name → path or URI, from the comma-separated variable EMBTOOLS_CORPORA; a second
    folder of the same name gets a number.

    >>> offered("/data/wiki, s3://lab/corpora/news?region=eu-west-1")
    {'wiki': '/data/wiki', 'news': 's3://lab/corpora/news?region=eu-west-1'}
    """
    given = settings.current().corpora if setting is None else setting
    found: dict[str, str] = {}
    for uri in filter(None, map(str.strip, given.split(","))):
        name = Location(uri).shown.rstrip("/").rpartition("/")[2]
        same = sum(other.partition(" (")[0] == name for other in found)
        found[f"{name} ({same + 1})" if same else name] = uri
    return found
