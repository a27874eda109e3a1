"""Files of results: what was written is read again, with the query, the model and the version."""

import json
from pathlib import Path

import pandas as pd
import pytest

import embtools
from embtools import files
from embtools.evidence.result import COLUMNS, TEXTS

FRAME = pd.DataFrame(
    [
        ("null", "nan", "c", "{a}, [MASK]", "efficacy", "edit", True, False, True, False, "x", "y", -1.25, 2.5, ""),
        (
            "=1+1",
            "True",
            "1",
            "=cmd|' {a} [MASK]",
            "efficacy",
            "added only",
            False,
            True,
            True,
            False,
            "x",
            ",",
            0.1,
            1e-9,
            "a = b",
        ),
    ],
    columns=list(COLUMNS),
)


@pytest.mark.parametrize("name", ["cases.parquet", "cases.csv"])
def test_a_file_holds_the_cases_and_what_they_are(tmp_path: Path, tiny, name: str) -> None:  # type: ignore[no-untyped-def]
    described = files.about(tiny, query={"pairs": (("a", "b"),), "edit": "{a} = {c}"})
    files.write(FRAME, tmp_path / name, described=described)
    frame, found = files.read(tmp_path / name, texts=TEXTS)
    pd.testing.assert_frame_equal(frame, FRAME, check_dtype=False)
    assert found == described and list(tmp_path.iterdir()) == [tmp_path / name]
    assert found["model_checksum"] == tiny.checksum and found["version"] == embtools.__version__
    assert json.loads(found["query"]) == {"pairs": [["a", "b"]], "edit": "{a} = {c}"}


def test_a_csv_has_no_formula_and_its_texts_stay_texts(tmp_path: Path, tiny) -> None:  # type: ignore[no-untyped-def]
    texts = ["=cmd|' /C calc'!A0", "'=A1|x", "''-1(", " @SUM(1)", "-", "'s"]
    frame = pd.DataFrame({"a": ["1", "True", "007", "1e5", "nan", ""], "sentence": texts, "log_odds_before": range(6)})
    files.write(frame, tmp_path / "cases.csv", described=files.about(tiny, query={}))
    written = pd.read_csv(tmp_path / "cases.csv")["sentence"].tolist()
    assert written == [f"'{text}" for text in texts[:4]] + texts[4:]
    found, _ = files.read(tmp_path / "cases.csv", texts=TEXTS)
    assert found["a"].tolist() == frame["a"].tolist() and found["sentence"].tolist() == texts
    assert found["log_odds_before"].tolist() == list(range(6))


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("cases.txt", b"", "must end in .parquet or .csv"),
        ("cases.csv", b"", "damaged"),
        ("cases.csv", b"a,b\nrome,italy\n", "damaged"),
        ("cases.csv", b"version,model,model_checksum,query\n", "damaged"),
        ("cases.parquet", b"PAR1", "damaged"),
        ("missing.parquet", None, "damaged"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, name: str, data: bytes | None, words: str) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=words):
        files.read(tmp_path / name)


def test_parquet_without_a_description_is_refused(tmp_path: Path) -> None:
    FRAME.to_parquet(tmp_path / "other.parquet")
    with pytest.raises(ValueError, match="was not written by this program"):
        files.read(tmp_path / "other.parquet")


def test_a_long_query_is_in_the_first_row_of_a_csv_only(tmp_path: Path, tiny, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(files, "MAX_REPEATED", 2_000)
    frame = pd.DataFrame({"a": ["rome", "paris", "1"], "n": [1, 2, 3]})
    for query, rows in (({"pairs": "x"}, 3), ({"pairs": "x" * 1_000}, 1)):
        described = files.about(tiny, query=query)
        files.write(frame, tmp_path / "cases.csv", described=described)
        written = pd.read_csv(tmp_path / "cases.csv")["query"]
        assert written.notna().tolist() == [number < rows for number in range(3)]
        found, read = files.read(tmp_path / "cases.csv", texts=["a"])
        pd.testing.assert_frame_equal(found, frame)
        assert read == described
    files.write(frame[:0], tmp_path / "none.csv", described=described)
