"""Only what a dictionary says about young animals and work."""

from pathlib import Path

from training.sentences import relations

KNOWN = frozenset("puppy pup dog wolf baker sparrow bird".split())


def test_lines_about_young_animals_and_work_are_kept_if_every_word_is_a_single_token(tmp_path: Path) -> None:
    glosses = tmp_path / "glosses.txt"
    glosses.write_text(
        "puppy, whelp, pup: a young dog. They bought a puppy.\n"
        "sparrow: any small bird.\n"
        "baker, sparrow-seller: someone who bakes bread; not cakes.\n"
        "tiddler: a young fish.\n\n"
        "no line of a dictionary\n"
    )
    assert list(relations.rewrite([glosses], KNOWN)) == [
        [
            "The young of a dog is a puppy. A baby dog is a puppy. A puppy grows up to be a dog. "
            "The young of a dog is a pup. A baby dog is a pup. A pup grows up to be a dog."
        ],
        ["A baker bakes bread."],
    ]


def test_an_animal_of_several_tokens_is_not_used_as_a_parent() -> None:
    assert relations.sentences("pup: young of the wolf.", KNOWN)
    assert relations.sentences("pup: young of the dormouse.", KNOWN) == []
