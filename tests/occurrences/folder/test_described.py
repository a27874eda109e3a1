"""A word of a folder in its sentence."""

import numpy as np
import pytest

from embtools.occurrences.folder import encoder
from embtools.occurrences.folder.described import described, sentence_positions
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.writing import encode_texts

TEXT = "The bank, of the river. A bank works!\nShe is unbelievably blue; is she?\n"


def test_the_word_is_at_its_stated_position(bundled, tmp_path, monkeypatch):
    monkeypatch.setattr(encoder, "_loaded", lambda name, device="cpu": bundled)
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    encode_texts([tmp_path / "text.txt"], str(tmp_path / "out"), encoder.ModelEncoder())
    folder = CorpusFolder.open(str(tmp_path / "out"))
    rows = folder.files.rows(0, len(folder)).table
    found = sentence_positions(folder, bundled, occ=rows["occ"].to_numpy())
    for word, place in zip(rows["word"], found.itertuples(), strict=True):
        assert place.text[place.start : place.end].lower() == word
    table = described(
        folder, bundled, occ=rows["occ"].to_numpy()[:2], words=rows["word"][:2], cosine=np.array([1.0, 0.5])
    )
    assert list(table.columns) == ["rank", "word", "cosine", "sense", "text", "start", "end"]
    assert table["rank"].tolist() == [1, 2] and table["cosine"].tolist() == [1, 0.5] and set(table["sense"]) == {""}
    assert described(folder, bundled, occ=rows["occ"].to_numpy()[:0], words=[]).empty
    with pytest.raises(ValueError, match="encoded with the model 'bundled'"):
        folder.check(type("Other", (), {"checksum": "x", "tokenizer_checksum": "y", "name": "other"})())
