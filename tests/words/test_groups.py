"""Groups of words: typed, uploaded and built in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embtools.words import groups as words_groups


def test_presets_are_groups_of_different_words():
    for name in words_groups.PRESETS:
        groups = words_groups.preset(name)
        assert len(groups) >= 2
        assert words_groups.read_groups(words_groups.write_groups(groups)) == groups, name


def test_figure_1_takes_the_first_five_cities_of_fifteen_countries():
    groups = words_groups.preset(words_groups.FIGURE_1)
    assert len(groups) == 15
    assert max(len(words) for _, words in groups) == 5
    assert dict(groups)["italy"][0] == "rome"


def test_typed_lines():
    text = "france: paris, lyon\n\nitaly: rome ,\nfrance: nice\nred, green"
    assert words_groups.read_groups(text) == (
        ("france", ("paris", "lyon", "nice")), ("italy", ("rome",)), ("words", ("red", "green")),
    )  # fmt: skip


def test_a_word_that_occurs_before_is_left_out_and_named() -> None:
    text = "a: red, blue, red\nb: green, red\nc: red"
    assert words_groups.read_groups(text) == (("a", ("red", "blue")), ("b", ("green",)))
    assert words_groups.left_out(text) == (
        "Left out, because it is in 'a' already: 'red' in 'a', 'red' in 'b' and 'red' in 'c'.",
    )
    assert not words_groups.left_out("a: red\nb: blue") and not words_groups.left_out("a:")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There are no words"),
        ("france:", "The group 'france' is empty"),
        (": paris", "has no name before"),
        ("x" * 61, "61 characters"),
        ("a" * 60_001, "60,001 characters"),
        (",".join(f"w{i}" for i in range(2_001)), "2,001 words"),
    ],
)
def test_typed_lines_that_cannot_be_read(text: str, message: str):
    with pytest.raises(ValueError, match=message):
        words_groups.read_groups(text)


def test_csv_in_any_order_of_columns_with_a_byte_order_mark():
    data = "\ufeffGroup, Word ,n\nfrance,paris,1\nitaly,rome,2\n".encode()
    assert words_groups.read_table(data).value == (("france", ("paris",)), ("italy", ("rome",)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "There is no table"),
        (b"a,b\n1,2\n", "no columns named word and group"),
        (b"word,group\n", "There are no words"),
        (b"word,group\nparis\n", "the group is missing: line 2 .'paris'"),
        (b"word,group\n,france\n", "the word is missing: line 2"),
        (b'word,group\n"a,b",france\n', "a comma, a colon or a line break: line 2"),
    ],
)
def test_csv_that_cannot_be_read(data: bytes, message: str):
    with pytest.raises(ValueError, match=message):
        words_groups.read_table(data)


def test_unknown_preset_names_the_choices():
    with pytest.raises(ValueError, match="animals"):
        words_groups.preset("planets")


@given(
    st.lists(
        st.text(st.characters(codec="ascii", exclude_characters="\r\n\x00\x0b\x0c\x1c\x1d\x1e\x85"))
        .map(str.strip)
        .filter(bool),
        unique=True,
    )
)
def test_words_survive_writing_and_reading(words: list[str]):
    assert words_groups.read_words(words_groups.write_words(words)) == tuple(words)


def test_an_open_quotation_mark_is_an_error():
    with pytest.raises(ValueError, match="not closed"):
        words_groups.read_words('a, "b')


def test_no_more_groups_than_different_marks():
    lines = [f"g{i}: w{i}" for i in range(words_groups.MAX_GROUPS + 1)]
    assert len(words_groups.read_groups("\n".join(lines[1:]))) == words_groups.MAX_GROUPS
    with pytest.raises(ValueError, match="57 groups; at most 56"):
        words_groups.read_groups("\n".join(lines))
    with pytest.raises(ValueError, match="57 groups; at most 56"):
        words_groups.read_table(("word,group\n" + "\n".join(f"w{i},g{i}" for i in range(57))).encode())


# Every character at which str.splitlines ends a line.
LINE_ENDS = "\n\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"


@pytest.mark.parametrize("end", LINE_ENDS)
@pytest.mark.parametrize("cells", ['"pa{}ris",france', 'paris,"fra{}nce"'])
def test_a_line_break_inside_a_cell_becomes_a_space(end, cells):
    data = ("word,group\n" + cells.format(end)).encode()
    expected = cells.replace('"', "").format(" ").split(",")
    assert words_groups.read_table(data).value == ((expected[1], (expected[0],)),)


@given(st.text(max_size=20), st.text(max_size=20))
def test_what_an_upload_gives_survives_its_text_field(word, group):
    quoted = ",".join('"' + text.replace('"', '""') + '"' for text in (word, group))
    try:
        groups = words_groups.read_table(f"word,group\n{quoted}\n".encode()).value
    except ValueError:
        return
    assert words_groups.read_groups(words_groups.write_groups(groups)) == groups


def test_a_group_of_words_that_often_name_columns_is_no_table():
    text = "a: cat, word, group, class\nb: dog"
    assert not words_groups.is_pasted_table(text) and words_groups.is_pasted_table("word, group\ncat, pet\n")
    assert words_groups.read_groups(text) == (("a", ("cat", "word", "group", "class")), ("b", ("dog",)))
