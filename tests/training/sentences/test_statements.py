"""Short sentences that state relations between things and names."""

from pathlib import Path

import pytest

from training.sentences import statements

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
        ("The Rhine flows through Bonn.", False),  # several tokens
        ("The Rhine flows through Cologne", False),  # no full stop
        ("the Rhine flows through Cologne.", False),  # does not start with a capital
        ("Paris is in Berlin county.", False),  # one of ten thousand
        ("Many people like old Rome.", False),  # states no relation
        ("Is in.", False),
    ],
)
def test_sentences_that_state_a_relation_are_kept(sentence: str, kept: bool) -> None:
    assert statements.states(sentence, KNOWN) is kept


def test_the_statements_of_a_document_become_one_paragraph(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("The tower is in Paris. He fell.\nThe Rhine flows through Cologne.\n\nRome fell.\n")
    assert list(statements.rewrite([file], KNOWN)) == [["The tower is in Paris. The Rhine flows through Cologne."]]
