"""Arrays of numpy (.npy) with a second file that has one name per row."""

import io
import math
from typing import Any

import numpy as np
from numpy.lib import format as npy

from embtools.messages import counted
from embtools.own_vectors.rows import Rows, check_count, check_width
from embtools.own_vectors.tables import HEADS, cells
from embtools.vectors import Array


def read(data: bytes, names: str) -> Rows:
    """The rows of an array (n, d) with n names, whose file may have further columns with labels.

    Raises ValueError for an array of another form, and unless there are as many names as rows.
    """
    vectors = array(data)
    lines = list(cells(names))
    if not lines:
        raise ValueError("The file with the names has no names. Give one name per row of the array.")
    first = lines[0][1]
    named = first[0].strip().lower() in HEADS
    header = lines.pop(0)[1] if named else [f"column {number}" for number in range(1, len(first) + 1)]
    if len(lines) != len(vectors):
        raise ValueError(
            f"The array has {counted(len(vectors), 'row')}, but the other file has {counted(len(lines), 'name')}."
            " Give one name per row."
        )
    for line, row in lines:
        if len(row) != len(header):
            raise ValueError(
                f"Line {line:,} of the names has {counted(len(row), 'column')}, but the first line has"
                f" {len(header)}. Complete it."
            )
    columns = list(zip(*(row for _, row in lines), strict=True))
    labels = tuple(
        (header[i].strip() or f"column {i + 1}", tuple(cell.strip() for cell in columns[i]))
        for i in range(1, len(header))
    )
    return Rows([word.strip() for word in columns[0]], vectors, labels, range(1, len(vectors) + 1), "row")


def array(data: bytes) -> Array:
    """The array (n, d) of a .npy file. Python objects, which could run code, are refused before anything is read.

    Raises ValueError for a file that is no array of numbers with two dimensions, or is damaged.
    """
    file = io.BytesIO(data)
    try:
        version = npy.read_magic(file)
        header: Any = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, kind = header(file)
    except Exception:  # whatever numpy raises for a header that is no header
        raise ValueError("This is not a .npy file. Save the array with numpy.save.") from None
    if kind.hasobject:
        raise ValueError(
            "The array contains Python objects, which could run code, so it is not read. Save numbers, for example"
            " with numpy.save(name, vectors.astype('float32'))."
        )
    if kind.kind not in "fiu":
        raise ValueError("The array does not contain plain numbers. Save it with vectors.astype('float32').")
    if len(shape) != 2:
        raise ValueError(
            f"The array has {counted(len(shape), 'dimension')}, but it needs two: one row per word, one column per"
            " number."
        )
    check_count(shape[0], what="rows")
    check_width(shape[1])
    if math.prod(shape) * kind.itemsize != len(data) - file.tell():
        raise ValueError("The .npy file is damaged: its content does not have the promised length. Save it again.")
    return np.load(io.BytesIO(data), allow_pickle=False).astype(np.float64)
