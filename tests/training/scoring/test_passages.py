"""Held-out pairs and middle sentences."""

from pathlib import Path

import pytest

from embtools.documents import is_held_out
from training.scoring import passages


@pytest.mark.slow
def test_pairs_come_from_held_out_documents_and_half_are_real(tiny, text_file: Path) -> None:
    sources = passages.held_out([(text_file, 1.0)], 60)
    held = {" ".join(d) for d in sources[0]}
    assert held <= {line for line in text_file.read_text().split("\n\n") if is_held_out([line])}
    for room, single in ((40, False), (30, True)):
        found = list(passages.pairs(sources, tiny, room, single=single))
        assert len(found) > 30
        real = [(p.first, p.second) for p in found if p.follows]
        assert 0.25 < len(real) / len(found) < 0.75
        assert all(any(f"{a} {b}" in d for d in held) for a, b in real)
        assert not any(f"{p.first} {p.second}" in d for p in found if not p.follows for d in held)
        assert max(len(tiny.tokenize(p.first, p.second)) for p in found) <= room
        assert single == all(p.first.count(".") == p.second.count(".") == 1 for p in found)
        owner = {d[0]: " ".join(d) for d in sources[0]}
        assert all(p.first in owner[p.document] for p in found)
    assert list(passages.pairs(sources, tiny, 40)) == list(passages.pairs(sources, tiny, 40))


def test_each_document_has_one_middle_sentence(tiny, text_file: Path) -> None:
    sources = passages.held_out([(text_file, 1.0)], 60)
    found = list(passages.middles(sources, tiny))
    assert len(found) == len({p.document for p in found}) == len({d[0] for d in sources[0]}) < len(sources[0])


def test_text_without_held_out_documents_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "one.txt"
    file.write_text("Rome is old.")
    with pytest.raises(ValueError, match="no held-out document"):
        passages.held_out([(file, 1.0)], 10)


def test_a_sentence_that_no_model_reads_is_left_out(tiny, text_file: Path) -> None:
    sources = passages.held_out([(text_file, 1.0)], 60)
    long = " ".join(["rome"] * 600) + "."
    for document in sources[0]:
        document[2] = long
    assert len(list(passages.pairs(sources, tiny, 40))) > 10
    assert not any(long in (p.first, p.second) for p in passages.pairs(sources, tiny, 40))
    assert not any(p.first == long for p in passages.middles([[["a", long, long]]], tiny))
