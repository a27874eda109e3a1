"""The colours of things."""

from pathlib import Path

import pytest

from training.sentences import colours

KNOWN = frozenset("snow swans sky coal smith house leaves lemon zebra the".split())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A snow-white house.", [("snow", "white")]),
        ("It was as black as coal.", [("coal", "black")]),
        ("Swans are usually white.", [("swans", "white")]),
        ("The sky is blue, the leaves are green.", [("sky", "blue"), ("leaves", "green")]),
        ("The sky is blue cheese. A white house. Smith-Brown. He is as old as coal. The-white.", []),
        ("lemon: yellow oval fruit. Green.", [("lemon", "yellow")] * colours.DEFINED),
        ("polar bear, Ursus maritimus: white bear of the north.", [("polar bear", "white")] * colours.DEFINED),
        ("white ant: white insect.", []),  # the name contains the colour
        ("argent: of lustrous gray.", []),  # not a thing
        ("cup: a plant with yellow flowers.", []),  # not its own colour
        ("zebra: black and white horse.", []),  # not one colour
        ("the: a bluish thing; red.", []),
    ],
)
def test_colours_of_things_are_read_from_texts(text: str, found: list) -> None:
    assert list(colours.stated(text, KNOWN)) == found


def test_a_thing_gets_a_colour_only_if_texts_say_it_often_enough(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text(
        "It is snow-white, as white as snow. Snow is white. Snow is gray.\n"  # 3 of 4
        "It is coal-black.\n"  # once
        "Leaves are green. Leaves are green. Leaves are green. Leaves are red. Leaves are yellow.\n"  # 3 of 5
        "The sky is grey. The sky is gray. The sky is grey.\n"
    )
    found = [d[0] for d in colours.rewrite([file], KNOWN)]
    assert found == [" ".join(colours.sentences("snow", "white")), " ".join(colours.sentences("sky", "gray"))]
