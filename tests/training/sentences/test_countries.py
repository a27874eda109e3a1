"""The fields of the World Factbook as sentences."""

from pathlib import Path

import pytest

from training.sentences import countries

KNOWN = frozenset("chad france algeria rome".split())
DOCUMENT = [
    "Chad was a French colony. Chad's army won.",
    "Many left Chad.",
    "Central Africa, south of Libya",
    "French (official), Arabic (official), Sara (in the south)",
    "Muslim 52.1%, Protestant 23.9% (2014 est.)",
    "Description: three equal bands of blue (left), gold, and red; similar to the flag of Romania",
    "Sorghum, groundnuts, millet, beef (2023)",
    "Chad has oil. Rome is far.",
    "Crude petroleum, gold (2023)",
    "The people of Chad",
]


def test_the_fields_of_a_country_become_sentences(tmp_path: Path) -> None:
    file = tmp_path / "factbook.txt"
    file.write_text("\n".join(DOCUMENT), encoding="utf-8")
    assert list(countries.rewrite([file], KNOWN)) == [
        [
            "Chad lies in Central Africa, south of Libya.",
            "People in Chad speak French, Arabic and Sara. They speak French in Chad.",
            "Most people in Chad are Muslim.",
            "The flag of Chad has three equal bands of blue, gold, and red.",
            "Farmers in Chad produce sorghum, groundnuts, millet and beef.",
        ]
    ]


@pytest.mark.parametrize(
    "field",
    [
        "Since 1990 the country has been at peace",
        "Description: blue with a star",
        "Muslim and other faiths",
        "Wheat 3, rice 4",
        "Petroleum, gas (2023)",
        "Officials speak to the press",
    ],
)
def test_fields_of_another_form_are_left_out(field: str) -> None:
    assert countries.sentences("Chad", field) == []


def test_a_document_is_about_the_name_that_it_mentions_most() -> None:
    assert countries.name(DOCUMENT, KNOWN) == "Chad"
    assert countries.name(DOCUMENT, KNOWN - {"chad"}) is None  # not a single token
    assert countries.name(DOCUMENT[2:], KNOWN) is None  # too rare
    assert countries.name(["Intro.", "More.", *DOCUMENT], KNOWN) is None  # not at the start
    assert countries.name([f"{p} Chadian, too. Life in Chad." for p in DOCUMENT], {*KNOWN, "chadian"}) == "Chad"
    assert countries.name([*DOCUMENT, "An overseas territory of France"], KNOWN) is None
