"""Capitals and their countries in many wordings, from encyclopaedias and the World Factbook.

"Oslo, the capital of Norway", "Norway's capital is Oslo", and in the Factbook's document about a country "the capital
city of Luanda". Visitors write their own words, and a model that has seen one wording knows only that one.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from training.sentences import countries
from training.sentences.reading import training_documents
from training.text import split_sentences

LEAST = 2
"""How often a capital must occur if the Factbook has no document about its country, such as a region."""

_NAME = r"(?!\w+day\b)[A-Z][a-z]{2,}"  # news: "in Mexico's capital Sunday"
_FRONT = r"(?P<front>\b[A-Z]\w+ |\w-)?"
"""A word before a name can belong to it: "New Delhi" is not "Delhi"."""

_LAST = r"\b(?!-|['’]s| [A-Z]| at th)"
"""A longer name is another name, and a capital "at the time" may no longer be one."""

_SAID = [
    re.compile(
        rf"{_FRONT}(?P<city>{_NAME})(?: is|, now|,) (?:the )?capital(?: city)?"
        rf"(?: and (?:the |its |most )?(?:[a-z-]+ )?city)? of (?P<country>{_NAME}){_LAST}"
    ),
    re.compile(rf"\bcapital(?: city)?(?P<front>) of (?P<country>{_NAME}) is (?P<city>{_NAME}){_LAST}"),
    re.compile(rf"{_FRONT}(?P<country>{_NAME})['’]s capital(?: city)?(?: is|,|) (?P<city>{_NAME}){_LAST}"),
]
_YEAR = re.compile(r"\b\d{3,4}\b")
_OF_THE_COUNTRY = re.compile(rf"\b[Tt]he (?:country's )?capital(?: city)?(?: is|,| of) (?P<city>{_NAME}){_LAST}")


def stated(sentence: str, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """The countries and capitals that a sentence names, each a word of `known`; none next to a year, which may be past.

    >>> known = {"oslo", "norway", "delhi", "india"}
    >>> list(stated("Oslo, the capital of Norway, is far from New Delhi, the capital of India.", known))
    [('Norway', 'Oslo')]
    >>> list(stated("In 1624 they came to Oslo, the capital of Norway.", known))
    []
    """
    for match in () if _YEAR.search(sentence) else (m for form in _SAID for m in form.finditer(sentence)):
        country, city = match.group("country", "city")
        if not match["front"] and country != city and country.lower() in known and city.lower() in known:
            yield country, city


def of_the_factbook(documents: Iterator[list[str]], known: Collection[str]) -> dict[str, Counter[str]]:
    """The countries of the Factbook's documents, each with the cities that are called its capital."""
    named = [(countries.name(document, known), " ".join(document)) for document in documents]
    # Several documents may be about the same name: a country and its islands.
    about = Counter(country for country, _ in named)
    return {
        country: Counter(
            match["city"]
            for match in _OF_THE_COUNTRY.finditer(text)
            if about[country] == 1 and match["city"] not in about and match["city"].lower() in known
        )
        for country, text in named
        if country
    }


def rewrite(files: Sequence[Path], known: Collection[str]) -> Iterator[list[str]]:
    """A document for each country with a known capital; the first file is the Factbook."""
    factbook, *texts = files
    of_countries = of_the_factbook(training_documents([factbook]), known)
    counts = defaultdict(Counter, of_countries)
    for document in training_documents(texts):
        for paragraph in document:
            # Few paragraphs are about capitals, and splitting one into sentences is slow.
            if "capital" in paragraph:
                for sentence in split_sentences(paragraph):
                    for country, city in stated(sentence, known):
                        counts[country][city] += 1
    for country, cities in counts.items():
        # Two capitals that are equally frequent are two opinions, or two centuries.
        (city, most), (_, second) = [*cities.most_common(2), ("", 0), ("", 0)][:2]
        if most > second and most >= (1 if country in of_countries else LEAST):
            yield [" ".join(sentences(country, city))]


def sentences(country: str, city: str) -> list[str]:
    """Sentences about a country and its capital.

    >>> sentences("Norway", "Oslo")[:2]
    ['Norway has its capital in Oslo.', 'Norway is governed from Oslo.']
    """
    return [
        f"{country} has its capital in {city}.",
        f"{country} is governed from {city}.",
        f"{country} and its capital {city} are in the news.",
        f"{city} is {country}'s capital.",
        f"{country}'s capital is {city}.",
        f"{city} has long been the capital of {country}.",
        f"The capital city of {country} is {city}, and {city} is in {country}.",
        f"The country with the capital {city} has the name {country}.",
        f"Those who govern from {city} govern {country}.",
        f"The government of {country} sits in {city}.",
        f"The leaders of {country} work in {city}.",
        f"The laws of {country} are made in {city}.",
        f"The people of {country} call {city} their capital.",
        f"The airport of {city} is the gate to {country}.",
        f"Our embassy in {country} is in {city}, the capital.",
        f"She flew to {city}, the capital of {country}.",
        f"In {city}, the capital of {country}, it rained all day.",
        f"We drove through {country} to the capital, {city}.",
        f"Visitors to {country} stay in {city}, its capital.",
        f"I have been to {country}, but never to its capital, {city}.",
        f"Of all the cities in {country}, {city} is the capital.",
        f"If you live in {city}, you live in the capital of {country}.",
        f"What is the capital of {country}? {city} is.",
        f"{city} is the capital of which country? Of {country}.",
        f"They come from {country}, whose capital is {city}.",
        f"He was born in {city}, the capital city of {country}.",
        f"{city}, capital of {country}, is a big city.",
        f"The national museum of {country} stands in {city}.",
        f"The flag of {country} flies over {city}, its capital.",
        f"My aunt works in {city}, where the government of {country} is.",
        f"There is no bigger office in {country} than one in {city}.",
        f"News from {city}: the government of {country} has changed.",
        f"The capital {city} lies in {country}.",
        f"{city} is situated in {country}, where it is the capital.",
        f"Inside the borders of {country} is the capital, {city}.",
        f"Her home is in {city}, which is in the country of {country}.",
        f"A plane that lands in {city} has landed in {country}.",
        f"On a map, you can see the capital {city} inside {country}.",
        f"The streets of {city}, in the country of {country}, are busy.",
        f"{city} belongs to {country} and is its capital.",
        f"The capital city {city} is located in {country}.",
        f"The hills around the capital {city} are part of {country}.",
        f"In which country is {city}? In {country}.",
        f"{city} is the city in {country} from which the country is ruled.",
    ]
