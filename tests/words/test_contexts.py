"""Near words counted by a plain loop, and the command that writes the list."""

import lzma
import math
from collections import Counter

import pandas as pd
import pytest

from embtools.words import contexts

LINES = ["The red apple and the red car.", "A blue car, a blue sky.", "Red sky at night.", "The car is blue"]


def test_associations_are_those_of_a_plain_loop() -> None:
    found = contexts.uses(LINES, ("red", "blue"), window=1, common=3)
    tokens = [contexts._WORD.findall(line.lower()) for line in LINES]
    near = {word: Counter() for word in ("red", "blue")}
    for line in tokens:
        for i, token in enumerate(line):
            if token in near:
                near[token].update(line[k] for k in (i - 1, i + 1) if 0 <= k < len(line))
    every = Counter(token for line in tokens for token in line)
    columns = [word for word, _ in (near["red"] + near["blue"]).most_common(3)]
    for row, word in zip(found, ("red", "blue"), strict=True):
        for value, column in zip(row, columns, strict=True):
            p = near[word][column] / near[word].total() / (every[column] / every.total())
            assert value == pytest.approx(max(0, math.log(p)) if p else 0)


def test_words_with_the_same_neighbours_are_similar() -> None:
    lines = ["a red car here", "a blue car here", "my green tea cup"] * 3
    frame = contexts.similarities(lines, ("red", "blue", "green")).set_index(["first", "second"])["similarity"]
    assert frame["red", "blue"] == 1 and frame["red", "green"] == 0
    with pytest.raises(ValueError, match="does not contain 'pink'"):
        contexts.uses(lines, ("red", "pink"))


def test_the_command_writes_all_pairs_of_colours(tmp_path, monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    colours = pd.read_csv(contexts._FILE)
    words = sorted({*colours["first"], *colours["second"]})
    text = "\n".join(f"the {word} thing{n}" for n, word in enumerate(words))
    (tmp_path / "a.txt").write_text(text)
    with lzma.open(tmp_path / "b.txt.xz", "wt") as file:
        file.write(text)
    monkeypatch.setattr(contexts, "_FILE", tmp_path / "list.csv")
    assert contexts.main([str(tmp_path / "a.txt"), str(tmp_path / "b.txt.xz")]) == 0
    assert len(pd.read_csv(tmp_path / "list.csv")) == 210 == len(colours)
    assert "210 pairs are in" in capsys.readouterr().out
    assert contexts.main([]) == 1 and colours["similarity"].between(0, 1).all()
