"""Results as JSON and back, exactly: numbers, texts, arrays, frames, and dataclasses and tuples of this package.

Unlike a pickle, reading runs no code of the file: it only names classes of embtools, whose fields or parts are set.
"""

import base64
import dataclasses
import importlib
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

_KIND, _PACKAGE = "kind", "embtools"
_PLAIN = (str, bool, int, type(None))


def to_json(value: Any) -> Any:
    """Return a result as what JSON can hold. Raises TypeError for a part that cannot be read back exactly.

    >>> to_json((1, "a"))
    {'kind': 'tuple', 'parts': [1, 'a']}
    """
    if isinstance(value, np.generic):
        return {_KIND: "number", "array": to_json(np.asarray(value))}
    if isinstance(value, float):
        return value if math.isfinite(value) else {_KIND: "float", "text": repr(value)}
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, (pd.DataFrame, pd.Series, pd.Index)):
        return _frame(value)
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
        return {_KIND: type(value).__name__, "parts": [to_json(part) for part in value]}
    if isinstance(value, tuple) and type(value).__module__.startswith(f"{_PACKAGE}."):
        return {_KIND: "own", **_class(value), "parts": [to_json(part) for part in value]}
    if isinstance(value, (set, frozenset)):
        return {_KIND: type(value).__name__, "parts": [to_json(part) for part in sorted(value)]}
    if isinstance(value, Mapping) and type(value) in (dict, MappingProxyType):
        return {_KIND: type(value).__name__, "parts": [[to_json(key), to_json(part)] for key, part in value.items()]}
    if dataclasses.is_dataclass(value) and type(value).__module__.startswith(f"{_PACKAGE}."):
        parts = {field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {_KIND: "data", **_class(value), "parts": parts}
    raise TypeError(f"A {type(value).__name__} cannot be stored.")


def from_json(stored: Any) -> Any:
    """Return the result that `to_json` was given. Raises ValueError for anything else."""
    try:
        return _read(stored)
    except (KeyError, TypeError, ValueError, AttributeError, ImportError) as error:
        raise ValueError("This is not a stored result of this version.") from error


def _read(stored: Any) -> Any:
    if not isinstance(stored, dict):
        if isinstance(stored, (*_PLAIN, float)):
            return stored
        raise TypeError("no stored value")
    kind = stored[_KIND]
    if kind == "data":
        return _data(stored)
    if kind == "array":
        return _read_array(stored)
    if kind in _FRAMES:
        return _FRAMES[kind](stored)
    return _OTHERS[kind](stored)


def _array(value: np.ndarray) -> dict[str, Any]:
    if value.dtype == object:
        return {_KIND: "array", "dtype": "object", "size": list(value.shape), "parts": [to_json(v) for v in value.flat]}
    if value.dtype.hasobject or value.dtype.names:
        raise TypeError(f"An array of {value.dtype} cannot be stored.")
    raw = base64.b85encode(np.ascontiguousarray(value).tobytes()).decode()
    return {_KIND: "array", "dtype": value.dtype.str, "size": list(value.shape), "bytes": raw}


def _read_array(stored: Mapping[str, Any]) -> np.ndarray:
    if stored["dtype"] == "object":
        result = np.empty(len(stored["parts"]), object)
        result[:] = [_read(part) for part in stored["parts"]]
        return result.reshape(stored["size"])
    raw = base64.b85decode(stored["bytes"])
    return np.frombuffer(bytearray(raw), np.dtype(stored["dtype"])).reshape(stored["size"])


def _column(values: Any) -> dict[str, Any]:
    """The values of a column or an index, with their type."""
    dtype = values.dtype
    if isinstance(dtype, np.dtype):
        return _array(values.to_numpy())
    if isinstance(dtype, pd.CategoricalDtype):
        codes = values.cat.codes if isinstance(values, pd.Series) else pd.Series(values).cat.codes
        return {
            _KIND: "category", "codes": _array(codes.to_numpy()), "words": _frame(dtype.categories),
            "ordered": bool(dtype.ordered),
        }  # fmt: skip
    if isinstance(dtype, pd.StringDtype) or str(dtype) in ("boolean", "Int64", "Float64"):
        parts = [None if pd.isna(value) else value for value in values.tolist()]
        return {_KIND: "list", "dtype": str(dtype), "parts": [to_json(part) for part in parts]}
    raise TypeError(f"A column of {dtype} cannot be stored.")


def _read_column(stored: Mapping[str, Any]) -> Any:
    if stored[_KIND] == "array":
        return _read_array(stored)
    if stored[_KIND] == "category":
        return pd.Categorical.from_codes(
            _read_array(stored["codes"]), categories=_read(stored["words"]), ordered=stored["ordered"]
        )
    return pd.array([_read(part) for part in stored["parts"]], dtype=stored["dtype"])


def _series(stored: Mapping[str, Any], index: pd.Index, name: Any = None) -> pd.Series:
    """A column; its type is given, because pandas would make texts of objects."""
    found = _read_column(stored)
    return pd.Series(found, index=index, dtype=found.dtype, name=name)


def _frame(value: Any) -> dict[str, Any]:
    if isinstance(value, pd.RangeIndex):
        return {_KIND: "range", "parts": [value.start, value.stop, value.step], "name": to_json(value.name)}
    if isinstance(value, pd.MultiIndex):
        levels = [_frame(value.get_level_values(number)) for number in range(value.nlevels)]
        return {_KIND: "levels", "parts": levels}
    if isinstance(value, pd.Index):
        return {_KIND: "index", "values": _column(value), "name": to_json(value.name)}
    if isinstance(value, pd.Series):
        return {_KIND: "series", "values": _column(value), "index": _frame(value.index), "name": to_json(value.name)}
    columns = [_column(value.iloc[:, number]) for number in range(value.shape[1])]
    return {
        _KIND: "frame", "columns": _frame(value.columns), "index": _frame(value.index), "parts": columns,
        "about": to_json(dict(value.attrs)),
    }  # fmt: skip


def _read_frame(stored: Mapping[str, Any]) -> pd.DataFrame:
    index = _read(stored["index"])
    columns = {number: _series(part, index) for number, part in enumerate(stored["parts"])}
    result = pd.DataFrame(columns, index=index)
    result.columns = _read(stored["columns"])
    result.attrs = _read(stored["about"])
    return result


def _class(value: Any) -> dict[str, str]:
    return {"module": type(value).__module__, "name": type(value).__qualname__}


def _read_class(stored: Mapping[str, Any]) -> Any:
    """The class of this package that a stored value names."""
    if not stored["module"].startswith(f"{_PACKAGE}."):
        raise TypeError("no class of this package")
    found: Any = importlib.import_module(stored["module"])
    for name in stored["name"].split("."):
        found = getattr(found, name)
    if not isinstance(found, type):
        raise TypeError("no class")
    return found


def _data(stored: Mapping[str, Any]) -> Any:
    """An object of a dataclass of this package with these fields; its methods are not run."""
    found = _read_class(stored)
    names = [field.name for field in dataclasses.fields(found)]
    if names != list(stored["parts"]):
        raise TypeError("other fields")
    result = object.__new__(found)
    for name, part in stored["parts"].items():
        object.__setattr__(result, name, _read(part))
    return result


_FRAMES = {
    "frame": _read_frame,
    "series": lambda s: _series(s["values"], _read(s["index"]), _read(s["name"])),
    "index": lambda s: pd.Index(values := _read_column(s["values"]), dtype=values.dtype, name=_read(s["name"])),
    "range": lambda s: pd.RangeIndex(*s["parts"], name=_read(s["name"])),
    "levels": lambda s: pd.MultiIndex.from_arrays([_read(part) for part in s["parts"]]),
}
_OTHERS = {
    "number": lambda s: _read_array(s["array"])[()],
    "float": lambda s: float(s["text"]),
    "tuple": lambda s: tuple(map(_read, s["parts"])),
    "own": lambda s: tuple.__new__(_read_class(s), map(_read, s["parts"])),
    "list": lambda s: list(map(_read, s["parts"])),
    "set": lambda s: set(map(_read, s["parts"])),
    "frozenset": lambda s: frozenset(map(_read, s["parts"])),
    "dict": lambda s: {_read(key): _read(part) for key, part in s["parts"]},
    "mappingproxy": lambda s: MappingProxyType({_read(key): _read(part) for key, part in s["parts"]}),
}
