"""What every page that reads two sentences or a table must bear: two very long ones, a mask in the second, an empty file."""

import pytest

from embtools.arithmetic import rows
from embtools.pairs import batch
from embtools.probing import items
from embtools.words import groups

LONG = "very " * 600
PAIRED = {
    "attention": ("attention", "attention_text", "attention_second", {"attention_control": ""}),
    "inputs": ("inputs", "inputs_first", "inputs_second", {}),
    "inputs, as a pair": ("inputs", "inputs_first", "inputs_second", {"inputs_reading": "as a pair"}),
    "next sentence": ("pairs", "pairs_first", "pairs_second", {}),
    "two sentences": ("pairs", "pairs_first", "pairs_second", {"pairs_tab": "How alike"}),
}


@pytest.mark.parametrize("page, first, second, query", PAIRED.values(), ids=PAIRED)
def test_two_sentences_of_600_pieces_are_refused_and_a_mask_in_the_second_is_read(visit, page, first, second, query):
    at = visit(page, **{first: LONG, second: LONG}, **query)
    assert "pieces" in at.problems[0] and at.charts and at.says("Still the answer to")
    at = visit(page, **{first: "I went to the store.", second: "They were [MASK]."}, **query)
    assert not at.problems and at.charts and not at.says("Still the answer to")


@pytest.mark.parametrize("read, columns", [
    (rows.from_csv, b"sentence,edits"), (batch.from_csv, b"first,second"), (groups.from_csv, b"word,group"),
    (items.from_csv, b"sentence,word,label"),
])  # fmt: skip
def test_an_empty_file_is_refused_with_what_to_do(read, columns):
    for data in (b"", b"\n", b"\xef\xbb\xbf", columns, columns + b"\n"):
        with pytest.raises(ValueError, match=r"needs a first line|Write|Add"):
            read(data)
