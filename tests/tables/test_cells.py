"""Quotation marks quote only where they end a cell."""

from embtools.tables import cells


def test_quotation_marks_quote_only_where_they_end_a_cell() -> None:
    def read(text: str, sign: str) -> list[list[str]]:
        return [row for _, row in cells.rows(text, sign)]

    assert read('a,"b, c","say ""x"""\n', ",") == [["a", "b, c", 'say "x"']]
    assert read('a, "b, c" ,d\n', ",") == [["a", "b, c", "d"]]
    assert read('"so,1\nx,2\n', ",") == [['"so', "1"], ["x", "2"]]
    assert read('5" disk,1\n"x" y,2\n', ",") == [['5" disk', "1"], ['"x" y', "2"]]
    assert read('text,n\n"Great, really\nloved it.",1\n', ",") == [["text", "n"], ["Great, really\nloved it.", "1"]]
    assert [line for line, _ in cells.rows('\na,1\n\n"b\nc",2\nd,3\n', ",")] == [2, 4, 6]
    for text in ('"' * 200_000, '"a,' * 60_000, '"a\n' * 60_000, '""a,' * 50_000):  # in linear time
        assert sum(len(row) for row in read(text, ","))
