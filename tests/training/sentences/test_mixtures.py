"""Which colour a mixture of two colours has."""

from pathlib import Path

import pytest

from training.sentences import mixtures

KNOWN = frozenset("red yellow blue green orange purple gray black white pink".split())


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Orange is mixed from red and yellow.", [("orange", ("red", "yellow"))]),
        ("Gray or grey is the color of black mixed with white.", []),  # not in a known form
        ("Grey is a mixture of black and white.", [("gray", ("black", "white"))]),
        ("Purple is a color between red and blue.", [("purple", ("blue", "red"))]),
        ("Blue is the color between green and purple.", []),  # not about mixing
        ("Green is a mixture of blue and yellow light.", []),
        ("Violet is made of red and blue.", []),  # not a known word
        ("Its coat is a mixture of red and white, and its tail is black.", []),
        ("Orange, red and yellow leaves fall.", []),
        ("Brown is a mixture of red, green, blue and yellow.", []),
        ("Orange is orange mixed with orange and red.", []),
        ("pink, pinkish: of a light shade of red.", [("pink", ("red", "white"))]),
        ("brown: a light shade of orange and red.", []),
    ],
)
def test_the_components_of_a_colour_are_read_from_a_sentence(sentence: str, found: list) -> None:
    assert list(mixtures.stated(sentence, KNOWN)) == found


def test_a_mixture_must_occur_twice_or_in_the_dictionary_and_the_most_frequent_one_is_used(tmp_path: Path) -> None:
    glosses, text = tmp_path / "glosses.txt", tmp_path / "text.txt"
    glosses.write_text("purple: a color between red and blue.\n")
    text.write_text(
        "Green is a mixture of blue and yellow. Pink is a mixture of red and white.\n"
        "Orange is a mixture of blue and yellow. Green is mixed from yellow and blue.\n"
    )
    found = [d[0] for d in mixtures.rewrite([glosses, text], KNOWN)]
    assert found == [
        " ".join(mixtures.sentences("blue", "red", "purple")),
        " ".join(mixtures.sentences("red", "blue", "purple")),
        " ".join(mixtures.sentences("blue", "yellow", "green")),
        " ".join(mixtures.sentences("yellow", "blue", "green")),
    ]
