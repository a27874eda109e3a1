"""Many sentences at once: what is read, what is refused, and that each line is what one sentence alone gives."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies

from embtools import fill_mask
from embtools.arithmetic import controls, verdict
from embtools.arithmetic.many import MAX_CHARACTERS, MAX_ROWS, answers, from_csv, read_rows, write_rows
from embtools.mask_filling.edits import Change

EDIT = "rome = rome - italy + france"
ROWS = (
    ("Rome is the capital of ___.", (EDIT,)),
    ("[MASK] is the capital of rome [MASK].", (EDIT, "the = a")),
    ("The king is [MASK].", ()),
    ("The king is old.", ()),
    ("The king is [MASK].", (EDIT,)),
)
CELL = strategies.text("ab ,;=\"'", min_size=1, max_size=8).map(str.strip).filter(bool)


@pytest.mark.parametrize(("scope", "k"), [("input", 1), ("tied", 3)])
def test_each_row_is_what_fill_mask_gives(tiny, scope, k) -> None:  # type: ignore[no-untyped-def]
    found = answers(ROWS, k, model=tiny, scope=scope, strength=0.8, leave_out=("king",))
    good = found[found["problem"] == ""]
    for number in (1, 2, 3):
        sentence, edits = ROWS[number - 1]
        text = sentence.replace("___", "[MASK]")
        named = {"scope": scope, "strength": 0.8, "leave_out": ("king",)}
        shown = good[good["row"] == number]
        for run, column in (((), "before"), (edits, "after")):
            alone = fill_mask(text, tiny, k, edits=run, **named)
            assert shown[column].tolist() == alone["token"].tolist()
            np.testing.assert_allclose(shown[f"probability_{column}"], alone["probability"], atol=1e-6)
        assert shown["rank"].tolist() == [*range(1, k + 1)] * text.count("[MASK]")
        assert set(shown["edits"]) == {"; ".join(edits)}


def test_a_row_that_cannot_be_read_says_why_and_the_others_go_on(tiny) -> None:  # type: ignore[no-untyped-def]
    found = answers(ROWS, model=tiny).set_index("row")
    assert "has no [MASK]" in found.loc[4, "problem"]
    assert "'rome' is not in the sentence" in found.loc[5, "problem"]
    assert found.loc[3, "problem"] == "" and found.loc[4, "after"] == "" and pd.isna(found.loc[4, "rank"])
    only = answers([("no mask", ())], model=tiny)
    assert len(only) == 1 and list(only.columns) == list(found.reset_index().columns)


def test_the_controls_are_those_of_the_experiment(bundled) -> None:  # type: ignore[no-untyped-def]
    rows = [("Rome is the capital of ___.", (EDIT,)), ("Rome is in ___.", ())]
    found = answers(rows, 2, model=bundled, with_controls=True, draws=3, seed=2)
    alone = controls.experiment("Rome is the capital of [MASK].", Change.of((EDIT,)), 2, model=bundled, draws=3, seed=2)
    first, second, *rest = (line for _, line in found.iterrows())
    assert first["finding"] == verdict.finding(alone)
    for line in alone.summary.itertuples():
        assert first[line.control] == pytest.approx(line.mean, rel=1e-5)
    assert [line["finding"] for line in (second, *rest)] == [""] * 3  # a finding stands beside the first answer alone
    assert found["random difference"].notna().sum() == 1


def test_limits(tiny) -> None:  # type: ignore[no-untyped-def]
    for rows, k, sentence in (
        ([], 1, "There is no sentence"),
        ([("Rome is [MASK].", ())] * (MAX_ROWS + 1), 1, "There are 201 rows; at most 200"),
        ([("", ())], 1, "Row 1 has no sentence"),
        (ROWS, 0, "0 answers were asked for"),
        (ROWS, 101, "101 answers were asked for"),
    ):
        with pytest.raises(ValueError, match=sentence):
            answers(rows, k, model=tiny)


def test_progress_is_told_after_each_row_and_may_stop(tiny) -> None:  # type: ignore[no-untyped-def]
    told: list[float] = []
    answers(ROWS, model=tiny, progress=told.append)
    assert told == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])

    def stop(done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answers(ROWS, model=tiny, progress=stop)


# The table as text and as a file


def test_a_text_is_read_line_by_line() -> None:
    assert read_rows("  a ___ | x = y ;; z = w; \n\n b ___|\nc | d | e\n") == (
        ("a ___", ("x = y", "z = w")),
        ("b ___", ()),
        ("c", ("d | e",)),
    )


@given(strategies.lists(strategies.tuples(CELL, strategies.lists(CELL.filter(lambda c: ";" not in c), max_size=3))))
def test_what_is_written_is_read_again(rows) -> None:  # type: ignore[no-untyped-def]
    rows = tuple((sentence, tuple(edits)) for sentence, edits in rows)
    if rows:
        assert read_rows(write_rows(rows)) == rows
        file = pd.DataFrame([(s, "; ".join(e)) for s, e in rows], columns=["Sentence ", "EDITS"])
        assert from_csv(file.to_csv(index=False).encode()) == rows


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is no sentence"),
        ("| rome = italy", "Row 1 has no sentence"),
        ("a\n" * 201, "There are 201 rows"),
        ("x" * (MAX_CHARACTERS + 1), "60,001 characters; at most 60,000"),
    ],
)
def test_texts_that_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read_rows(text)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "first line with the columns sentence and edits"),
        (b"text,edits\na,b\n", "first line with the columns sentence and edits"),
        (b"sentence\n", "There is no sentence"),
        (b"sentence,edits\n,rome = italy\n", "Row 1 has no sentence"),
        (b"sentence,edits\na|b,\n", "Row 2 of the file has a bar"),
        ("sentence\n'a\u2028b'\n".encode(), "Row 2 of the file has a bar or the end of a line"),
        (b'sentence\n"a\nb"\n', "Row 2 of the file has a bar or the end of a line"),
        (b"\xff\xfe", "is not text in UTF-8"),
        (b"sentence\n" + b"x" * 300_000, "at most 240,000 are read"),
        (b'sentence\n"' + b"x" * 140_000, "cannot be read as CSV"),
    ],
)
def test_files_that_are_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        from_csv(data)


def test_a_file_without_edits_and_with_a_mark_of_its_order_is_read() -> None:
    assert from_csv(b"\xef\xbb\xbfid,sentence\n1,The king is ___.\n") == (("The king is ___.", ()),)
