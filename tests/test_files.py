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
    beside = {"cases.settings.json"} if name.endswith(".csv") else set()
    assert found == described and {path.name for path in tmp_path.iterdir()} == {name} | beside
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


def test_a_csv_is_one_plain_table_and_its_settings_are_in_a_file_of_their_own(tmp_path: Path, tiny) -> None:  # type: ignore[no-untyped-def]
    frame = pd.DataFrame({"a": ["rome", "paris", "1"] * 1_000, "n": range(3_000)})
    described = files.about(tiny, query={"pairs": [["é", "x" * 2_000]], "strength": 0.1})
    for rows in (frame, frame[:0]):
        files.write(rows, tmp_path / "cases.csv", described=described)
        assert (tmp_path / "cases.csv").read_text().splitlines()[0] == "a,n"
        found, read = files.read(tmp_path / "cases.csv", texts=["a"])
        pd.testing.assert_frame_equal(found, rows, check_dtype=len(rows) > 0)
        assert read == described
    files.write(frame, tmp_path / "cases.csv", described=described)
    assert (tmp_path / "cases.csv").stat().st_size < 40_000
    settings = json.loads((tmp_path / "cases.settings.json").read_text(encoding="utf-8"))
    assert settings["query"] == {"pairs": [["é", "x" * 2_000]], "strength": 0.1}
    (tmp_path / "cases.settings.json").unlink()
    with pytest.raises(ValueError, match=r"'cases.settings.json' is missing"):
        files.read(tmp_path / "cases.csv")
