"""What a field reads from an address and writes into one; and lists typed into a field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.ui.fields import Choice, Field, Flag, Names, Number, Numbers, Text, lines, pairs, words

STRENGTH, K = Number("s", 1.0, 0.0, 2.0, 0.05), Number("k", 5, 1, 9, 1)


@given(st.text(max_size=200), st.floats(0, 2), st.lists(st.integers(0, 999_999)), st.lists(st.text(max_size=100)))
def test_what_is_written_is_read(text: str, value: float, numbers: list[int], names: list[str]) -> None:
    assert Text("t", "default").read(Text("t", "default").write(text)) == text
    assert STRENGTH.read(STRENGTH.write(value)) == pytest.approx(value, abs=1e-9)
    assert Numbers("n").read(Numbers("n").write(numbers)) == numbers[:100]
    assert list(Names("n").read(Names("n").write(names))) == names[:50]


@pytest.mark.parametrize("text", ["1e400", "nan", "9.01", "-1", "many", "0,5"])
def test_an_impossible_number_is_refused_and_gives_the_default(text: str) -> None:
    assert STRENGTH.read([text]) == 1.0 and STRENGTH.refuses([text])
    assert K.read([text]) == 5 and K.refuses([text])


@pytest.mark.parametrize(
    ("field", "used", "not_used"),
    [(Text("t", most=1), "a", "ab"), (K, "7.0", "2.5"), (Flag("f"), "1", "yes"), (Numbers("n"), "1", "x")],
)
def test_what_is_not_read_or_only_in_part_is_refused(field: Field, used: str, not_used: str) -> None:
    assert not field.refuses([used]) and field.refuses([not_used])


def test_a_value_outside_the_limits_of_a_field_becomes_the_nearest_one() -> None:
    assert [K.allowed(value) for value in (-4, 1, 5, 9, 10)] == [1, 1, 5, 9, 9]
    assert STRENGTH.allowed(1e9) == 2.0
    assert K.allowed(None) is None  # an empty field
    assert Text("t", most=3).allowed("abcd") == "abc"
    assert Text("t", most=3).limit("abcd") == "The text had 4 characters; the first 3 are used."
    assert Text("t", most=8).allowed("one\ntwo\nthree") == Text("t", most=8).read(["one\ntwo\nthree"]) == "one\ntwo"
    assert [Text("t", most=7).allowed(text) for text in ("one\ntwo\nx", "\nx234567")] == ["one\ntwo", "\nx23456"]
    assert Text("t", most=8).limit("one\ntwo\nthree") == "The text had 13 characters; the first 7 are used."
    assert Number("n", 1, -2, 1, 1).limit(-3) == "−3 is not possible here, so −2 is used. Choose −2 to 1."
    assert Number("n", 1, 1, 1, 1).limit(5) == "5 is not possible here, so 1 is used, the only possible number."
    assert STRENGTH.limit(1e4) == "10000 is not possible here, so 2 is used. Choose 0 to 2."
    assert Flag("f").allowed(True) is True


def test_a_whole_number_stays_whole() -> None:
    assert (K.read(["7"]), type(K.read(["7"]))) == (7, int)
    assert K.write(7) == ["7"]
    assert STRENGTH.write(1.0) == ["1"]


@pytest.mark.parametrize(("text", "value"), [("true", True), ("False", False), ("yes", True), ("", True)])
def test_a_flag(text: str, value: bool) -> None:
    assert Flag("f", True).read([text]) is value


def test_a_choice_is_one_of_its_options() -> None:
    scope = Choice("c", "input", ("input", "tied"))
    assert [scope.read([text]) for text in ("tied", "both")] == ["tied", "input"]
    assert Choice("layer", "last").read(["layer 3"]) == "layer 3"  # what there is only the model knows


def test_numbers_are_read_and_everything_else_is_left_out() -> None:
    assert Numbers("n").read(["1", "4", "none", "-1", "1234567", "3 coins"]) == [1, 4]
    assert len(Numbers("n").read([str(i) for i in range(999)])) == 100


def test_lists_typed_into_a_field() -> None:
    assert words("rome, paris;\n new york,,") == ("rome", "paris", "new york")
    assert lines(" a \n\n b") == ("a", "b")
    assert pairs("he=she, man = woman") == (("he", "she"), ("man", "woman"))


@pytest.mark.parametrize("text", ["he", "he=", "=she", "he=she=it"])
def test_what_is_no_pair_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a pair"):
        pairs(text)
