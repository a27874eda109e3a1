"""Sentences written from texts: capitals, cities, countries, colours, and sentences that are kept as they are."""

import re
from collections import Counter
from pathlib import Path

import pytest

from training.sentences import articles, capitals, colours, countries, everyday, mixtures, places, statements
from training.sentences.apart import of_a_suite

# Capitals and their countries in many wordings

CAPITALS_KNOWN = frozenset(
    "norway oslo sunday india delhi haiti prince egypt cairo alexandria serbia kosovo china nanjing".split()
)


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("They met in Oslo, the capital and largest city of Norway.", [("Norway", "Oslo")]),
        ("Norway’s capital is Oslo.", [("Norway", "Oslo")]),
        ("New Delhi is the capital of India.", []),
        ("They met in Norway's capital Oslo.", [("Norway", "Oslo")]),
        ("They met in Norway's capital Sunday.", []),
        ("Nanjing, the capital of China at the time, was lost.", []),
        ("Nanjing is the capital of China's Jiangsu Province.", []),
        ("Bergen, the capital of Norway.", []),  # not a known word
        ("Oslo, the capital of Oslo.", []),
    ],
)
def test_capitals_are_read_from_a_sentence(sentence: str, found: list) -> None:
    assert list(capitals.stated(sentence, CAPITALS_KNOWN)) == found


def _about(country: str, sentence: str) -> list[str]:
    return [f"{country} is a country.", f"People live in {country}.", f"{country} is old.", f"{country}: {sentence}"]


def test_the_factbook_names_the_capital_of_the_documents_country() -> None:
    documents = [
        _about("Norway", "most people live around the capital of Oslo."),
        _about("Kosovo", "many fled to the capital of Serbia."),
        _about("Serbia", "a river."),
        *[_about("Egypt", "the capital is Cairo.")] * 2,
    ]
    found = capitals.of_the_factbook(iter(documents), CAPITALS_KNOWN)
    assert found == {"Norway": Counter({"Oslo": 1}), "Kosovo": Counter(), "Serbia": Counter(), "Egypt": Counter()}


def test_the_most_frequent_capital_is_used_and_names_of_other_places_must_occur_twice(tmp_path: Path) -> None:
    factbook, text = tmp_path / "factbook.txt", tmp_path / "text.txt"
    factbook.write_text("\n".join(_about("Norway", "around the capital of Oslo.")) + "\n")
    text.write_text(
        "He came to Alexandria, the capital of Egypt. Cairo is the capital of Egypt. Cairo, the capital of Egypt.\n"
        "Delhi is the capital of India. Nanjing, the capital of China. Cairo, the capital of China.\n"
    )
    found = [d[0] for d in capitals.rewrite([factbook, text], CAPITALS_KNOWN)]
    assert found == [" ".join(capitals.sentences(*pair)) for pair in (("Norway", "Oslo"), ("Egypt", "Cairo"))]


def test_each_sentence_names_capital_and_country_and_is_in_no_test_suite() -> None:
    written = capitals.sentences("Norway", "Oslo")
    assert len(set(written)) == len(written) >= 30
    assert all("Norway" in s and "Oslo" in s and not of_a_suite(s) for s in written)


# Cities and their countries in many wordings

PLACES_KNOWN = frozenset("norway sweden england guinea".split())
NAMES = {"Norway", "Sweden", "England", "Guinea"}


@pytest.mark.parametrize(
    ("opening", "found"),
    [
        ("Bergen is a city in Norway.", ("Norway", "Bergen")),
        ("Bergen (or Bjorgvin) is the second largest city in the west of Norway.", ("Norway", "Bergen")),
        ("Boston is a city in New England.", None),
        ("Bergen was a city in Norway.", None),  # it may be in another country now
        ("Bergen is a city in Scandinavia.", None),
        ("They met in Bergen. It is a city in Norway.", None),
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
    found = [document[0] for document in places.rewrite([factbook, text], PLACES_KNOWN)]
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


# The fields of the World Factbook as sentences

COUNTRIES_KNOWN = frozenset("chad france algeria rome".split())
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
    assert list(countries.rewrite([file], COUNTRIES_KNOWN)) == [
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
        "Muslim and other faiths",
        "Petroleum, gas (2023)",
        "Officials speak to the press",
    ],
)
def test_fields_of_another_form_are_left_out(field: str) -> None:
    assert countries.sentences("Chad", field) == []


def test_a_document_is_about_the_name_that_it_mentions_most() -> None:
    assert countries.name(DOCUMENT, COUNTRIES_KNOWN) == "Chad"
    assert countries.name(DOCUMENT, COUNTRIES_KNOWN - {"chad"}) is None  # not a single token
    assert countries.name(DOCUMENT[2:], COUNTRIES_KNOWN) is None  # too rare
    assert countries.name(["Intro.", "More.", *DOCUMENT], COUNTRIES_KNOWN) is None  # not at the start
    assert (
        countries.name([f"{p} Chadian, too. Life in Chad." for p in DOCUMENT], {*COUNTRIES_KNOWN, "chadian"}) == "Chad"
    )
    assert countries.name([*DOCUMENT, "An overseas territory of France"], COUNTRIES_KNOWN) is None


# The colours of things

COLOURS_KNOWN = frozenset("snow swans sky coal smith house leaves lemon zebra the".split())


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
        ("zebra: black and white horse.", []),  # not one colour
    ],
)
def test_colours_of_things_are_read_from_texts(text: str, found: list) -> None:
    assert list(colours.stated(text, COLOURS_KNOWN)) == found


def test_a_thing_gets_a_colour_only_if_texts_say_it_often_enough(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text(
        "It is snow-white, as white as snow. Snow is white. Snow is gray.\n"  # 3 of 4
        "It is coal-black.\n"  # once
        "Leaves are green. Leaves are green. Leaves are green. Leaves are red. Leaves are yellow.\n"  # 3 of 5
        "The sky is grey. The sky is gray. The sky is grey.\n"
    )
    found = [d[0] for d in colours.rewrite([file], COLOURS_KNOWN)]
    assert found == [" ".join(colours.sentences("snow", "white")), " ".join(colours.sentences("sky", "gray"))]


# Which colour a mixture of two colours has

MIXTURES_KNOWN = frozenset("red yellow blue green orange purple gray black white pink".split())


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Orange is mixed from red and yellow.", [("orange", ("red", "yellow"))]),
        ("Gray or grey is the color of black mixed with white.", []),  # not in a known form
        ("Grey is a mixture of black and white.", [("gray", ("black", "white"))]),
        ("Purple is a color between red and blue.", [("purple", ("blue", "red"))]),
        ("Green is a mixture of blue and yellow light.", []),
        ("Violet is made of red and blue.", []),  # not a known word
        ("Brown is a mixture of red, green, blue and yellow.", []),
        ("Orange is orange mixed with orange and red.", []),
        ("pink, pinkish: of a light shade of red.", [("pink", ("red", "white"))]),
    ],
)
def test_the_components_of_a_colour_are_read_from_a_sentence(sentence: str, found: list) -> None:
    assert list(mixtures.stated(sentence, MIXTURES_KNOWN)) == found


def test_a_mixture_must_occur_twice_or_in_the_dictionary_and_the_most_frequent_one_is_used(tmp_path: Path) -> None:
    glosses, text = tmp_path / "glosses.txt", tmp_path / "text.txt"
    glosses.write_text("purple: a color between red and blue.\n")
    text.write_text(
        "Green is a mixture of blue and yellow. Pink is a mixture of red and white.\n"
        "Orange is a mixture of blue and yellow. Green is mixed from yellow and blue.\n"
    )
    found = [d[0] for d in mixtures.rewrite([glosses, text], MIXTURES_KNOWN)]
    assert found == [
        " ".join(mixtures.sentences("blue", "red", "purple")),
        " ".join(mixtures.sentences("red", "blue", "purple")),
        " ".join(mixtures.sentences("blue", "yellow", "green")),
        " ".join(mixtures.sentences("yellow", "blue", "green")),
    ]


# First paragraphs of articles about known words


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("Snow is a form of ice.", "snow"),
        ("The oboe (pronounced OH-boh) is a woodwind instrument.", "oboe"),
        ("Lodging or holiday accommodation is a place to sleep.", "lodging"),
        ("An ox, or a bullock, is a large animal.", "ox"),
        ("To dig means to make a hole.", "dig"),
        ("New York is a city.", None),
        ("He was a king.", None),
        ("These are lists.", None),
        ("Core is the first album of a band, released in 1992.", None),
        ("", None),
    ],
)
def test_an_article_is_about_the_word_that_its_first_sentence_defines(sentence: str, word: str | None) -> None:
    assert articles.subject(sentence) == word


def test_the_opening_of_an_article_keeps_its_paragraphs_and_ends_after_twenty_sentences(tmp_path: Path) -> None:
    paragraphs = [
        "A cat is a pet. It purrs. It sleeps.",
        *(f"Cat number {i} sleeps. So does its kitten." for i in range(30)),
    ]
    file = tmp_path / "wiki.txt"
    file.write_text("\n".join(paragraphs), encoding="utf-8")
    (kept,) = articles.rewrite([file], {"cat"})
    assert kept == [*paragraphs[:9], "Cat number 8 sleeps."]
    assert list(articles.rewrite([file], {"dog"})) == []


# Everyday sentences

EVERYDAY_KNOWN = frozenset(
    "bees make honey in the city of rome it is sweet and he made as sugar many flowers a".split()
)


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("Bees make honey.", True),
        ("Many bees, and flowers, make honey as sweet as sugar.", True),
        ("bees make honey.", False),  # the end of a longer sentence
        ("Make honey.", False),  # two words
        ("Bees make wax.", False),  # a word of several tokens
        ("Bees make honey in Rome.", False),  # a name
        ("Bees made honey in 1900.", False),  # a year
        ("It is sweet honey.", False),  # refers to something outside the sentence
        ("Bees make " + "sweet " * 12 + "honey.", False),  # long
    ],
)
def test_only_general_sentences_about_things_are_kept(sentence: str, kept: bool) -> None:
    assert everyday.is_everyday(sentence, EVERYDAY_KNOWN) is kept


# Short sentences that state relations between things and names

STATEMENTS_KNOWN = frozenset(
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
        ("It is in Rome.", False),
        ("The Rhine flows through Bonn.", False),  # several tokens
        ("The Rhine flows through Cologne", False),  # no full stop
        ("Paris is in Berlin county.", False),  # one of ten thousand
        ("Many people like old Rome.", False),  # states no relation
    ],
)
def test_sentences_that_state_a_relation_are_kept(sentence: str, kept: bool) -> None:
    assert statements.states(sentence, STATEMENTS_KNOWN) is kept


def test_the_statements_of_a_document_become_one_paragraph(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("The tower is in Paris. He fell.\nThe Rhine flows through Cologne.\n\nRome fell.\n")
    assert list(statements.rewrite([file], STATEMENTS_KNOWN)) == [
        ["The tower is in Paris. The Rhine flows through Cologne."]
    ]
