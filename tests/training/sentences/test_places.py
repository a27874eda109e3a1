"""Cities and their countries in many wordings."""

import re
from collections import Counter
from pathlib import Path

import pytest

from training.sentences import places
from training.sentences.apart import of_a_suite

KNOWN = frozenset("norway sweden england guinea".split())
NAMES = {"Norway", "Sweden", "England", "Guinea"}


@pytest.mark.parametrize(
    ("opening", "found"),
    [
        ("Bergen is a city in Norway.", ("Norway", "Bergen")),
        ("Bergen is a city and municipality in Norway.", ("Norway", "Bergen")),
        ("Bergen (or Bjorgvin) is the second largest city in the west of Norway.", ("Norway", "Bergen")),
        ("Bergen is a port in western Norway.", ("Norway", "Bergen")),
        ("Boston is a city in New England.", None),
        ("Bergen was a city in Norway.", None),  # it may be in another country now
        ("Lund is a city in Sweden's south.", None),
        ("Bergen is a city in Scandinavia.", None),
        ("They met in Bergen. It is a city in Norway.", None),
        ("Lae is a city in Guinea-Bissau.", None),
    ],
)
def test_the_country_is_read_from_an_article_about_a_city(opening: str, found: tuple[str, str] | None) -> None:
    assert places.city(opening, NAMES) == found


def test_countries_with_two_cities_get_a_document_and_disputed_cities_are_left_out(tmp_path: Path) -> None:
    factbook, text = tmp_path / "factbook.txt", tmp_path / "text.txt"
    about = ["{0} is a country.", "People live in {0}.", "{0} is old.", "{0} is cold."]
    factbook.write_text(
        "\n\n".join("\n".join(s.format(name) for s in about) for name in ("Norway", "Sweden", "England"))
    )
    towns = {"Bergen": "Norway", "Alta": "Norway", "Lund": "Sweden", "York": "England", "Leeds": "England"}
    openings = [f"{town} is a city in {country}." for town, country in towns.items()]
    openings += ["Kiruna is a city in Sweden.", "Kiruna is a city in Norway.", "Bodo is a city in Denmark."]
    text.write_text("\n\n".join(openings))
    found = [document[0] for document in places.rewrite([factbook, text], KNOWN)]
    assert found == [
        " ".join(places.sentences(country, pair))
        for country, pair in (("England", ["Leeds", "York"]), ("Norway", ["Alta", "Bergen"]))
    ]


def test_cities_alternate_between_wordings_and_no_sentence_is_in_a_test_suite() -> None:
    towns = [f"Town{letter}" for letter in "abcdefghijklmno"]
    written = places.sentences("Norway", towns)
    assert len(set(written)) == len(written) == places.WORDINGS_PER_CITY * len(towns)
    assert all("Norway" in sentence and not of_a_suite(sentence) for sentence in written)
    forms = Counter(re.sub(r"Town[a-o]", "X", sentence) for sentence in written)
    assert set(forms.values()) == {places.WORDINGS_PER_CITY}  # each wording is used as often as any other
    assert len(forms) == len(towns)
