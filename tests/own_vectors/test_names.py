"""Words and labels of vectors from another file or column."""

import io

import numpy as np
import pytest

from embtools.own_vectors.reading import read_vectors
from embtools.tables.columns import UnclearColumns
from tests.table_shapes import VECTORS

FOUR = ("cat", "dog", "car", "bus")


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


NUMBERS = VECTORS.to_numpy()

NAMES = {
    "table with trailing tabs": b"Name\tKind\ncat\tanimal\ndog\tanimal\t\ncar\tvehicle\nbus\tvehicle\t\n",
    "capital letters": b"Word\tKind\ncat\tanimal\ndog\tanimal\ncar\tvehicle\nbus\tvehicle\n",
    "index": b",word;kind\n".replace(b",", b";") + b"0;cat;animal\n1;dog;animal\n2;car;vehicle\n3;bus;vehicle\n",
}


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("kind", ["tsv", "csv", "txt", "counted", "npy", "index"])
def test_a_file_of_names_is_used_for_every_kind(names: str, kind: str) -> None:
    data = {
        "tsv": VECTORS.to_csv(sep="\t", index=False, header=False).encode(),
        "csv": VECTORS.to_csv(index=False).encode(),
        "txt": VECTORS.to_csv(sep=" ", index=False, header=False).encode(),
        "counted": b"4 3\n" + VECTORS.to_csv(sep=" ", index=False, header=False).encode(),
        "npy": npy(NUMBERS),
        "index": VECTORS.reset_index(drop=True).to_csv().encode(),
    }[kind]
    found = read_vectors(data, "v.npy" if kind == "npy" else "v.tsv", names=NAMES[names])
    assert found.words == FOUR and [column for _, column in found.labels] == [
        ("animal", "animal", "vehicle", "vehicle")
    ]
    np.testing.assert_allclose(found.vectors, NUMBERS, atol=1e-6)
    if kind != "npy":
        with pytest.raises(UnclearColumns, match="not clear where the words are"):
            read_vectors(data, "v.tsv")
    with pytest.raises(ValueError, match="4 rows, but the other file has 3 names"):
        read_vectors(data, "v.npy" if kind == "npy" else "v.tsv", names=b"cat\ndog\ncar\n")


def test_names_add_labels_to_words_in_another_order_or_replace_them() -> None:
    data = VECTORS.to_csv().encode()
    found = read_vectors(data, "v.csv", names=b"word,kind\nbus,vehicle\ncat,animal\ndog,animal\ncar,vehicle\n")
    assert found.words == FOUR and found.labels == (("kind", ("animal", "animal", "vehicle", "vehicle")),)
    found = read_vectors(data, "v.csv", names=b'Katze\nHund\nAuto\n"Bus"\n')
    assert found.words == ("Katze", "Hund", "Auto", "Bus") and "replace the words" in found.notes[0]


def test_the_words_can_be_chosen_and_the_first_ones_are_taken() -> None:
    found = read_vectors(b"5 0.1 0.2\n6 0.2 0.3\n7 0.3 0.1\n", "v.txt", word_column=1)
    assert found.words == ("5", "6", "7") and found.code == "read_file('v.txt', word_column=1)"
    found = read_vectors(b"0.1,0.2,5\n0.2,0.3,6\n0.3,0.1,7\n", "v.csv", word_column=3)
    assert found.words == ("5", "6", "7") and found.vectors.shape == (3, 2)
    for sign in ", \t":
        many = "\n".join(f"w{n}{sign}{n + 0.5}{sign}1" for n in range(20_100)).encode()
        found = read_vectors(many, "v.txt")
        assert len(found) == 20_000 and "Only the first 20,000 are used." in " ".join(found.notes)
    names = "\n".join(f"w{n}" for n in range(20_100)).encode()
    found = read_vectors(npy(np.ones((20_100, 2))), "v.npy", names=names)
    assert len(found) == 20_000 and found.words[-1] == "w19999"
