"""The content of arguments and results: whether it is equal, exactly or but for rounding, and its size in bytes."""

import dataclasses
import sys
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

_RELATIVE, _ABSOLUTE = 1e-5, 1e-6  # more than the results of an AMD and an Intel processor differed by
_contents: dict[int, tuple[weakref.ref[Any], Any]] = {}  # of frames that are alive, by identity


def content(value: Any) -> Any:
    """Something hashable that is equal for values of equal content.

    >>> content((np.zeros(2), "a")) == content((np.zeros(2), "a"))
    True
    """
    if isinstance(value, (str, int, float, type(None))):
        return value
    if isinstance(value, (pd.DataFrame, pd.Series, pd.Index)):
        return _content_of_frame(value)
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if isinstance(value, Mapping):
        return tuple((key, content(part)) for key, part in value.items())
    if isinstance(value, (tuple, list)):
        return tuple(content(part) for part in value)
    try:
        hash(value)
    except TypeError:
        return type(value), tuple(content(getattr(value, field.name)) for field in dataclasses.fields(value))
    return value


def _content_of_frame(frame: Any) -> Any:
    """The content of a frame. It is read once per object, because nobody changes a result."""
    name = id(frame)
    stored = _contents.get(name)
    if stored is not None and stored[0]() is frame:
        return stored[1]

    # Frames that live until Python ends outlive the names of this module, but not what is bound here.
    def drop(_: object, forget: Callable[..., Any] = _contents.pop) -> None:
        forget(name, None)

    head = (tuple(frame.columns), tuple(frame.dtypes)) if isinstance(frame, pd.DataFrame) else (frame.name,)
    found = (*head, pd.util.hash_pandas_object(frame).to_numpy().tobytes())
    _contents[name] = weakref.ref(frame, drop), found
    return found


def alike(one: Any, other: Any) -> bool:
    """Whether two results are equal in all their parts, apart from what rounding leaves, because prepared results were
    computed on another processor, which rounds differently.

    >>> alike((np.float32(0.3), "a"), (np.float32(0.3000001), "a")), alike((0.3, "a"), (0.30001, "a"))
    (True, False)
    """
    if one is other:
        return True
    if isinstance(one, (float, np.floating)) and isinstance(other, (float, np.floating)):
        return bool(np.isclose(one, other, rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True))
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return _arrays_alike(one, other)
    if isinstance(one, pd.DataFrame):
        same = one.shape == other.shape and one.columns.equals(other.columns) and one.index.equals(other.index)
        return same and all(_arrays_alike(one[name].to_numpy(), other[name].to_numpy()) for name in one.columns)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(alike(part, other[key]) for key, part in one.items())
    if dataclasses.is_dataclass(one):
        return all(alike(getattr(one, part.name), getattr(other, part.name)) for part in dataclasses.fields(one))
    return bool(content(one) == content(other))


def _arrays_alike(one: Any, other: Any) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if one.dtype.kind == "f":
        return bool(np.allclose(one, other, rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True))
    if one.dtype == object:  # such as texts, of which some may be missing
        return all(map(alike, one.ravel(), other.ravel()))
    return bool((one == other).all())


def size(value: Any) -> int:
    """About how many bytes a value takes: its `nbytes` if it has any, else those of its texts, frames and parts.

    >>> size((np.zeros(1000, np.float32), "ab"))
    4107
    """
    if isinstance(value, str):
        return sys.getsizeof(value)
    if isinstance(value, (tuple, list)):
        return 56 + sum(map(size, value))
    if isinstance(value, Mapping):
        return 64 + sum(map(size, value)) + sum(map(size, value.values()))
    if isinstance(value, pd.DataFrame):
        return _size_of_frame(value)
    if isinstance(value, (pd.Series, pd.Index)):
        return int(value.memory_usage(deep=True))
    if hasattr(value, "nbytes"):
        return int(value.nbytes)
    if dataclasses.is_dataclass(value):
        return 56 + sum(size(getattr(value, field.name)) for field in dataclasses.fields(value))
    return 8


def _size_of_frame(frame: pd.DataFrame) -> int:
    """The same as `memory_usage(deep=True)`, which makes a series of each column: 7% of the work for a visit."""
    arrays = list(frame._iter_column_arrays()) if hasattr(frame, "_iter_column_arrays") else []
    if not arrays or any(array.dtype == object for array in arrays):
        return int(frame.memory_usage(deep=True).sum())
    return int(frame.index.memory_usage(deep=True)) + sum(map(_size_of_array, arrays))


def _size_of_array(array: Any) -> int:
    """The bytes of a column, with those of texts that are Python strings."""
    return int(array.memory_usage(deep=True) if hasattr(array, "memory_usage") else array.nbytes)
