"""The colour and shape of each sense."""

from embtools.charts.corpus import sense_marks, sign


def test_every_sense_looks_different_and_the_same_everywhere():
    senses = [f"sense {n}" for n in range(12)]
    found = sense_marks([*reversed(senses), ""])
    assert list(found) == [*sorted(senses), ""] and len(set(found.values())) == 13
    assert all(sign(shape) for _, shape in found.values())
    assert sense_marks([]) == {} and list(sense_marks(["a", "a"])) == ["a"]
