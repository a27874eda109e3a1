"""What all tests share: the bundled model, a tiny random BERT made on the spot, and `visit`, which opens a page."""

import gc
import os
from collections.abc import Callable, Generator, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from embtools.ui import host
from tests import lifeline
from tests.slow import pytest_pycollect_makeitem as pytest_pycollect_makeitem  # a hook

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # no test may wait for a missing network
os.environ.setdefault("EMBTOOLS_PREPARED", "0")  # tests compute, except in a browser and with `as_shipped`
hypothesis.settings.register_profile("house", deadline=None)  # a slow machine is no error
hypothesis.settings.load_profile("house")
host.prepare()  # as the app does: workers that share cores must not wait actively for each other
if workers := os.environ.get("PYTEST_XDIST_WORKER_COUNT"):  # nor use threads of all cores for small matrix products
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // int(workers))))

WORDS = (
    "rome italy france paris king queen man woman he she red green blue the is a of capital bank river works as "
    "un ##able ##ing ##s . , ' ! ? - [unused0] [unused1]"
).split()


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(LongFirst())
    if not hasattr(config, "workerinput"):  # the main process, not a worker
        lifeline.begin(config.add_cleanup)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without garbage collection: they create a million lasting objects, and scanning these took a third of
    the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


REASONS = {
    "hub": "needs the Hugging Face hub",
    "slow": "takes long",
    "thorough": "runs before a release only",
}
"""Why tests with these marks are skipped without the option of that name."""


def by_name(config: pytest.Config) -> bool:
    """Whether single tests are asked for by their names."""
    return any("::" in argument for argument in config.args)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker per core and one more, because some always wait for a browser; at most eight, as all share one server.

    None for tests that are asked for by name.
    """
    if by_name(config):
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores + 1, 8)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--hub", action="store_true", help="also run tests that download models from the Hugging Face hub")
    parser.addoption("--slow", action="store_true", help="also run tests that take minutes")
    parser.addoption("--thorough", action="store_true", help="with --slow, also run what runs before a release only")


@pytest.hookimpl(tryfirst=True)  # before -m selects by marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for mark, reason in REASONS.items():
        asked = mark == "slow" and by_name(config)
        if not asked and not config.getoption(f"--{mark}"):
            for item in items:
                if item.get_closest_marker(mark):
                    item.add_marker(pytest.mark.skip(reason=f"{reason}: pytest --{mark}"))


class LongFirst:
    """Tests that take a minute or more begin first, so that no worker still has one when all others have ended."""

    @pytest.hookimpl(trylast=True)  # after -m has selected
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Each worker begins with an equal part of all tests, in their order."""
        workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
        long = [item for item in items if item.get_closest_marker("long")]
        others = [item for item in items if not item.get_closest_marker("long")]
        ends = [number * len(others) // workers for number in range(workers + 1)]
        items[:] = [
            item
            for number, (begin, end) in enumerate(pairwise(ends))
            for item in (*long[number::workers], *others[begin:end])
        ]


def slow_after(first: int, cases: list[Any]) -> list[Any]:
    """Return the cases of a parametrized test, all but the first ones marked thorough."""
    return [pytest.param(*case, marks=() if n < first else pytest.mark.thorough) for n, case in enumerate(cases)]


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
    """A tiny random BERT with a cased vocabulary."""
    from embtools import load_model

    return load_model(str(make_tiny(tmp_path_factory.mktemp("cased"), words=CASED, cased=True)))


@pytest.fixture(scope="session")
def bundled():  # type: ignore[no-untyped-def]
    """The model that ships with the app."""
    from embtools import load_model

    return load_model()


@pytest.fixture(scope="session")
def worded(tmp_path_factory: pytest.TempPathFactory, bundled):  # type: ignore[no-untyped-def]
    """A tiny random BERT that knows the words of the bundled model: it reads every example, in a fraction of its time."""
    from embtools import load_model

    return load_model(str(make_tiny(tmp_path_factory.mktemp("worded"), words=plain_words(bundled))))


@pytest.fixture(scope="session")
def worded_distil(tmp_path_factory: pytest.TempPathFactory, bundled):  # type: ignore[no-untyped-def]
    """The same as DistilBERT: no segments, no next-sentence head."""
    from embtools import load_model

    folder = tmp_path_factory.mktemp("worded-distil")
    return load_model(str(make_tiny(folder, kind="distilbert", words=plain_words(bundled))))


def plain_words(model: Any) -> list[str]:
    """The vocabulary of a model without its special tokens."""
    return [token for token in model.vocabulary if token not in model.special]


@pytest.fixture
def as_shipped(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app takes prepared answers, as visitors' servers do: for tests of what a page does with a result."""
    if "computing" not in request.fixturenames:
        monkeypatch.setenv("EMBTOOLS_PREPARED", "1")


@pytest.fixture
def computing() -> None:
    """A single test computes, although the others of its module run `as_shipped`."""


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


@pytest.fixture
def folder(stored_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """The corpus folder that these tests have stored, opened, with an empty cache."""
    from embtools.occurrences.folder.reading import CorpusFolder

    monkeypatch.setenv("EMBTOOLS_CACHE", str(tmp_path / "cache"))
    return CorpusFolder.open(str(stored_folder))


@pytest.fixture
def means(folder: Any) -> Any:
    """The mean of every sentence's words in that folder, one by one."""
    import numpy as np

    found = folder.files.rows(0, len(folder))
    owner = found.table["sentence"].to_numpy()
    return np.stack([found.vectors[owner == n].astype(float).mean(0) for n in range(folder.about["sentences"])])


@pytest.fixture(scope="session", autouse=True)
def _nothing_in_the_background() -> Iterator[None]:
    """Prevent tests from sharing the processor with work that a server prepares in the background.

    Nor read all installed packages for components of Streamlit at each visit, a quarter of the time of a page's tests,
    nor the built-in texts more than once.
    """
    from streamlit.components.v2 import manifest_scanner

    from embtools.ui import warm
    from tests import kept

    with pytest.MonkeyPatch.context() as patch:
        kept.install(patch)
        patch.setattr(warm, "visited", lambda pages: None)
        patch.setattr(manifest_scanner, "scan_component_manifests", list)
        yield


@pytest.fixture(scope="session", autouse=True)
def _tables_and_headlines_are_checked() -> Iterator[None]:
    """Let a page fail that shows a column in another spelling or a headline without its number."""
    from embtools.ui import figures, shown
    from tests import columns

    table, headline = figures._table, shown.headline

    def checked_table(frame: Any, alt: str, *, name: str, **options: Any) -> Any:
        assert not (wrong := columns.misspelt(name, frame.columns)), f"{name}: {wrong}"
        return table(frame, alt, name=name, **options)

    def checked_headline(sentence: str, *arguments: Any, **named: Any) -> None:
        assert columns.has_number(sentence), sentence
        headline(sentence, *arguments, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "_table", checked_table)
        patch.setattr(shown, "headline", checked_headline)
        yield


@pytest.fixture(scope="module")
def visit(bundled: Any) -> Iterator[Callable[..., Any]]:
    """Open a page without a browser: `visit("bias", bias_tab="mitigation")`. See tests/visit.py.

    All visits share the session's bundled model and what was computed with it. A test that replaces what computes, or
    counts how often something is computed, uses `cold`.
    """
    from embtools.models import loading
    from tests.visit import Visit, forget_models

    load = loading.load_model
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "load_model", lambda name="bundled": bundled if name == "bundled" else load(name))
        forget_models()
        yield Visit
    forget_models()


@pytest.fixture(scope="module")
def page(visit: Any, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Open the page whose folder of tests this is: in tests/bias, `page(bias_tab="mitigation")`."""
    return partial(visit, request.path.parent.name)


@pytest.fixture
def cold() -> Iterator[None]:
    """The cache is empty before and after this test, for tests that replace computed results."""
    from tests.visit import empty_caches

    empty_caches()
    yield
    empty_caches()


@pytest.fixture
def lend(visit: Any, cold: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Replace the bundled model by another one on every page: `lend(tiny)`."""
    from embtools.models import loading
    from tests.visit import empty_caches

    load = loading.load_model

    def put(model: Any) -> None:
        empty_caches()
        monkeypatch.setattr(loading, "load_model", lambda name="bundled": model if name == "bundled" else load(name))

    return put


@pytest.fixture
def second(visit: Any, cold: None, monkeypatch: pytest.MonkeyPatch, bundled: Any) -> Callable[[Any], None]:
    """Let every model of the hub be on this server, and be this one: `second(tiny)`."""
    from embtools.models import loading

    def put(model: Any) -> None:
        monkeypatch.setattr(loading, "load_model", lambda name="bundled": bundled if name == "bundled" else model)
        monkeypatch.setattr(loading, "is_here", lambda name: True)

    return put


@pytest.fixture
def lend_second(second: Callable[[Any], None], tiny: Any) -> None:
    """Every model of the hub is on this server, as a tiny random one."""
    second(tiny)


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A store of rooms of this test alone, in which as many can be opened as it likes."""
    from embtools.rooms import opening
    from embtools.rooms.rates import Rate
    from embtools.rooms.store import MemoryStore
    from embtools.ui.rooms import teacher

    before, own = list(opening._opened), MemoryStore()
    opening.forget(own)
    monkeypatch.setattr(teacher, "_OPENED", Rate(10**6, 10**6))
    yield own
    opening.forget(*before)


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """The charts, with their keys, that are drawn while the rest is computed: each part at once."""
    from embtools.ui import partial
    from tests.figures_of import arrays

    drawn: list[tuple[str, Any]] = []

    def keep(figure: Any, *, key: str = "", **_: Any) -> None:
        if "partial" in key:
            drawn.append((key, arrays(figure)))

    monkeypatch.setattr(partial, "EVERY", 0.0)
    monkeypatch.setattr(partial, "_TIMES", 0)
    monkeypatch.setattr(partial.st, "plotly_chart", keep)
    return drawn


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Panels show no progress bar, which needs a page."""
    from embtools.ui import stoppable

    monkeypatch.setattr(stoppable, "PATIENCE", 1e9)


@pytest.fixture
def stop(cold: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Press Stop, once, as soon as the long job with this label begins: `stop("Reading the sentences")`."""
    import streamlit

    from embtools.ui import running, stoppable

    awaited: list[str] = []
    run = running.run

    def halted(query: Any, model: Any, *, label: str = "Computing", **more: Any) -> Any:
        if label in awaited:
            awaited.remove(label)
            stoppable.note(running._stopped(query), running._identity(query, model))
            streamlit.rerun()
        return run(query, model, label=label, **more)

    monkeypatch.setattr(running, "run", halted)
    return awaited.append


@pytest.fixture(scope="session")
def table() -> Any:
    """Vectors of 15 words in three groups, as if read from a file."""
    from tests.named_vectors import made

    return made()
