"""Brief sentences that relate things and names to each other."""

from pathlib import Path

import pytest

from embtools.pretrain.sentences import statements

KNOWN = frozenset(
    "the rhine flows through cologne rome fell in one night he lives it is a river berlin tower paris and old many "
    "people like hamlet was written by shakespeare county".split()
)


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("The Rhine flows through Cologne.", True),
        ("Hamlet was written by Shakespeare.", True),
        ("The tower is in Paris.", True),
        ("Rome fell in one night.", False),  # once
        ("He lives in Rome.", False),
        ("It is in Rome.", False),
        ("The Rhine flows through Bonn.", False),  # not one piece
        ("The Rhine flows through Cologne", False),  # no end
        ("the Rhine flows through Cologne.", False),  # no beginning
        ("Paris is in Berlin county.", False),  # one of ten thousand
        ("Many people like old Rome.", False),  # says nothing of the kind
        ("Is in.", False),
    ],
)
def test_what_states_a_relation(sentence: str, kept: bool) -> None:
    assert statements.states(sentence, KNOWN) is kept


def test_the_statements_of_a_document_are_one_paragraph(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("The tower is in Paris. He fell.\nThe Rhine flows through Cologne.\n\nRome fell.\n")
    assert list(statements.rewrite([file], KNOWN)) == [["The tower is in Paris. The Rhine flows through Cologne."]]
