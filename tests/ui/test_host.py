"""What the app asks of its process, and what the library leaves alone."""

import gc
import os
import subprocess
import sys

import pytest

from embtools.ui import host


def run(code: str, **environment: str) -> str:
    """What a fresh Python without the app's settings prints."""
    clean = {name: value for name, value in os.environ.items() if name not in host.SETTINGS}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=clean | environment
    )
    return done.stdout.strip()


@pytest.mark.slow
def test_the_library_changes_nothing_in_the_process_of_its_host():
    code = """
import gc, os, sys, logging
import torch, transformers
before = dict(os.environ), torch.get_num_threads(), transformers.logging.get_verbosity(), logging.root.level
import embtools
assert embtools.load_model().layers == 6
after = dict(os.environ), torch.get_num_threads(), transformers.logging.get_verbosity(), logging.root.level
changed = {name for name in before[0].keys() | after[0].keys() if before[0].get(name) != after[0].get(name)}
changed = {name for name in changed if not name.startswith("TORCH")}  # torch notes a folder for itself
print(changed, before[1:] == after[1:], gc.get_freeze_count(), transformers.utils.logging.is_progress_bar_enabled())
"""
    assert run(code) == "set() True 0 True"


@pytest.mark.slow
def test_the_app_prepares_its_process_before_torch_is_imported_and_its_log_stays_quiet_while_a_model_loads():
    """Threads read their number when numpy and torch are first imported; they take short turns, and texts need no arrow."""
    code = """
import os, sys
from embtools.ui import host
assert "numpy" not in sys.modules
host.prepare()
from embtools.ui import cached
assert "torch" not in sys.modules
import pandas as pd
frame = pd.DataFrame({"word": ["rome", None]})
print([os.environ[name] == value for name, value in host.SETTINGS.items()].count(False))
print(round(sys.getswitchinterval(), 6), frame["word"].dtype.storage, frame["word"].isna().tolist())
from embtools.ui import page
import scipy.linalg, sklearn.cluster, torch
from threadpoolctl import threadpool_info
print(sorted({pool["num_threads"] for pool in threadpool_info()}))
import embtools, transformers
embtools.load_model()
print(transformers.utils.logging.is_progress_bar_enabled(), transformers.logging.get_verbosity())
"""
    turns, threads = "0.001 python [False, True]", int(host.SETTINGS["OMP_NUM_THREADS"])
    assert run(code).splitlines() == ["0", turns, f"[{threads}]", "False 40"]  # logging.ERROR
    assert run(code, OMP_NUM_THREADS=str(threads + 1)).splitlines()[:2] == ["1", turns]


def test_settling_freezes_what_is_there():
    try:
        host.settle()
        assert gc.get_freeze_count() > 1_000
    finally:
        gc.unfreeze()


@pytest.mark.slow
def test_threads_share_two_heaps_so_that_freed_memory_is_used_again(tmp_path):
    """Twelve threads that each fill and free a heap; without the setting the process keeps a heap for each."""
    code = """
import sys, threading
if sys.argv[1] == "few":
    from embtools.ui import host
    host.prepare()
begun = threading.Barrier(12)
def work():
    begun.wait()
    kept = [bytes(1_000) for _ in range(1_000)]
    begun.wait()
threads = [threading.Thread(target=work) for _ in range(12)]
[t.start() for t in threads]; [t.join() for t in threads]
import ctypes
libc = ctypes.CDLL("libc.so.6")
libc.fopen.restype, libc.malloc_info.argtypes, libc.fclose.argtypes = ctypes.c_void_p, (ctypes.c_int, ctypes.c_void_p), (ctypes.c_void_p,)
file = libc.fopen(sys.argv[2].encode(), b"w")
libc.malloc_info(0, file)
libc.fclose(file)
print(open(sys.argv[2]).read().count("<heap nr="))
"""
    heaps = {
        how: int(subprocess.check_output([sys.executable, "-c", code, how, str(tmp_path / how)]))
        for how in ("few", "many")
    }
    assert heaps["few"] <= 2 < heaps["many"]


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Only glibc keeps freed memory in this way.")
def test_freed_memory_is_returned_to_the_system():
    code = """
import psutil
from embtools.ui import host
resident = lambda: psutil.Process().memory_info().rss / 1e6
pieces = [bytearray(50_000) for _ in range(4_000)]  # 200 MB in pieces that are too small to be returned one by one
full, last = resident(), pieces[-1]
del pieces
host.return_memory()
print(full - resident() > 150)
"""
    assert run(code) == "True"
    assert run(code.replace("host.return_memory()", "")) == "False"


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Only glibc keeps freed memory in this way.")
def test_large_arrays_are_returned_as_soon_as_they_are_freed():
    code = """
import psutil
from embtools.ui import host
host.prepare()
resident = lambda: psutil.Process().memory_info().rss / 1e6
first = bytearray(b"x") * 20_000_000
del first  # from here on, glibc alone would keep smaller arrays
arrays = [bytearray(b"x") * 5_000_000 for _ in range(40)]
full, last = resident(), arrays[-1]
del arrays
print(full - resident() > 150)
"""
    assert run(code) == "True"
    assert run(code.replace("host.prepare()", "")) == "False"


@pytest.mark.slow
def test_in_small_mode_the_memory_of_large_arrays_goes_back_to_the_system():
    """Arrays of a megabyte among small ones that stay; without the setting, their room stays with the process."""
    code = """
from embtools.ui import host
host.prepare()
import numpy as np, psutil
np.ones(3_000_000)  # after this one is gone, the system's own rule puts all smaller arrays on the heap
before = psutil.Process().memory_info().rss
arrays = [(np.ones(131_072), bytes(5_000)) for _ in range(200)]
stay = [small for _, small in arrays]
del arrays
print((psutil.Process().memory_info().rss - before) // 10**6)
"""
    assert int(run(code, EMBTOOLS_SMALL="1")) < 20 < 100 < int(run(code, EMBTOOLS_SMALL="0"))


@pytest.mark.slow
def test_the_app_does_not_start_without_the_package_of_its_rooms():
    code = """
import sys
sys.modules["redis"] = None  # as if it were not installed
try:
    from embtools.ui import host
    host.prepare()
    print("started", "embtools.rooms.opening" in sys.modules)
except SystemExit as error:
    print(error)
"""
    # "redis" is looked up only if it is needed. Nothing answers at the address, because nothing is asked there yet.
    address = "redis://:secret@127.0.0.1:1/0"
    assert run(code, EMBTOOLS_ROOMS="memory") == "started False"
    text = run(code, EMBTOOLS_ROOMS=address)
    assert text.startswith("The app cannot start.") and "embtools[rooms]" in text and "secret" not in text
    installed = code.replace('sys.modules["redis"] = None', "import redis")
    assert run(installed, EMBTOOLS_ROOMS=address) == "started True"
