"""Sentences that no generated text may contain."""

import re

import pytest

from embtools import wordlists
from training.sentences import apart
from training.text import split_sentences

CLOZE = wordlists.load("cloze")


def test_every_sentence_of_every_suite_is_refused_with_every_answer() -> None:
    for sentence, answers in zip(CLOZE.sentence, CLOZE.answer, strict=True):
        for answer in answers.split("|"):
            filled = sentence.replace("[MASK]", answer)
            assert apart.of_a_suite(filled), filled
            assert apart.of_a_suite(filled.upper())


@pytest.mark.parametrize("suite", [s for s in CLOZE.suite.unique() if s != "facts"])
def test_templates_of_every_suite_but_the_facts_are_refused_with_other_words_too(suite: str) -> None:
    for sentence in CLOZE.sentence[CLOZE.suite == suite]:
        if sentence == "The stop light at the crossing is [MASK].":  # the only sentence of its template
            continue
        filled = sentence.replace("[MASK]", "zebra")
        assert apart._TEMPLATE.fullmatch(filled.strip(".").lower()), filled


@pytest.mark.parametrize("template", wordlists.load("locations").template)
@pytest.mark.parametrize("country", ["Norway", "the Netherlands"])
def test_every_held_out_wording_of_capital_and_country_is_refused(template: str, country: str) -> None:
    written = template.replace("{capital}", "Port Zebra").replace("[MASK]", country)
    assert any(apart.of_a_suite(sentence) for sentence in split_sentences(written))
    assert not apart.of_a_suite(written.replace("capital", "chief").replace("country", "part").replace("meets", "met"))


@pytest.mark.parametrize(
    "sentence",
    [
        "Six plus eight is fourteen.",
        "The month after May is June.",
        "The brother of my father is my uncle.",
        "The wife of a king is a queen.",
        "There are ten years in a decade.",
        "Beer is made from barley.",
    ],
)
def test_a_fact_with_the_same_form_as_others_of_the_suite_is_refused(sentence: str) -> None:
    assert apart.of_a_suite(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Cold is the opposite of hot.",
        "White is the color of snow.",
        "The young of a cat is a kitten.",
        "A baker bakes bread.",
        "My father's sister is my aunt.",
        "Two and three make five.",
        "April comes after March.",
        "If you mix blue with yellow you get green.",
        "Oslo, the capital of Norway, is a port.",
        "People in Norway speak Norwegian.",
        "",
    ],
)
def test_other_words_for_the_same_facts_are_kept(sentence: str) -> None:
    assert not apart.of_a_suite(sentence)


def test_templates_are_complete_patterns() -> None:
    for template in apart.TEMPLATES:
        assert not re.fullmatch(template, "the dog sleeps in the house")
