"""The word list of training wordings is what the modules write now."""

import pandas as pd

from embtools import wordlists
from training.sentences import wordings


def test_the_stored_wordings_are_current() -> None:
    """If this fails after a wording was changed: python -m training.sentences.wordings"""
    pd.testing.assert_frame_equal(wordlists.load("training_wordings"), wordings.wordings(), check_dtype=False)


def test_wordings_have_both_words_and_no_example() -> None:
    for text in wordings.wordings()["wording"]:
        assert "{a}" in text and "{b}" in text
        assert not {"lamb", "Arabic", "Africa", "bird"} & set(text.replace(".", "").split()), text


def test_the_command_writes_the_list(tmp_path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(wordings, "_FILE", tmp_path / "list.csv")
    assert wordings.main() == 0 and "wordings are in" in capsys.readouterr().out
    assert len(pd.read_csv(tmp_path / "list.csv")) == len(wordings.wordings())
