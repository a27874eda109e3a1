"""What goes wrong on a server, and what visitors see of it: each test says it in its name."""

import asyncio
import contextlib
import errno
import os
import shutil
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import websockets
from prometheus_client.parser import text_string_to_metric_families
from safetensors.numpy import load_file, save_file
from starlette.applications import Starlette
from starlette.testclient import TestClient

import embtools
from benchmarks.server import visit
from embtools.models import loading
from embtools.models.loading import load_model
from embtools.rooms import store
from embtools.ui import faults
from embtools.ui.rooms import routes
from tests import lifeline, loops
from tests.browser.conftest import serve
from tests.browser.replicas import free_port
from tests.browser.resting import resting
from tests.conftest import make_tiny
from tests.phones import QUESTION
from tests.visit import Visit

FAULT = "zanzibar"  # the server of these tests fails on a question with this word
ANSWER = "arithmetic.edit.edited_answers"


# Without a server


def truncated(weights: Path) -> None:
    weights.write_bytes(weights.read_bytes()[:100_000])


def with_a_nan(weights: Path) -> None:
    tensors = load_file(weights)
    next(iter(tensors.values())).flat[0] = float("nan")
    save_file(tensors, weights, metadata={"format": "pt"})


@pytest.mark.parametrize("spoil", [Path.unlink, truncated, with_a_nan], ids=["missing", "damaged", "not a number"])
def test_weights_of_the_included_model_that_are_missing_or_damaged_are_named_on_every_page(
    spoil, cold: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(Path(embtools.__file__).parent / "bundled", tmp_path / "bundled")
    spoil(tmp_path / "bundled" / "model.safetensors")
    (tmp_path / "models").mkdir()
    monkeypatch.setattr(loading, "__file__", str(tmp_path / "models" / "loading.py"))
    for page, query in (("arithmetic", {}), ("similarity", {}), ("", {"guess": "France"})):
        (problem,) = Visit(page, **query).problems
        assert "The bundled model cannot be loaded" in problem and "must install the app again" in problem


def test_a_model_file_that_is_replaced_while_the_server_runs_changes_nothing_until_the_next_start(tmp_path) -> None:
    folder, other = make_tiny(tmp_path / "model"), make_tiny(tmp_path / "other", seed=1)
    model = load_model(str(folder))
    vector = model.vector("rome").copy()
    states = model.hidden_states("rome is the capital .")
    (other / "model.safetensors").replace(folder / "model.safetensors")  # as git, pip and a copy with rename do
    assert (model.vector("rome") == vector).all()
    assert (model.hidden_states("rome is the capital .") == states).all()
    again = load_model(str(folder))
    assert again.checksum != model.checksum and not (again.vector("rome") == vector).all()


@pytest.mark.parametrize("seconds", [-400 * 24 * 3600, 400 * 24 * 3600], ids=["back", "ahead"])
def test_a_clock_that_jumps_changes_no_page(visit, monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    before = visit("arithmetic")
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + seconds)
    assert before.run().texts == visit("arithmetic").texts


@pytest.mark.parametrize("seconds", [-400 * 24 * 3600, 400 * 24 * 3600], ids=["back", "ahead"])
def test_a_clock_that_jumps_closes_no_room_and_loses_no_vote(rooms, monkeypatch, seconds: int) -> None:
    """A room's three hours, and the limits on how often phones may ask, do not depend on the time of day."""
    web = TestClient(Starlette(routes=routes.routes()))
    room, key = store.opened(rooms, page="pairs")
    store.ask(rooms, room.code, key, QUESTION)
    token = web.post("/room/api/join", json={"code": room.code}).json()["token"]
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + seconds)
    vote = web.post(f"/room/api/{room.code}/vote", json={"number": 1, "choice": 0}, headers={"x-room-token": token})
    assert vote.json() == {"choice": 0}
    late = web.post("/room/api/join", json={"code": room.code})
    assert late.status_code == 200
    assert store.reveal(rooms, room.code, key, 1).results == ((1, 0, 0),)


def test_a_full_disk_is_named_when_a_visitor_downloads_a_model_and_the_page_still_works(
    visit, cold: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(loading.huggingface_hub, "snapshot_download", full)
    shown = visit("similarity", model="google-bert/bert-base-uncased").press("Download 440 MB")
    (problem,) = shown.problems
    assert "There is no disk space left" in problem and "Free some space and try again" in problem
    assert "You can still use the bundled model" in problem and shown.charts


# With a server


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[int, int]]:
    """A server with a planted fault; its port and that of its metrics. It has no home and cannot write a cache."""
    metrics = free_port()
    settings = {"EMBTOOLS_METRICS_PORT": str(metrics), "HOME": "/proc/none", "XDG_CACHE_HOME": "", "HF_HOME": ""}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value) if value else patch.delenv(name, raising=False)
        address, process = serve("failures", f"--fault={FAULT}")
    yield int(address.rpartition(":")[2]), metrics
    process.kill()
    process.wait()


def numbers(port: int) -> dict[str, float]:
    answer = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30).read().decode()
    return {
        sample.name + "".join(sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer)
        for sample in family.samples
    }


def sentence(text: str) -> dict[str, str]:
    """A visitor's own sentence about Rome, with the edit of the first example."""
    return {"arithmetic_text": text}


@pytest.mark.slow
def test_with_a_home_that_cannot_be_written_every_page_is_drawn(server: tuple[int, int]) -> None:
    async def come() -> None:
        for page in ("", "arithmetic", "corpus", "paper"):
            one = await visit(server[0], page)
            assert len(one.texts) > 5 and faults.SORRY not in " ".join(one.texts)
            await one.connection.close()

    loops.run(come())


@pytest.mark.slow
def test_a_fault_in_one_visit_shows_a_sentence_there_and_nothing_to_others(server: tuple[int, int]) -> None:
    async def come() -> tuple[str, str]:
        one, other = await asyncio.gather(
            visit(server[0], "arithmetic", sentence(f"Rome and {FAULT} are in [MASK]."), may_fail=True),
            visit(server[0], "arithmetic", sentence("Rome is the old capital of [MASK].")),
        )
        for each in (one, other):
            await each.connection.close()
        return " ".join(one.texts), " ".join(other.texts)

    one, other = loops.run(come())
    assert faults.SORRY in one and faults.NEXT in one and "Traceback" not in one and "RuntimeError" not in one
    assert faults.SORRY not in other and "BERT" in other
    log = (lifeline.folder() / "failures.log").read_text(errors="replace")
    assert "RuntimeError" in log and FAULT not in log


@pytest.mark.slow
def test_two_visitors_with_the_same_query_both_see_the_answer_of_one_computation(server: tuple[int, int]) -> None:
    name = f"embtools_computation_seconds_count{ANSWER}"
    before = numbers(server[1]).get(name, 0)

    async def come() -> list[list[str]]:
        asked = sentence("Rome was the first capital of [MASK].")
        visits = await asyncio.gather(*(visit(server[0], "arithmetic", asked) for _ in range(3)))
        for each in visits:
            await each.connection.close()
        return [each.texts for each in visits]

    texts = loops.run(come())
    assert texts[0] == texts[1] == texts[2]
    assert numbers(server[1])[name] == before + 1


@pytest.mark.slow
def test_a_visitor_who_leaves_during_a_long_computation_delays_nobody(server: tuple[int, int]) -> None:
    async def leave() -> None:
        with pytest.raises(TimeoutError):
            await visit(server[0], "arithmetic", sentence("Rome is huge and [MASK]."), limit=6)

    async def come() -> float:
        one = await visit(server[0], "arithmetic", sentence("Rome is the new capital of [MASK]."))
        await one.connection.close()
        return one.seconds

    with resting("Rome is huge"):
        loops.run(leave())  # the connection ends with the loop
        assert numbers(server[1])["embtools_queries_running"] >= 1  # steps inside it count too
        assert loops.run(come()) < 30
    until = time.monotonic() + 60
    while numbers(server[1])["embtools_queries_running"]:
        assert time.monotonic() < until, "the job of a visitor who has left never ends"
        time.sleep(0.2)


@pytest.mark.slow
def test_a_server_that_is_told_to_end_under_load_ends_soon_and_its_visitors_can_connect_elsewhere() -> None:
    address, process = serve("ending", "--warm")
    port = int(address.rpartition(":")[2])

    async def load() -> tuple[float, list[object]]:
        first = await visit(port, "arithmetic")
        asked = [
            visit(port, "arithmetic", sentence(f"Rome is the {kind} capital of [MASK].")) for kind in ("busy", "warm")
        ]
        waiting = [asyncio.create_task(each) for each in (*asked, visit(port, "clusters"), visit(port, "corpus"))]
        await asyncio.sleep(1)
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        ends = await asyncio.gather(*waiting, return_exceptions=True)
        with pytest.raises(websockets.ConnectionClosed):
            async with asyncio.timeout(30):
                while True:
                    await first.connection.recv()
        await asyncio.to_thread(process.wait, 30)
        return time.monotonic() - began, list(ends)

    seconds, ends = loops.run(load())
    assert seconds < 15, seconds
    assert not [end for end in ends if isinstance(end, AssertionError)]  # nobody was shown an exception


@pytest.fixture
def full_disk() -> Iterator[Path]:
    """A folder on a disk of its own without any free space."""
    folder = lifeline.folder() / "full"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        with contextlib.suppress(OSError), (folder / "filling").open("wb") as file:
            while True:
                file.write(bytes(4096))
                file.flush()
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.slow
def test_with_a_full_disk_every_page_is_drawn_and_rooms_work(full_disk: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        (full_disk / "a").write_bytes(bytes(100_000))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "HF_HOME"):
            patch.setenv(name, str(full_disk))
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        address, process = serve("full")

    async def come() -> None:
        for page in ("", "arithmetic", "corpus", "lessons"):
            one = await visit(int(address.rpartition(":")[2]), page)
            assert len(one.texts) > 5 and faults.SORRY not in " ".join(one.texts)
            await one.connection.close()

    try:
        loops.run(come())
        assert urllib.request.urlopen(f"{address}/room/").status == 200
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_model_that_does_not_fit_into_the_memory_of_the_server_is_refused_before_it_is_loaded() -> None:
    """A control group of this machine's kernel limits the server. What a visitor sees at its limit: browser tests."""
    root = Path("/sys/fs/cgroup/memory") if Path("/sys/fs/cgroup/memory").exists() else Path("/sys/fs/cgroup")
    group = root / f"embtools-{os.getpid()}"
    limit = "memory.limit_in_bytes" if root.name == "memory" else "memory.max"
    try:
        group.mkdir()
        (group / limit).write_text(str(600 * 10**6))
    except OSError:
        pytest.skip("control groups cannot be made here")
    code = (
        "from embtools.models import memory\n"
        "print(memory.available())\n"
        "try: memory.check('BERT base', 440)\n"
        "except ValueError as error: print(error)\n"
    )
    try:
        done = subprocess.run(
            ["sh", "-c", f"echo $$ > {group}/cgroup.procs && exec python -c \"$CODE\""],
            env=os.environ | {"CODE": code}, capture_output=True, text=True, timeout=120, cwd=Path(__file__).parents[1],
        )  # fmt: skip
        free, refusal = done.stdout.splitlines()
        assert 300 < int(free) <= 600 and "BERT base needs about 660 MB of memory" in refusal, done
    finally:
        for _ in range(50):
            try:
                group.rmdir()
                break
            except OSError:
                time.sleep(0.1)
