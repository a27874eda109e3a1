"""Expressions of values: evaluated, they are the very values that were given."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pytest

from embtools.charts import evidence
from embtools.charts.maps import Highlight
from embtools.mask_filling.edits import Change
from embtools.spaces.space import CENTRED, Space
from embtools.ui.expressions import Expressions, is_text


@dataclass(frozen=True, eq=False)
class Inner:
    frame: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Result:
    inner: Inner
    parts: dict[str, Any]
    several: tuple[Any, ...]
    words: tuple[str, ...] = ("a", "b")

    @cached_property
    def computed(self) -> pd.DataFrame:
        return self.inner.frame * 2

    @property
    def sentence(self) -> str:
        return "a sentence"

    def said(self, place: str) -> str:
        return f"a sentence about {place}"


def frame() -> pd.DataFrame:
    return pd.DataFrame({"x": [1.0]})


@pytest.fixture
def result() -> Result:
    return Result(Inner(frame()), {"one": frame(), "two": [frame()]}, (frame(), np.ones(2)))


def test_parts_of_results_are_found_by_identity(result: Result) -> None:
    names = Expressions()
    names.add("result", result)
    expected = {
        "result": result,
        "result.inner.frame": result.inner.frame,
        "result.parts['two'][0]": result.parts["two"][0],
        "result.several[1]": result.several[1],
        "result.computed": result.computed,
        "result.words": result.words,
        "[result, None]": [result, None],
    }
    for text, value in expected.items():
        assert names.of(value).text == text
    for other in (frame(), [frame()], Inner(frame()), np.ones(2)):  # equal, but not the same
        with pytest.raises(LookupError):
            names.of(other)


@pytest.mark.parametrize(
    "value",
    [
        [None, True, -0.5, "it's", (1,), ()],
        {"a": (1, "b")},
        [{1, 2}, set()],
        (frozenset({"x"}), frozenset()),
        Space(CENTRED),
        Change.of(["rome = rome - italy"], strength=0.5),
        Highlight((3,), ((3, 5), (3, 7))),
        float("inf"),
        (np.float32(0.5), np.int64(3), np.bool_(True)),  # become plain numbers
    ],
)
def test_literals_are_written_so_that_they_can_be_read(value: Any) -> None:
    text, imports = Expressions().of(value)
    names: dict[str, Any] = {}
    exec("\n".join(imports), names)
    assert eval(text, names) == value


def test_a_call_has_no_defaults_and_names_a_chart_with_its_module(result: Result) -> None:
    names = Expressions()
    names.add("traced", result)
    call = names.call(evidence.cases, (result,), {"most": 9, "correct": False})
    assert call.text == "evidence_charts.cases(traced, most=9)"
    assert call.imports == {"from embtools.charts import evidence as evidence_charts"}


def test_a_result_without_weak_references_is_known_by_its_parts(result: Result) -> None:
    names = Expressions()
    names.add("pair", (result, 1))
    assert names.of(result.inner).text == "pair[0].inner"


def test_nothing_is_stored_in_memory() -> None:
    names, value = Expressions(), Inner(frame())
    names.add("value", value)
    assert names.of(value).text == "value"
    del value
    assert not [1 for kept in names._roots.values() if kept() is not None]


def test_texts_are_known_without_being_computed(result: Result) -> None:
    assert is_text(result, "sentence") and is_text("x", "") and is_text(result, "said('layer 1.5')")
    assert not is_text(result, "computed") and not is_text(result, "inner.frame") and not is_text(result, "")
    assert "computed" not in vars(result)
