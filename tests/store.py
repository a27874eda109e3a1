"""Corpus folders for tests; and an object store, S3 simulated by moto in a process of its own, which counts requests."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow.fs as fs
import pytest

from embtools.occurrences.folder import encoder
from embtools.occurrences.folder.writing import encode_texts


def encoded(sentences: Iterable[str], place: Path, model: Any) -> Path:
    """A corpus folder of sentences, encoded by the bundled model."""
    text = place.with_suffix(".txt")
    text.write_text("\n".join(sentences), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoder, "_loaded", lambda name, device="cpu": model)
        encode_texts([text], str(place), encoder.ModelEncoder(), shard=150)
    return place


@contextmanager
def played(log: Path) -> Iterator[tuple[Callable[[str], str], Callable[[], list[str]]]]:
    """Run the store; gives the address of a folder by its name, and the requests since the last call."""
    import boto3

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with log.open("wb") as file:
        server = subprocess.Popen(program, stdout=file, stderr=file)
    try:
        while True:
            assert server.poll() is None, log.read_text()
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        keys = {"aws_access_key_id": "testing", "aws_secret_access_key": "testing", "region_name": "us-east-1"}
        boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}", **keys).create_bucket(Bucket="corpora")
        options = f"endpoint_override=127.0.0.1:{port}&scheme=http&region=us-east-1"
        read = 0

        def requests() -> list[str]:
            nonlocal read
            plain = re.sub(r"\x1b\[\d+m", "", log.read_text())  # what is not answered by 200 is coloured
            lines = re.findall(r'"(?:GET|HEAD|PUT|POST|DELETE) [^"]*"', plain)
            new, read = lines[read:], len(lines)
            return new

        yield lambda name: f"s3://testing:testing@corpora/{name}?{options}", requests
    finally:
        server.terminate()
        server.wait()


def copied(folder: Path, uri: str) -> None:
    """Copy a folder into the store."""
    system, root = fs.FileSystem.from_uri(uri)
    fs.copy_files(str(folder), root, fs.LocalFileSystem(), system)
