"""Arrays with names: what numpy saves is read, what could run code or fill the memory is not."""

import io

import numpy as np
import pytest

from embtools.own_vectors import names as names_file
from embtools.own_vectors.arrays import array
from embtools.own_vectors.arrays import read as read_array
from embtools.own_vectors.rows import Rows

VECTORS = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def npy(values, **options) -> bytes:
    file = io.BytesIO()
    np.save(file, values, **options)
    return file.getvalue()


def read(data: bytes, names: str) -> Rows:
    return names_file.join(read_array(data), names)


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", ">f8", "int64", "uint8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_numbers_of_every_kind_are_read(kind, order):
    rows = read(npy(np.asarray(VECTORS.astype(kind), order=order)), "red\nblue\ngreen")
    assert rows.words == ["red", "blue", "green"] and rows.line == "row"
    np.testing.assert_array_equal(rows.vectors, VECTORS)


def test_names_may_have_a_header_and_labels():
    rows = read(npy(VECTORS), "word,kind\nred,colour\nrome,place\nblue,colour\n")
    assert rows.words == ["red", "rome", "blue"] and rows.labels == (("kind", ("colour", "place", "colour")),)
    assert read(npy(VECTORS), "a,x\nb,y\nc,z").labels == (("column 2", ("x", "y", "z")),)


class Evil:
    ran = False

    def __reduce__(self):
        return (setattr, (Evil, "ran", True))


def test_objects_are_refused_before_anything_is_read():
    with pytest.raises(ValueError, match="Python objects, which could run code"):
        array(npy(np.array([[Evil(), 1], [2, 3]], dtype=object), allow_pickle=True))
    assert not Evil.ran


def header(shape: str, kind: str = "<f8") -> bytes:
    """A .npy file that promises an array of this shape and has 16 bytes."""
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + b"\0" * 16


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"no array", "not a .npy file"),
        (b"\x93NUMPY\x01\x00\xff\xff", "not a .npy file"),
        (b"\x93NUMPY\x09\x00", "not a .npy file"),
        (npy(VECTORS)[:-1], "damaged"),
        (npy(VECTORS) + b"more", "damaged"),
        (header("(20000, 2000)"), "damaged"),
        (header("(10**9, 2)"), "not a .npy file"),
        (header("(1000000000, 2)"), "damaged"),
        (header("(3, 1000000000)"), "1,000,000,000 numbers"),
        (npy(VECTORS[0]), "has 1 dimension, but it needs two"),
        (npy(np.zeros((2, 2, 2))), "has 3 dimensions"),
        (npy(VECTORS.astype(complex)), "plain numbers"),
        (npy(np.array([["a", "b"]])), "plain numbers"),
    ],
)
def test_arrays_that_are_not_read(data, message):
    with pytest.raises(ValueError, match=message):
        array(data)


@pytest.mark.parametrize(
    ("names", "message"),
    [("a\nb", "has 3 rows, but the other file has 2 names"), ("a\nb\nc\nd", "4 names"), (' \n""', "no names")],
)  # fmt: skip
def test_names_must_fit(names, message):
    with pytest.raises(ValueError, match=message):
        read(npy(VECTORS), names)
