"""Values of equal content are equal however they are made, and sizes follow what a value holds."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.contents import alike, content, size


@dataclass(frozen=True)
class Result:
    frame: pd.DataFrame
    name: str = "r"


@pytest.mark.parametrize(
    ("value", "equal", "other"),
    [
        (np.arange(3), np.array([0, 1, 2]), np.array([0, 1, 3])),
        (np.arange(4), np.arange(4), np.arange(4).reshape(2, 2)),
        (np.zeros(2, np.float32), np.zeros(2, np.float32), np.zeros(2, np.int32)),
        (["a", (1, None)], ("a", [1, None]), ("a", (1, 2))),
        ({"a": np.ones(2)}, {"a": np.ones(2)}, {"b": np.ones(2)}),
        (pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"b": [1, 2]})),
        (pd.Series([1, 2]), pd.Series([1, 2]), pd.Series([1, 3])),
        (Result(pd.DataFrame({"a": [1]})), Result(pd.DataFrame({"a": [1]})), Result(pd.DataFrame({"a": [2]}))),
    ],
    ids=["numbers", "rows", "types", "tuples", "mapping", "frame", "column", "dataclass"],
)
def test_content_is_equal_for_equal_values_alone(value: object, equal: object, other: object) -> None:
    assert content(value) == content(equal) != content(other)
    assert hash(content(value)) == hash(content(equal))


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"number": np.arange(100.0), "word": ["a", "b"] * 50, "is": [True] * 100}),
        pd.DataFrame({"word": pd.Series(["long " * 99, None], dtype=object), "number": [1, 2]}),
        pd.DataFrame({"word": ["a", None], "kind": pd.Categorical(["x", "y"])}, index=["first", "second"]),
        pd.DataFrame(),
    ],
    ids=["plain", "objects", "categories", "empty"],
)
def test_the_size_of_a_frame_is_what_pandas_says(frame: pd.DataFrame) -> None:
    assert size(frame) == frame.memory_usage(deep=True).sum()
    column = frame[frame.columns[:1]]
    assert size(column) == column.memory_usage(deep=True).sum()


def test_sizes_follow_what_is_stored() -> None:
    frame = pd.DataFrame({"a": np.zeros(1_000), "b": ["x" * 50] * 1_000})
    assert size(np.zeros((10, 10), np.float32)) == 400
    assert size(frame) >= 8_000 + 50_000
    assert size({"a": frame, "b": (frame, frame)}) >= 3 * size(frame)


@dataclass(frozen=True, eq=False)
class Result:
    value: float
    table: pd.DataFrame
    parts: tuple[object, ...]


def a_result(scale: float = 1.0, word: str = "rome", missing: float = np.nan) -> Result:
    table = pd.DataFrame({"word": [word, None], "cosine": np.array([0.5 * scale, missing], np.float32), "rank": [1, 2]})
    return Result(0.25 * scale, table, ({"vectors": np.full((2, 2), 0.1 * scale)}, ["a"], np.float32(scale)))


def test_results_that_differ_by_rounding_are_alike() -> None:
    assert alike(a_result(), a_result()) and alike(a_result(), a_result(1 + 3e-6))
    assert content(a_result()) != content(a_result(1 + 3e-6))


@pytest.mark.parametrize(
    "other",
    [
        a_result(1 + 1e-4), a_result(word="paris"), a_result(missing=0.5), 0.25, None,
        replace(a_result(), value=0.2501), replace(a_result(), parts=()),
        replace(a_result(), table=a_result().table.head(1)), replace(a_result(), table=a_result().table[["word"]]),
        replace(a_result(), table=a_result().table.assign(rank=[2, 1])),
        replace(a_result(), table=a_result().table.set_index("rank", drop=False)),
        replace(a_result(), parts=({"other": np.zeros((2, 2))}, ["a"], np.float32(1))),
        replace(a_result(), parts=({"vectors": np.zeros((1, 2))}, ["a"], np.float32(1))),
        replace(a_result(), parts=(a_result().parts[0], ["b"], np.float32(1))),
    ],
)  # fmt: skip
def test_results_that_differ_by_more_are_not_alike(other: object) -> None:
    assert not alike(a_result(), other) and not alike(other, a_result())


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_numbers_are_alike_as_numpy_compares_them(one: float, other: float) -> None:
    assert alike(one, other) == bool(np.isclose(one, other, rtol=1e-5, atol=1e-6))
