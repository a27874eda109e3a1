"""Ray writes the same files as the plain loop, even if processes are killed. Run with `pytest -m cluster` and Ray."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from embtools.corpus import __main__ as command
from embtools.occurrences.folder.checking import verify
from embtools.occurrences.folder.location import Location
from embtools.occurrences.folder.writing import PART, encode_texts, finished
from tests.occurrences.folder.fake import Fake, files, write_text

pytestmark = pytest.mark.cluster
ROOT = Path(__file__).parents[2]
SIZES: dict[str, Any] = {"shard": 80, "bucket": 100}


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    """Ray on this machine with two workers."""
    ray = pytest.importorskip("ray")
    from embtools.corpus.on_ray import run

    yield partial(run, address="local", actors=2, gpus=0)
    ray.shutdown()


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_text(tmp_path_factory.mktemp("text") / "text.txt", 120)


@pytest.fixture(scope="module")
def expected(text: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Every file as the plain loop writes it."""
    out = tmp_path_factory.mktemp("expected")
    encode_texts([text], str(out), Fake(), **SIZES)
    return files(out)


def whole(out: Path, expected: dict[str, bytes]) -> bool:
    return files(out) == expected and not verify(str(out)).problems


def test_ray_writes_the_same_files_as_the_plain_loop(engine, tmp_path, tiny_folder, capsys):
    path = tmp_path / "text.txt"
    path.write_text("The bank of the river. A bank works in Paris.\n\nThe king is in France.\n" * 5, encoding="utf-8")
    common = [str(path), "--model", str(tiny_folder), "--shard", "20"]
    assert command.main([*common, "--out", str(tmp_path / "loop")]) == 0
    assert command.main([*common, "--out", str(tmp_path / "ray"), "--on", "ray", "--actors", "2"]) == 0
    ours, rays = files(tmp_path / "loop"), files(tmp_path / "ray")
    assert sorted(name for name in ours if name.startswith("parts/")) == [
        f"parts/part-00000{n}.parquet" for n in range(4)
    ]
    assert rays == ours


def test_ray_finds_the_same_as_a_local_search(engine, tmp_path, tiny_folder, capsys, monkeypatch):
    monkeypatch.setenv("EMBTOOLS_CACHE", str(tmp_path / "cache"))
    path, out = tmp_path / "text.txt", str(tmp_path / "out")
    path.write_text("The bank of the river. A bank works in Paris.\n\nThe king is in France.\n" * 5, encoding="utf-8")
    assert command.main([str(path), "--model", str(tiny_folder), "--out", out, "--shard", "20", "--bucket", "15"]) == 0
    capsys.readouterr()
    asked = ["search", out, "bank", "--number", "2", "-k", "7", "--other-words"]
    assert command.main(asked) == 0
    here = capsys.readouterr().out.splitlines()
    assert command.main([*asked, "--on", "ray", "--actors", "2"]) == 0
    there = capsys.readouterr().out.splitlines()
    assert there[0] == here[0] and there[2:] == here[2:] and len(here) == 9
    assert "stored on this server" in here[1] and "read from the files" in there[1]


def test_a_worker_that_is_killed_costs_nothing(engine, text, expected, tmp_path):
    pids, killed = tmp_path / "pids", []
    pids.mkdir()

    def tell(done: int, of: int, pieces: int) -> None:
        if not killed:
            killed.append(int(sorted(pids.iterdir())[0].name))
            assert killed[0] != os.getpid()
            os.kill(killed[0], signal.SIGKILL)

    encode_texts([text], str(tmp_path / "out"), Fake(delay=0.3, pids=str(pids)), engine=engine, tell=tell, **SIZES)
    assert killed and len(list(pids.iterdir())) > 2  # a new worker was started
    assert whole(tmp_path / "out", expected)


def test_encoding_resumes_after_the_driver_is_killed(engine, text, expected, tmp_path):
    out = tmp_path / "out"
    program = (
        "from functools import partial; from embtools.corpus.on_ray import run;"
        "from embtools.occurrences.folder.writing import encode_texts; from tests.occurrences.folder.fake import Fake;"
        f"encode_texts([{str(text)!r}], {str(out)!r}, Fake(delay=0.3), shard=80, bucket=100,"
        " engine=partial(run, address='local', actors=2, gpus=0))"
    )
    driver = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    while len(finished(Location(str(out)), PART)) < 3:
        assert driver.poll() is None, driver.stderr.read() if driver.stderr else ""
        time.sleep(0.02)
    left = psutil.Process(driver.pid).children(recursive=True)
    os.kill(driver.pid, signal.SIGKILL)
    driver.wait()
    begun = len(finished(Location(str(out)), PART))
    assert 3 <= begun < 14 and not (out / "corpus.json").exists()
    encode_texts([text], str(out), Fake(), engine=engine, **SIZES)
    assert whole(out, expected)
    for process in left:  # some of Ray's helpers outlive a driver
        with suppress(psutil.NoSuchProcess):
            process.kill()


@pytest.mark.slow
def test_a_machine_that_is_lost_costs_nothing(text, expected, tmp_path):
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    from embtools.corpus.on_ray import run

    ray.shutdown()
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)
    lost: list[Any] = []

    def tell(done: int, of: int, pieces: int) -> None:
        if done == 4 and not lost:
            lost.append(nodes[0])
            cluster.remove_node(nodes[0], allow_graceful=False)

    try:
        engine = partial(run, address=cluster.address, actors=2, gpus=0)
        encode_texts([text], str(tmp_path / "out"), Fake(delay=0.3), engine=engine, attempts=3, tell=tell, **SIZES)
        assert lost and sum(node["Alive"] for node in ray.nodes()) == 2
        assert whole(tmp_path / "out", expected)
    finally:
        ray.shutdown()
        cluster.shutdown()
