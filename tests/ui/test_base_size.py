"""A model in the size of BERT base, of random weights, from a folder: it is on offer, and every page opens with it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from safetensors import safe_open

from benchmarks.base_model import write
from embtools.ui.page import PAGES


@pytest.mark.slow
def test_every_page_opens_with_a_model_in_the_size_of_bert_base(tmp_path) -> None:
    folder = write(tmp_path / "random-base")
    with safe_open(folder / "model.safetensors", "np") as weights:
        shapes = [weights.get_slice(key).get_shape() for key in weights.keys()]  # noqa: SIM118, it is no dict
    assert [30522, 768] in shapes and sum(shape == [3072, 768] for shape in shapes) == 12
    # A process of its own: the catalogue is made of EMBTOOLS_MODELS when it is imported.
    command = [sys.executable, "-m", "benchmarks.every_page", "--model", str(folder)]
    env = os.environ | {"HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], env=env, capture_output=True, text=True, timeout=540, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert all(f"{page.title}: " in done.stdout for page in PAGES)
