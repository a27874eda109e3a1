"""The one command line of the two programs that make training text."""

from pathlib import Path

from embtools.pretrain import articles, glosses
from embtools.pretrain.text import is_held_out, read_documents


def test_what_is_made_from_training_documents_never_passes_for_held_out(start: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "text.txt", tmp_path / "out.txt"
    for program, document in (
        (glosses, "ba: a dog number {:05}."),
        (articles, "A ba is dog number {:05}. " + "It barks. " * 30),
    ):
        file.write_text("\n\n".join(document.format(i) for i in range(2000)), encoding="utf-8")
        assert program.main([str(file), "--vocabulary", str(start), "--out", str(out)]) == 0
        written = list(read_documents(out))
        assert 1900 < len(written) < 2000
        assert not any(map(is_held_out, written))
