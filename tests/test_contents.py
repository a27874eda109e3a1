"""Values of equal content are equal however they are made, and sizes follow what a value holds."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from embtools.contents import content, size


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
