"""Odd arguments for every function in a door of the library: it works, or says in plain words what is wrong."""

import inspect
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from operator import sub
from typing import Any

import pytest

from embtools import chance, memory
from embtools.arithmetic import Relations
from embtools.clusters import points, view
from embtools.evidence import Scoring, pair_battery
from embtools.messages import quoted
from embtools.spaces.space import Space
from embtools.tracing.cases import edited_cases
from tests.doors import FUNCTIONS, parameters
from tests.odd import values
from tests.odd.arguments import GROUPS
from tests.odd.of_functions import MINIMAL_PAIRS
from tests.odd.world import World
from tests.stopping import Stopped, stopping

SECONDS = 30  # of one call; on a quiet machine the longest takes one
SENTENCE = "A seed must be a whole number from 0 to 4,294,967,295. Choose another one, such as 0."
ODD_SEEDS = (-1, 0.5, 1.0, True, "0", None, float("nan"), chance.LARGEST_SEED + 1, 10**30)
EXEMPT = {
    "paper.": "measured for a model, without a choice that could be odd",
    "vector_files.read_file": "reads a file: tests/vector_files/test_reading.py tries other files",
}
"""Functions that get no odd arguments, by the beginning of their names, and why."""
QUICK = {"clusters.stability": "reports by the clock, and the maps of a few words are done before its first report"}
"""Functions that may have nothing to report with their arguments here, and why."""


def in_words(function: Callable[..., Any]) -> bool:
    """Whether a function only puts two results into words: no visitor's input reaches it."""
    return "names" in inspect.signature(function).parameters or "titles" in inspect.signature(function).parameters


def by_room() -> dict[str, list[str]]:
    """The functions that get odd arguments, by room."""
    found: dict[str, list[str]] = {}
    for name, function in FUNCTIONS.items():
        if not (name.startswith(tuple(EXEMPT)) or in_words(function)):
            found.setdefault(name.partition(".")[0], []).append(name)
    return found


TESTED = by_room()
WITH_SEED = [name for name, function in FUNCTIONS.items() if "seed" in inspect.signature(function).parameters]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    place = tmp_path_factory.mktemp("odd")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMBTOOLS_CACHE", str(place / "cache"))
        patch.setenv("EMBTOOLS_DICTIONARIES", str(place / "small.safetensors"))
        yield World(place)


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Stop what takes longer."""

    def stop(number: int, frame: object) -> None:
        raise TimeoutError(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def use(function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    """Call a function, and take the first things from what it returns if that is an iterator."""
    with at_most(SECONDS), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        result = function(**arguments)
        if isinstance(result, Iterator):
            list(islice(result, 20))


def test_exempt_names_exist() -> None:
    for beginning in EXEMPT:
        assert any(name.startswith(beginning) for name in FUNCTIONS), beginning
    assert 130 < sum(map(len, TESTED.values())) < len(FUNCTIONS)


@pytest.mark.slow("bias", "clusters", "concepts", "features")
@pytest.mark.parametrize("room", TESTED)
def test_every_function_works_with_its_arguments(room: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", sys.argv[:1])  # commands without arguments would read those of pytest
    for name in TESTED[room]:
        function, arguments, reported = FUNCTIONS[name], world.arguments(name), [0.0]
        if "progress" not in arguments:
            use(function, arguments)
            continue
        memory.forget()  # so that there is something to report
        use(function, arguments | {"progress": reported.append})
        assert min(map(sub, reported[1:], reported), default=0) > -1e-9 and reported[-1] < 1 + 1e-9, (name, reported)
        memory.forget()
        with pytest.raises(Stopped) if name not in QUICK else suppress(Stopped):
            use(function, arguments | {"progress": stopping([], after=1)})


@pytest.mark.thorough("clusters", "concepts")
@pytest.mark.slow
@pytest.mark.parametrize("room", TESTED)
def test_odd_arguments_are_used_or_refused_in_plain_words(room: str, world: World) -> None:
    faults = []
    for name in TESTED[room]:
        for label, arguments in values.odd_arguments(FUNCTIONS[name], world.arguments(name)):
            try:
                use(FUNCTIONS[name], arguments())
            except Exception as error:
                if found := values.fault(error, label):
                    faults.append(f"{name} ({label}): {found}")
    assert not faults, "\n".join(faults)


def listed_values() -> Iterator[tuple[str, str, str]]:
    """Every value that a docstring lists for an argument: a function, a parameter and a value."""
    for room in TESTED.values():
        for name in room:
            for parameter, kind in parameters(FUNCTIONS[name]).items():
                listed = re.match(r"\{(.*?)\}", kind)
                for value in re.findall(r'"(.*?)"', listed[1]) if listed else ():
                    yield name, parameter, value


@pytest.mark.slow
def test_every_value_that_a_docstring_lists_is_taken(world: World) -> None:
    tried = list(listed_values())
    assert len(tried) > 50
    for name, parameter, value in tried:
        try:
            use(FUNCTIONS[name], world.arguments(name) | {parameter: value})
        except ValueError as error:  # it needs something else too, such as a word in the sentence
            assert quoted(value) not in str(error), f"{name} refuses {parameter}={value!r}: {error}"


@pytest.mark.parametrize("name", WITH_SEED)
def test_every_function_refuses_an_odd_seed_with_the_same_sentence(name: str, world: World) -> None:
    arguments = world.arguments(name)
    for seed in ODD_SEEDS:
        with pytest.raises(ValueError) as raised:
            use(FUNCTIONS[name], arguments | {"seed": seed})
        assert str(raised.value) == SENTENCE, seed


@pytest.mark.parametrize("seed", [0.5, "0"])
def test_settings_refuse_an_odd_seed_with_the_same_sentence(seed: Any, world: World) -> None:
    for settle in (
        lambda: Space("centred", shuffled=seed),
        lambda: view.check(view.View(seed=seed)),
        lambda: points.check(points.Words(GROUPS, shuffled=seed), world.model),
        lambda: pair_battery(MINIMAL_PAIRS, world.model, how=Scoring(seed=seed)),
        lambda: Relations(("pronoun",), seed=seed).items(world.model),
        lambda: edited_cases(replace(world.arguments("tracing.average")["cases"], seed=seed), world.model),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(SENTENCE)}$"):
            settle()
