"""Results as JSON: what is read back equals what was stored, and a file can name nothing but results of this package."""

import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as some

from embtools import values
from embtools.corpus.analogy_results import Formula
from embtools.evidence.result import Battery
from embtools.mask_filling.edits import Change


def again(value: Any) -> Any:
    """The value after a way through a file."""
    return values.from_json(json.loads(json.dumps(values.to_json(value), allow_nan=False)))


PLAIN = some.none() | some.booleans() | some.integers() | some.floats() | some.text()
NESTED = some.recursive(
    PLAIN,
    lambda inner: some.lists(inner) | some.lists(inner).map(tuple) | some.dictionaries(some.text(), inner),
    max_leaves=20,
)


@given(NESTED)
def test_plain_values_come_back_with_their_types(value: Any) -> None:
    assert repr(again(value)) == repr(value)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.int32).reshape(2, 3),
        np.array([0.1, -np.inf, np.nan], np.float32),
        np.array([[True], [False]]),
        np.array(["a", None, (1, 2)], object),
        np.zeros((0, 4)),
        np.arange(6.0).reshape(2, 3).T,
        np.array(["ab", "c"]),
    ],
    ids=lambda array: str(array.dtype),
)
def test_arrays_come_back_exactly(array: np.ndarray) -> None:
    found = again(array)
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found, array)


def test_numpys_numbers_come_back_as_such() -> None:
    for number in (np.float32(0.1), np.float64("nan"), np.int64(3), np.bool_(True)):
        found = again(number)
        assert type(found) is type(number) and repr(found) == repr(number)


FRAMES = {
    "texts, numbers and missing values": pd.DataFrame(
        {"word": ["rome", None], "rank": [1, 2], "p": [0.5, np.nan], "correct": [True, False]}
    ),
    "any objects": pd.DataFrame({"parts": [("a", "b"), None], "n": pd.array([1, None], dtype="Int64")}),
    "categories": pd.DataFrame({"group": pd.Categorical(["b", "a"], categories=["b", "a", "c"], ordered=True)}),
    "an index of words": pd.DataFrame({"a": [1.0]}, index=pd.Index(["rome"], name="word")),
    "two levels": pd.DataFrame({"a": [1, 2]}, index=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["x", "y"])),
    "columns that are numbers": pd.DataFrame(np.eye(2), columns=[3, 7]),
    "equal column names": pd.DataFrame([[1, "a"]], columns=["x", "x"]),
    "objects that are texts": pd.DataFrame({"word": pd.Series(["rome", None], dtype=object), "n": [1, 2]}),
    "texts as objects": pd.DataFrame(
        {"word": pd.Series(["rome", "paris"], dtype=object)}, index=pd.Index(["a", "b"], dtype=object)
    ),
    "no rows": pd.DataFrame({"a": pd.Series([], dtype="str"), "b": pd.Series([], dtype=float)}),
    "no columns": pd.DataFrame(index=range(3)),
    "words of an index as text": pd.DataFrame({"a": [1]}, index=["x"]),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
def test_frames_come_back_exactly(frame: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(again(frame), frame, check_exact=True)
    for name in frame.columns.unique():
        if isinstance(frame[name], pd.Series):
            pd.testing.assert_series_equal(again(frame[name]), frame[name], check_exact=True)


def test_frames_keep_what_is_noted_about_them() -> None:
    frame = pd.DataFrame({"a": [1]})
    frame.attrs = {"unit": "bits", "limits": (0, 1)}
    assert again(frame).attrs == frame.attrs


def test_results_come_back_as_objects_of_their_class() -> None:
    change = Change.of(["rome = rome - italy + france"], "tied", 0.5, [2])
    assert again(change) == change
    assert again({"a": (change, MappingProxyType({"b": 1}))}) == {"a": (change, MappingProxyType({"b": 1}))}


def test_tuples_of_this_package_keep_their_class() -> None:
    formula = Formula(("king", "man", "woman"))
    assert type(again(formula)) is Formula and again(formula) == formula


@dataclass(frozen=True)
class Foreign:
    """A class of another package."""

    a: int = 1


@pytest.mark.parametrize(
    "value", [object(), Foreign(), len, b"bytes", 1j, pd.DataFrame({"a": [b"x"]})], ids=lambda v: type(v).__name__
)
def test_what_cannot_be_read_back_is_not_stored(value: Any) -> None:
    with pytest.raises(TypeError, match="cannot be stored"):
        values.to_json(value)


@pytest.mark.parametrize(
    "stored",
    [
        {"kind": "data", "module": "subprocess", "name": "Popen", "parts": {"args": "ls"}},
        {"kind": "data", "module": "embtools.values", "name": "importlib.import_module", "parts": {}},
        {"kind": "data", "module": "embtools.nothing", "name": "Nothing", "parts": {}},
        {"kind": "data", "module": Battery.__module__, "name": "Battery", "parts": {"other": 1}},
        {"kind": "data", "module": "embtools.values", "name": "to_json", "parts": {}},
        {"kind": "own", "module": "subprocess", "name": "Popen", "parts": ["ls"]},
        {"kind": "own", "module": "embtools.values", "name": "to_json", "parts": []},
        {"kind": "unheard of"}, {"no": "kind"}, [1, 2],
        {"kind": "array", "dtype": "O", "size": [1], "bytes": ""},
    ],
    ids=repr,
)  # fmt: skip
def test_a_file_can_name_nothing_but_results(stored: Any) -> None:
    with pytest.raises(ValueError, match="not a stored result of this version"):
        values.from_json(stored)
