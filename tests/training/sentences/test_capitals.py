"""Capitals and their countries in many wordings."""

from collections import Counter
from pathlib import Path

import pytest

from training.sentences import capitals
from training.sentences.apart import of_a_suite

KNOWN = frozenset(
    "norway oslo sunday india delhi haiti prince egypt cairo alexandria serbia kosovo china nanjing".split()
)


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("They met in Oslo, the capital and largest city of Norway.", [("Norway", "Oslo")]),
        ("The capital city of Norway is Oslo.", [("Norway", "Oslo")]),
        ("Norway’s capital is Oslo.", [("Norway", "Oslo")]),
        ("New Delhi is the capital of India.", []),
        ("It is near Port-au-Prince, the capital of Haiti.", []),
        ("They met in Norway's capital Oslo.", [("Norway", "Oslo")]),
        ("They met in Norway's capital Sunday.", []),
        ("Nanjing, the capital of China at the time, was lost.", []),
        ("Nanjing is the capital of China's Jiangsu Province.", []),
        ("In 1905 Oslo, the capital of Norway, had another name.", []),
        ("Bergen, the capital of Norway.", []),  # not a known word
        ("Oslo, the capital of Oslo.", []),
    ],
)
def test_capitals_are_read_from_a_sentence(sentence: str, found: list) -> None:
    assert list(capitals.stated(sentence, KNOWN)) == found


def _about(country: str, sentence: str) -> list[str]:
    return [f"{country} is a country.", f"People live in {country}.", f"{country} is old.", f"{country}: {sentence}"]


def test_the_factbook_names_the_capital_of_the_documents_country() -> None:
    documents = [
        _about("Norway", "most people live around the capital of Oslo."),
        _about("Kosovo", "many fled to the capital of Serbia."),
        _about("Serbia", "a river."),
        *[_about("Egypt", "the capital is Cairo.")] * 2,
    ]
    found = capitals.of_the_factbook(iter(documents), KNOWN)
    assert found == {"Norway": Counter({"Oslo": 1}), "Kosovo": Counter(), "Serbia": Counter(), "Egypt": Counter()}


def test_the_most_frequent_capital_is_used_and_names_of_other_places_must_occur_twice(tmp_path: Path) -> None:
    factbook, text = tmp_path / "factbook.txt", tmp_path / "text.txt"
    factbook.write_text("\n".join(_about("Norway", "around the capital of Oslo.")) + "\n")
    text.write_text(
        "He came to Alexandria, the capital of Egypt. Cairo is the capital of Egypt. Cairo, the capital of Egypt.\n"
        "Delhi is the capital of India. Nanjing, the capital of China. Cairo, the capital of China.\n"
    )
    found = [d[0] for d in capitals.rewrite([factbook, text], KNOWN)]
    assert found == [" ".join(capitals.sentences(*pair)) for pair in (("Norway", "Oslo"), ("Egypt", "Cairo"))]


def test_each_sentence_names_capital_and_country_and_is_in_no_test_suite() -> None:
    written = capitals.sentences("Norway", "Oslo")
    assert len(set(written)) == len(written) >= 30
    assert all("Norway" in s and "Oslo" in s and not of_a_suite(s) for s in written)
