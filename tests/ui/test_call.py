"""Queries as objects: read by name, varied, compared, written as Python."""

from dataclasses import dataclass

import pytest

from embtools.bias.association import seat, weat
from embtools.ui.call import Call, source

SETS = {"x": ("rose",), "y": ("wasp",), "a": ("love",), "b": ("hate",)}


@dataclass(frozen=True)
class Option:
    """An argument with fields of its own."""

    kind: str
    k: int = 3


def take(text: str, model: object, *, option: Option | None = None, k: int = 5) -> tuple[object, ...]:
    return text, model, option, k


def test_arguments_are_read_by_name_with_their_defaults() -> None:
    query = Call(seat, **SETS, layer=3)
    assert query["x"] == ("rose",) and query["layer"] == 3 and query["pooling"] == "cls"
    assert query.but(layer=4)["layer"] == 4 and query["layer"] == 3
    with pytest.raises(KeyError):
        Call(seat)["x"]


def test_equal_calls_are_one_key() -> None:
    assert Call(seat, **SETS) == Call(seat, **SETS, layer=-1)
    assert hash(Call(seat, **SETS)) == hash(Call(seat, **SETS, layer=-1))
    assert Call(seat, **SETS) != Call(weat, **SETS) and Call(seat, **SETS) != Call(seat, **SETS, layer=1)


def test_the_copied_python_runs_and_leaves_out_defaults() -> None:
    query = Call(take, text="it's", option=Option("b"), k=5)
    assert query.python() == """take("it's", model, option=Option(kind='b', k=3))"""
    names: dict[str, object] = {"model": "M"}
    for line in query.imports:
        exec(line.replace(__name__, "tests.ui.test_call"), names)
    assert eval(query.python(), names) == query("M") == ("it's", "M", Option("b"), 5)


def test_a_long_call_takes_several_lines() -> None:
    text = Call(take, text="x" * 90, k=6).python()
    assert text.splitlines()[0] == "take(" and text.splitlines()[-1] == ")" and "    k=6," in text


def test_unknown_arguments_are_errors_of_the_program() -> None:
    for wrong in ({"wrong": 1}, {"model": "M"}, {"progress": print}):
        with pytest.raises(TypeError, match="takes no"):
            Call(seat, **SETS, **wrong)


def test_a_value_may_know_its_own_source() -> None:
    from embtools.spaces.space import TOP, Space

    assert source(Space(TOP, 2)) == "Space('all-but-the-top', components=2)" and source("a") == "'a'"
