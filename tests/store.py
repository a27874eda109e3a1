"""An object store: S3 as moto plays it, in a process of its own, which counts the requests."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow.fs as fs


@contextmanager
def played(log: Path) -> Iterator[tuple[Callable[[str], str], Callable[[], list[str]]]]:
    """Run the store; gives the address of a folder by its name, and the requests since one last asked for them."""
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
