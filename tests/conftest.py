"""What all tests share: the bundled model, a tiny random BERT made on the spot, and `visit`, which opens a page."""

import gc
import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from embtools.ui import host
from tests import lifeline

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # no test may wait for a network that is not there
hypothesis.settings.register_profile("house", deadline=None)  # a busy machine is no error
hypothesis.settings.load_profile("house")
host.prepare()  # as the app does: several workers on few cores must not wait actively for each other
if workers := os.environ.get("PYTEST_XDIST_WORKER_COUNT"):  # nor share every small product among threads of all cores
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // int(workers))))

WORDS = (
    "rome italy france paris king queen man woman he she red green blue the is a of capital bank river works as "
    "un ##able ##ing ##s . , ' ! ? - [unused0] [unused1]"
).split()


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the process that leads the workers, or the only one
        lifeline.begin(config.add_cleanup)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Without garbage collection: reading all tests makes a million objects that stay, and a third of it went into looking
    through them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A worker a core and one more, for some always wait for a browser; at most eight, since one server answers all.

    None for tests that are asked for by name.
    """
    if any("::" in argument for argument in config.args):
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores + 1, 8)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--hub", action="store_true", help="also run tests that download models from the Hugging Face hub")
    parser.addoption("--slow", action="store_true", help="also run tests that take minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for mark, reason in (("hub", "needs the Hugging Face hub"), ("slow", "takes minutes")):
        if not config.getoption(f"--{mark}"):
            for item in items:
                if item.get_closest_marker(mark):
                    item.add_marker(pytest.mark.skip(reason=f"{reason}: pytest --{mark}"))


def slow_after(first: int, cases: list[Any]) -> list[Any]:
    """Return the cases of a parametrized test, all but the first ones marked slow."""
    return [pytest.param(*case, marks=() if n < first else pytest.mark.slow) for n, case in enumerate(cases)]


CASED = "Rome Italy Paris paris France Madrid Spain king queen man woman is the a capital of in country Europe bank . I".split()


def make_tiny(
    folder: Path, *, kind: str = "bert", seed: int = 0, words: list[str] = WORDS, cased: bool = False
) -> Path:
    """Write a random BertForPreTraining (or DistilBertForMaskedLM) of 2 layers × 16 with a small vocabulary."""
    import torch
    from transformers import (
        BertConfig,
        BertForPreTraining,
        BertTokenizer,
        DistilBertConfig,
        DistilBertForMaskedLM,
    )

    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    pieces = {word: i for i, word in enumerate(vocabulary)}
    BertTokenizer(vocab=pieces, do_lower_case=not cased).save_pretrained(folder)
    torch.manual_seed(seed)
    # A wide initialisation, so that differences between words are large enough to measure.
    size = {"vocab_size": len(vocabulary), "max_position_embeddings": 64, "initializer_range": 0.3}
    if kind == "bert":
        network = BertForPreTraining(
            BertConfig(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, **size)
        )
    else:
        network = DistilBertForMaskedLM(DistilBertConfig(dim=16, n_layers=2, n_heads=2, hidden_dim=32, **size))
    with torch.no_grad():
        network.get_output_embeddings().bias.normal_()
    network.save_pretrained(folder, safe_serialization=True)
    return folder


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a tiny random BERT with masked-word and next-sentence heads."""
    return make_tiny(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def tiny_distil_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a tiny random DistilBERT: no segments, no next-sentence head."""
    return make_tiny(tmp_path_factory.mktemp("distil"), kind="distilbert")


@pytest.fixture(scope="session")
def tiny(tiny_folder: Path):  # type: ignore[no-untyped-def]
    """The tiny random BERT, loaded."""
    from embtools import load_model

    return load_model(str(tiny_folder))


@pytest.fixture(scope="session")
def tiny_distil(tiny_distil_folder: Path):  # type: ignore[no-untyped-def]
    """The tiny random DistilBERT, loaded."""
    from embtools import load_model

    return load_model(str(tiny_distil_folder))


@pytest.fixture(scope="session")
def tiny_cased(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """A tiny random BERT whose vocabulary tells capitals from small letters."""
    from embtools import load_model

    return load_model(str(make_tiny(tmp_path_factory.mktemp("cased"), words=CASED, cased=True)))


@pytest.fixture(scope="session")
def bundled():  # type: ignore[no-untyped-def]
    """The model that ships with the app."""
    from embtools import load_model

    return load_model()


@pytest.fixture(scope="session")
def pipelines(tiny_folder: Path, tiny_distil_folder: Path):  # type: ignore[no-untyped-def]
    """The Hugging Face fill-mask pipeline on the same weights, by name of the fixture."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer, pipeline

    import embtools

    def load(folder: Path):  # type: ignore[no-untyped-def]
        network = AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32).eval()
        return pipeline("fill-mask", model=network, tokenizer=AutoTokenizer.from_pretrained(folder), device="cpu")

    bundled_folder = Path(embtools.__file__).parent / "bundled"
    return {
        "tiny": load(tiny_folder),
        "tiny_distil": load(tiny_distil_folder),
        "bundled": load(bundled_folder),
    }


@pytest.fixture(scope="session", autouse=True)
def _nothing_in_the_background() -> Iterator[None]:
    """No test shall share the processor with what a server prepares while nobody waits.

    Nor read all installed packages for components of Streamlit at each visit: a quarter of the time of a page's tests.
    """
    from streamlit.components.v2 import manifest_scanner

    from embtools.ui import warm

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(warm, "visited", lambda pages: None)
        patch.setattr(manifest_scanner, "scan_component_manifests", list)
        yield


@pytest.fixture(scope="module")
def visit(bundled: Any) -> Iterator[Callable[..., Any]]:
    """Open a page without a browser: `visit("bias", bias_tab="mitigation")`. See tests/visit.py.

    All visits share the session's bundled model, and those of a module what they have computed.
    """
    from embtools.models import loading
    from tests.visit import Visit, empty_caches

    load = loading.load_model
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "load_model", lambda name="bundled": bundled if name == "bundled" else load(name))
        empty_caches()
        yield Visit
    empty_caches()


@pytest.fixture
def cold() -> Iterator[None]:
    """Nothing is remembered at the beginning of this test, nothing after it: for tests that exchange what is computed."""
    from tests.visit import empty_caches

    empty_caches()
    yield
    empty_caches()


@pytest.fixture
def lend(visit: Any, cold: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Give every page another model in place of the bundled one: `lend(tiny)`."""
    from embtools.models import loading
    from tests.visit import empty_caches

    load = loading.load_model

    def put(model: Any) -> None:
        empty_caches()
        monkeypatch.setattr(loading, "load_model", lambda name="bundled": model if name == "bundled" else load(name))

    return put


@pytest.fixture
def stop(cold: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Press Stop, once, as soon as the long job with this label begins: `stop("Reading the sentences")`."""
    import streamlit

    from embtools.ui import running

    awaited: list[str] = []
    run = running.run

    def halted(query: Any, model: Any, *, label: str = "Computing") -> Any:
        if label in awaited:
            awaited.remove(label)
            running.stop(query, model)
            streamlit.rerun()
        return run(query, model, label=label)

    monkeypatch.setattr(running, "run", halted)
    return awaited.append
