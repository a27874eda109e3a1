"""The cache: one entry per content, shared by all who ask, limited in bytes, without errors."""

import ast
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from embtools import memory
from embtools.memory import remembered

CALLS: list[object] = []


@dataclass(frozen=True)
class Weights:
    """A stand-in for a model: only its checksum matters."""

    checksum: str


ONE, OTHER = Weights("1"), Weights("2")


def zeros(number: int, model: Weights | None = None, *, extra: str = "", progress: object = None) -> np.ndarray:
    """Counts its calls."""
    CALLS.append((number, extra))
    time.sleep(0.02)
    if number < 0:
        raise ValueError("below zero")
    return np.zeros(number, np.float32)


stored_zeros = remembered(zeros)


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    CALLS.clear()
    memory.limit()
    yield
    memory.limit()


def test_the_same_call_is_computed_once_however_it_is_written() -> None:
    first = stored_zeros(3, ONE)
    assert stored_zeros(number=3, model=ONE, extra="") is first
    assert stored_zeros(3, ONE, progress=print) is first
    assert memory.call(zeros, {"number": 3}, checksum="1", model=lambda: ONE) is first
    assert memory.call(stored_zeros, {"number": 3}, checksum="1", model=lambda: ONE) is first
    assert CALLS == [(3, "")]
    assert stored_zeros(3, ONE, extra="x") is not first and stored_zeros(3, OTHER) is not first


def test_other_keywords_are_part_of_what_is_asked() -> None:
    @remembered
    def named(number: int, model: Weights, **more: int) -> tuple[int, ...]:
        assert model is ONE
        CALLS.append(more)
        return number, *more.values()

    assert sorted(named(1, ONE, k=2, j=3)) == [1, 2, 3]
    named(1, ONE, j=3, k=2)
    assert len(CALLS) == 1
    assert named(1, ONE, k=3) == (1, 3) and len(CALLS) == 2


def test_several_arguments_of_one_parameter_are_a_tuple_under_its_name() -> None:
    def total(first: int, *others: int, model: Weights) -> int:
        CALLS.append(others)
        return first + sum(others)

    assert [memory.call(total, {"first": 1, "others": (2, 3)}, model=lambda: ONE) for _ in range(2)] == [6, 6]
    assert memory.call(total, {"first": 1, "others": ()}, model=lambda: ONE) == 1
    assert CALLS == [(2, 3), ()]


def test_whether_an_answer_is_known() -> None:
    assert not memory.known(zeros, {"number": 4}, checksum="1")
    stored_zeros(4, ONE)
    assert memory.known(zeros, {"number": 4}, checksum="1") and memory.known(stored_zeros, {"number": 4}, checksum="1")
    assert not memory.known(zeros, {"number": 4}, checksum="2")
    memory.forget()
    assert not memory.known(zeros, {"number": 4}, checksum="1")


def test_the_model_is_opened_only_to_compute() -> None:
    opened = []
    for _ in range(2):
        memory.call(zeros, {"number": 3}, checksum="1", model=lambda: opened.append(1) or ONE)
    assert opened == [1]


def test_an_error_is_passed_on_and_not_stored() -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="below zero"):
            stored_zeros(-1, ONE)
    assert CALLS == [(-1, ""), (-1, "")]


def test_callers_that_ask_for_the_same_wait_for_one_computation() -> None:
    threads = [threading.Thread(target=stored_zeros, args=(7, ONE)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert CALLS == [(7, "")]


def test_callers_that_ask_for_something_else_do_not_wait() -> None:
    gate = threading.Event()

    @remembered
    def held() -> int:
        gate.wait(10)
        return 1

    thread = threading.Thread(target=held)
    thread.start()
    try:
        assert len(stored_zeros(4, ONE)) == 4
        assert thread.is_alive()
    finally:
        gate.set()
        thread.join()


def test_the_limit_holds_and_the_least_recently_used_goes() -> None:
    memory.limit(10_000)
    for number in (1_000, 1_001, 1_002):
        stored_zeros(number, ONE)
    assert memory.used() <= 10_000
    CALLS.clear()
    stored_zeros(1_002, ONE)
    assert not CALLS
    stored_zeros(1_000, ONE)
    assert CALLS
    assert len(stored_zeros(10_000, ONE)) == 10_000  # larger than the limit: answered, not stored
    assert memory.used() <= 10_000


def test_a_long_argument_takes_its_room_too() -> None:
    memory.limit(10_000)

    @remembered
    def length(text: str) -> int:
        CALLS.append(text[0])
        return len(text)

    for letter in "abc":
        assert length(letter * 4_000) == 4_000
    CALLS.clear()
    length("a" * 4_000)
    assert CALLS == ["a"]


def test_a_limit_of_zero_turns_it_off() -> None:
    memory.limit(0)
    stored_zeros(3, ONE), stored_zeros(3, ONE)
    assert len(CALLS) == 2


def test_frames_and_results_are_compared_by_content() -> None:
    @dataclass(frozen=True)
    class Result:
        frame: pd.DataFrame
        name: str

    @remembered
    def total(result: Result) -> float:
        CALLS.append(result.name)
        return float(result.frame["a"].sum())

    def result(*values: float) -> Result:
        return Result(pd.DataFrame({"a": values}), "r")

    assert [total(result(1, 2)), total(result(1, 2)), total(result(1, 3))] == [3, 3, 4]
    assert len(CALLS) == 2


def test_an_unknown_argument_is_an_error_of_the_program() -> None:
    with pytest.raises(TypeError, match="takes no wrong"):
        memory.call(zeros, {"wrong": 1})


def several(first: str, *words: str, seed: int = 0, **options: int) -> None: ...


def test_arguments_without_a_name_belong_to_the_parameters_in_their_order() -> None:
    assert memory.by_name(zeros, (3,), {"progress": print}) == {"number": 3, "progress": print}
    assert memory.by_name(several, ("a", "b", "c"), {"k": 2}) == {"first": "a", "words": ("b", "c"), "k": 2}
    assert memory.by_name(several, (), {"first": "a"}) == {"first": "a", "words": ()}


def test_too_many_arguments_and_one_that_is_given_twice_are_errors_of_the_program() -> None:
    with pytest.raises(TypeError, match="takes 4 arguments, not 5"):
        memory.by_name(zeros, (3, ONE, "x", print, 4), {})
    with pytest.raises(TypeError, match="got number twice"):
        memory.by_name(zeros, (3,), {"number": 4})


# Functions with arguments whose results are stored elsewhere, and why these need no limit in bytes.
ELSEWHERE = {
    "clusters.points._preset_of": "names of built-in lists",
    "features.learned._about_of": "the few names and numbers in front of a file",
    "mask_filling.relations.relation": "the built-in relations",
    "models.catalogue.dimensions": "one number for each model of the catalogue",
    "memory._signature": "signatures of the app's functions",
    "occurrences.folder.encoder._loaded": "in the process of a worker: the model that it encodes with",
    "occurrences.folder.reading._view": "views of open folders, which share all that is large",
    "occurrences.folder.opened._opened": "in the process of a worker: the folder that it searches",
    "paper.reports._read_stored": "the stored results of the Paper page",
    "settings._read": "the settings of the server",
    "ui.call._parameters": "signatures of the app's functions",
    "ui.carried._read": "a carried edit: its formulas, without vectors",
    "ui.folders._open": "the folders that the host offers: their words only",
    "ui.glossary.html": "the app's own texts",
    "ui.layers.sentences.eight_sentences": "the built-in sentences",
    "ui.lessons.opened._decoded": "lessons, which fit into an address",
    "ui.lessons.opened.texts_of": "the built-in lessons",
    "ui.menu._target": "the links of the menu",
    "ui.spelling._of_panels": "texts of the app's examples",
    "wordlists.__init__._read": "the built-in lists",
    "words.groups._read": "eight lists of groups, each as long as a field may be",
    "words.word_sets.set_names": "the built-in tests",
    "words.word_sets.word_sets": "the built-in tests",
}


@pytest.mark.slow
def test_whatever_can_be_large_is_in_the_one_cache() -> None:
    """Models are not: embtools.ui.cached holds them and counts their bytes itself."""
    folder = Path(memory.__file__).parent
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or not ast.unparse(node.args):  # one value for ever
                continue
            names = {re.sub(r"\(.*", "", ast.unparse(each)).rpartition(".")[2] for each in node.decorator_list}
            if names & {"cache", "lru_cache", "cached"}:
                module = ".".join(path.relative_to(folder).with_suffix("").parts)
                found.add(f"{module}.{node.name}")
    assert found == set(ELSEWHERE)
