"""Relatives, such as aunts, from a dictionary."""

from pathlib import Path

from training.sentences import kin

KNOWN = frozenset("aunt father mother queen king son prince sparrow bird niece brother".split())


def test_lines_about_relatives_are_also_written_from_the_other_side_if_each_word_is_a_single_token(
    tmp_path: Path,
) -> None:
    glosses = tmp_path / "glosses.txt"
    glosses.write_text(
        "aunt, auntie: the sister of your father or mother; the wife of your uncle.\n"
        "queen: the wife or widow of a king.\n\n"
        "niece: a daughter of your brother or sister.\n"  # "sister" is not a known word in this test
        "sparrow: any small bird.\n"
        "prince: a male member of a royal family other than the sovereign.\n"
    )
    assert list(kin.rewrite([glosses], KNOWN)) == [
        [
            "My father's sister is my aunt. Your father's sister is called your aunt. "
            "My aunt is the sister of my father. My mother's sister is my aunt. "
            "Your mother's sister is called your aunt. My aunt is the sister of my mother."
        ],
        ["A king's wife is a queen. A king's wife is called a queen. A queen is the wife of a king."],
        [
            "My brother's daughter is my niece. Your brother's daughter is called your niece. "
            "My niece is the daughter of my brother."
        ],
    ]


def test_a_longer_definition_has_another_meaning() -> None:
    assert kin.sentences("queen: the wife of a king who reigns.", KNOWN) == []
    assert kin.sentences("queen: the picture of a king.", KNOWN) == []
