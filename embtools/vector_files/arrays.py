"""Arrays of numpy (.npy), which have rows without words."""

import io
import math
from typing import Any

import numpy as np
from numpy.lib import format as npy

from embtools.messages import counted
from embtools.vector_files.rows import MAX_WORDS, Rows, check_width, first_words
from embtools.vectors import Array


def read(data: bytes) -> Rows:
    """Return the first rows of an array (n, d), without words; ValueError for an array of another form."""
    vectors = array(data)
    notes = (first_words("rows"),) if len(vectors) > MAX_WORDS else ()
    used = vectors[:MAX_WORDS].astype(np.float64)
    return Rows(None, used, (), range(1, len(used) + 1), "row", notes, len(vectors))


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
    check_width(shape[1])
    if math.prod(shape) * kind.itemsize != len(data) - file.tell():
        raise ValueError("The .npy file is damaged: its content does not have the promised length. Save it again.")
    return np.load(io.BytesIO(data), allow_pickle=False)
