"""A matrix in which a few rows are replaced; all other rows stay in the memory of the original matrix."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from embtools.vectors import Array


class EditedMatrix(NDArrayOperatorsMixin):
    """A read-only matrix (v, d) with the rows of an array, except for a few others; used like an array.

    Selected rows, `matrix @ x` and `x @ matrix.T` are computed from both parts. Everything else that numpy does with an
    array is done with a temporary copy of the whole matrix.
    """

    def __init__(self, original: Array, rows: Mapping[int, Array]) -> None:
        """Replace the rows with these numbers by vectors (d,)."""
        self._original = original
        self._ids = np.array(list(rows), np.int64)
        self._rows = np.array([rows[number] for number in rows], original.dtype)
        self._rows.flags.writeable = False
        self._which = np.full(len(original), -1, np.int32)  # for each row, its number in `_rows`
        self._which[self._ids] = np.arange(len(rows))
        self.shape, self.dtype, self.ndim, self.size = original.shape, original.dtype, 2, original.size

    @property
    def nbytes(self) -> int:
        """The bytes that this matrix adds to those of the original array."""
        return int(self._rows.nbytes + self._which.nbytes)

    @property
    def T(self) -> "Transposed":
        """The matrix (d, v) with the same memory."""
        return Transposed(self)

    def __len__(self) -> int:
        return len(self._original)

    def __getitem__(self, index: Any) -> Any:
        first, *rest = index if isinstance(index, tuple) else (index,)
        simple = isinstance(first, (int, np.integer, slice, list, np.ndarray))
        if not simple or len(rest) > 1 or not all(isinstance(part, (int, np.integer, slice)) for part in rest):
            return np.asarray(self)[index]
        found, which = self._original[index], self._which[first]
        if isinstance(first, (int, np.integer)):
            return found if which < 0 else self._rows[(which, *rest)]
        edited = which >= 0
        if edited.any():
            found = np.array(found)  # a slice is a view of the original
            found[edited] = self._rows[(which[edited], *rest)]
        return found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError("The whole matrix is only available as a copy.")
        whole = self._original.copy()
        whole[self._ids] = self._rows
        return whole if dtype is None else whole.astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        if ufunc is np.matmul and method == "__call__" and not named and inputs[0] is self:
            product = self._original @ inputs[1]
            product[self._ids] = self._rows @ inputs[1]
            return product
        return _with_copies(ufunc, method, inputs, named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # numpy asks for __array_interface__, whose memory would be that of a temporary copy
            raise AttributeError(name)
        return getattr(np.asarray(self), name)


class Transposed(NDArrayOperatorsMixin):
    """The transposed matrix (d, v) of an `EditedMatrix`."""

    def __init__(self, matrix: EditedMatrix) -> None:
        self.T = matrix
        self.shape, self.dtype, self.ndim = matrix.shape[::-1], matrix.dtype, 2

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self.T.__array__(dtype, copy).T

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        if ufunc is np.matmul and method == "__call__" and not named and inputs[1] is self:
            product = inputs[0] @ self.T._original.T
            product[..., self.T._ids] = inputs[0] @ self.T._rows.T
            return product
        return _with_copies(ufunc, method, inputs, named)

    def __getitem__(self, index: Any) -> Any:
        return np.asarray(self)[index]


def _with_copies(ufunc: Any, method: str, inputs: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """Apply a function of numpy to whole matrices."""
    whole = [np.asarray(each) if isinstance(each, (EditedMatrix, Transposed)) else each for each in inputs]
    return getattr(ufunc, method)(*whole, **named)
