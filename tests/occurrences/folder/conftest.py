"""A finished folder of a text of sixty sentences, encoded without a model."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from embtools.occurrences.folder import packing
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.writing import encode_texts
from tests.occurrences.folder.fake import Fake, write_text
from tests.store import copied, played


@pytest.fixture(scope="session", autouse=True)
def _no_power_cut() -> Iterator[None]:
    """Nobody waits for the disk: what a process that is killed has written is there all the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield


@pytest.fixture(scope="session")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_text(tmp_path_factory.mktemp("text") / "text.txt")


@pytest.fixture(scope="session")
def whole(text: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder: seven parts, buckets of about 100 rows (*the* fills more than one), row groups of 16."""
    out = tmp_path_factory.mktemp("corpus") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "GROUP", 16)
        encode_texts([text], str(out), Fake(), shard=80, bucket=100)
    return out


@pytest.fixture
def folder(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CorpusFolder:
    monkeypatch.setenv("EMBTOOLS_CACHE", str(tmp_path / "cache"))
    return CorpusFolder.open(str(whole))


@pytest.fixture
def damaged(whole: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy that a test may spoil."""
    yield Path(shutil.copytree(whole, tmp_path / "damaged"))


@pytest.fixture(scope="session")
def frequent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which one word occurs 8,192 times, in parts and row groups as in a real folder."""
    place = tmp_path_factory.mktemp("frequent")
    encode_texts([write_text(place / "text.txt", 4_096)], str(place / "out"), Fake(), shard=4_000)
    return place / "out"


@pytest.fixture(scope="session")
def store(
    text: Path, frequent: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Callable[[], list[str]]]]:
    """The same folder written to an object store, S3 simulated by moto; and the requests since the last call."""
    with played(tmp_path_factory.mktemp("s3") / "log") as (address, requests):
        uri = address("whole")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(packing, "GROUP", 16)
            encode_texts([text], uri, Fake(), shard=80, bucket=100)
        copied(frequent, address("frequent"))
        yield uri, requests
