"""A folder of files, local or in an object store (`s3://…`): whole files only, never half of one."""

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

TMP = ".tmp"


@dataclass(frozen=True)
class Written:
    """What stands in a file: its length and SHA-256."""

    bytes: int
    sha256: str


@dataclass(frozen=True)
class Place:
    """Files by their names below `uri`: a path, or a URI that `pyarrow.fs` knows.

    A local file is written under another name, `<name>.<random>.tmp`, and then renamed; an object store shows an object
    when all of it has arrived. Whoever reads sees a whole file or none.
    """

    uri: str

    @cached_property
    def _there(self) -> tuple[fs.FileSystem, str]:
        if "://" not in self.uri:
            return fs.LocalFileSystem(), str(Path(self.uri).absolute())
        try:
            system, root = fs.FileSystem.from_uri(self.uri)
        except (ValueError, OSError) as error:
            raise ValueError(f"{self.shown} is no path and no address of an object store.") from error
        return system, root.rstrip("/")

    @property
    def shown(self) -> str:
        """The address without what is secret in it: no key, no options."""
        scheme, mark, rest = self.uri.partition("?")[0].rpartition("://")
        return f"{scheme}{mark}{rest.rpartition('@')[2]}"

    @property
    def local(self) -> Path | None:
        """The folder on this machine; None for an object store."""
        system, root = self._there
        return Path(root) if isinstance(system, fs.LocalFileSystem) else None

    def names(self, folder: str) -> dict[str, int]:
        """The finished files of a folder and their bytes; nothing where there is none."""
        system, root = self._there
        found = system.get_file_info(fs.FileSelector(f"{root}/{folder}", allow_not_found=True))
        return {f.base_name: f.size for f in found if f.is_file and not f.base_name.endswith(TMP)}

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        system, root = self._there
        return bool(system.get_file_info(f"{root}/{name}").is_file)

    def open(self, name: str) -> Any:
        """A file to read from, here and there."""
        system, root = self._there
        return system.open_input_file(f"{root}/{name}")

    def read(self, name: str) -> bytes:
        """All of a file."""
        with self.open(name) as file:
            return bytes(file.read())

    def lines(self, name: str, size: int, schema: pa.Schema) -> pa.Table:
        """All of a CSV file of so many bytes, with these columns, by one request: a store is not asked for its size."""
        system, root = self._there
        read = csv.ReadOptions(block_size=size + 1, use_threads=False)
        options = ds.CsvFragmentScanOptions(read_options=read)
        whole = ds.CsvFileFormat(default_fragment_scan_options=options)
        return whole.make_fragment(f"{root}/{name}", system, file_size=size).to_table(schema=schema)

    def write(self, name: str, chunks: Iterable[Any]) -> Written:
        """Write a file out of its parts (bytes, or arrays of them); an older one of that name gives way."""
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
        """Remove what a run that was killed has left half written."""
        if self.local is not None:
            for path in self.local.rglob(f"*{TMP}"):
                path.unlink(missing_ok=True)

    def _write_local(self, path: Path, chunks: Iterable[Any]) -> Written:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A name of its own for each attempt: a worker that was thought dead may still be writing.
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
    """Parts of a file, counted and hashed as they go by."""

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
